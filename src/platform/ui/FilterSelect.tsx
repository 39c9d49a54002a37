// Limits a list to one of several choices, or shows all.
import { Select } from '@mantine/core';
import type { Named } from '#platform/shared/wire.ts';

type Choice = string | { value: string; label: string } | Named;

type Props = {
  label: string;
  w: number;
  /** The text of the field when it does not limit the list: 'All states'. */
  all: string;
  choices: readonly Choice[];
  /** '' means all. */
  value: string;
  onChange: (value: string) => void;
};

/** A longer list of choices gets a search field. */
const SHORT = 10;

export function FilterSelect({ label, w, all, choices, value, onChange }: Props) {
  return (
    <Select
      aria-label={label}
      w={w}
      allowDeselect={false}
      {...(choices.length > SHORT ? { searchable: true, limit: 100, nothingFoundMessage: 'No Record Found' } : {})}
      data={[{ value: '', label: all }, ...choices.map(choiceOf)]}
      value={value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

function choiceOf(choice: Choice): { value: string; label: string } {
  if (typeof choice === 'string') return { value: choice, label: choice };
  return 'id' in choice ? { value: String(choice.id), label: choice.name } : choice;
}
