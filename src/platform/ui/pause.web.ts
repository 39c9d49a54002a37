// Detects when the user pauses, so that what opens automatically does not receive keys that were meant for a field.
import { useEffect, useState } from 'react';

/** A user who has typed nothing for this long looks up before continuing. */
const PAUSE_MS = 1500;

let typedAt = Number.NEGATIVE_INFINITY;
const note = () => {
  typedAt = performance.now();
};

/** Returns whether `asks` is true and the user has stopped typing since then. It must be called before `asks` can become true. */
export function useAfterPause(asks: boolean): boolean {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    // Composed and pasted text arrives without a key event for each letter.
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
