// Formats a user's state and last visit.
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';

type State = { active: boolean; hasPassword: boolean; invited: boolean };

export function StateChip({ active, hasPassword, invited }: State) {
  if (!active) return <Chip tone="red">Inactive</Chip>;
  if (hasPassword) return <Chip tone="green">Active</Chip>;
  return invited ? <Chip tone="blue">Invited</Chip> : <Chip tone="orange">Not invited</Chip>;
}

/** Formats a date and a time. */
export function moment(instant: string): string {
  return formatInstant(instant);
}

export function whenUsed(instant: string | null): string {
  return instant ? moment(instant) : 'never';
}
