// The form fields for the first and the last day of a line.
import { Group } from '@mantine/core';
import { DateField } from '#platform/ui/DateField.tsx';

type Props = {
  values: { from: string; to: string };
  errors: Record<string, string>;
  onChange: (patch: { from?: string; to?: string }) => void;
};

export function LineDays({ values, errors, onChange }: Props) {
  return (
    <Group grow align="flex-start">
      <DateField
        label="From"
        placeholder="as the contract"
        value={values.from}
        error={errors['from']}
        onChange={(from) => onChange({ from })}
      />
      <DateField
        label="To"
        placeholder="as the contract"
        value={values.to}
        error={errors['to']}
        onChange={(to) => onChange({ to })}
      />
    </Group>
  );
}
