// The rows of the bench as a grid that draws only those in sight. It holds the focus itself and marks its current row.
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { NARROW } from '#platform/ui/DataList.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import classes from '../savings.module.css';
import { BenchRow, ROW_HEIGHT } from './BenchRow.tsx';
import { type RowsAsked, useRows } from './rows.web.ts';

export type GridHandle = {
  focus: () => void;
  /** Makes a row the current one, if it is among the loaded rows. */
  goTo: (id: number | undefined) => void;
  /** Goes on to the next row after the current one that is not among these. */
  goOn: (decided: ReadonlySet<number>) => void;
};

type Props = {
  ref: Ref<GridHandle>;
  asked: RowsAsked;
  currnIdx: number;
  /** What is said when there is no row. */
  empty: string;
  onCurrent: (row: SavingsRow | null) => void;
  /** The person wants to see the evidence of the current row. */
  onOpen: () => void;
  onAccept: () => void;
};

/** A row found again by its id wherever it moved; by its place when it left. */
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

  const found = place.id === null ? -1 : rows.indexOf(place.id);
  const at = Math.max(0, Math.min(found >= 0 ? found : place.index, count - 1));
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
      <div className={`card ${classes['gridSaid']}`} role="alert">
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
      <div className={`card ${classes['gridSaid']}`} role="status">
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
          <span role="columnheader">Theirs</span>
          <span role="columnheader" className="figure">
            A year
          </span>
          <span role="columnheader" className="figure">
            They pay
          </span>
          <span role="columnheader">Ours</span>
          <span role="columnheader" className="figure">
            With us
          </span>
          <span role="columnheader" className="figure">
            Saving
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
