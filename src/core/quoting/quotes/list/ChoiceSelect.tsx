// Selects one entry of a list from the server, in which 'All' has no id.
import type { Choice } from '#platform/shared/wire.ts';
import { LazySelect } from '#platform/ui/LazySelect.tsx';

type Props = {
  label: string;
  /** Undefined while loading. */
  choices: Choice[] | undefined;
  value: number | null;
  onChange: (id: number | null) => void;
};

const ALL = 'all';

export function ChoiceSelect({ label, choices = [], value, onChange }: Props) {
  const hasAll = choices.some((choice) => choice.id === null);
  return (
    <LazySelect
      label={label}
      placeholder="Choose"
      data={choices.map((choice) => ({ value: choice.id === null ? ALL : String(choice.id), label: choice.name }))}
      value={value === null ? (hasAll ? ALL : null) : String(value)}
      onChange={(chosen) => onChange(chosen === null || chosen === ALL ? null : Number(chosen))}
      // Without an 'All' entry (sales quote managers), the user can clear the choice.
      clearable={!hasAll}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      searchable={choices.length > 8}
      nothingFoundMessage="No Record Found"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
