// The list of territories, with representatives, ZIPs, and the value of their open quotes.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Worth } from '#platform/shared/wire.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#platform/ui/Active.tsx';
import { AddLink } from '#platform/ui/AddButton.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { TerritoryAdmin, type TerritoryRow } from './territory-admin.contract.ts';

export default function TerritoriesPage() {
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'territories',
    filters: { keyword: '', region: '', rep: '', active: 'true' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, region, rep, active }) => ({
      keyword,
      regionId: Number(region) || null,
      repId: Number(rep) || null,
      active: activeOrNot(active),
    }),
    find: api(TerritoryAdmin).GetAllTerritories,
    exported: api(TerritoryAdmin).ExportTerritories,
  });
  const choices = useQuery({
    ...api(TerritoryAdmin).GetTerritoryFilters.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });

  return (
    <ListPage
      title="Territories"
      noun={['territory', 'territories']}
      {...list.page}
      actions={<AddLink label="Add Territory" to={paths.newTerritory} />}
      filters={
        <>
          <KeywordField label="Name or ZIP" {...list.field('keyword')} />
          <FilterSelect
            label="Region"
            w={180}
            all="All regions"
            choices={choices.data?.regions ?? []}
            {...list.field('region')}
          />
          <FilterSelect
            label="Served by"
            w={200}
            all="Served by anyone"
            choices={choices.data?.reps ?? []}
            {...list.field('rep')}
          />
          <ActiveFilter {...list.field('active')} w={120} />
        </>
      }
    >
      <DataList
        label="Territories"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.territory(row.id)}
        onOpen={(row) => void navigate({ to: paths.territory(row.id) })}
        card={cardOf}
      />
    </ListPage>
  );
}

/** '$1,200.00' or '$1,200.00 + €80.00' */
export function worthInWords(worth: Worth): string {
  return worth.map(({ amount, currnIdx }) => formatAmount(amount, currnIdx)).join(' + ') || formatAmount(0);
}

const COLUMNS: Column<TerritoryRow>[] = [
  { field: 'name', title: 'Territory', width: 240, render: (row) => <TerritoryLink row={row} /> },
  {
    field: 'region',
    title: 'Region',
    width: 180,
    render: (row) => <span title={row.region.name}>{row.region.name}</span>,
  },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  { field: 'salesRep', title: 'Sales Rep.', width: 200, render: (row) => <SalesRep row={row} /> },
  { field: 'zips', title: 'ZIPs', figure: true },
  { field: 'overrides', title: 'Overrides', figure: true },
  { field: 'openQuotes', title: 'Open quotes', figure: true },
  { field: 'openValue', title: 'Value', figure: true, render: (row) => worthInWords(row.openValue) },
];

function TerritoryLink({ row }: { row: TerritoryRow }) {
  return (
    <Anchor component={Link} to={paths.territory(row.id)} fw={600} title={row.name}>
      {row.name}
    </Anchor>
  );
}

/** Warns if the territory has no sales rep. */
function SalesRep({ row }: { row: TerritoryRow }) {
  if (row.salesRep) return <span title={row.salesRep.name}>{row.salesRep.name}</span>;
  return <span className={row.active ? 'warning' : 'muted'}>No one</span>;
}

function cardOf(row: TerritoryRow) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <TerritoryLink row={row} />
        <ActiveChip active={row.active} />
      </Group>
      <Text size="sm">
        <SalesRep row={row} /> · {row.region.name}
      </Text>
      <Text size="sm" className="muted tabular">
        {countOf(row.zips, 'ZIP')} · {countOf(row.overrides, 'override')} · {countOf(row.openQuotes, 'open quote')},{' '}
        {worthInWords(row.openValue)}
      </Text>
    </Stack>
  );
}
