// The item picker (specification sections 2 and 5): search by part of a number or name, choose one item.
import {
  Button,
  Checkbox,
  CloseButton,
  Group,
  NativeSelect,
  Pagination,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { ItemName, SellingRank, Thumbnail } from './ItemMarks.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { type ItemAtFacility, type ItemHit, ItemSearch, MIN_KEYWORD, NO_SALES } from './items.contract.ts';
import classes from './items.module.css';

const DEBOUNCE_MS = 1000;
const PAGE_SIZES = [10, 20, 50];

type Props = {
  companyName: string;
  /** The caller keeps the keyword, so that it survives the picker and can be reset. */
  keyword: string;
  onKeyword: (keyword: string) => void;
  /** The user is typing the keyword outside the picker and may continue. Otherwise typing replaces it. */
  isTyped?: boolean;
  /** The customer whose own numbers apply. */
  facilityId?: number | null;
  onPick: (hit: ItemHit) => void;
  /** Closes without picking. */
  onClose: () => void;
};

export function ItemPickerPanel(props: Props) {
  const { companyName, keyword, onKeyword, isTyped = false, facilityId = null, onPick, onClose } = props;
  const defaults = useQuery({ ...api(ItemSearch).GetItemSearchDefaults.query({}), staleTime: 5 * 60_000 });
  const hasSales = defaults.data?.hasSales ?? true;
  // On at first (specification section 2), but off if the company has no sales. After that the user decides.
  const [wantsRecent, setRecentOnly] = useState<boolean | null>(null);
  const recentOnly = wantsRecent ?? hasSales;
  // The search uses the typed keyword after a second. It never uses an empty one, which only clears the results.
  const [request, setAsked] = useState(longEnough(keyword));
  const ask = useDebouncedCallback((text: string) => setAsked((before) => longEnough(text) || before), DEBOUNCE_MS);
  const query = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: request, hasRecentSaleOnly: recentOnly, facilityId }),
    enabled: request !== '' && !defaults.isPending,
    placeholderData: (before) => before,
  });
  const hits = request === '' ? [] : (query.data ?? []);
  const [pageSize, setPageSize] = useState(PAGE_SIZES[0] ?? 10);
  const [page, setPage] = useState(1);
  const [active, setActive] = useState(0);
  const visible = hits.slice((page - 1) * pageSize, page * pageSize);
  const itemIds = visible.map(({ id }) => id);
  // Prices follow the results, so that a search is as fast as without them.
  const prices = useQuery({
    ...api(ItemSearch).GetItemsAtFacility.query({ facilityId: facilityId ?? 0, itemIds }),
    enabled: facilityId !== null && itemIds.length > 0,
    staleTime: 60_000,
  });
  const isCurrent = request === longEnough(keyword) && !query.isPlaceholderData;
  const searching = query.isFetching || request !== (longEnough(keyword) || request);

  const field = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLTableSectionElement>(null);
  const goOnTyping = useRef(isTyped);
  useEffect(() => {
    const input = field.current;
    input?.focus();
    if (goOnTyping.current) input?.setSelectionRange(input.value.length, input.value.length);
    else input?.select();
  }, []);
  useEffect(() => {
    setPage(1);
    setActive(0);
  }, [query.data]);
  useKeys([{ key: 'Escape', label: 'Close the item picker', whileTyping: true, run: onClose }], { isOver: true });

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(visible.length - 1, index));
    setActive(next);
    rows.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveTo(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const hit = visible[active];
      // Enter never picks from the results of an older keyword. Instead it searches at once, without the delay of a second.
      if (isCurrent && hit) onPick(hit);
      else if (longEnough(keyword)) setAsked(longEnough(keyword));
    }
  };

  return (
    <Stack gap="sm" p="md" component="section" aria-label={`${companyName} Item Picker`} data-picker>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{companyName} Item Picker</Title>
        <CloseButton aria-label="Close" onClick={onClose} />
      </Group>
      <TextInput
        ref={field}
        data-autofocus
        type="search"
        label="Enter Partial Item # or Name to search"
        description="Need at least 3 characters to start search"
        autoComplete="off"
        spellCheck={false}
        value={keyword}
        onChange={(event) => {
          const text = event.currentTarget.value;
          onKeyword(text);
          if (text.trim() === '') setAsked('');
          ask(text);
        }}
        onKeyDown={onKeyDown}
        aria-controls="item-picker-results"
      />
      <Checkbox
        label="Search Items Having Recent Sales Orders Only"
        description={hasSales ? undefined : NO_SALES}
        checked={recentOnly}
        onChange={(event) => {
          setRecentOnly(event.currentTarget.checked);
          if (longEnough(keyword)) setAsked(longEnough(keyword));
        }}
      />
      <ErrorAlert error={query.error} title="The search failed" onRetry={query.refetch} />
      <div id="item-picker-results" className={classes['results']} aria-busy={searching}>
        {request !== '' && query.data && hits.length === 0 && !searching ? (
          <Text ta="center" py="lg" className="muted" role="status">
            No Record Found
            {recentOnly ? (
              <Button variant="subtle" size="compact-sm" ml="xs" onClick={() => setRecentOnly(false)}>
                Search all items
              </Button>
            ) : null}
          </Text>
        ) : null}
        {hits.length > 0 ? (
          <Hits
            ref={rows}
            hits={visible}
            prices={facilityId === null || prices.isError ? undefined : (prices.data ?? [])}
            active={active}
            isOld={searching}
            onActive={setActive}
            onPick={onPick}
          />
        ) : null}
      </div>
      <ErrorAlert error={prices.error} title="Prices could not be loaded" onRetry={prices.refetch} />
      <Text size="sm" className="muted" role="status">
        {searching ? 'Searching…' : hits.length > 0 ? hitsInWords(hits.length) : ''}
      </Text>
      <Group justify="space-between">
        <Pages
          total={hits.length}
          page={page}
          pageSize={pageSize}
          onPage={(next, size) => {
            setPageSize(size);
            setPage(next);
            setActive(0);
          }}
        />
        <Button variant="default" onClick={onClose}>
          Clear
        </Button>
      </Group>
    </Stack>
  );
}

