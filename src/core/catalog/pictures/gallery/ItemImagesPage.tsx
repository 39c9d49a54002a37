// The gallery: products with their pictures, changes to many pictures at once, and the report of missing pictures.
import { Alert, Anchor, Button, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemClass } from '#core/catalog/item-classes/item-classes.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { Pages } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { GALLERY_STAGES, type GalleryProduct, ItemImageGallery, VIEWERS } from './gallery.contract.ts';
import { STAGE_LABELS, VIEWER_LABELS } from './gallery-words.ts';
import classes from './gallery.module.css';
import { PictureDrawer } from './PictureDrawer.tsx';
import { PictureShelf } from './PictureShelf.tsx';
import { HideDialog, TickedBar } from './TickedBar.tsx';
import { TotalsPanel } from './TotalsPanel.tsx';
import { type Gallery, type Placed, useGallery } from './use-gallery.web.ts';

const PAGE_SIZE = 20;
const SORTS: { label: string; sort: Sort }[] = [
  { label: 'By name', sort: { field: 'name', dir: 'asc' } },
  { label: 'By brand', sort: { field: 'brand', dir: 'asc' } },
  { label: 'Most pictures first', sort: { field: 'pictures', dir: 'desc' } },
  { label: 'Last changed first', sort: { field: 'updatedAt', dir: 'desc' } },
];

const NO_FILTERS = { keyword: '', class: '', stage: '', hidden: '', has: '', view: '' };

export default function ItemImagesPage() {
  const list = useListAddress('item-images', NO_FILTERS, { field: 'name', dir: 'asc' });
  const stored = useQuery({
    ...api(ItemClass).GetItemClasses.query({ page: 1, pageSize: 200 }),
    meta: { global: 'The filters could not be loaded.' },
  });
  const classId = /^[1-9]\d{0,8}$/.test(list.filters.class) ? Number(list.filters.class) : null;
  const view = (
    <SegmentedControl
      size="sm"
      aria-label="What is shown"
      data={[
        { value: '', label: 'Gallery' },
        { value: 'totals', label: 'Totals' },
      ]}
      value={list.filters.view === 'totals' ? 'totals' : ''}
      onChange={(next) => list.filter({ view: next })}
    />
  );
  const classField = (
    <FilterSelect
      label="Item class"
      w={180}
      all="All classes"
      choices={stored.data?.records ?? []}
      value={list.filters.class}
      onChange={(next) => list.filter({ class: next })}
    />
  );
  return list.filters.view === 'totals' ? (
    <TotalsPanel classId={classId} classField={classField} view={view} />
  ) : (
    <GalleryList list={list} classId={classId} classField={classField} view={view} />
  );
}

type ListProps = {
  list: ReturnType<typeof useListAddress<typeof NO_FILTERS>>;
  classId: number | null;
  classField: React.ReactNode;
  view: React.ReactNode;
};

