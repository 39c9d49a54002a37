// Item/Product Search: filters on the left, items on the right, and the open item beside them.
import {
  Button,
  Checkbox,
  Drawer,
  Group,
  NativeSelect,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemName, otherNumber, SellingRank, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import {
  type ItemAdvancedHit,
  type ItemCriteria,
  ItemSearch,
  MIN_KEYWORD,
  NO_SALES,
} from '#core/catalog/items/items.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { useAddress } from '#platform/ui/address.web.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { later } from '#platform/ui/later.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { FacilityFilter } from './FacilityFilter.tsx';
import { addressOf, criteriaOf, PAGE_SIZES } from './item-address.ts';
import classes from './item-search.module.css';

const RECENT_ONLY = 'Search Items Having Recent Sales Orders Only';
const DEBOUNCE_MS = 1000;

const ItemDetailPanel = later(() => import('./ItemDetailPanel.tsx'), {
  loading: <Skeleton height={320} aria-label="Loading" />,
  failed: 'The item could not be shown. Check the network and reload the page.',
});

export default function ItemSearchPage() {
  const { criteria, itemId, isBlank, filter, restore, turnTo, open } = useItemAddress();
  const defaults = useQuery({
    ...api(ItemSearch).GetItemSearchDefaults.query({}),
    staleTime: 0,
    meta: { global: 'The filters could not be loaded.' },
  });
  const field = useRef<HTMLInputElement>(null);
  // Opening the page without criteria restores the last ones once. Clearing all filters later does not.
  const [restored, setRestored] = useState(!isBlank);
  useEffect(() => {
    if (restored || !defaults.data) return;
    setRestored(true);
    if (isBlank) restore(defaults.data.criteria);
  }, [restored, defaults.data, isBlank, restore]);
  useEffect(() => field.current?.focus(), []);
  useKeys([{ key: '/', label: 'Search items', run: () => field.current?.select() }]);

  const keyword = criteria.keyword.trim();
  const searchable = keyword.length >= MIN_KEYWORD || (keyword === '' && Boolean(criteria.classId));
  const query = useQuery({
    ...api(ItemSearch).SearchItemAdvanced.query(criteria),
    enabled: searchable && restored,
    placeholderData: (before) => before,
  });
  const download = useMutation({
    mutationFn: async () => saveFile(await api(ItemSearch).ExportItems(criteria)),
    meta: { blocking: true },
  });
  const columns = columnsOf(Boolean(criteria.facilityId), open, query.data?.records ?? []);

  return (
    <div className={classes['page']}>
      <PageTitle>Item/Product Search</PageTitle>
      <Stack className={`card ${classes['filters']}`} p="md" gap="sm" component="section" aria-label="Filters">
        <KeywordField fieldRef={field} keyword={criteria.keyword} onKeyword={(next) => filter({ keyword: next })} />
        <Checkbox
          label={RECENT_ONLY}
          checked={criteria.hasRecentSaleOnly}
          onChange={(event) => filter({ hasRecentSaleOnly: event.currentTarget.checked })}
        />
        <Select
          label="Class"
          placeholder="All"
          clearable
          searchable
          data={(defaults.data?.classes ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={criteria.classId ? String(criteria.classId) : null}
          onChange={(value) => filter({ classId: value ? Number(value) : null })}
          nothingFoundMessage="No Record Found"
        />
        <FacilityFilter
          label="Facility"
          description="Shows the prices of this facility"
          facilityId={criteria.facilityId ?? null}
          onChange={(facilityId) => filter({ facilityId })}
        />
      </Stack>
      <section className={`card ${classes['results']}`} aria-label="Results">
        <Group justify="space-between" px="md" py="xs" mih={52}>
          <Title order={1}>Item/Product Search</Title>
          {searchable && query.data && query.data.total > 0 ? (
            <Group gap="xs">
              <NativeSelect
                size="xs"
                aria-label="Rows per page"
                value={criteria.pageSize}
                data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows per page` }))}
                onChange={(event) => filter({ pageSize: Number(event.currentTarget.value) })}
              />
              <ExportButton exported={download} onExport={() => download.mutate()} total={query.data.total} size="xs" />
            </Group>
          ) : null}
        </Group>
        <ExportError exported={download} />
        {searchable || (isBlank && defaults.isPending) ? (
          <DataList<ItemAdvancedHit>
            label="Items"
            columns={columns}
            rows={query.data?.records}
            rowKey={(row) => row.id}
            onOpen={(row) => open(row.id)}
            card={cardOf(open)}
            error={query.error}
            onRetry={() => void query.refetch()}
            refreshing={query.isPlaceholderData}
            sort={criteria.sort ?? null}
            onSort={(sort) => filter({ sort })}
            page={criteria.page}
            pageCount={query.data?.pageCount ?? 1}
            pageSize={criteria.pageSize}
            total={query.data?.total ?? 0}
            more={query.data?.more}
            onPage={turnTo}
            empty={
              criteria.hasRecentSaleOnly ? (
                <>
                  No Record Found
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    ml="xs"
                    onClick={() => filter({ hasRecentSaleOnly: false })}
                  >
                    Search all items
                  </Button>
                </>
              ) : undefined
            }
          />
        ) : (
          <Text ta="center" py="xl" px="md" className="muted" role="status">
            Enter at least 3 characters of an item number or name, or choose a class.
            {defaults.data?.hasSales === false ? (
              // Below the checkbox, the note would shift the fields when it appears.
              <>
                <br />
                {RECENT_ONLY}: {NO_SALES}
              </>
            ) : null}
          </Text>
        )}
      </section>
      <Drawer
        opened={itemId !== null}
        onClose={() => open(null)}
        position="right"
        size={640}
        title="Item"
        closeButtonProps={{ 'aria-label': 'Close the item' }}
      >
        {itemId === null ? null : (
          <ItemDetailPanel key={itemId} itemId={itemId} facilityId={criteria.facilityId ?? null} />
        )}
      </Drawer>
    </div>
  );
}

/** Searches one second after the last key press, or immediately on Enter. */
function KeywordField({
  fieldRef,
  keyword,
  onKeyword,
}: {
  fieldRef: React.RefObject<HTMLInputElement | null>;
  keyword: string;
  onKeyword: (keyword: string) => void;
}) {
  const [typed, setTyped] = useState(keyword);
  const search = useDebouncedCallback(onKeyword, DEBOUNCE_MS);
  const sent = useRef(keyword);
  useEffect(() => {
    // Back and forward change the keyword. A keyword sent from this field is already in it.
    if (keyword !== sent.current) setTyped(keyword);
    sent.current = keyword;
  }, [keyword]);
  const send = (text: string) => {
    sent.current = text.trim();
    search(text.trim());
  };
  return (
    <TextInput
      ref={fieldRef}
      type="search"
      data-search
      label="Enter Partial Item # or Name to search"
      description="Need at least 3 characters to start search"
      leftSection={<IconSearch size={16} />}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.flush();
      }}
    />
  );
}

function columnsOf(
  forFacility: boolean,
  open: (id: number) => void,
  rows: readonly ItemAdvancedHit[],
): Column<ItemAdvancedHit>[] {
  const inPrice = pricesAligned(rows);
  return [
    { title: 'Picture', render: (row) => <Thumbnail url={row.imgThumbnailUrl} size={32} /> },
    { title: 'Rank', field: 'sellingRankNum', render: (row) => <SellingRank item={row} /> },
    {
      title: 'Item #',
      field: 'itemNumber',
      width: 180,
      render: (row) => (
        <button type="button" className={classes['link']} onClick={() => open(row.id)} title={row.itemNumber}>
          {row.itemNumber}
        </button>
      ),
    },
    {
      title: 'Description',
      field: 'description',
      width: 340,
      render: (row) => (
        <>
          <span title={row.description}>{row.description}</span>
          {row.productName ? (
            <div className={`muted ellipsis ${classes['product']}`} title={row.productName}>
              {row.productName}
            </div>
          ) : null}
          {otherNumber(row.foundBy) ? <div className="muted ellipsis">{otherNumber(row.foundBy)}</div> : null}
        </>
      ),
    },
    { title: 'Class', width: 120, render: (row) => <span title={row.className}>{row.className}</span> },
    {
      title: 'Last sold',
      field: 'lastSold',
      render: (row) => <span className="tabular">{formatDate(row.lastSold)}</span>,
    },
    { title: 'Unit', render: (row) => row.unit },
    {
      title: forFacility ? 'Price' : 'List price',
      figure: true,
      render: (row) => <Price item={row} write={inPrice} />,
    },
  ];
}

type PriceProps = { item: ItemAdvancedHit; write?: (price: number, currnIdx: number) => string };

function Price({ item, write = formatPrice }: PriceProps) {
  return item.price === null ? (
    <span className="muted">no price</span>
  ) : (
    <span className="tabular">{write(item.price, item.currnIdx)}</span>
  );
}

function cardOf(open: (id: number) => void) {
  return (item: ItemAdvancedHit) => <ItemCard item={item} onOpen={() => open(item.id)} />;
}

function ItemCard({ item, onOpen }: { item: ItemAdvancedHit; onOpen: () => void }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Thumbnail url={item.imgThumbnailUrl} size={48} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <button type="button" className={classes['link']} onClick={onOpen}>
            {item.itemNumber}
          </button>
          <Text size="sm" className="figure">
            <Price item={item} /> <span className="muted">/ {item.unit}</span>
          </Text>
        </Group>
        <Text size="sm" lineClamp={2}>
          <ItemName item={item} />
        </Text>
        <SellingRank item={item} />
      </div>
    </Group>
  );
}

/** Reads and changes the item search in the page's address. */
function useItemAddress() {
  const navigate = useNavigate();
  const address = useAddress();
  const now = criteriaOf(address);
  const go = (criteria: ItemCriteria, itemId: number | null, replace = false) =>
    void navigate({ to: paths.itemSearch, search: addressOf(criteria, itemId), replace, resetScroll: false });
  return {
    ...now,
    isBlank: Object.keys(address).length === 0,
    /** A changed filter goes back to page 1. */
    filter: (patch: Partial<ItemCriteria>) => go({ ...now.criteria, page: 1, ...patch }, null, true),
    restore: (criteria: ItemCriteria) => go(criteria, null, true),
    turnTo: (page: number, replace = false) => go({ ...now.criteria, page }, null, replace),
    open: (itemId: number | null) => go(now.criteria, itemId),
  };
}
