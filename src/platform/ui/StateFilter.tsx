// Limits a list to the records in one state.
import { Select } from '@mantine/core';

type Props<State extends string> = {
  labels: Readonly<Record<State, string>>;
  states: readonly State[];
  /** '' means all. */
  value: string;
  onChange: (state: State | '') => void;
};

export function StateFilter<State extends string>({ labels, states, value, onChange }: Props<State>) {
  return (
    <Select
      aria-label="State"
      w={170}
      allowDeselect={false}
      data={[{ value: '', label: 'All' }, ...states.map((state) => ({ value: state, label: labels[state] }))]}
      value={value}
      onChange={(next) => onChange((next as State | null) ?? '')}
    />
  );
}