function GalleryList({ list, classId, classField, view }: ListProps) {
  const { filters, sort } = list;
  const criteria = {
    keyword: filters.keyword,
    classId,
    stage: GALLERY_STAGES.find((galleryStage) => galleryStage === filters.stage) ?? null,
    hiddenFor: VIEWERS.find((viewer) => viewer === filters.hidden) ?? null,
    hasImage: filters.has === 'no' ? false : filters.has === 'yes' ? true : null,
    sort,
  };
  const query = useQuery({
    ...api(ItemImageGallery).SearchItemImageAdvanced.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(ItemImageGallery).ExportItemImages.mutation(), onSuccess: saveFile });
  const gallery = useGallery();
  const [opened, setOpened] = useState<Placed | null>(null);
  const [hiding, setHiding] = useState<Placed[] | null>(null);
  return (
    <ListPage
      title="Item Images"
      hint="Products with their pictures. The first picture is the one that lists show."
      noun={['product', 'products']}
      total={query.data?.total}
      more={query.data?.more ?? false}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={view}
      alert={<TickedBar gallery={gallery} onHide={setHiding} />}
      filters={
        <>
          <KeywordField
            label="Product, brand, item #"
            value={filters.keyword}
            onChange={(keyword) => list.filter({ keyword })}
          />
          {classField}
          <FilterSelect
            label="With or without picture"
            w={220}
            all="With or without picture"
            choices={[
              { value: 'yes', label: 'With a picture' },
              { value: 'no', label: 'Without a picture' },
            ]}
            value={filters.has}
            onChange={(has) => list.filter({ has })}
          />
          <FilterSelect
            label="Stage"
            w={190}
            all="Any stage"
            choices={GALLERY_STAGES.map((value) => ({ value, label: STAGE_LABELS[value] }))}
            value={filters.stage}
            onChange={(stage) => list.filter({ stage })}
          />
          <FilterSelect
            label="Hidden from"
            w={220}
            all="Hidden or not"
            choices={VIEWERS.map((value) => ({ value, label: `Hidden from: ${VIEWER_LABELS[value]}` }))}
            value={filters.hidden}
            onChange={(hidden) => list.filter({ hidden })}
          />
          <Select
            aria-label="Order"
            w={170}
            allowDeselect={false}
            data={SORTS.map(({ label, sort: { field } }) => ({ value: field, label }))}
            value={sort.field}
            onChange={(field) => list.sortBy(SORTS.find((candidate) => candidate.sort.field === field)?.sort ?? sort)}
          />
        </>
      }
    >
      {query.data ? (
        query.data.records.length > 0 ? (
          <ul
            className={classes['products']}
            aria-label="Products"
            aria-busy={query.isPlaceholderData}
            style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}
          >
            {query.data.records.map((product) => (
              <li key={product.id}>
                <ProductHead product={product} gallery={gallery} />
                <PictureShelf
                  product={product}
                  gallery={gallery}
                  onOpen={(picture) => setOpened({ picture, product })}
                  onHide={(picture) => setHiding([{ picture, product }])}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Text ta="center" py="xl" className="muted" role="status">
            No Record Found
          </Text>
        )
      ) : query.error ? (
        <Alert color="red" title="The gallery could not be loaded" m="md">
          <Text size="sm">{query.error.message}</Text>
          <Button
            mt="xs"
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => void query.refetch()}
          >
            Try again
          </Button>
        </Alert>
      ) : (
        <Stack p="md" aria-busy aria-label="Loading">
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} height={250} radius="sm" />
          ))}
        </Stack>
      )}
      <Pages {...pageShown(query, list, PAGE_SIZE)} />
      {opened ? <PictureDrawer placed={opened} onClose={() => setOpened(null)} /> : null}
      {hiding ? <HideDialog placed={hiding} gallery={gallery} onClose={() => setHiding(null)} /> : null}
    </ListPage>
  );
}

/** The product's name, and a checkbox that selects all of its pictures. */
function ProductHead({ product, gallery }: { product: GalleryProduct; gallery: Gallery }) {
  const placed = product.pictures.map((picture) => ({ picture, product }));
  const all = placed.length > 0 && placed.every(({ picture }) => gallery.ticked.has(picture.id));
  return (
    <Group justify="space-between" mb="xs" gap="xs" align="start">
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Anchor
            renderRoot={(props) => <Link {...props} to={paths.product(product.id)} search={{ tab: 'pictures' }} />}
            fw={600}
          >
            {product.name}
          </Anchor>{' '}
          {product.status === 'Active' ? null : <Chip tone="blue">{product.status}</Chip>}
        </Text>
        <Text size="xs" className="muted">
          {[product.brand, product.className, countOf(product.pictures.length, 'picture')].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {placed.length > 1 ? (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${all ? 'Deselect' : 'Select'} all pictures of ${product.name}`}
          onClick={() => gallery.tick(placed, !all)}
        >
          {all ? 'Deselect all' : 'Select all'}
        </Button>
      ) : null}
    </Group>
  );
}
