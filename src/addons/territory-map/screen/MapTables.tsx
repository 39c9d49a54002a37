// The map as tables: the same territories, ZIPs, and selection, for keyboards and screen readers.
import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import type { MapRow } from '../territory-map.contract.ts';
import type { ZipRow } from '../zip-rows.ts';

type Choosing = {
  selection: ReadonlySet<string>;
  onSelect: (zips: string[], how: 'add' | 'remove') => void;
};

const count = (value: number) => value.toLocaleString('en-US');
const PAGE = 25;

/** Sorts rows by a column and shows one page. All rows are already loaded. */
function usePaged<T>(rows: readonly T[], values: Record<string, (row: T) => string | number>, first: Sort) {
  const [sort, setSort] = useState(first);
  const [page, setPage] = useState(1);
  const sorted = useMemo(() => {
    const valueIn = values[sort.field];
    if (!valueIn) return rows;
    const turn = sort.dir === 'desc' ? -1 : 1;
    return rows.toSorted((a, b) => {
      const [x, y] = [valueIn(a), valueIn(b)];
      return turn * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
    });
  }, [rows, values, sort]);
  const pageCount = Math.max(1, Math.ceil(rows.length / PAGE));
  const now = Math.min(page, pageCount);
  return {
    rows: sorted.slice((now - 1) * PAGE, now * PAGE),
    sort,
    onSort: (next: Sort) => {
      setSort(next);
      setPage(1);
    },
    page: now,
    pageCount,
    pageSize: PAGE,
    total: rows.length,
    onPage: (next: number) => setPage(next),
  };
}

const salesRepOf = ({ reps }: MapRow) => reps.find(({ role }) => role === 'sales')?.name ?? '';
const TERRITORY_VALUES: Record<string, (row: MapRow) => string | number> = {
  name: (row) => row.name,
  region: (row) => row.region.name,
  rep: salesRepOf,
  zips: (row) => row.zips,
  facilities: (row) => row.facilities,
  openQuotes: (row) => row.openQuotes,
  openValue: (row) => row.openValue.reduce((sum, { amount }) => sum + amount, 0),
};

type TerritoriesProps = Choosing & {
  territories: readonly MapRow[];
  zipsOf: ReadonlyMap<number, string[]>;
  onShow: (territory: MapRow) => void;
};

export function TerritoryTable({ territories, zipsOf, selection, onSelect, onShow }: TerritoriesProps) {
  const visible = usePaged(territories, TERRITORY_VALUES, { field: 'name', dir: 'asc' });
  const choice = (row: MapRow) => {
    const zips = zipsOf.get(row.id) ?? [];
    const chosen = zips.filter((zip) => selection.has(zip)).length;
    const all = chosen > 0 && chosen === zips.length;
    return (
      <Checkbox
        size="xs"
        aria-label={`Select all ZIPs of ${row.name}`}
        checked={all}
        indeterminate={chosen > 0 && !all}
        disabled={zips.length === 0}
        onChange={() => onSelect(zips, all ? 'remove' : 'add')}
      />
    );
  };
  const name = (row: MapRow) => (
    <Button
      size="compact-sm"
      variant="subtle"
      title={`Show ${row.name} on the map`}
      disabled={row.zips === 0}
      onClick={() => onShow(row)}
    >
      {row.name}
    </Button>
  );
  const pointsInWords = ({ pointZips }: MapRow) => (pointZips > 0 ? ` (${count(pointZips)} without an area)` : '');
  const zipsOfRow = ({ zips, pointZips }: MapRow) => (
    <>
      {count(zips)}
      {pointZips > 0 ? (
        <Text size="xs" className="muted">
          {count(pointZips)} without an area
        </Text>
      ) : null}
    </>
  );
  const worth = (row: MapRow) =>
    row.openValue.length > 0
      ? row.openValue.map(({ amount, currnIdx }) => formatAmount(amount, currnIdx))
      : [formatAmount(0)];
  const columns: Column<MapRow>[] = [
    { title: 'Select', render: choice },
    { field: 'name', title: 'Territory', width: 200, render: name },
    { field: 'region', title: 'Region', width: 140, render: (row) => row.region.name },
    { field: 'rep', title: 'Sales Rep.', width: 160, render: (row) => salesRepOf(row) || '–' },
    { field: 'zips', title: 'ZIPs', figure: true, render: zipsOfRow },
    { field: 'facilities', title: 'Facilities', figure: true, render: (row) => count(row.facilities) },
    { field: 'openQuotes', title: 'Open quotes', figure: true, render: (row) => count(row.openQuotes) },
    {
      field: 'openValue',
      title: 'Value',
      figure: true,
      render: (row) => worth(row).map((entry) => <div key={entry}>{entry}</div>),
    },
  ];
  return (
    <DataList
      label="Territories on the map"
      columns={columns}
      {...visible}
      rowKey={(row) => row.id}
      card={(row) => (
        <>
          <Group gap="xs">
            {choice(row)} {name(row)}
          </Group>
          <Text size="sm" className="muted">
            {row.region.name} · {salesRepOf(row) || 'no sales rep.'}
          </Text>
          <Text size="sm">
            {countOf(row.zips, 'ZIP')}
            {pointsInWords(row)}, {countOf(row.facilities, 'facility', 'facilities')},{' '}
            {countOf(row.openQuotes, 'open quote')}, {worth(row).join(' + ')}
          </Text>
        </>
      )}
    />
  );
}

