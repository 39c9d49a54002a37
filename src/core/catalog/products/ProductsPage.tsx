// Lists products: search, missing parts, changes to many at once, and undo.
import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { type Change, ManyBar } from './ManyProducts.tsx';
import { NEW_PRODUCT, ProductForm } from './ProductForm.tsx';
import { ProductStatus } from './product-status.ts';
import { MISSING_LABELS, STATUS_TONES } from './product-words.ts';
import { CATALOG_WRITERS, MISSING, type ProductRow, Products } from './products.contract.ts';
import { TypesDialog } from './TypesDialog.tsx';

export default function ProductsPage() {
  const user = useSession();
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'products',
    filters: { keyword: '', class: '', type: '', brand: '', status: '', missing: '' },
    sort: { field: 'name', dir: 'asc' },
    criteria: (filters) => ({
      keyword: filters.keyword,
      classId: /^[1-9]\d{0,8}$/.test(filters.class) ? Number(filters.class) : null,
      productType: filters.type || null,
      brand: filters.brand || null,
      status: ProductStatus.options.find((option) => option === filters.status) ?? null,
      missing: MISSING.find((candidate) => candidate === filters.missing) ?? null,
    }),
    find: api(Products).searchProdDbItems,
    exported: api(Products).ExportProdDbItems,
  });
  const choices = useQuery({
    ...api(Products).GetProductChoices.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });
  const [ticked, setTicked] = useState<ReadonlyMap<number, ProductRow>>(new Map());
  const [adding, setAdding] = useState(false);
  const [keeping, setKeeping] = useState(false);
  const [undo, setUndo] = useState<Change | null>(null);
  const takeBack = useMutation({
    mutationFn: (change: Change) => change.undo(),
    onSuccess: (message) => {
      setUndo(null);
      notifications.show({ message });
    },
  });
  const mayWrite = user !== null && hasRole(user, ...CATALOG_WRITERS);
  useKeys([
    { key: 'u', label: 'Undo the last change', run: () => undo && takeBack.mutate(undo), disabled: undo === null },
  ]);
  const tick = (rows: ProductRow[], on: boolean) =>
    setTicked((now) => {
      const next = new Map(now);
      for (const row of rows) {
        if (on) next.set(row.id, row);
        else next.delete(row.id);
      }
      return next;
    });

  return (
    <ListPage
      title="Products"
      hint="What buyers see of our items: name, text, pictures, documents."
      noun={['product', 'products']}
      {...list.page}
      actions={
        mayWrite ? (
          <>
            <Button variant="default" onClick={() => setKeeping(true)}>
              Types
            </Button>
            <AddButton label="Add Product" onAdd={() => setAdding(true)} />
          </>
        ) : null
      }
      alert={
        <ManyBar
          chosen={[...ticked.values()]}
          mayWrite={mayWrite}
          types={choices.data?.types ?? []}
          undo={undo}
          undoing={takeBack}
          onChanged={(change) => {
            setUndo(change);
            setTicked(new Map());
          }}
          onClear={() => setTicked(new Map())}
        />
      }
      filters={<ProductFilters field={list.field} choices={choices.data} />}
    >
      <DataList
        label="Products"
        columns={columnsOf({ ticked, tick })}
        {...list.rows}
        rowHref={(row) => paths.product(row.id)}
        onOpen={(row) => void navigate({ to: paths.product(row.id) })}
        card={(row) => <ProductCard row={row} ticked={ticked} tick={tick} />}
      />
      {adding ? (
        <RecordDrawer title="Add a product" size="lg" onClose={() => setAdding(false)}>
          <ProductForm
            product={NEW_PRODUCT}
            replacedBy={null}
            onCancel={() => setAdding(false)}
            onSaved={(saved) => void navigate({ to: paths.product(saved.id) })}
          />
        </RecordDrawer>
      ) : null}
      {keeping ? <TypesDialog onClose={() => setKeeping(false)} /> : null}
    </ListPage>
  );
}

