// The facility field of a form: a search until the user chooses a facility, then a button to change it.
import { Button, TextInput } from '@mantine/core';
import type { FacilityHit } from './facilities.contract.ts';
import { FacilityPicker } from './FacilityPicker.tsx';

type Props = {
  /** The text that describes the chosen facility. Null before the user chooses one. */
  chosen: string | null;
  error: string | undefined;
  /** Called with null when the user wants to choose another one. */
  onChange: (facility: FacilityHit | null) => void;
  /** True if another page made the choice, so that the user cannot change it here. */
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
