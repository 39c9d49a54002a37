// The lines of a quote as a grid edited in place; past a hundred only visible rows render.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { usePrinting } from '#ui/printing.web.ts';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { focusCell } from './focus-cell.web.ts';
import { LineRow } from './LineRow.tsx';
import type { LineActions } from './line-actions.web.ts';
import { sectionTotal } from './line-words.ts';

type Props = {
  selected: ReadonlySet<number>;
  actions: LineActions;
  /** Moving down from the last row ends in the add line. */
  onPastEnd: () => void;
  /** Set to a function that scrolls a row into view, so that it renders. */
  reveal: RefObject<((row: number) => void) | null>;
};

const VIRTUAL_FROM = 100;

export function LineGrid({ selected, actions, onPastEnd, reveal }: Props) {
  const { items, data, pending, refused, marks, view } = useBoard();
  const scroll = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting();
  const virtual = items.length > VIRTUAL_FROM && !isPrinting;
  const virtualizer = useVirtualizer({
    count: virtual ? items.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => 37,
    overscan: 12,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  useEffect(() => {
    reveal.current = virtual ? (row) => virtualizer.scrollToIndex(row) : null;
  }, [reveal, virtual, virtualizer]);
  const length = items.length;
  const move = useCallback(
    (row: number, column: string) => {
      if (row >= length) {
        onPastEnd();
        return;
      }
      if (row < 0) return;
      if (virtual) virtualizer.scrollToIndex(row);
      focusCell(() => row, column);
    },
    [length, onPastEnd, virtual, virtualizer],
  );
  // A stable object, because rows compare it by identity.
  const all = useMemo(() => ({ ...actions, move }), [actions, move]);
  const byTarget = new Map(pending.map((entry) => [entry.target, entry]));
  const refusedBy = useMemo(() => Map.groupBy(refused, ({ item }) => item.id), [refused]);
  const internal = view === 'internal';
  const draw = (item: QuoteItem, row: number) => (
    <LineRow
      key={item.id}
      item={item}
      row={row}
      currnIdx={data.quote.currnIdx}
      internal={internal}
      editable={data.editable.commercial}
      promotable={data.editable.promotions}
      selected={selected.has(item.id)}
      pending={byTarget.get(item.id)}
      mark={marks.get(item.id)}
      refused={refusedBy.get(item.id)}
      sectionSum={item.type === 'section' ? sectionTotal(items, row) : null}
      actions={all}
    />
  );

  return (
    <div
      role="grid"
      aria-label="Lines"
      aria-rowcount={items.length + 1}
      className={classes['grid']}
      data-internal={internal ? '' : undefined}
    >
      <div role="row" className={classes['gridHead']}>
        {[
          '',
          '#',
          'Item #',
          'Description',
          'Qty.',
          'Unit',
          'List',
          'Price',
          'Source',
          'Disc.%',
          'Amount',
          ...(internal ? ['Margin'] : []),
          '',
        ].map((title, index) => (
          <span
            key={`${title}${index}`}
            role="columnheader"
            className={/Qty|List|Price|Disc|Amount|Margin/.test(title) ? classes['figure'] : undefined}
          >
            {title || <span className="visually-hidden">{index === 0 ? 'Select' : 'Actions'}</span>}
          </span>
        ))}
      </div>
      <div ref={scroll} className={classes['scroll']} data-short={virtual ? undefined : ''}>
        {virtual ? (
          <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {virtualizer.getVirtualItems().map((place) => {
              const item = items[place.index];
              return item ? (
                <div
                  key={place.key}
                  ref={virtualizer.measureElement}
                  data-index={place.index}
                  style={{ position: 'absolute', insetInline: 0, transform: `translateY(${place.start}px)` }}
                >
                  {draw(item, place.index)}
                </div>
              ) : null;
            })}
          </div>
        ) : (
          items.map(draw)
        )}
      </div>
    </div>
  );
}