type HitsProps = {
  ref: Ref<HTMLTableSectionElement>;
  hits: readonly ItemHit[];
  /** What the items cost the facility, as far as it is loaded. Undefined without a facility, and if they could not be loaded. */
  prices: readonly ItemAtFacility[] | undefined;
  /** The position of the hit that Enter picks. */
  active: number;
  /** The hits belong to an earlier keyword. */
  isOld: boolean;
  onActive: (index: number) => void;
  onPick: (hit: ItemHit) => void;
};

function Hits({ ref, hits, prices, active, isOld, onActive, onPick }: HitsProps) {
  return (
    <table className="list" aria-label="Items found" style={{ opacity: isOld ? 0.6 : 1 }}>
      <thead>
        <tr>
          <th>
            <VisuallyHidden>Pick</VisuallyHidden>
          </th>
          <th>
            <VisuallyHidden>Picture</VisuallyHidden>
          </th>
          <th>Item</th>
          {prices ? <th className="figure">Price</th> : null}
        </tr>
      </thead>
      <tbody ref={ref}>
        {hits.map((hit, index) => (
          <tr
            key={hit.id}
            data-link
            data-active={index === active || undefined}
            onMouseMove={() => onActive(index)}
            onDoubleClick={() => onPick(hit)}
          >
            <td style={{ width: 1 }}>
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => onPick(hit)}
                aria-label={`Pick ${hit.itemNumber}`}
              >
                Pick
              </Button>
            </td>
            <td style={{ width: 1 }}>
              <Thumbnail url={hit.imgThumbnailUrl} />
            </td>
            <td>
              <Group gap="xs">
                <span className={classes['number']}>{hit.itemNumber}</span>
                <SellingRank item={hit} />
              </Group>
              <div className={classes['words']}>
                <ItemName item={hit} />
              </div>
              <AtFacility price={prices?.find(({ itemId }) => itemId === hit.id)} />
            </td>
            {prices ? (
              <td className="figure">
                <PickerPrice price={prices.find(({ itemId }) => itemId === hit.id)} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the facility last bought the item for, and the promotions of today. */
function AtFacility({ price }: { price: ItemAtFacility | undefined }) {
  if (!price) return null;
  const { lastWon, offers } = price;
  return (
    <div className={classes['atFacility']}>
      {lastWon ? (
        <div className="muted">
          Last won: {lastWon.qty} {lastWon.unit} on {formatDate(lastWon.date)} at{' '}
          {formatPrice(lastWon.price, lastWon.currnIdx)} ({lastWon.number})
        </div>
      ) : null}
      {offers.map((offer) => (
        <div key={offer}>Promotion: {offer}</div>
      ))}
    </div>
  );
}

function PickerPrice({ price }: { price: ItemAtFacility | undefined }) {
  if (!price) return <span className="muted">…</span>;
  return (
    <>
      {price.price === null ? <span className="muted">No price</span> : formatPrice(price.price, price.currnIdx)}
      <div className={`muted ${classes['source']}`}>
        {[price.unit && `per ${price.unit}`, price.priceSource].filter(Boolean).join(' · ')}
      </div>
    </>
  );
}

type PagesProps = { total: number; page: number; pageSize: number; onPage: (page: number, pageSize: number) => void };

function Pages({ total, page, pageSize, onPage }: PagesProps) {
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Rows per page"
        value={pageSize}
        data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows per page` }))}
        onChange={(event) => onPage(1, Number(event.currentTarget.value))}
      />
      {total > pageSize ? (
        <Pagination
          size="xs"
          siblings={0}
          total={Math.ceil(total / pageSize)}
          value={page}
          onChange={(next) => onPage(next, pageSize)}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      ) : null}
    </Group>
  );
}

/** The keyword to search for, or empty if it is too short. */
function longEnough(keyword: string): string {
  const text = keyword.trim();
  return text.length >= MIN_KEYWORD ? text : '';
}

/** The server returns the best 200 items. If it returns 200, there may be more. */
function hitsInWords(hits: number): string {
  return hits === 1 ? '1 item' : hits >= 200 ? 'The best 200 items; type more to narrow the list' : `${hits} items`;
}
