// The list component of the product: a table on wide screens, cards on narrow ones; sorting, pages, loading, empty and error states.
import { ActionIcon, Alert, Button, Group, Pagination, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconRefresh } from '@tabler/icons-react';
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import type { Sort } from '#platform/shared/wire.ts';
import { counted, lastPage } from './counted.ts';
import { type Reading, useHeldRows } from './steady-rows.web.ts';
import { useShownColumns } from './list-columns.web.ts';
import { Offer } from './NewRowsOffer.tsx';

export type Column<T> = ColumnLook & (DrawnColumn<T> | PlainColumn<T>);

/** A column that shows a field unchanged: text, or a number with its thousands separated. */
type PlainColumn<T> = {
  field: { [K in keyof T & string]: T[K] extends string | number ? K : never }[keyof T & string];
  render?: undefined;
};

type DrawnColumn<T> = {
  /** The field to sort by. A column without one cannot be sorted. */
  field?: string;
  render: (row: T) => ReactNode;
};

type ColumnLook = {
  title: string;
  /** Content before the title in the heading. */
  lead?: ReactNode;
  /** Right-aligned tabular figures. */
  figure?: boolean;
  /** Maximum width, in pixels or as CSS. Longer text ends in …, and its tooltip shows all of it. */
  width?: number | string;
  /** Takes the space that the other columns leave, at least this many pixels. Longer text ends in …. */
  grows?: number;
};

type Props<T> = {
  label: string;
  columns: Column<T>[];
  /** Undefined during the first load. */
  rows: T[] | undefined;
  rowKey: (row: T) => number | string;
  /** Makes a row a link. Enter and click open it, and the middle button opens it in a new tab. */
  rowHref?: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Renders a row on a narrow screen. */
  card: (row: T) => ReactNode;
  error?: Error | null;
  /** Another part of the screen shows the error, so the list only offers to try again. */
  errorIsShown?: boolean;
  onRetry?: () => void;
  /** Offers rows that other users add while this list is visible, without moving its own rows. Undefined: rows are shown as passed. */
  reading?: Reading | undefined;
  /** Another page is loading while the old rows stay. */
  refreshing?: boolean;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  page?: number;
  pageCount?: number;
  pageSize?: number;
  total?: number;
  /** Counting stopped at `total`, so there are more rows. */
  more?: boolean | undefined;
  /** `replace` replaces the current address, because it names a page that does not exist. */
  onPage?: (page: number, replace?: boolean) => void;
  empty?: ReactNode;
};

/** Below this width lists are cards (specification section 2, Home). */
export const NARROW = '(max-width: 47.99em)';

export function DataList<T>(listProps: Props<T>) {
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const { added, show, ...held } = useHeldRows(listProps.rows, listProps.rowKey, listProps.reading);
  const columns = useShownColumns(listProps.columns, listProps.reading !== undefined);
  const props = { ...listProps, ...held, columns };
  const { rows, error, gone } = props;
  if (error && !rows && props.errorIsShown) {
    return (
      <Stack align="center" py="xl" gap="xs">
        <Text className="muted">Not loaded.</Text>
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={props.onRetry}>
          Try again
        </Button>
      </Stack>
    );
  }
  if (error && !rows) {
    return (
      <Alert color="red" title="This list could not be loaded" m="md">
        <Text size="sm">{error.message}</Text>
        {props.onRetry ? (
          <Button mt="xs" variant="default" leftSection={<IconRefresh size={16} />} onClick={props.onRetry}>
            Try again
          </Button>
        ) : null}
      </Alert>
    );
  }
  return (
    <Stack gap={0} aria-busy={!rows || props.refreshing}>
      <Offer added={added} gone={gone.size} goneWords="no longer on this page" onShow={show} />
      {rows && rows.length === 0 ? (
        <Text ta="center" py="xl" className="muted" role="status">
          {props.empty ?? 'No Record Found'}
        </Text>
      ) : narrow ? (
        <Cards {...props} />
      ) : (
        <Table {...props} />
      )}
      <Pages {...props} />
    </Stack>
  );
}

