// The state of the search in lines: its word, what it finds, which of these is shown.
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { linesWith } from './find-lines.ts';

/** `show` brings a line into sight. */
export function useFind(items: readonly QuoteItem[], show: (id: number) => void) {
  const [asked, setAsked] = useState<{ word: string; at: number } | null>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const word = asked?.word ?? '';
  const ids = useMemo(() => linesWith(items, word), [items, word]);
  const at = Math.min(asked?.at ?? 0, Math.max(0, ids.length - 1));
  const go = (next: { word: string; at: number }, found: readonly number[]) => {
    setAsked(next);
    const id = found[next.at];
    if (id !== undefined) show(id);
  };
  return {
    isOpen: asked !== null,
    current: ids[at],
    open: () => {
      // At once: what is typed next belongs to the search, not to the cell that had the focus.
      flushSync(() => setAsked((before) => before ?? { word: '', at: 0 }));
      inputRef.current?.select();
    },
    close: () => setAsked(null),
    /** What the grid marks. */
    found: useMemo(() => ({ word: word.trim(), ids: new Set(ids), current: ids[at] }), [word, ids, at]),
    bar: {
      inputRef,
      word,
      at,
      count: ids.length,
      onWord: (next: string) => go({ word: next, at: 0 }, linesWith(items, next)),
      onGo: (by: -1 | 1) => {
        if (ids.length > 0) go({ word, at: (at + by + ids.length) % ids.length }, ids);
      },
    },
  };
}
