// The account overrides of a facility: the territory that serves it whatever its ZIP says, current, future and past.
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { EndDialog } from '#features/territories/territory-admin/EndDialog.tsx';
import { OverrideDrawer } from '#features/territories/territory-admin/overrides/OverrideDrawer.tsx';
import { TerritoryAdmin } from '#features/territories/territory-admin/territory-admin.contract.ts';
import { paths } from '#shared/paths.ts';
import { Chip } from '#ui/Chip.tsx';
import type { PartProps } from '../contacts/FacilityContactsPanel.tsx';
import { DatedEntries, EditOrEnd, EndedWord, Entry, FacilityPart, isOver, PartButton } from '../FacilityPart.tsx';
import type { FacilityOverride } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';

export function FacilityOverridesPanel({ facility, record, mayEdit }: PartProps) {
  const { overrides, today } = record;
  const [editing, setEditing] = useState<FacilityOverride | 'new' | null>(null);
  const [ending, setEnding] = useState<FacilityOverride | null>(null);
  return (
    <FacilityPart
      title="Account overrides"
      actions={mayEdit ? <PartButton label="Add" says="Add Override" onClick={() => setEditing('new')} /> : null}
    >
      <DatedEntries
        label="Account overrides"
        rows={overrides}
        today={today}
        none="None: the ship-to ZIP says who serves it."
        render={(one) => (
          <Entry
            key={one.id}
            actions={
              mayEdit && !isOver(one, today) ? (
                <EditOrEnd
                  what={`the override of ${one.territory.name}`}
                  onEdit={() => setEditing(one)}
                  onEnd={() => setEnding(one)}
                />
              ) : null
            }
          >
            <Group gap={6}>
              <TerritoryName one={one} isLink={mayEdit} />
              {one.from > today ? <Chip tone="blue">To come</Chip> : null}
              {isOver(one, today) ? <EndedWord /> : null}
              {one.counts ? null : <Chip tone="red">Territory inactive</Chip>}
            </Group>
            <Text size="sm" className="muted tabular">
              {daysInWords(one)}
            </Text>
            <Text size="sm">{one.reason}</Text>
          </Entry>
        )}
      />
      {editing ? (
        <OverrideDrawer
          override={editing === 'new' ? null : editing}
          territory={editing === 'new' ? null : editing.territory}
          facility={facility}
          today={today}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {ending ? (
        <EndDialog
          what={`the override of ${ending.territory.name}`}
          today={today}
          end={(lastDay) =>
            api(TerritoryAdmin).EndTerritoryOverrides({
              territoryId: ending.territory.id,
              ids: [ending.id],
              lastDay,
              version: ending.version,
            })
          }
          onClose={() => setEnding(null)}
        />
      ) : null}
    </FacilityPart>
  );
}

/** Only people who edit territories have a page for them. */
function TerritoryName({ one, isLink }: { one: FacilityOverride; isLink: boolean }) {
  if (!isLink) {
    return (
      <Text size="sm" fw={600}>
        {one.territory.name}
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={paths.territory(one.territory.id)} size="sm" fw={600}>
      {one.territory.name}
    </Anchor>
  );
}
