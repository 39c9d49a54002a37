// The lines of a quote as a grid edited in place, which renders only visible rows beyond a hundred lines.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type DragEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useCommentCounts } from '#core/quoting/comments/comments.web.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { formatAmount, formatPrice } from '#platform/shared/money.ts';
import { usePlaceOnPage } from '#platform/ui/in-window.web.ts';
import classes from '../lines.module.css';
import {
  type ColumnKey,
  type Figures,
  figuresOf,
  type PlacedColumn,
  placedColumns,
  tracksOf,
  withColumn,
} from '../../layout/columns.ts';
import { useBoardLayout } from '../../layout/layout.web.ts';
import { othersByLine, useOthers } from '../../presence/others.web.ts';
import { useBoard } from '../../state/board.web.ts';
import { moveToCell } from './focus-cell.web.ts';
import { LineHeading } from './LineHeading.tsx';
import { LineRow } from './LineRow.tsx';
import type { LineActions } from '../line-actions.web.ts';
import { hasCell, marginText, sectionTotal, sharedReasons, sourceTag } from '../line-words.ts';

type Props = {
  selected: ReadonlySet<number>;
  actions: LineActions;
  /** Called when the user moves down from the last row. The focus goes to the field that adds lines. */
  onPastEnd: () => void;
  /** Set to a function that scrolls a row into view, so that it renders. */
  reveal: RefObject<((row: number) => void) | null>;
  /** The searched word, the lines that contain it, and the current one among them. */
  found: { word: string; ids: ReadonlySet<number>; current: number | undefined };
  /** Called with the width of the description column, whether the right side is beside the lines, and the length of the longest description. */
  onRoom: (width: number, isBeside: boolean, longest: number) => void;
};

const VIRTUAL_FROM = 100;
/** The height of a row in pixels, as in lines.module.css. */
const ROW_HEIGHT = { normal: 36, dense: 28 };
/** A longer item number ends in an ellipsis. */
const MAX_NUMBER_LENGTH = 16;
/** The width of a small letter in a tag, relative to a digit of the grid. */
const SMALL = 0.75;