type FilterProps = {
  field: (name: 'keyword' | 'class' | 'type' | 'brand' | 'status' | 'missing') => {
    value: string;
    onChange: (value: string) => void;
  };
  choices: OutputOf<typeof Products.GetProductChoices> | undefined;
};

function ProductFilters({ field, choices }: FilterProps) {
  return (
    <>
      <KeywordField label="Name, brand or number" {...field('keyword')} />
      <FilterSelect label="Item class" w={170} all="All classes" choices={choices?.classes ?? []} {...field('class')} />
      <FilterSelect label="Type" w={160} all="All types" choices={choices?.types ?? []} {...field('type')} />
      <FilterSelect label="Brand" w={160} all="All brands" choices={choices?.brands ?? []} {...field('brand')} />
      <FilterSelect
        label="Status"
        w={150}
        all="All except merged"
        choices={ProductStatus.options}
        {...field('status')}
      />
      <FilterSelect
        label="Missing"
        w={180}
        all="Complete or not"
        choices={MISSING.map((value) => ({ value, label: MISSING_LABELS[value] }))}
        {...field('missing')}
      />
    </>
  );
}

type Ticking = {
  ticked: ReadonlyMap<number, ProductRow>;
  tick: (rows: ProductRow[], on: boolean) => void;
};

function ProductCard({ row, ticked, tick }: Ticking & { row: ProductRow }) {
  return (
    <Group gap="sm" wrap="nowrap" align="start">
      <RowTick row={row} ticked={ticked} onTick={tick} />
      <Stack gap={2} flex={1} miw={0}>
        <Group justify="space-between" wrap="nowrap" align="start">
          <NameLink row={row} />
          <Chip tone={STATUS_TONES[row.status]}>{row.status}</Chip>
        </Group>
        <Text size="sm" className="muted">
          {[row.brand, row.productType, row.className].filter(Boolean).join(' · ')}
        </Text>
        <Text size="sm" className="muted tabular">
          {countOf(row.items, 'item')} · {countOf(row.documents, 'document')}
          {lacking(row) ? ` · no ${lacking(row)}` : ''}
        </Text>
      </Stack>
    </Group>
  );
}

function columnsOf({ ticked, tick }: Ticking): Column<ProductRow>[] {
  return [
    { title: 'Select', render: (row) => <RowTick row={row} ticked={ticked} onTick={tick} /> },
    { field: 'name', title: 'Name', width: 320, render: (row) => <NameLink row={row} /> },
    { field: 'brand', title: 'Brand', width: 140, render: (row) => row.brand },
    { field: 'productType', title: 'Type', width: 140, render: (row) => row.productType },
    { field: 'className', title: 'Class', width: 150, render: (row) => row.className },
    { field: 'items', title: 'Items', figure: true, render: (row) => row.items.toLocaleString('en-US') },
    { field: 'documents', title: 'Documents', figure: true, render: (row) => row.documents.toLocaleString('en-US') },
    { title: 'Missing', render: (row) => <span className="muted">{lacking(row)}</span> },
    {
      field: 'status',
      title: 'Status',
      render: (row) => <Chip tone={STATUS_TONES[row.status]}>{row.status}</Chip>,
    },
    { field: 'updatedAt', title: 'Changed', figure: true, render: (row) => formatDate(row.updatedAt) },
  ];
}

function lacking(row: ProductRow): string {
  return [row.hasImage ? '' : 'picture', row.hasText ? '' : 'text'].filter(Boolean).join(', ');
}

function NameLink({ row }: { row: ProductRow }) {
  return (
    <Anchor component={Link} to={paths.product(row.id)} fw={600} truncate display="block" title={row.name}>
      {row.name}
    </Anchor>
  );
}

function RowTick(props: { row: ProductRow; ticked: Ticking['ticked']; onTick: Ticking['tick'] }) {
  const { row, ticked, onTick } = props;
  return (
    <Checkbox
      aria-label={`Select ${row.name}`}
      checked={ticked.has(row.id)}
      onChange={(event) => onTick([row], event.currentTarget.checked)}
    />
  );
}