const ZIP_VALUES: Record<string, (row: ZipRow) => string | number> = {
  zip: (row) => row.zip,
  territory: (row) => row.territory?.name ?? '',
  region: (row) => row.territory?.region.name ?? '',
  rep: (row) => (row.territory ? salesRepOf(row.territory) : ''),
};

type ZipsProps = Choosing & {
  zips: ReadonlyMap<string, ZipRow>;
  territories: readonly MapRow[];
  onPoint: (zip: string) => void;
};

export function ZipTable({ zips, territories, selection, onSelect, onPoint }: ZipsProps) {
  const [beginning, setBeginning] = useState('');
  const [target, setOf] = useState<string | null>(null);
  const matching = useMemo(
    () =>
      [...zips.values()].filter(
        ({ zip, territory }) =>
          zip.startsWith(beginning) &&
          (target === null || (target === 'none' ? !territory : String(territory?.id) === target)),
      ),
    [zips, beginning, target],
  );
  const visible = usePaged(matching, ZIP_VALUES, { field: 'zip', dir: 'asc' });
  const choice = ({ zip }: ZipRow) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${zip}`}
      checked={selection.has(zip)}
      onChange={() => onSelect([zip], selection.has(zip) ? 'remove' : 'add')}
    />
  );
  const name = ({ zip }: ZipRow) => (
    <Button size="compact-sm" variant="subtle" title={`Show details of ${zip}`} onClick={() => onPoint(zip)}>
      {zip}
    </Button>
  );
  const columns: Column<ZipRow>[] = [
    { title: 'Select', render: choice },
    { field: 'zip', title: 'ZIP', render: name },
    { field: 'territory', title: 'Territory', width: 200, render: (row) => row.territory?.name ?? 'No territory' },
    { field: 'region', title: 'Region', width: 140, render: (row) => row.territory?.region.name ?? '–' },
    {
      field: 'rep',
      title: 'Sales Rep.',
      width: 160,
      render: (row) => (row.territory ? salesRepOf(row.territory) : '') || '–',
    },
    { title: 'On the map', render: (row) => (row.point ? 'Point' : 'Area') },
  ];
  return (
    <>
      <Group gap="xs" mb="xs" align="flex-end">
        <TextInput
          label="ZIP begins with"
          w={120}
          size="xs"
          inputMode="numeric"
          maxLength={5}
          value={beginning}
          onChange={(event) => setBeginning(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
        <Select
          label="Territory"
          size="xs"
          w={180}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'All territories' }}
          placeholder="All"
          limit={100}
          nothingFoundMessage="No Record Found"
          data={[
            { value: 'none', label: 'No territory' },
            ...territories.map(({ id, name: label }) => ({ value: String(id), label })),
          ]}
          value={target}
          onChange={setOf}
        />
        <Button
          size="xs"
          variant="default"
          disabled={matching.length === 0}
          onClick={() =>
            onSelect(
              matching.map(({ zip }) => zip),
              'add',
            )
          }
        >
          Select all {count(matching.length)}
        </Button>
      </Group>
      <DataList
        label="ZIPs on the map"
        columns={columns}
        {...visible}
        rowKey={({ zip }) => zip}
        card={(row) => (
          <Group gap="xs">
            {choice(row)} {name(row)} <Text size="sm">{row.territory?.name ?? 'No territory'}</Text>
          </Group>
        )}
      />
    </>
  );
}
