// Knows when the person pauses, so that what opens by itself takes no keys that were meant for a field.
import { useEffect, useState } from 'react';

/** Somebody who has typed nothing for this long looks up before going on. */
const PAUSE_MS = 1500;

let typedAt = Number.NEGATIVE_INFINITY;
const note = () => {
  typedAt = performance.now();
};

/** Whether `asks` holds and the person has stopped typing since. It must be called before there is anything to ask. */
export function useAfterPause(asks: boolean): boolean {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    // Composed and pasted text comes without a key for each letter.
    const kinds = ['keydown', 'input'] as const;
    for (const kind of kinds) window.addEventListener(kind, note, { capture: true });
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, note, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (!asks) return setPaused(false);
    let timer: number | undefined;
    const look = () => {
      const left = typedAt + PAUSE_MS - performance.now();
      if (left > 0) timer = window.setTimeout(look, left);
      else setPaused(true);
    };
    look();
    return () => window.clearTimeout(timer);
  }, [asks]);
  return asks && isPaused;
}
