// The list of contracts.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { isId, paths } from '#platform/shared/paths.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { CONTRACT_STATUSES } from '../contract-status.ts';
import { daysLeftInWords, gpoInWords } from '../contract-words.ts';
import { Contract, type ContractRow, ENDS_WITHIN } from '../contracts.contract.ts';
import { ContractDrawer } from '../record/ContractForm.tsx';
import { ContractStatusChip } from '../StatusChip.tsx';
import { keepsContracts, readsAllContracts } from '../sight/contract-roles.ts';
import { ContractLists } from './ContractLists.tsx';
import { FacilityFilter, ItemFilter, itemIdOf, useItemId } from './PickFilters.tsx';

const PAGE_SIZE = 50;
const NO_FILTERS = { keyword: '', gpo: '', category: '', status: '', ends: '', facility: '', item: '' };

const criteriaOf = ({ keyword, gpo, category, status, ends, facility }: typeof NO_FILTERS, itemId: number | null) => ({
  keyword,
  gpoId: gpo === 'local' ? 0 : isId(gpo) ? Number(gpo) : null,
  category,
  status: CONTRACT_STATUSES.find((contractStatus) => contractStatus === status) ?? null,
  endsWithinDays: ENDS_WITHIN.find((days) => String(days) === ends) ?? null,
  facilityId: isId(facility) ? Number(facility) : null,
  itemId,
});

