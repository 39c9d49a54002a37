// The facility of a form: searched until one is chosen, and changed with a button afterwards.
import { Button, TextInput } from '@mantine/core';
import type { FacilityHit } from './facilities.contract.ts';
import { FacilityPicker } from './FacilityPicker.tsx';

type Props = {
  /** What is read of the chosen facility; null while none is chosen. */
  chosen: string | null;
  error: string | undefined;
  /** Null when the person takes another one. */
  onChange: (facility: FacilityHit | null) => void;
  /** The choice was made elsewhere and stays. */
  fixed?: boolean;
};

export function FacilityField({ chosen, error, onChange, fixed = false }: Props) {
  if (chosen === null) {
    return <FacilityPicker required takesFocus error={error && 'Choose the facility'} onPick={onChange} />;
  }
  return (
    <TextInput
      label="Facility"
      readOnly
      value={chosen}
      error={error}
      rightSectionWidth={80}
      rightSection={
        fixed ? null : (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
            Change
          </Button>
        )
      }
    />
  );
}
