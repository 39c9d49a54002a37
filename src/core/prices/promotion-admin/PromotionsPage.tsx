// The list of item promotions: current, future and past ones.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { KIND_LABELS, kindOf, PROMOTION_KINDS, promotionOffer } from '#core/prices/promotions/promotion.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RowCard } from '#platform/ui/RowCard.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { PromotionDrawer } from './PromotionForm.tsx';
import { ItemPromotion, PROMOTION_STATES, type PromotionRow, type PromotionState } from './promotion-admin.contract.ts';

export default function PromotionsPage() {
  const [editing, setEditing] = useState<number | null>(null);
  const choices = useQuery({
    ...api(ItemPromotion).GetItemPromotionFilters.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });
  const list = useRecordList({
    name: 'promotions',
    filters: { keyword: '', type: '', state: '', class: '' },
    sort: { field: 'validFrom', dir: 'desc' },
    criteria: (filters) => ({
      keyword: filters.keyword,
      promotionType: PROMOTION_KINDS.find((kind) => kind === filters.type) ?? null,
      state: PROMOTION_STATES.find((state) => state === filters.state) ?? null,
      classId: /^[1-9]\d{0,8}$/.test(filters.class) ? Number(filters.class) : null,
    }),
    find: api(ItemPromotion).searchItemPromotionAdvanced,
    exported: api(ItemPromotion).ExportItemPromotions,
  });
  const nameOf = (row: PromotionRow) => (
    <RowLink truncate name={row.name || `Promotion ${row.id}`} onOpen={() => setEditing(row.id)} />
  );
  const columns: Column<PromotionRow>[] = [
    { field: 'name', title: 'Name', width: 190, render: nameOf },
    { field: 'promotionType', title: 'Type', render: (row) => KIND_LABELS[kindOf(row)] },
    { field: 'itemNumber', title: 'Item #' },
    { title: 'Description', width: 200, render: (row) => <span title={row.description}>{row.description}</span> },
    { title: 'Offer', width: 170, render: (row) => promotionOffer(row, row.currnIdx) },
    { field: 'minQty', title: 'Min.', figure: true, render: (row) => row.minQty },
    { field: 'maxQty', title: 'Max.', figure: true, render: maxOf },
    { field: 'uom', title: 'Unit', render: (row) => row.uom || 'any' },
    { title: 'Currency', render: (row) => currencyOf(row.currnIdx) },
    { field: 'validFrom', title: 'From', figure: true, render: (row) => formatDate(row.validFrom) },
    { field: 'validTo', title: 'To', figure: true, render: (row) => formatDate(row.validTo) || 'no end' },
    { title: 'State', render: (row) => <StateChip state={row.state} /> },
  ];
  return (
    <ListPage
      title="Promotions"
      noun={['promotion', 'promotions']}
      {...list.page}
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to={paths.dataImport} search={{ kind: 'promotions' }} />}
          >
            Import from a file
          </Button>
          <AddButton label="Add Promotion" onAdd={() => setEditing(0)} />
        </>
      }
      filters={
        <>
          <KeywordField label="Item #, description or name" {...list.field('keyword')} />
          <FilterSelect
            label="Type"
            w={165}
            all="All types"
            choices={PROMOTION_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))}
            {...list.field('type')}
            value={list.criteria.promotionType ?? ''}
          />
          <FilterSelect
            label="State"
            w={130}
            all="All states"
            choices={PROMOTION_STATES.map((state) => ({ value: state, label: LABELS[state] ?? state }))}
            {...list.field('state')}
            value={list.criteria.state ?? ''}
          />
          <FilterSelect
            label="Item class"
            w={190}
            all="All classes"
            choices={choices.data?.classes ?? []}
            {...list.field('class')}
          />
        </>
      }
    >
      <DataList
        label="Promotions"
        columns={columns}
        {...list.rows}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => (
          <RowCard name={nameOf(row)} state={<StateChip state={row.state} />}>
            <Text size="sm" c="var(--mantine-color-text)">
              {row.itemNumber} {row.description}
            </Text>
            {KIND_LABELS[kindOf(row)]}: {promotionOffer(row, row.currnIdx)} · {row.minQty} to {maxOf(row)}{' '}
            {row.uom || 'any'} · {formatDate(row.validFrom)} – {formatDate(row.validTo) || 'no end'}
          </RowCard>
        )}
      />
      {editing === null ? null : <PromotionDrawer id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  );
}

function maxOf(row: PromotionRow): string {
  return row.maxQty > 0 ? String(row.maxQty) : 'unlimited';
}

const LABELS: Partial<Record<PromotionState, string>> = { Coming: 'Scheduled' };
const TONES = { Running: 'green', Coming: 'blue', Ended: 'orange', Off: 'red' } as const;

function StateChip({ state }: { state: PromotionState }) {
  return <Chip tone={TONES[state]}>{LABELS[state] ?? state}</Chip>;
}
