// The first and last day of a period, side by side in a form. A period without a last day never ends.
import { Group } from '@mantine/core';
import { DateField } from './DateField.tsx';

type Days = { from: string; to: string };
type Props = {
  values: Days;
  errors: { readonly from?: string | undefined; readonly to?: string | undefined };
  /** The period has begun, so its first day cannot change. */
  begun?: boolean;
  onChange: (patch: Partial<Days>) => void;
};

export function FromTo({ values, errors, begun = false, onChange }: Props) {
  return (
    <Group grow align="flex-start">
      <DateField
        label="From"
        required
        disabled={begun}
        value={values.from}
        error={errors.from}
        onChange={(from) => onChange({ from })}
      />
      <DateField
        label="To"
        placeholder="no end"
        value={values.to}
        error={errors.to}
        onChange={(to) => onChange({ to })}
      />
    </Group>
  );
}
