// The selection of quotes on Find Quote: its checkboxes, its keys, and the bar that shows the number of selected quotes.
import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKeys } from '#platform/ui/keys.tsx';
import { Tick } from '#platform/ui/ticks.tsx';
import type { QuoteRow } from '../quotes.contract.ts';
import { quoteNumber } from '../status.ts';
import type { Ticks } from './QuoteList.tsx';
import { rangeTo, seenAgain, type Selected, selecting } from './selection.ts';
import classes from './selection.module.css';

const NOTHING: Selected = new Map();
const TICK = 'input[name="select-quote"]';

export type Selection = {
  rows: QuoteRow[];
  change: (rows: readonly QuoteRow[], on: boolean) => void;
  /** Updates the selected rows from newer rows. */
  seen: (rows: readonly QuoteRow[]) => void;
  clear: () => void;
  ticks: Ticks;
  /** On a phone, shows the checkboxes, or hides them and clears the selection. */
  switchCards: () => void;
};

/** `search` identifies the criteria without page and order. Other criteria find other quotes, so they clear the selection. */
export function useSelection(visible: readonly QuoteRow[] | undefined, search: string): Selection {
  const [stored, setStored] = useState({ search, selected: NOTHING });
  const [inCards, setInCards] = useState(false);
  const last = useRef<number | null>(null);
  if (stored.search !== search) setStored({ search, selected: NOTHING });
  const selected = stored.search === search ? stored.selected : NOTHING;
  const set = (next: (now: Selected) => Selected) =>
    setStored((now) => {
      const changed = next(now.selected);
      return changed === now.selected ? now : { ...now, selected: changed };
    });
  const seen = (rows: readonly QuoteRow[]) => set((now) => seenAgain(now, rows));
  const seeShown = useEffectEvent(seen);
  const change: Selection['change'] = (rows, on) => set((now) => selecting(now, rows, on));
  const clear = () => set(() => NOTHING);
  useEffect(() => {
    if (visible) seeShown(visible);
  }, [visible]);
  const toggle = (row: QuoteRow, isRange: boolean) => {
    change(isRange && visible ? rangeTo(visible, last.current, row) : [row], !selected.has(row.id));
    last.current = row.id;
  };
  useKeys([
    {
      key: 'x',
      label: 'Select the quote; Shift+X selects up to it',
      atFocus: true,
      run: ({ shiftKey }) => {
        const tick = document.activeElement?.closest('tr, li')?.querySelector<HTMLInputElement>(TICK);
        const row = visible?.find(({ id }) => String(id) === tick?.value);
        if (row) toggle(row, shiftKey);
      },
    },
    { key: 'Escape', label: 'Clear the selection', run: clear, disabled: selected.size === 0 },
  ]);
  const onPage = visible?.filter(({ id }) => selected.has(id)).length ?? 0;
  return {
    rows: [...selected.values()],
    change,
    seen,
    clear,
    switchCards: () => {
      setInCards(!inCards);
      if (inCards) clear();
    },
    ticks: {
      inCards,
      all: (
        <label className={classes['tick']} htmlFor="select-quotes">
          <Tick
            id="select-quotes"
            label="Select all quotes on this page"
            checked={onPage > 0 && onPage === visible?.length}
            some={onPage > 0 && onPage < (visible?.length ?? 0)}
            disabled={!visible?.length}
            onChange={() => change(visible ?? [], onPage < (visible?.length ?? 0))}
          />
        </label>
      ),
      of: (row) => (
        <label className={classes['tick']} htmlFor={`select-quote-${row.id}`}>
          <Tick
            id={`select-quote-${row.id}`}
            name="select-quote"
            value={row.id}
            label={`Select quote ${quoteNumber(row.num, row.revision)}`}
            checked={selected.has(row.id)}
            onChange={(shift) => toggle(row, shift)}
          />
        </label>
      ),
    },
  };
}

/**
 * Stays visible at the bottom of the list without moving it. `children` stay mounted after the selection is cleared, because they may show something
 * above the page.
 */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { rows, clear } = selection;
  const [wasUsed, setWasUsed] = useState(false);
  if (rows.length > 0 && !wasUsed) setWasUsed(true);
  return (
    <div
      className={classes['bar']}
      role="toolbar"
      aria-label="Selected quotes"
      style={rows.length === 0 ? { display: 'none' } : undefined}
    >
      <Text size="sm" fw={600} className="tabular" role="status">
        {rows.length} selected
      </Text>
      {/* Next to the count, away from the actions that change the quotes. */}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
      {wasUsed ? children : null}
    </div>
  );
}
