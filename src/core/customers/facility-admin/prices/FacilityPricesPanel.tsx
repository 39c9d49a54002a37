// Lists what a facility pays: every offered item with its price on a day and the source of that price.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { formatDate, parseDate } from '#platform/shared/dates.ts';
import { formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { counted } from '#platform/ui/counted.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import classes from '#platform/ui/list-page.module.css';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { FacilityTab } from '../facility-tab.web.ts';
import { type FacilityPrice, FacilityView } from '../facility-view.contract.ts';

const PAGE_SIZE = 50;

export function FacilityPricesPanel({ facility, list }: FacilityTab) {
  const { keyword, classId } = list.filters;
  const date = parseDate(list.filters.date) ?? '';
  const criteria = { facilityId: facility.id, keyword, classId: Number(classId) || null, date, sort: list.sort };
  const query = useQuery({
    ...api(FacilityView).GetFacilityPrices.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const defaults = useQuery({
    ...api(ItemSearch).GetItemSearchDefaults.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });
  const exported = useMutation({ ...api(FacilityView).ExportFacilityPrices.mutation(), onSuccess: saveFile });
  const total = query.data?.total;
  return (
    <section className="card" aria-label={`Prices of ${facility.name}`}>
      <Group px="md" py="xs" justify="space-between" gap="sm">
        <Group gap="sm" align="end" className={classes['filters']}>
          <KeywordField label="Item # or name" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
          <FilterSelect
            label="Class"
            w={200}
            all="All classes"
            choices={defaults.data?.classes ?? []}
            value={classId}
            onChange={(next) => list.filter({ classId: next })}
          />
          <PriceDay
            key={date}
            date={date || (query.data?.date ?? '')}
            onChange={(next) => list.filter({ date: next })}
          />
        </Group>
        <Group gap="sm" className={classes['count']}>
          {/* Rendered before the count is known, so that nothing moves when it arrives. */}
          <Text size="sm" className="muted tabular" role="status">
            {total === undefined
              ? ''
              : `${counted({ total, more: query.data?.more })} ${total === 1 ? 'item' : 'items'}`}
          </Text>
          <ExportButton exported={exported} onExport={() => exported.mutate(criteria)} total={total} />
        </Group>
      </Group>
      <ExportError exported={exported} />
      <Text size="xs" className="muted" px="md" pb="xs">
        Prices for one unit on {formatDate(query.data?.date ?? null) || 'the selected day'}, before promotions, which
        are applied on the quote. Open an item to see all of today’s prices by quantity and unit.
      </Text>
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <DataList
          label="Prices"
          columns={columnsOf(facility.id, query.data?.records ?? [])}
          {...pageShown(query, list, PAGE_SIZE)}
          rowKey={(row) => row.id}
          card={(row) => <PriceCard row={row} facilityId={facility.id} />}
        />
      </div>
    </section>
  );
}

/** Searches once the typed day is valid. Empty means today. */
function PriceDay({ date, onChange }: { date: string; onChange: (date: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <DateField
      aria-label="Prices on"
      w={150}
      value={typed ?? date}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || (parseDate(next) && next !== date)) onChange(next);
      }}
    />
  );
}

function columnsOf(facilityId: number, rows: readonly FacilityPrice[]): Column<FacilityPrice>[] {
  const inList = pricesAligned(rows.map(({ listPrice }) => ({ price: listPrice })));
  const inPrice = pricesAligned(rows);
  return [
    {
      field: 'itemNumber',
      title: 'Item #',
      width: 180,
      render: (row) => <ItemLink row={row} facilityId={facilityId} />,
    },
    {
      field: 'description',
      title: 'Description',
      width: 240,
      render: (row) => <span title={row.description}>{row.description}</span>,
    },
    { title: 'Class', width: 110, render: (row) => <span title={row.className}>{row.className}</span> },
    { title: 'Unit', render: (row) => row.unit },
    {
      title: 'List price',
      figure: true,
      render: (row) => (row.listPrice === null ? '–' : inList(row.listPrice, row.currnIdx)),
    },
    { title: 'Price', figure: true, render: (row) => <Price row={row} write={inPrice} /> },
    { title: 'Saving', figure: true, render: savingOf },
    { title: 'Price from', width: 250, render: (row) => <Source row={row} /> },
    {
      title: 'Promotion',
      width: 170,
      render: (row) => <span title={promotionsOf(row)}>{promotionsOf(row) || '–'}</span>,
    },
  ];
}

function ItemLink({ row, facilityId }: { row: FacilityPrice; facilityId: number }) {
  return (
    <Anchor
      fw={600}
      className="tabular"
      title={row.itemNumber}
      renderRoot={(props) => (
        <Link {...props} to={paths.itemSearch} search={{ facility: facilityId, recent: '0', item: row.id }} />
      )}
    >
      {row.itemNumber}
    </Anchor>
  );
}

function Price({
  row,
  write = formatPrice,
}: {
  row: FacilityPrice;
  write?: (price: number, currnIdx: number) => string;
}) {
  return row.price === null ? (
    <span className="muted">no price</span>
  ) : (
    <b style={{ fontWeight: 600 }}>{write(row.price, row.currnIdx)}</b>
  );
}

/** The source of the price and its last day, or the reason why there is no price. */
function Source({ row }: { row: FacilityPrice }) {
  const text =
    row.problem || [row.source, row.priceEnds ? `to ${formatDate(row.priceEnds)}` : ''].filter(Boolean).join(', ');
  return <span title={text}>{text}</span>;
}

function savingOf({ saving, savingPct, currnIdx }: FacilityPrice): string {
  if (saving === null || saving === 0) return '–';
  // A saving of less than a hundredth of a percent would read as no saving.
  return formatPrice(saving, currnIdx) + (savingPct === 0 ? '' : ` (${savingPct}%)`);
}

/** '5% discount: $9.50' */
function promotionsOf({ promotions, currnIdx }: FacilityPrice): string {
  return promotions
    .map(({ offer, price }) => (price === null ? offer : `${offer}: ${formatPrice(price, currnIdx)}`))
    .join('; ');
}

function PriceCard({ row, facilityId }: { row: FacilityPrice; facilityId: number }) {
  const saving = savingOf(row);
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <ItemLink row={row} facilityId={facilityId} />
        <Text size="sm" className="figure" component="span">
          <Price row={row} /> <span className="muted">/ {row.unit}</span>
        </Text>
      </Group>
      <Text size="sm" lineClamp={2}>
        {row.description}
      </Text>
      <Text size="xs" className="muted">
        {[
          row.problem || row.source,
          row.listPrice !== null && saving !== '–'
            ? `list ${formatPrice(row.listPrice, row.currnIdx)}, saves ${saving}`
            : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {row.promotions.length > 0 ? <Text size="xs">{promotionsOf(row)}</Text> : null}
    </Stack>
  );
}