type HeldProps<T> = Props<T> & { gone: ReadonlySet<number | string> };
const NO_LONGER = 'No longer on this page';

/** If a page is past the end, because of an old link or stored filters, goes to the last page that had rows. */
function useStepBack<T>({ rows, page = 1, pageCount = 0, refreshing = false, error, onPage }: PagesProps<T>) {
  const [lastShown, setLastShown] = useState(0);
  if (!refreshing && rows && rows.length > 0 && page !== lastShown) setLastShown(page);
  const last = Math.max(1, pageCount, lastShown < page ? lastShown : 0);
  const isPast = rows?.length === 0 && page > last && !refreshing && !error;
  const stepBack = useEffectEvent(() => onPage?.(last, true));
  // Runs once for each such page, because the list renders again before the address changes.
  useEffect(() => {
    if (isPast) stepBack();
  }, [isPast, page, last]);
}

function Table<T>({
  label,
  columns,
  rows,
  rowKey,
  rowHref,
  onOpen,
  sort,
  onSort,
  refreshing,
  pageSize = 20,
  gone,
}: HeldProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  return (
    <div ref={markIfOverflowing} className="list-scroll">
      <table className="list" aria-label={label} style={{ opacity: refreshing ? 0.6 : 1 }}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                className={column.figure ? 'figure' : undefined}
                aria-sort={
                  sort && column.field === sort.field ? (sort.dir === 'asc' ? 'ascending' : 'descending') : undefined
                }
              >
                {column.lead}
                {column.field && onSort ? (
                  <SortButton title={column.title} field={column.field} sort={sort} onSort={onSort} />
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows
            ? rows.map((row) => (
                <tr
                  key={rowKey(row)}
                  data-link={rowHref || onOpen ? '' : undefined}
                  data-gone={gone.has(rowKey(row)) ? '' : undefined}
                  title={gone.has(rowKey(row)) ? NO_LONGER : undefined}
                  onClick={onOpen ? (event) => openByRow(event, () => onOpen(row), rowHref?.(row)) : undefined}
                  onMouseDown={rowHref ? keepScrolling : undefined}
                  onAuxClick={rowHref ? (event) => openTab(event, rowHref(row)) : undefined}
                >
                  {columns.map((column) => (
                    <td
                      key={column.title}
                      className={column.figure ? 'figure' : column.width || column.grows ? 'ellipsis' : undefined}
                      style={widthOf(column)}
                    >
                      {cellOf(column, row)}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: Math.min(pageSize, 10) }, (_, index) => (
                // No row has this key. A row that reused the element of a placeholder would move.
                <tr key={`wait ${index}`}>
                  {columns.map((column) => (
                    <td key={column.title}>
                      <Skeleton height={10} radius="xl" />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns what a column shows for a row. */
export function cellOf<T>(column: Column<T>, row: T): ReactNode {
  if (column.render) return column.render(row);
  const value = row[column.field] as string | number;
  return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}

function widthOf({ width, grows }: ColumnLook): CSSProperties | undefined {
  // A cell without a maximum width would be as wide as its text.
  if (grows) return { width: '100%', minWidth: grows, maxWidth: 0 };
  return width ? { maxWidth: width } : undefined;
}

/** Adds a scroll bar only to a table that is wider than its container. The heading of any other table stays visible while the page scrolls. */
function markIfOverflowing(place: HTMLElement | null) {
  const table = place?.firstElementChild;
  if (!place || !table) return undefined;
  const observer = new ResizeObserver(() =>
    place.toggleAttribute('data-wide', table.scrollWidth > place.clientWidth + 1),
  );
  observer.observe(place);
  observer.observe(table);
  return () => observer.disconnect();
}

/** Moves between the links of the rows with arrow up and down. */
function useRowKeys(body: RefObject<HTMLTableSectionElement | null>) {
  useEffect(() => {
    const element = body.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (!step || !(event.target instanceof HTMLElement)) return;
      const row = event.target.closest('tr');
      const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
      const link = next?.querySelector<HTMLElement>('a, button, [tabindex="0"]');
      if (!link) return;
      event.preventDefault();
      link.focus();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [body]);
}

/** Opens a clicked row, unless the click hit an interactive element or ended a text selection. */
function openByRow(event: MouseEvent, open: () => void, href: string | undefined) {
  if (event.target instanceof Element && event.target.closest('a, button, input, label')) return;
  if (window.getSelection()?.toString()) return;
  if (href !== undefined && (event.ctrlKey || event.metaKey)) window.open(href, '_blank', 'noopener');
  else open();
}

/** The middle button opens a row in a new tab. This prevents the browser from starting its autoscroll as well. */
function keepScrolling(event: MouseEvent) {
  if (event.button === 1 && event.target instanceof Element && !event.target.closest('a')) event.preventDefault();
}

function openTab(event: MouseEvent, href: string) {
  if (event.button !== 1 || (event.target instanceof Element && event.target.closest('a'))) return;
  window.open(href, '_blank', 'noopener');
}

/** The heading of a column, which sorts by it. `first` is the direction of the first press. */
export function SortButton({
  title,
  field,
  first = 'asc',
  sort,
  onSort,
}: {
  title: string;
  field: string;
  first?: Sort['dir'];
  sort?: Sort | null | undefined;
  onSort: (sort: Sort) => void;
}) {
  const active = sort?.field === field;
  const Icon = active ? (sort.dir === 'asc' ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      c="inherit"
      onClick={() => onSort({ field, dir: active ? (sort.dir === 'asc' ? 'desc' : 'asc') : first })}
    >
      {title} <Icon size={12} style={{ opacity: active ? 1 : 0.35, verticalAlign: '-1px' }} aria-hidden />
    </UnstyledButton>
  );
}

function Cards<T>({ label, rows, rowKey, card, refreshing, gone }: HeldProps<T>) {
  if (!rows) {
    return (
      <Stack p="sm" gap="sm">
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} height={88} radius="sm" />
        ))}
      </Stack>
    );
  }
  return (
    <ul aria-label={label} style={{ listStyle: 'none', margin: 0, padding: 0, opacity: refreshing ? 0.6 : 1 }}>
      {rows.map((row) => (
        <li
          key={rowKey(row)}
          data-gone={gone.has(rowKey(row)) ? '' : undefined}
          title={gone.has(rowKey(row)) ? NO_LONGER : undefined}
          style={{ borderBottom: '1px solid var(--app-line)', padding: '10px 12px' }}
        >
          {card(row)}
        </li>
      ))}
    </ul>
  );
}

type PagesProps<T> = Pick<
  Props<T>,
  'page' | 'pageCount' | 'pageSize' | 'total' | 'more' | 'onPage' | 'onRetry' | 'error' | 'rows' | 'refreshing'
>;

/** Shows which rows of how many are visible, and links to the other pages. */
export function Pages<T>(props: PagesProps<T>) {
  const { page, pageSize = 20, total, more, onPage, onRetry, error, rows } = props;
  const last = lastPage(props);
  useStepBack(props);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  if (page === undefined || !onPage || total === undefined || total === 0 || rows?.length === 0) return null;
  const first = (page - 1) * pageSize + 1;
  return (
    <Group
      justify="space-between"
      p="xs"
      px="sm"
      style={{ borderTop: '1px solid var(--app-line)' }}
      className="no-print"
    >
      <Group gap="xs">
        <Text size="sm" className="muted tabular">
          {first.toLocaleString('en-US')}–
          {Math.min(more ? Infinity : total, first + (rows?.length ?? pageSize) - 1).toLocaleString('en-US')} of{' '}
          {counted({ total, more })}
        </Text>
        {error && onRetry ? (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Not loaded: ${error.message} Try again`}
            title={error.message}
            onClick={onRetry}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        ) : null}
      </Group>
      {last > 1 ? (
        <Pagination
          size={narrow ? 'md' : 'sm'}
          siblings={narrow ? 0 : 1}
          value={page}
          onChange={onPage}
          total={last}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      ) : null}
    </Group>
  );
}
