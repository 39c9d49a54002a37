// Lists the current, future and past account overrides of a facility. An override sets the territory regardless of the ZIP.
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { EndDialog } from '#core/territories/territory-admin/EndDialog.tsx';
import { OverrideDrawer } from '#core/territories/territory-admin/overrides/OverrideDrawer.tsx';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { PartProps } from '../contacts/FacilityContactsPanel.tsx';
import { DatedPart } from '../FacilityPart.tsx';
import type { FacilityOverride } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';

export function FacilityOverridesPanel({ facility, record, mayEdit }: PartProps) {
  const { overrides, today } = record;
  return (
    <DatedPart
      title="Account overrides"
      entryName="Override"
      rows={overrides}
      today={today}
      none="None. The ship-to ZIP decides who serves it."
      mayEdit={mayEdit}
      called={(override) => `the override of ${override.territory.name}`}
      name={(override) => <TerritoryName override={override} isLink={mayEdit} />}
      chips={(override) => (override.counts ? null : <Chip tone="red">Territory inactive</Chip>)}
      rest={(override) => (
        <>
          <Text size="sm" className="muted tabular">
            {daysInWords(override)}
          </Text>
          <Text size="sm">{override.reason}</Text>
        </>
      )}
      edit={(override, onClose) => (
        <OverrideDrawer
          override={override}
          territory={override?.territory ?? null}
          facility={facility}
          today={today}
          onClose={onClose}
        />
      )}
      end={(override, onClose) => (
        <EndDialog
          what={`the override of ${override.territory.name}`}
          today={today}
          end={(lastDay) =>
            api(TerritoryAdmin).EndTerritoryOverrides({
              territoryId: override.territory.id,
              ids: [override.id],
              lastDay,
              version: override.version,
            })
          }
          onClose={onClose}
        />
      )}
    />
  );
}

/** Links the territory only for users who may open its page. */
function TerritoryName({ override, isLink }: { override: FacilityOverride; isLink: boolean }) {
  if (!isLink) {
    return (
      <Text size="sm" fw={600}>
        {override.territory.name}
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={paths.territory(override.territory.id)} size="sm" fw={600}>
      {override.territory.name}
    </Anchor>
  );
}
