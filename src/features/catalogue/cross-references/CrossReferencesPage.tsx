// Cross-references: what makers, distributors and customers call our items, and entries that contradict each other.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import { formatInstant } from '#shared/dates.ts';
import { hasRole } from '#shared/roles.ts';
import { paths } from '#shared/paths.ts';
import { AddButton } from '#ui/AddButton.tsx';
import { Chip } from '#ui/Chip.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { FilterSelect } from '#ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
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

const PAGE_SIZE = 50;

export default function CrossReferencesPage() {
  const list = useListAddress(
    'cross-references',
    { keyword: '', kind: '', scope: '', state: 'Active' },
    { field: 'madeAt', dir: 'desc' },
  );
  const { keyword, kind, scope, state } = list.filters;
  const asked = (given: typeof list.filters) => ({
    keyword: given.keyword,
    kind: REFERENCE_KINDS.find((one) => one === given.kind) ?? null,
    scope: REFERENCE_SCOPES.find((one) => one === given.scope) ?? null,
    state: REFERENCE_STATES.find((one) => one === given.state) ?? null,
  });
  const criteria = { ...asked(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(CrossReference).SearchCrossReferences.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(CrossReference).ExportCrossReferences.mutation(), onSuccess: saveFile });
  const user = useSession();
  const mayImport = user !== null && hasRole(user, 'systemadmin');
  const [editing, setEditing] = useState<number | null>(null);

  return (
    <ListPage
      title="Cross-References"
      hint="What makers, distributors and customers call our items. Searches and pastes find the items by them: of one facility first, then of its parents, its GPOs, and everybody."
      noun={['cross-reference', 'cross-references']}
      total={found.data?.total}
      countOf={(view) =>
        api(CrossReference).SearchCrossReferences({ ...asked(list.filtersOf(view)), page: 1, pageSize: 1 })
      }
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
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
          <KeywordField
            label="Number, maker, item, source or facility"
            w={300}
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <FilterSelect
            label="Kind"
            w={150}
            all="All kinds"
            choices={REFERENCE_KINDS.map((one) => ({ value: one, label: KIND_WORDS[one] }))}
            value={kind}
            onChange={(next) => list.filter({ kind: next })}
          />
          <FilterSelect
            label="For whom"
            w={220}
            all="For all"
            choices={REFERENCE_SCOPES.map((one) => ({ value: one, label: SCOPE_WORDS[one] }))}
            value={scope}
            onChange={(next) => list.filter({ scope: next })}
          />
          <FilterSelect
            label="State"
            w={160}
            all="Active and ended"
            choices={REFERENCE_STATES}
            value={state}
            onChange={(next) => list.filter({ state: next })}
          />
        </>
      }
    >
      <DataList
        label="Cross-references"
        columns={columnsOf(setEditing)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
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
  { field: 'maker', title: 'Maker or distributor', width: 170, render: (row) => row.maker || '–' },
  { field: 'number', title: 'Number', width: 170, render: (row) => <OpenLink row={row} onOpen={onOpen} /> },
  {
    field: 'item',
    title: 'Our item',
    width: 300,
    render: (row) => (
      <span title={row.item.description}>
        <span className="tabular">{row.item.number}</span> <span className="muted">{row.item.description}</span>
      </span>
    ),
  },
  { title: 'Unit', width: 70, render: (row) => row.unit || '–' },
  { title: 'Kind', width: 110, render: (row) => KIND_WORDS[row.kind] },
  { title: 'For', width: 200, render: (row) => <span title={forWhom(row)}>{forWhom(row)}</span> },
  { title: 'State', width: 130, render: (row) => <StateChip row={row} /> },
  { field: 'confirmed', title: 'Confirmed', figure: true, render: (row) => row.confirmed },
  { field: 'refused', title: 'Refused', figure: true, render: (row) => row.refused },
  {
    field: 'madeAt',
    title: 'Added',
    width: 190,
    render: (row) => (
      <span title={row.source}>
        {formatInstant(row.madeAt)} <span className="muted">{row.madeBy || row.source}</span>
      </span>
    ),
  },
];

function OpenLink({ row, onOpen }: { row: ReferenceRow; onOpen: Open }) {
  return (
    <Anchor component="button" type="button" fw={600} onClick={() => onOpen(row.id)}>
      {row.number}
    </Anchor>
  );
}

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
