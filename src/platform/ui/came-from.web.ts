// Stores where the user came from, so that a back link leads to the same list, page and position.
import type { AnyRouter } from '@tanstack/react-router';

/** The addresses in this tab's history that a back link may lead to, by their position in the history. */
type Places = Record<string, string>;
const KEY = 'came-from';

function readPlaces(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Places;
  } catch {
    return {};
  }
}

/** Stores each visited screen, except those that a back link skips (`isPassing`). */
export function rememberPlaces(router: AnyRouter, isPassing: (path: string) => boolean): void {
  router.subscribe('onResolved', ({ toLocation }) => {
    const at = toLocation.state.__TSR_index;
    const below = Object.entries(readPlaces()).filter(([index]) => Number(index) < at);
    if (!isPassing(toLocation.pathname)) below.push([String(at), toLocation.href]);
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(below)));
  });
}

/** Returns the nearest stored screen before this one: its address, and how many steps back it is. Null in a new tab. */
export function cameFrom(at: number): { href: string; steps: number } | null {
  const places = Object.entries(readPlaces()).map(([index, href]) => ({ href, index: Number(index) }));
  const last = places.filter(({ index }) => index < at).toSorted((a, b) => b.index - a.index)[0];
  return last ? { href: last.href, steps: at - last.index } : null;
}
