// Lists cross-references: the numbers of manufacturers, distributors and customers for our items, and entries that contradict each other.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate, formatInstant } from '#platform/shared/dates.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { paths } from '#platform/shared/paths.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { CrossReference, type ReferenceRow } from './cross-references.contract.ts';
import { CrossReferenceDrawer } from './CrossReferenceDrawer.tsx';
import {
  forWhom,
  KIND_WORDS,
  numberInWords,
  REFERENCE_KINDS,
  REFERENCE_SCOPES,
  REFERENCE_STATES,
  SCOPE_WORDS,
} from './reference-words.ts';

export default function CrossReferencesPage() {
  const list = useRecordList({
    name: 'cross-references',
    filters: { keyword: '', kind: '', scope: '', state: 'Active' },
    sort: { field: 'madeAt', dir: 'desc' },
    criteria: ({ keyword, kind, scope, state }) => ({
      keyword,
      kind: REFERENCE_KINDS.find((referenceKind) => referenceKind === kind) ?? null,
      scope: REFERENCE_SCOPES.find((referenceScope) => referenceScope === scope) ?? null,
      state: REFERENCE_STATES.find((referenceState) => referenceState === state) ?? null,
    }),
    find: api(CrossReference).SearchCrossReferences,
    exported: api(CrossReference).ExportCrossReferences,
  });
  const user = useSession();
  const mayImport = user !== null && hasRole(user, 'systemadmin');
  const [editing, setEditing] = useState<number | null>(null);

  return (
    <ListPage
      title="Cross-References"
      hint="What makers, distributors and customers call our items. The most specific entry applies."
      noun={['cross-reference', 'cross-references']}
      {...list.page}
      actions={
        <>
          {mayImport ? (
            <Button
              variant="default"
              renderRoot={(props) => <Link {...props} to={paths.dataImport} search={{ kind: 'cross-references' }} />}
            >
              Import from a file
            </Button>
          ) : null}
          <AddButton label="Add Cross-Reference" onAdd={() => setEditing(0)} />
        </>
      }
      filters={
        <>
          <KeywordField label="Number, maker, item, source or facility" w={300} {...list.field('keyword')} />
          <FilterSelect
            label="Kind"
            w={150}
            all="All kinds"
            choices={REFERENCE_KINDS.map((referenceKind) => ({
              value: referenceKind,
              label: KIND_WORDS[referenceKind],
            }))}
            {...list.field('kind')}
          />
          <FilterSelect
            label="For whom"
            w={220}
            all="For all"
            choices={REFERENCE_SCOPES.map((referenceScope) => ({
              value: referenceScope,
              label: SCOPE_WORDS[referenceScope],
            }))}
            {...list.field('scope')}
          />
          <FilterSelect
            label="State"
            w={160}
            all="Active and ended"
            choices={REFERENCE_STATES}
            {...list.field('state')}
          />
        </>
      }
    >
      <DataList
        label="Cross-references"
        columns={columnsOf(setEditing)}
        {...list.rows}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => <ReferenceCard row={row} onOpen={setEditing} />}
      />
      {editing === null ? null : (
        <CrossReferenceDrawer key={editing} id={editing} onOpen={setEditing} onClose={() => setEditing(null)} />
      )}
    </ListPage>
  );
}

type Open = (id: number) => void;

const columnsOf = (onOpen: Open): Column<ReferenceRow>[] => [
  { field: 'maker', title: 'Maker or distributor', width: 160, render: (row) => row.maker || '–' },
  {
    field: 'number',
    title: 'Number',
    width: 170,
    render: (row) => <RowLink name={row.number} onOpen={() => onOpen(row.id)} />,
  },
  {
    field: 'item',
    title: 'Our item',
    grows: 200,
    render: (row) => (
      <span title={row.item.description}>
        <span className="tabular">{row.item.number}</span> <span className="muted">{row.item.description}</span>
      </span>
    ),
  },
  { title: 'Unit', render: (row) => row.unit || '–' },
  { title: 'Kind', render: (row) => KIND_WORDS[row.kind] },
  { title: 'For', width: 180, render: (row) => <span title={forWhom(row)}>{forWhom(row)}</span> },
  { title: 'State', width: 130, render: (row) => <StateChip row={row} /> },
  { field: 'confirmed', title: 'Confirmed', figure: true, render: (row) => row.confirmed },
  { field: 'refused', title: 'Refused', figure: true, render: (row) => row.refused },
  {
    field: 'madeAt',
    title: 'Added',
    width: 170,
    render: (row) => (
      <span title={[formatInstant(row.madeAt), row.source].filter(Boolean).join(', ')}>
        {formatDate(row.madeAt)} <span className="muted">{row.madeBy || row.source}</span>
      </span>
    ),
  },
];

export function StateChip({ row }: { row: ReferenceRow }) {
  if (row.ended) return <Chip tone="red">Ended</Chip>;
  return row.contradictions > 0 ? <Chip tone="orange">Contradicting</Chip> : <Chip tone="green">Active</Chip>;
}

function ReferenceCard({ row, onOpen }: { row: ReferenceRow; onOpen: Open }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor component="button" type="button" fw={600} ta="left" className="ellipsis" onClick={() => onOpen(row.id)}>
          {numberInWords(row)}
        </Anchor>
        <StateChip row={row} />
      </Group>
      <Text size="sm" lineClamp={2}>
        {row.item.number} {row.item.description}
      </Text>
      <Text size="sm" className="muted ellipsis">
        {[KIND_WORDS[row.kind], row.unit, forWhom(row)].filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  );
}
