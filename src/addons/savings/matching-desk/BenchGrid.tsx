// The rows of the bench as a grid that draws only visible rows. The grid itself has the focus and marks its current row.
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { Savings, type SavingsRow } from '../savings.contract.ts';
import classes from '../savings.module.css';
import { BenchRow, ROW_HEIGHT } from './BenchRow.tsx';

export type GridHandle = {
  focus: () => void;
  /** Makes a row the current one, if it is among the loaded rows. */
  goTo: (id: number | undefined) => void;
  /** Moves to the next row after the current one that is not among these. */
  goOn: (decided: ReadonlySet<number>) => void;
};

type Props = {
  ref: Ref<GridHandle>;
  asked: RowsAsked;
  currnIdx: number;
  /** The message when there are no rows. */
  empty: string;
  onCurrent: (row: SavingsRow | null) => void;
  /** Called when the user wants to see the evidence of the current row. */
  onOpen: () => void;
  onAccept: () => void;
};

/** A row is found again by its id if it has moved, and by its index if it is gone. */
type Place = { index: number; id: number | null };

export function BenchGrid({ ref, asked, currnIdx, empty, onCurrent, onOpen, onAccept }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const height = ROW_HEIGHT[narrow ? 'narrow' : 'wide'];
  const [count, setCount] = useState(0);
  const [place, setPlace] = useState<Place>({ index: 0, id: null });
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => height,
    overscan: 8,
    scrollPaddingStart: narrow ? 0 : 32,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  const drawn = virtualizer.getVirtualItems();
  const rows = useRows(asked, { from: drawn[0]?.index ?? 0, to: drawn.at(-1)?.index ?? 0 });
  if (rows.total !== undefined && rows.total !== count) setCount(rows.total);

  const result = place.id === null ? -1 : rows.indexOf(place.id);
  const at = Math.max(0, Math.min(result >= 0 ? result : place.index, count - 1));
  const current = rows.rowAt(at) ?? null;
  useEffect(() => onCurrent(current), [current, onCurrent]);
  const isDrawn = current !== null && drawn.some(({ index }) => index === at);

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, count - 1));
    setPlace({ index: next, id: rows.rowAt(next)?.id ?? null });
    virtualizer.scrollToIndex(next);
  };
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    goTo: (id) => {
      if (id === undefined) return;
      const index = rows.indexOf(id);
      setPlace({ index: index >= 0 ? index : at, id });
      if (index >= 0) virtualizer.scrollToIndex(index);
    },
    goOn: (decided) => {
      for (let index = at + 1; index < count; index++) {
        const row = rows.rowAt(index);
        if (row && decided.has(row.id)) continue;
        setPlace({ index: row ? at : index, id: row?.id ?? null });
        virtualizer.scrollToIndex(index);
        return;
      }
    },
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Math.max(1, Math.floor((area.current?.clientHeight ?? 0) / height) - 1);
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + step,
      PageUp: at - step,
      Home: 0,
      End: count - 1,
    };
    const next = to[event.key];
    if (next !== undefined) goTo(next);
    else if (event.key === 'Enter') onAccept();
    else return;
    event.preventDefault();
  };

  if (rows.error && rows.total === undefined) {
    return (
      <div className={`card ${classes['gridMessage']}`} role="alert">
        <Text size="sm" fw={600}>
          The rows could not be loaded
        </Text>
        <Text size="sm">{rows.error.message}</Text>
        <Button mt="xs" variant="default" onClick={rows.refetch}>
          Try again
        </Button>
      </div>
    );
  }
  if (rows.total === 0) {
    return (
      <div className={`card ${classes['gridMessage']}`} role="status">
        {empty}
      </div>
    );
  }
  return (
    <div
      ref={area}
      role="grid"
      aria-label="Rows"
      aria-rowcount={count + 1}
      aria-busy={rows.total === undefined}
      aria-activedescendant={isDrawn ? rowId(at) : undefined}
      tabIndex={0}
      data-focus-group
      className={`card ${classes['grid']}`}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={classes['gridHead']}>
        <div role="row" aria-rowindex={1} className={classes['gridRow']}>
          <span role="columnheader">Row</span>
          <span role="columnheader">Their item</span>
          <span role="columnheader" className="figure">
            Per year
          </span>
          <span role="columnheader" className="figure">
            Their price
          </span>
          <span role="columnheader">Our item</span>
          <span role="columnheader" className="figure">
            Our price
          </span>
          <span role="columnheader" className="figure">
            Savings
          </span>
        </div>
      </div>
      <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {drawn.map(({ index, start }) => (
          <BenchRow
            key={index}
            id={rowId(index)}
            index={index}
            start={start}
            height={height}
            row={rows.rowAt(index)}
            isCurrent={index === at}
            currnIdx={currnIdx}
            onChoose={(isMeant) => {
              goTo(index);
              if (isMeant) onOpen();
            }}
          />
        ))}
      </div>
    </div>
  );
}

const rowId = (index: number): string => `bench-row-${index}`;

type RowsAsked = Omit<InputOf<typeof Savings.SearchAnalysisRows>, 'page' | 'pageSize' | 'sort'>;

const ROWS_PER_PAGE = 100;

/**
 * The rows from one index to another, including both, among all requested rows. It reads them page by page as they become visible, so that 20,000
 * rows are as fast as ten.
 */
function useRows(request: RowsAsked, { from, to }: { from: number; to: number }) {
  // The first page is always requested, because it contains the number of rows.
  const pages = new Set([1]);
  for (let page = pageOf(from); page <= pageOf(to); page++) pages.add(page);
  const numbers = [...pages];
  const results = useQueries({
    queries: numbers.map((page) => ({
      ...api(Savings).SearchAnalysisRows.query({ ...request, page, pageSize: ROWS_PER_PAGE }),
      staleTime: 60_000,
    })),
  });
  const byPage = new Map(numbers.map((page, at) => [page, results[at]?.data?.records]));
  const [total, setTotal] = useState<number>();
  const answered = results.find(({ data }) => data)?.data?.total;
  if (answered !== undefined && answered !== total) setTotal(answered);
  const rowAt = (index: number): SavingsRow | undefined =>
    byPage.get(pageOf(index))?.[index - (pageOf(index) - 1) * ROWS_PER_PAGE];
  return {
    total: answered ?? total,
    rowAt,
    /** The index of a loaded row, or -1 if it is not loaded. */
    indexOf: (id: number) => {
      for (const [page, rows] of byPage) {
        const at = rows?.findIndex((row) => row.id === id) ?? -1;
        if (at >= 0) return (page - 1) * ROWS_PER_PAGE + at;
      }
      return -1;
    },
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const result of results) if (result.error) void result.refetch();
    },
  };
}

const pageOf = (index: number): number => Math.floor(index / ROWS_PER_PAGE) + 1;
