// The facility field of a form: a search until the person chooses a facility, then a button to change it.
import { Button, TextInput } from '@mantine/core';
import type { FacilityHit } from './facilities.contract.ts';
import { FacilityPicker } from './FacilityPicker.tsx';

type Props = {
  /** The text that describes the chosen facility; null before the person chooses one. */
  chosen: string | null;
  error: string | undefined;
  /** Called with null when the person wants to choose another one. */
  onChange: (facility: FacilityHit | null) => void;
  /** True when another page made the choice, so the person cannot change it here. */
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
