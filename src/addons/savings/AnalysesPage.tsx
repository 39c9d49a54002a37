// Lists savings analyses: the usage files of facilities, the progress of their matching, and what the customer saves.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityFilter } from '#core/catalog/item-search/FacilityFilter.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { type AnalysisRow, Savings, SAVINGS_SORT_FIELDS } from './savings.contract.ts';
import { ageText, percentText, STATE_LABELS } from './savings-labels.ts';
import { ANALYSIS_STATES } from './savings-words.ts';
import classes from './savings.module.css';

const PAGE_SIZE = 50;
/** How often the list reloads while one of its files is being read, in milliseconds. */
const BUSY_MS = 3000;

export function AnalysesPage() {
  const list = useListAddress(
    'savings-analyses',
    { keyword: '', state: '', facility: '' },
    { field: 'createdAt', dir: 'desc' },
  );
  const { keyword, state, facility } = list.filters;
  const facilityId = /^[1-9]\d{0,8}$/.test(facility) ? Number(facility) : null;
  const field = SAVINGS_SORT_FIELDS.find((savingsSortField) => savingsSortField === list.sort.field);
  const criteriaOf = (values: typeof list.filters) => ({
    keyword: values.keyword,
    state: ANALYSIS_STATES.find((analysisState) => analysisState === values.state) ?? null,
    facilityId: /^[1-9]\d{0,8}$/.test(values.facility) ? Number(values.facility) : null,
  });
  const result = useQuery({
    ...api(Savings).SearchAnalyses.query({
      ...criteriaOf(list.filters),
      sort: field ? { field, dir: list.sort.dir } : null,
      page: list.page,
      pageSize: PAGE_SIZE,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.records.some((record) => record.state === 'reading') === true ? BUSY_MS : false,
  });
  const navigate = useNavigate();
  const search = facilityId === null ? {} : { facility: facilityId };
  useKeys([
    {
      key: 'a',
      label: 'New savings analysis',
      run: () => void navigate({ to: paths.newSavingsAnalysis, search }),
    },
  ]);
  return (
    <ListPage
      title="Savings Analyses"
      hint="Compare what customers buy and pay today with our prices."
      noun={['analysis', 'analyses']}
      total={result.data?.total}
      countOf={(view) => api(Savings).SearchAnalyses({ ...criteriaOf(list.filtersOf(view)), page: 1, pageSize: 1 })}
      actions={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} to={paths.newSavingsAnalysis} search={search} />}
        >
          New savings analysis
        </Button>
      }
      filters={
        <>
          <KeywordField
            label="Name, facility, account or owner"
            w={260}
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <FilterSelect
            label="State"
            w={150}
            all="All states"
            choices={ANALYSIS_STATES.map((analysisState) => ({
              value: analysisState,
              label: STATE_LABELS[analysisState].label,
            }))}
            value={state}
            onChange={(next) => list.filter({ state: next })}
          />
          <FacilityFilter
            label="Facility"
            facilityId={facilityId}
            onChange={(next) => list.filter({ facility: next === null ? '' : String(next) })}
          />
        </>
      }
    >
      <DataList
        label="Savings analyses"
        columns={COLUMNS}
        {...pageShown(result, list, PAGE_SIZE)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => paths.savingsAnalysis(id)}
        onOpen={({ id }) => void navigate({ to: paths.savingsAnalysis(id) })}
        card={(row) => <AnalysisCard row={row} />}
      />
    </ListPage>
  );
}

/** Before its rows are matched, an analysis has no comparison. */
const hasFigures = ({ state }: AnalysisRow) => state === 'to-match' || state === 'ready' || state === 'quoted';

const COLUMNS: Column<AnalysisRow>[] = [
  {
    field: 'name',
    title: 'Name',
    width: 300,
    render: (row) => (
      <Anchor component={Link} to={paths.savingsAnalysis(row.id)} fw={600} size="sm" title={row.name}>
        {row.name}
      </Anchor>
    ),
  },
  { field: 'state', title: 'State', render: (row) => <StateChip row={row} /> },
  {
    field: 'facility',
    title: 'Facility',
    width: 260,
    render: ({ facility, facilityAcctNo }) => (
      <span title={`${facility.name}, acct. ${facilityAcctNo}`}>
        {facility.name} <span className="muted tabular">{facilityAcctNo}</span>
      </span>
    ),
  },
  { field: 'owner', title: 'Owner', width: 160, render: ({ owner }) => owner.name },
  { title: 'Rows', figure: true, render: ({ rowCount }) => rowCount.toLocaleString('en-US') },
  {
    title: 'Current spend',
    figure: true,
    render: (row) => (hasFigures(row) ? formatAmount(row.theirs, row.currnIdx) : '–'),
  },
  {
    title: 'Spend with us',
    figure: true,
    render: (row) => (hasFigures(row) ? formatAmount(row.ours, row.currnIdx) : '–'),
  },
  { field: 'difference', title: 'Savings', figure: true, render: (row) => <Saving row={row} /> },
  {
    field: 'createdAt',
    title: 'Age',
    figure: true,
    render: ({ createdAt }) => <Age at={createdAt} />,
  },
];

function Saving({ row }: { row: AnalysisRow }) {
  if (!hasFigures(row)) return '–';
  return (
    <span className={row.difference < 0 ? classes['dearer'] : undefined}>
      {formatAmount(row.difference, row.currnIdx)}
      {row.theirs > 0 ? <span className="muted"> {percentText((row.difference / row.theirs) * 100)}</span> : null}
    </span>
  );
}

/** Its age when the page opened. */
export function Age({ at }: { at: string }) {
  const [now] = useState(() => Date.now());
  return <span title={formatInstant(at)}>{ageText(at, now)}</span>;
}

export function StateChip({ row }: { row: Pick<AnalysisRow, 'state'> }) {
  const { label, tone } = STATE_LABELS[row.state];
  return <Chip tone={tone}>{label}</Chip>;
}

function AnalysisCard({ row }: { row: AnalysisRow }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor component={Link} to={paths.savingsAnalysis(row.id)} fw={600} size="sm" className="ellipsis">
          {row.name}
        </Anchor>
        <StateChip row={row} />
      </Group>
      <Text size="sm" className="ellipsis">
        {row.facility.name}
      </Text>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" className="muted ellipsis">
          {row.owner.name} · <Age at={row.createdAt} />
        </Text>
        <Text size="sm" className="tabular" style={{ whiteSpace: 'nowrap' }}>
          <Saving row={row} />
        </Text>
      </Group>
    </Stack>
  );
}
