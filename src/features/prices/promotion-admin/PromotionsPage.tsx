// The list of item promotions: current, future and past ones.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { KIND_LABELS, kindOf, PROMOTION_KINDS, promotionOffer } from '#features/prices/promotions/promotion.ts';
import { formatDate } from '#shared/dates.ts';
import { currencyOf } from '#shared/money.ts';
import { AddButton } from '#ui/AddButton.tsx';
import { Chip } from '#ui/Chip.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { FilterSelect } from '#ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { filtersIn, pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { PromotionDrawer } from './PromotionForm.tsx';
import { ItemPromotion, PROMOTION_STATES, type PromotionRow, type PromotionState } from './promotion-admin.contract.ts';

const PAGE_SIZE = 50;

const NO_FILTERS = { keyword: '', type: '', state: '', class: '' };
const criteriaOf = (filters: typeof NO_FILTERS) => ({
  keyword: filters.keyword,
  promotionType: PROMOTION_KINDS.find((kind) => kind === filters.type) ?? null,
  state: PROMOTION_STATES.find((state) => state === filters.state) ?? null,
  classId: /^[1-9]\d{0,8}$/.test(filters.class) ? Number(filters.class) : null,
});

export default function PromotionsPage() {
  const list = useListAddress('promotions', NO_FILTERS, { field: 'validFrom', dir: 'desc' });
  const { filters } = list;
  const criteria = { ...criteriaOf(filters), sort: list.sort };
  const found = useQuery({
    ...api(ItemPromotion).searchItemPromotionAdvanced.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const choices = useQuery(api(ItemPromotion).GetItemPromotionFilters.query({}));
  const exported = useMutation({ ...api(ItemPromotion).ExportItemPromotions.mutation(), onSuccess: saveFile });
  const [editing, setEditing] = useState<number | null>(null);

  return (
    <ListPage
      title="Promotions"
      noun={['promotion', 'promotions']}
      total={found.data?.total}
      countOf={(view) =>
        api(ItemPromotion).searchItemPromotionAdvanced({
          ...criteriaOf(filtersIn(view, NO_FILTERS)),
          page: 1,
          pageSize: 1,
        })
      }
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={<AddButton label="Add Promotion" onAdd={() => setEditing(0)} />}
      filters={
        <>
          <KeywordField
            label="Item #, description or name"
            value={filters.keyword}
            onChange={(keyword) => list.filter({ keyword })}
          />
          <FilterSelect
            label="Type"
            w={165}
            all="All types"
            choices={PROMOTION_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))}
            value={criteria.promotionType ?? ''}
            onChange={(type) => list.filter({ type })}
          />
          <FilterSelect
            label="State"
            w={130}
            all="All states"
            choices={PROMOTION_STATES.map((state) => ({ value: state, label: LABELS[state] ?? state }))}
            value={criteria.state ?? ''}
            onChange={(state) => list.filter({ state })}
          />
          <FilterSelect
            label="Item class"
            w={190}
            all="All classes"
            choices={choices.data?.classes ?? []}
            value={filters.class}
            onChange={(next) => list.filter({ class: next })}
          />
        </>
      }
    >
      <DataList
        label="Promotions"
        columns={columnsOf(setEditing)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => <PromotionCard row={row} onOpen={setEditing} />}
      />
      {editing === null ? null : <PromotionDrawer id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<PromotionRow>[] => [
  { field: 'name', title: 'Name', width: 190, render: (row) => <OpenLink row={row} onOpen={onOpen} /> },
  { field: 'promotionType', title: 'Type', render: (row) => KIND_LABELS[kindOf(row)] },
  { field: 'itemNumber', title: 'Item #', render: (row) => row.itemNumber },
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

function maxOf(row: PromotionRow): string {
  return row.maxQty > 0 ? String(row.maxQty) : 'unlimited';
}

function OpenLink({ row, onOpen }: { row: PromotionRow; onOpen: (id: number) => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      fw={600}
      ta="left"
      truncate
      maw="100%"
      display="block"
      onClick={() => onOpen(row.id)}
    >
      {row.name || `Promotion ${row.id}`}
    </Anchor>
  );
}

const LABELS: Partial<Record<PromotionState, string>> = { Coming: 'Scheduled' };
const TONES = { Running: 'green', Coming: 'blue', Ended: 'orange', Off: 'red' } as const;

function StateChip({ state }: { state: PromotionState }) {
  return <Chip tone={TONES[state]}>{LABELS[state] ?? state}</Chip>;
}

function PromotionCard({ row, onOpen }: { row: PromotionRow; onOpen: (id: number) => void }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <OpenLink row={row} onOpen={onOpen} />
        <StateChip state={row.state} />
      </Group>
      <Text size="sm">
        {row.itemNumber} {row.description}
      </Text>
      <Text size="sm" className="muted tabular">
        {KIND_LABELS[kindOf(row)]}: {promotionOffer(row, row.currnIdx)} · {row.minQty} to {maxOf(row)}{' '}
        {row.uom || 'any'} · {formatDate(row.validFrom)} – {formatDate(row.validTo) || 'no end'}
      </Text>
    </Stack>
  );
}
