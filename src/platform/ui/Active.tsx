// Shows whether records of a list are active, and filters by it.
import { Select } from '@mantine/core';
import { Chip } from './Chip.tsx';

export function ActiveChip({ active }: { active: boolean }) {
  return <Chip tone={active ? 'green' : 'red'}>{active ? 'Active' : 'Inactive'}</Chip>;
}

type Choice = { value: string; label: string };
type Props = { value: string; onChange: (value: string) => void; w?: number; also?: Choice[] };

/** `value` is the text in the address: 'true', 'false', '' for all, or one of the `also` choices. */
export function ActiveFilter({ value, onChange, w = 140, also = [] }: Props) {
  return (
    <Select
      aria-label="Active or not"
      w={w}
      allowDeselect={false}
      data={[
        { value: 'true', label: 'Active' },
        { value: 'false', label: 'Inactive' },
        ...also,
        { value: '', label: 'All' },
      ]}
      value={value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

/** Returns the filter for the server. Null means all. */
export function activeOrNot(value: string): boolean | null {
  return value === '' ? null : value === 'true';
}
