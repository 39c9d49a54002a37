// Manages the search in the lines: its word, its hits, the current hit.
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { linesWith } from './find-lines.ts';

/** `show` scrolls a line into view. */
export function useFind(items: readonly QuoteItem[], show: (id: number) => void) {
  const [request, setAsked] = useState<{ word: string; at: number } | null>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const word = request?.word ?? '';
  const ids = useMemo(() => linesWith(items, word), [items, word]);
  const at = Math.min(request?.at ?? 0, Math.max(0, ids.length - 1));
  const go = (next: { word: string; at: number }, results: readonly number[]) => {
    setAsked(next);
    const id = results[next.at];
    if (id !== undefined) show(id);
  };
  return {
    isOpen: request !== null,
    current: ids[at],
    open: () => {
      // Renders at once, so that the next typed character goes to the search and not to the focused cell.
      flushSync(() => setAsked((before) => before ?? { word: '', at: 0 }));
      inputRef.current?.select();
    },
    close: () => setAsked(null),
    /** The hits that the grid highlights. */
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