export function LineGrid({ selected, actions, onPastEnd, reveal, found, onRoom }: Props) {
  const { items, data, pending, refused, marks, view } = useBoard();
  const { layout } = useBoardLayout();
  const scroll = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const virtual = items.length > VIRTUAL_FROM;
  const rowHeight = ROW_HEIGHT[layout.density];
  const { top, above, below } = usePlaceOnPage(scroll, virtual);
  // Keeps its identity until the lines change. A new function would lay out all rows again.
  const keyOf = useCallback((index: number) => items[index]?.id ?? index, [items]);
  const virtualizer = useWindowVirtualizer({
    count: virtual ? items.length : 0,
    estimateSize: () => rowHeight,
    overscan: 5,
    scrollMargin: top,
    scrollPaddingStart: above,
    scrollPaddingEnd: below,
    getItemKey: keyOf,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  useEffect(() => {
    reveal.current = (row) => {
      if (virtual) virtualizer.scrollToIndex(row);
      else scroll.current?.querySelector(`[aria-rowindex="${row + 2}"]`)?.scrollIntoView({ block: 'nearest' });
    };
  }, [reveal, virtual, virtualizer]);
  const move = useCallback(
    (row: number, column: string, step: -1 | 1) => {
      const lacks = (item: QuoteItem | undefined) => item !== undefined && !hasCell(item, column);
      let to = row;
      while (lacks(items[to])) to += step;
      if (to >= items.length) onPastEnd();
      if (!items[to]) return;
      if (virtual) virtualizer.scrollToIndex(to);
      moveToCell(to, column);
    },
    [items, onPastEnd, virtual, virtualizer],
  );
  const internal = view === 'internal';
  const { currnIdx } = data.quote;
  const { columns, figures, tracks, onWidth } = useColumns(items, internal, currnIdx);
  useRoom(head, items, onRoom);
  // A stable object, because rows compare it by identity.
  const all = useMemo(() => ({ ...actions, move }), [actions, move]);
  const byTarget = new Map(pending.map((entry) => [entry.target, entry]));
  const refusedBy = useMemo(() => Map.groupBy(refused, ({ item }) => item.id), [refused]);
  const others = useOthers();
  const taken = useMemo(() => othersByLine(others), [others]);
  const comments = useCommentCounts(data.quote.id);
  const saidAbove = useMemo(() => sharedReasons(items), [items]);
  const selectable = items.filter(({ type }) => type !== 'free').length;
  const draw = (item: QuoteItem, row: number) => (
    <LineRow
      key={item.id}
      item={item}
      row={row}
      columns={columns}
      currnIdx={currnIdx}
      internal={internal}
      editable={data.editable.commercial}
      promotable={data.editable.promotions}
      selected={selected.has(item.id)}
      pending={byTarget.get(item.id)}
      mark={marks.get(item.id)}
      others={taken.get(item.id)}
      comments={comments.get(item.id) ?? 0}
      refused={refusedBy.get(item.id)}
      sectionSum={item.type === 'section' ? sectionTotal(items, row) : null}
      isReasonAbove={item.priceSource === 'Manual' && saidAbove.has(item.priceReason)}
      word={found.ids.has(item.id) ? found.word : ''}
      isCurrent={found.current === item.id}
      actions={all}
    />
  );
  const style: Record<string, string | number> = { '--columns': tracks.columns, '--least': tracks.least };
  for (const [key, { places }] of Object.entries(figures)) style[`--places-${key}`] = places;

  return (
    <div
      role="grid"
      aria-label="Lines"
      aria-rowcount={items.length + 1}
      aria-multiselectable
      className={classes['grid']}
      data-pinned-item={columns[0]?.key === 'item' ? '' : undefined}
      data-density={layout.density}
      style={style}
      {...dragging(actions)}
    >
      <div
        ref={head}
        role="rowgroup"
        className={classes['headScroll']}
        onScroll={() => follow(head.current, scroll.current)}
      >
        <LineHeading
          columns={columns}
          selected={selected.size === 0 ? 'none' : selected.size < selectable ? 'some' : 'all'}
          onSelectAll={(isAll) => (isAll ? actions.selection.all() : actions.selection.none())}
          onWidth={onWidth}
        />
      </div>
      <div
        ref={scroll}
        role="rowgroup"
        className={classes['scroll']}
        onScroll={() => follow(scroll.current, head.current)}
      >
        {virtual ? (
          <div className={classes['rows']} style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {virtualizer.getVirtualItems().map((place) => {
              const item = items[place.index];
              return item ? (
                <div
                  key={place.key}
                  ref={virtualizer.measureElement}
                  data-index={place.index}
                  style={{ position: 'absolute', insetInline: 0, transform: `translateY(${place.start - top}px)` }}
                >
                  {draw(item, place.index)}
                </div>
              ) : null;
            })}
          </div>
        ) : (
          <div className={classes['rows']}>{items.map(draw)}</div>
        )}
      </div>
    </div>
  );
}

function longest(items: readonly QuoteItem[], text: (item: QuoteItem) => string): number {
  return items.reduce((most, item) => Math.max(most, text(item).length), 0);
}

/** Heading and rows scroll sideways together. */
function follow(leader: HTMLElement | null, other: HTMLElement | null): void {
  if (leader && other && other.scrollLeft !== leader.scrollLeft) other.scrollLeft = leader.scrollLeft;
}

/** The formatted figures of each column, and the longest texts of short ones. The longest decides the column's width. */
function figuresOfLines(items: readonly QuoteItem[], currnIdx: number): Partial<Record<ColumnKey, Figures>> {
  const display = (
    value: (item: QuoteItem, row: number) => number | null | undefined,
    write: (value: number) => string,
  ) =>
    figuresOf(
      items.flatMap((item, row) => {
        const figure = value(item, row);
        return figure === null || figure === undefined ? [] : [write(figure)];
      }),
    );
  const price = (value: number) => formatPrice(value, currnIdx);
  return {
    qty: display(({ qty }) => qty, String),
    list: display(({ listPrice }) => listPrice, price),
    price: display(({ unitPrice }) => unitPrice, price),
    discount: display(({ discountPct }) => discountPct || null, String),
    amount: display(
      (item, row) => (item.type === 'section' ? sectionTotal(items, row) : item.lineTotal),
      (value) => formatAmount(value, currnIdx),
    ),
    margin: display(({ marginPct }) => marginPct, marginText),
    item: {
      before: Math.min(
        MAX_NUMBER_LENGTH,
        longest(items, ({ itemNumber }) => itemNumber),
      ),
      places: 0,
    },
    source: { before: Math.round(longest(items, sourceTag) * SMALL), places: 0 },
  };
}

/** The visible columns, with the width during a drag, and the space that their figures need. */
function useColumns(items: readonly QuoteItem[], internal: boolean, currnIdx: number) {
  const { layout, change } = useBoardLayout();
  const [dragged, setDragged] = useState<{ key: ColumnKey; width: number } | null>(null);
  // Keeps its identity until the user rearranges columns, because rows compare it by identity.
  const hasPictures = useMemo(() => items.some(({ imgThumbnailUrl }) => imgThumbnailUrl), [items]);
  const columns = useMemo(
    () => placedColumns(layout, internal).filter(({ key, hidden }) => !hidden && (key !== 'picture' || hasPictures)),
    [layout, internal, hasPictures],
  );
  const figures = useMemo(() => figuresOfLines(items, currnIdx), [items, currnIdx]);
  const tracks = tracksOf(
    columns.map((column) => (column.key === dragged?.key ? { ...column, chosenWidth: dragged.width } : column)),
    figures,
  );
  const onWidth = ({ key }: PlacedColumn, width: number | null, isFinal: boolean) => {
    setDragged(isFinal || width === null ? null : { key, width });
    if (isFinal) change(withColumn(layout, key, { width }));
  };
  return { columns, figures, tracks, onWidth };
}

/** Reports how much space the descriptions have. */
function useRoom(head: RefObject<HTMLDivElement | null>, items: readonly QuoteItem[], onRoom: Props['onRoom']): void {
  const longestText = useMemo(() => longest(items, ({ description }) => description), [items]);
  useLayoutEffect(() => {
    const words = head.current?.querySelector<HTMLElement>('[data-column="description"]');
    if (!words) return undefined;
    const tell = () => onRoom(words.offsetWidth, words.closest('[data-beside]') !== null, longestText);
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(words);
    return () => observer.disconnect();
  }, [head, longestText, onRoom]);
}

const ROW = '[data-line]';

/** Lets the user drag a row by its number to another row. If the row is selected, the whole selection moves with it. */
function dragging(actions: LineActions) {
  const rowOf = (event: DragEvent) => (event.target instanceof Element ? event.target.closest<HTMLElement>(ROW) : null);
  const sideIn = (row: HTMLElement, event: DragEvent) => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY < top + height / 2 ? 'before' : 'behind';
  };
  const unmark = (event: DragEvent) => {
    for (const row of event.currentTarget.querySelectorAll('[data-drop]')) row.removeAttribute('data-drop');
  };
  return {
    onDragStart: (event: DragEvent) => {
      const row = rowOf(event);
      if (!row) return;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData(DRAGGED, row.dataset['line'] ?? '');
      event.dataTransfer.setDragImage(row, 40, 16);
    },
    onDragOver: (event: DragEvent) => {
      const row = rowOf(event);
      if (!row || !event.dataTransfer.types.includes(DRAGGED)) return;
      event.preventDefault();
      unmark(event);
      row.dataset['drop'] = sideIn(row, event);
    },
    onDragEnd: unmark,
    onDrop: (event: DragEvent) => {
      unmark(event);
      const row = rowOf(event);
      const id = Number(event.dataTransfer.getData(DRAGGED));
      if (!row || !id) return;
      event.preventDefault();
      // Free lines follow the line that earns them, so a drop on a free line applies to that line.
      let own: Element | null = row;
      while (own && own.hasAttribute('data-free')) own = previousRow(own);
      if (own instanceof HTMLElement)
        actions.place(id, Number(own.dataset['line']), own === row ? sideIn(row, event) : 'behind');
    },
  };
}

const DRAGGED = 'application/x-quote-line';

function previousRow(row: Element): Element | null {
  const place = row.parentElement?.hasAttribute('data-index') ? row.parentElement : row;
  const before = place.previousElementSibling;
  return before?.matches(ROW) ? before : (before?.querySelector(ROW) ?? null);
}
