// The filters of a report: period, region, territory, sales rep, item class, contract, currency.
import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { ContractSelect } from '#core/prices/contracts/list/ContractSelect.tsx';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { currencyOf } from '#platform/shared/money.ts';
import type { Choice, Named } from '#platform/shared/wire.ts';
import { DateFilter } from '#platform/ui/DateFilter.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { PERIOD_LABELS, PERIODS, type ReportFilters } from '../report-filters.ts';
import type { ReportHead } from '../reports.contract.ts';
import type { ReportAddress } from './report-address.web.ts';

const CUSTOM = 'custom';
const CHOICES_FRESH_MS = 60_000;

type Props = {
  address: ReportAddress;
  /** Undefined until the first answer. */
  head: ReportHead | undefined;
  /** True if the user can choose between counting quotes and adding up amounts. */
  withMeasure: boolean;
};

export function ReportFilterBar({ address, head, withMeasure }: Props) {
  const { filters, period, contractNumber, measure, change } = address;
  // Accounts without the GPO Contracts tab cannot search contracts.
  const opensContracts = useSession()?.gpoTabHidden === false;
  const lookups = useQuery({
    ...api(QuoteSearch).GetUserDefaultQuoteSearchLookups.query({}),
    staleTime: CHOICES_FRESH_MS,
    meta: { global: 'The filters could not be loaded.' },
  });
  const items = useQuery({
    ...api(ItemSearch).GetItemSearchDefaults.query({}),
    staleTime: CHOICES_FRESH_MS,
    meta: { global: 'The filters could not be loaded.' },
  });
  const idFilter = (name: 'regionId' | 'territoryId' | 'repId' | 'classId') => ({
    value: String(filters[name] ?? ''),
    onChange: (id: string) =>
      change({ filters: { [name]: idOrNull(id), ...(name === 'regionId' ? { territoryId: null } : {}) } }),
  });
  const territories = lookups.data?.territories.filter(
    ({ regionId }) => !filters.regionId || regionId === filters.regionId,
  );
  return (
    <>
      <Select
        aria-label="Period"
        w={160}
        allowDeselect={false}
        data={[
          ...PERIODS.map((entry) => ({ value: entry, label: PERIOD_LABELS[entry] })),
          { value: CUSTOM, label: 'Custom range' },
        ]}
        value={period ?? CUSTOM}
        onChange={(next) => change({ period: PERIODS.find((candidate) => candidate === next) ?? null })}
      />
      {period === null ? (
        <>
          <DateFilter label="From" value={filters.from} onChange={(from) => changeDays(address, { from })} />
          <DateFilter
            label="To"
            value={filters.to}
            notBefore={filters.from}
            onChange={(to) => changeDays(address, { to })}
          />
        </>
      ) : null}
      <FilterSelect
        label="Region"
        w={150}
        all="All regions"
        choices={withoutAll(lookups.data?.regions)}
        {...idFilter('regionId')}
      />
      <FilterSelect
        label="Territory"
        w={170}
        all="All territories"
        choices={withoutAll(territories)}
        {...idFilter('territoryId')}
      />
      <FilterSelect
        label="Sales rep"
        w={170}
        all="All sales reps"
        choices={withoutAll(lookups.data?.salesReps)}
        {...idFilter('repId')}
      />
      <FilterSelect
        label="Item class"
        w={160}
        all="All item classes"
        choices={items.data?.classes ?? []}
        {...idFilter('classId')}
      />
      {opensContracts ? (
        <ContractSelect
          aria-label="Contract"
          placeholder="All contracts"
          w={170}
          value={
            filters.contractId ? { id: filters.contractId, name: contractNumber || `No. ${filters.contractId}` } : null
          }
          onChange={(chosen) =>
            change({ contractNumber: chosen?.name ?? '', filters: { contractId: chosen?.id ?? null } })
          }
        />
      ) : null}
      <Currencies head={head} filters={filters} onChange={(currnIdx) => change({ filters: { currnIdx } })} />
      {withMeasure ? (
        <SegmentedControl
          aria-label="Chart values"
          size="sm"
          value={measure}
          onChange={(next) => change({ measure: next === 'count' ? 'count' : 'amount' })}
          data={[
            { value: 'amount', label: 'Amounts' },
            { value: 'count', label: 'Quotes' },
          ]}
        />
      ) : null}
    </>
  );
}

/** If the days are out of order, both become the same day, so that the figures always match the days in the fields. */
function changeDays(
  { filters, change }: ReportAddress,
  { from = filters.from, to = filters.to }: { from?: string; to?: string },
) {
  if (from && to) change({ period: null, filters: from <= to ? { from, to } : { from, to: from } });
}

/** Shown only if quotes have another currency, or if one was chosen. */
function Currencies({
  head,
  filters,
  onChange,
}: {
  head: ReportHead | undefined;
  filters: ReportFilters;
  onChange: (currnIdx: number | null) => void;
}) {
  if (!head) return null;
  const known = new Set([...head.currencies.map(({ currnIdx }) => currnIdx), head.currnIdx]);
  if (known.size < 2 && !filters.currnIdx) return null;
  return (
    <Select
      aria-label="Currency"
      w={100}
      allowDeselect={false}
      data={[...known].map((entry) => ({ value: String(entry), label: currencyOf(entry) }))}
      value={String(head.currnIdx)}
      onChange={(next) => onChange(idOrNull(next))}
    />
  );
}

const idOrNull = (text: string | null) => (text ? Number(text) : null);

/** The choices without 'All', which the field adds itself. */
const withoutAll = (choices: Choice[] | undefined): Named[] =>
  (choices ?? []).flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]));
