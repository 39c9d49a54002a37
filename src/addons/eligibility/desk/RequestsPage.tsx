// The eligibility desk: lists requests by state and age, and marks the overdue ones.
import { Anchor, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { ContractLists } from '#core/prices/contracts/list/ContractLists.tsx';
import { FacilityFilter } from '#core/prices/contracts/list/PickFilters.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { isId, paths } from '#platform/shared/paths.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { AGES, Eligibility, type RequestRow } from '../eligibility.contract.ts';
import { REQUEST_STATES, type RequestState, STATE_LABELS, WAITING_STATES } from '../request-steps.ts';
import { RequestStateChip } from '../RequestStateChip.tsx';
import { tierOfContract } from '../request-words.ts';

const AGE_LABELS = { Overdue: 'Overdue', Over7: 'More than 7 days', Over30: 'More than 30 days' };

export default function RequestsPage() {
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'eligibility',
    filters: { keyword: '', state: 'Waiting', age: '', facility: '', mine: '' },
    sort: { field: 'stateAt', dir: 'asc' },
    criteria: (input) => ({
      keyword: input.keyword,
      state:
        input.state === 'Waiting'
          ? ('Waiting' as const)
          : (REQUEST_STATES.find((requestState) => requestState === input.state) ?? null),
      age: AGES.find((candidate) => candidate === input.age) ?? null,
      facilityId: isId(input.facility) ? Number(input.facility) : null,
      mine: input.mine === 'yes',
    }),
    find: api(Eligibility).SearchRequests,
  });
  const { filters, found } = list;
  const { state, age } = list.criteria;
  const facility = isId(filters.facility) ? filters.facility : '';
  const counts = new Map(found.data?.counts.map((count) => [count.state, count.count]));
  const countOf = (states: readonly RequestState[]) =>
    found.data ? ` (${states.reduce((sum, entry) => sum + (counts.get(entry) ?? 0), 0).toLocaleString('en-US')})` : '';
  const overdue = found.data?.overdue ?? 0;

  return (
    <ListPage
      title="Eligibility"
      hint="Requests to add facilities to contract tiers, longest waiting first."
      noun={['request', 'requests']}
      {...list.page}
      siblingLists={<ContractLists />}
      filters={
        <>
          <KeywordField label="Facility or contract" {...list.field('keyword')} />
          <Select
            aria-label="State"
            w={210}
            allowDeselect={false}
            data={[
              { value: 'Waiting', label: `Waiting${countOf(WAITING_STATES)}` },
              ...REQUEST_STATES.map((requestState) => ({
                value: requestState,
                label: `${STATE_LABELS[requestState]}${countOf([requestState])}`,
              })),
              { value: '', label: `All states${countOf(REQUEST_STATES)}` },
            ]}
            value={state ?? ''}
            onChange={(next) => list.filter({ state: next ?? '' })}
          />
          <FilterSelect
            label="Age"
            w={180}
            all="Any age"
            choices={AGES.map((entry) => ({
              value: entry,
              label: entry === 'Overdue' && overdue > 0 ? `Overdue (${overdue})` : AGE_LABELS[entry],
            }))}
            {...list.field('age')}
            value={age ?? ''}
          />
          <FacilityFilter {...list.field('facility')} value={facility} />
          <Switch
            label="Mine"
            pb={8}
            checked={filters.mine === 'yes'}
            onChange={(event) => list.filter({ mine: event.currentTarget.checked ? 'yes' : '' })}
          />
        </>
      }
    >
      <DataList
        label="Eligibility requests"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.eligibilityRequest(row.id)}
        onOpen={(row) => void navigate({ to: paths.eligibilityRequest(row.id) })}
        empty={
          state === 'Waiting' && !age && !filters.keyword && !facility
            ? 'No requests are waiting. To start one, open a quote and choose "Request a contract price" from the menu of a line.'
            : 'No Record Found'
        }
        card={(row) => <RequestCard row={row} />}
      />
    </ListPage>
  );
}

const COLUMNS: Column<RequestRow>[] = [
  { field: 'facility', title: 'Facility', width: 260, render: (row) => <FacilityLink row={row} /> },
  {
    field: 'contract',
    title: 'Contract',
    width: 200,
    render: (row) => <span title={row.contract.title}>{row.contract.number}</span>,
  },
  { title: 'Tier', width: 160, render: (row) => <span title={row.tier.name}>{row.tier.name}</span> },
  { field: 'state', title: 'State', render: (row) => <RequestStateChip state={row.state} /> },
  {
    field: 'stateAt',
    title: 'Age',
    figure: true,
    render: (row) => <Age row={row} />,
  },
  { title: 'Waiting on', width: 180, render: (row) => <span title={row.waitsFor}>{row.waitsFor}</span> },
  { field: 'wantedFrom', title: 'Requested start', figure: true, render: (row) => formatDate(row.wantedFrom) },
  { title: 'Quotes', figure: true, render: (row) => row.quotes },
  { title: 'Requested by', width: 160, render: (row) => row.requestedBy.name },
];

function Age({ row }: { row: RequestRow }) {
  const days = row.days === 1 ? '1 day' : `${row.days} days`;
  return row.overdue ? (
    <Text span inherit c="red" fw={600} className="tabular">
      {days}, overdue
    </Text>
  ) : (
    <span className="tabular">{days}</span>
  );
}

function FacilityLink({ row }: { row: RequestRow }) {
  return (
    <Anchor component={Link} to={paths.eligibilityRequest(row.id)} fw={600} title={row.facility.name}>
      {row.facility.name}
    </Anchor>
  );
}

function RequestCard({ row }: { row: RequestRow }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <FacilityLink row={row} />
        <RequestStateChip state={row.state} />
      </Group>
      <Text size="sm">{tierOfContract(row)}</Text>
      <Text size="sm" className="muted">
        <Age row={row} />
        {row.waitsFor ? ` · waiting on ${row.waitsFor}` : ''} · from {formatDate(row.wantedFrom)}
      </Text>
    </Stack>
  );
}
