// A user's state and last visit as the screens show them.
import { formatDate } from '#shared/dates.ts';
import { Chip } from '#ui/Chip.tsx';

type State = { active: boolean; hasPassword: boolean; invited: boolean };

export function StateChip({ active, hasPassword, invited }: State) {
  if (!active) return <Chip tone="red">Inactive</Chip>;
  if (hasPassword) return <Chip tone="green">Active</Chip>;
  return invited ? <Chip tone="blue">Invited</Chip> : <Chip tone="orange">Not invited</Chip>;
}

/** A date and a time. */
export function moment(instant: string): string {
  const time = new Date(instant).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return `${formatDate(instant)} ${time}`;
}

export function whenUsed(instant: string | null): string {
  return instant ? moment(instant) : 'never';
}
