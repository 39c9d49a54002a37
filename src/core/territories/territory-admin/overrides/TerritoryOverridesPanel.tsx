// The account overrides of a territory: facilities that it serves regardless of their ZIP.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import { EndDialog } from '../EndDialog.tsx';
import { type Override, TerritoryAdmin } from '../territory-admin.contract.ts';
import type { TerritoryTab } from '../territory-tab.web.ts';
import { PanelBar, WhenSelect, whenFrom } from '../zips/TerritoryZipsPanel.tsx';
import { OverrideDrawer } from './OverrideDrawer.tsx';

const PAGE_SIZE = 50;

export function TerritoryOverridesPanel({ territory, today, list, onChanged }: TerritoryTab) {
  const when = whenFrom(list.filters.when);
  const criteria = { territoryId: territory.id, when, sort: list.sort, page: list.page, pageSize: PAGE_SIZE };
  const query = useQuery({
    ...api(TerritoryAdmin).GetTerritoryOverrides.query(criteria),
    placeholderData: keepPreviousData,
  });
  const [editing, setEditing] = useState<Override | 'new' | null>(null);
  const [ending, setEnding] = useState<Override | null>(null);
  useKeys([{ key: 'a', label: 'Add Override', run: () => setEditing('new') }]);
  return (
    <>
      <PanelBar filters={<WhenSelect value={when} onChange={(next) => list.filter({ when: next })} />}>
        <Button variant="default" aria-keyshortcuts="a" onClick={() => setEditing('new')}>
          Add Override
        </Button>
      </PanelBar>
      <DataList
        label="Account overrides"
        columns={columnsOf(setEditing, setEnding, today)}
        {...pageShown(query, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={setEditing}
        card={(row) => <OverrideCard row={row} today={today} onOpen={setEditing} onEnd={setEnding} />}
      />
      {editing ? (
        <OverrideDrawer
          override={editing === 'new' ? null : editing}
          territory={territory}
          facility={editing === 'new' ? null : editing.facility}
          today={today}
          onSaved={onChanged}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {ending ? (
        <EndDialog
          what={`the override of ${ending.facility.name}`}
          today={today}
          end={(lastDay) =>
            api(TerritoryAdmin).EndTerritoryOverrides({
              territoryId: territory.id,
              ids: [ending.id],
              lastDay,
              version: ending.version,
            })
          }
          onEnded={onChanged}
          onClose={() => setEnding(null)}
        />
      ) : null}
    </>
  );
}

type Act = (row: Override) => void;

const columnsOf = (onOpen: Act, onEnd: Act, today: string): Column<Override>[] => [
  { field: 'facility', title: 'Facility', width: 280, render: (row) => <FacilityLink row={row} onOpen={onOpen} /> },
  { field: 'acctNo', title: 'Acct. #', render: (row) => <Account row={row} /> },
  { title: 'City', width: 180, render: (row) => cityAndState(row.facility) },
  { title: 'Reason', width: 260, render: (row) => <span title={row.reason}>{row.reason}</span> },
  { field: 'from', title: 'From', render: (row) => <span className="tabular">{formatDate(row.from)}</span> },
  { field: 'to', title: 'To', render: (row) => <span className="tabular">{formatDate(row.to) || 'no end'}</span> },
  { title: 'End', render: (row) => <EndButton row={row} onEnd={onEnd} today={today} /> },
];

function FacilityLink({ row, onOpen }: { row: Override; onOpen: Act }) {
  return (
    <Anchor component="button" type="button" fw={600} title={row.facility.name} onClick={() => onOpen(row)}>
      {row.facility.name}
    </Anchor>
  );
}

/** A link to the facility. */
function Account({ row }: { row: Override }) {
  return (
    <Anchor
      component={Link}
      to={paths.facility(row.facility.id)}
      className="tabular"
      aria-label={`Account ${row.facility.acctNo}, open the facility`}
    >
      {row.facility.acctNo}
    </Anchor>
  );
}

function EndButton({ row, onEnd, today }: { row: Override; onEnd: Act; today: string }) {
  if (row.to !== null && row.to < today) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`End the override of ${row.facility.name}`}
      onClick={() => onEnd(row)}
    >
      End
    </Button>
  );
}

function OverrideCard({ row, today, onOpen, onEnd }: { row: Override; today: string; onOpen: Act; onEnd: Act }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <FacilityLink row={row} onOpen={onOpen} />
        <EndButton row={row} onEnd={onEnd} today={today} />
      </Group>
      <Text size="sm" className="muted">
        {row.facility.acctNo} · {cityAndState(row.facility)} · {formatDate(row.from)} – {formatDate(row.to) || 'no end'}
      </Text>
      <Text size="sm">{row.reason}</Text>
    </Stack>
  );
}