export default function ContractsPage() {
  const navigate = useNavigate();
  const user = useSession();
  const list = useListAddress('contracts', NO_FILTERS, { field: 'number', dir: 'asc' });
  const { filters } = list;
  const itemId = useItemId(filters.item);
  const facility = isId(filters.facility) ? filters.facility : '';
  const criteria = { ...criteriaOf(filters, itemId ?? null), sort: list.sort };
  const query = useQuery({
    ...api(Contract).Search.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    enabled: itemId !== undefined,
  });
  const choices = useQuery({
    ...api(Contract).GetContractChoices.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });
  const exported = useMutation({ ...api(Contract).ExportContracts.mutation(), onSuccess: saveFile });
  const mayEdit = user !== null && keepsContracts(user);
  const [adding, setAdding] = useState(false);
  const readsRosters = user !== null && readsAllContracts(user);
  const categories = new Set([...(choices.data?.categories ?? []), ...(filters.category ? [filters.category] : [])]);

  return (
    <ListPage
      title="GPO Contracts"
      noun={['contract', 'contracts']}
      total={query.data?.total}
      countOf={async (view) => {
        const filters = list.filtersOf(view);
        return api(Contract).Search({ ...criteriaOf(filters, await itemIdOf(filters.item)), page: 1, pageSize: 1 });
      }}
      alert={
        filters.item && itemId === null ? (
          <ErrorAlert error={`Item ${filters.item} was not found, so the list shows contracts of all items.`} />
        ) : undefined
      }
      siblingLists={<ContractLists />}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={
        <>
          <Button component={Link} to={paths.contractFolders} variant="default">
            Folders
          </Button>
          {mayEdit ? (
            <Button component={Link} to={paths.contractImport} variant="default">
              Import from a file
            </Button>
          ) : null}
          {mayEdit ? <AddButton label="Add Contract" onAdd={() => setAdding(true)} /> : null}
        </>
      }
      filters={
        <>
          <KeywordField
            label="Number, title, category or GPO"
            value={filters.keyword}
            onChange={(keyword) => list.filter({ keyword })}
          />
          <FilterSelect
            label="GPO"
            w={170}
            all="All GPOs"
            choices={[...(choices.data?.gpos ?? []), { value: 'local', label: 'Local agreements' }]}
            value={filters.gpo}
            onChange={(gpo) => list.filter({ gpo })}
          />
          <FilterSelect
            label="Category"
            w={160}
            all="All categories"
            choices={[...categories]}
            value={filters.category}
            onChange={(category) => list.filter({ category })}
          />
          <FilterSelect
            label="Status"
            w={130}
            all="All statuses"
            choices={CONTRACT_STATUSES.filter((status) => status !== 'Draft' || readsRosters)}
            value={criteria.status ?? ''}
            onChange={(status) => list.filter({ status })}
          />
          <FilterSelect
            label="Ends within"
            w={165}
            all="Any end"
            choices={ENDS_WITHIN.map((days) => ({ value: String(days), label: `Ends within ${days} days` }))}
            value={criteria.endsWithinDays === null ? '' : String(criteria.endsWithinDays)}
            onChange={(ends) => list.filter({ ends })}
          />
          <FacilityFilter value={facility} onChange={(next) => list.filter({ facility: next })} />
          <ItemFilter value={filters.item} onChange={(item) => list.filter({ item })} />
        </>
      }
    >
      <DataList
        label="GPO Contracts"
        columns={columnsFor(readsRosters)}
        {...pageShown(query, list, PAGE_SIZE)}
        {...(filters.item !== '' && itemId === null ? { rows: [], total: 0 } : {})}
        rowKey={(row) => row.id}
        rowHref={(row) => paths.contract(row.id)}
        onOpen={(row) => void navigate({ to: paths.contract(row.id) })}
        card={(row) => <ContractCard row={row} readsRosters={readsRosters} />}
      />
      {adding ? (
        <ContractDrawer
          id={0}
          onSaved={(saved) => void navigate({ to: paths.contract(saved.id) })}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </ListPage>
  );
}

function columnsFor(readsRosters: boolean): Column<ContractRow>[] {
  return [
    { field: 'number', title: 'Number', render: (row) => <NumberLink row={row} /> },
    { field: 'gpoName', title: 'GPO', width: 170, render: (row) => <Cut text={gpoInWords(row.gpoName)} /> },
    { field: 'title', title: 'Title', width: 240, render: (row) => <Cut text={row.title} /> },
    { field: 'category', title: 'Category', width: 150, render: (row) => <Cut text={row.category} /> },
    { title: 'Tiers', figure: true, render: (row) => row.tiers },
    { title: 'Lines', figure: true, render: (row) => row.lines.toLocaleString('en-US') },
    ...(readsRosters
      ? [{ title: 'Roster', figure: true, render: (row: ContractRow) => (row.roster ?? 0).toLocaleString('en-US') }]
      : []),
    { field: 'from', title: 'From', figure: true, render: (row) => formatDate(row.from) },
    { field: 'to', title: 'To', figure: true, render: (row) => formatDate(row.to) },
    {
      title: 'Days left',
      figure: true,
      render: (row) => (row.daysLeft < 0 ? <span className="muted">ended</span> : row.daysLeft.toLocaleString('en-US')),
    },
    { field: 'status', title: 'Status', render: (row) => <ContractStatusChip status={row.status} /> },
  ];
}

function Cut({ text }: { text: string }) {
  return <span title={text}>{text}</span>;
}

function NumberLink({ row }: { row: ContractRow }) {
  return (
    <Anchor component={Link} to={paths.contract(row.id)} fw={600} className="tabular">
      {row.number}
    </Anchor>
  );
}

function ContractCard({ row, readsRosters }: { row: ContractRow; readsRosters: boolean }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <NumberLink row={row} />
        <ContractStatusChip status={row.status} />
      </Group>
      <Text size="sm">{row.title}</Text>
      <Text size="sm" className="muted">
        {[gpoInWords(row.gpoName), row.category].filter(Boolean).join(' · ')}
      </Text>
      <Text size="sm" className="muted tabular">
        {formatDate(row.from)} – {formatDate(row.to)} · {daysLeftInWords(row.daysLeft)}
      </Text>
      <Text size="sm" className="muted tabular">
        {countOf(row.tiers, 'tier')} · {countOf(row.lines, 'line')}
        {readsRosters ? ` · ${(row.roster ?? 0).toLocaleString('en-US')} on the roster` : ''}
      </Text>
    </Stack>
  );
}
