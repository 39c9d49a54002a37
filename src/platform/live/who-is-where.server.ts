// Where users are on quotes, by the last report of each of their tabs, until the tab leaves or stops reporting.
import type { Other } from './live.contract.ts';

export type Place = { quoteId: number; userId: number; sessionId: string; itemId: number | null; typing: boolean };

/** A visible tab reports its place every 20 seconds. A tab without a report for this long is considered closed. */
export const SILENT_TAB_MS = 45_000;

const WORD = 'place';

/** Returns the message about a place that servers exchange. It contains only ids. A null place means that the tab left. */
export function wordOf(tab: string, place: Place | null): string {
  if (!place) return `${WORD} ${tab}`;
  const { quoteId, userId, sessionId, itemId, typing } = place;
  return [WORD, tab, quoteId, userId, sessionId, itemId ?? 0, Number(typing)].join(' ');
}

/** `moved` is called with the quote on which a user came, left, or moved. */
export function openPlaces(moved: (quoteId: number) => void) {
  const places = new Map<string, Place & { silence: ReturnType<typeof setTimeout> }>();
  const leave = (tab: string) => {
    const last = places.get(tab);
    if (!last) return;
    clearTimeout(last.silence);
    places.delete(tab);
    moved(last.quoteId);
  };
  return {
    /** Handles a message about a tab. Returns false if the text is not such a message. */
    hear: (text: string): boolean => {
      const [word, tab = '', quoteId, userId, sessionId = '', itemId, typing] = text.split(' ');
      if (word !== WORD) return false;
      const last = places.get(tab);
      if (last && last.quoteId !== Number(quoteId)) leave(tab);
      if (quoteId === undefined) return true;
      clearTimeout(last?.silence);
      const silence = setTimeout(() => leave(tab), SILENT_TAB_MS);
      silence.unref();
      const place = {
        quoteId: Number(quoteId),
        userId: Number(userId),
        sessionId,
        itemId: Number(itemId) || null,
        typing: typing === '1',
      };
      // Deleted and set again, so that the newest report is last.
      places.delete(tab);
      places.set(tab, { ...place, silence });
      if (!last || !isSame(last, place)) moved(place.quoteId);
      return true;
    },
    on: (quoteId: number): Place[] => [...places.values()].filter((place) => place.quoteId === quoteId),
    quotesOf: (sessionId: string): number[] =>
      [...places.values()].filter((place) => place.sessionId === sessionId).map(({ quoteId }) => quoteId),
    endSession: (sessionId: string) => {
      for (const [tab, place] of places) if (place.sessionId === sessionId) leave(tab);
    },
    clear: () => {
      for (const { silence } of places.values()) clearTimeout(silence);
      places.clear();
    },
  };
}

function isSame(a: Place, b: Place): boolean {
  return a.quoteId === b.quoteId && a.itemId === b.itemId && a.typing === b.typing;
}

/** Returns the other users on a quote, for one user. Each is listed once: where they type, otherwise in the line that they focused last. */
export function othersOn(places: readonly Place[], userId: number, names: ReadonlyMap<number, string>): Other[] {
  const weight = ({ itemId, typing }: Place) => (typing ? 2 : itemId === null ? 0 : 1);
  const best = new Map<number, Place>();
  for (const place of places) {
    const other = best.get(place.userId);
    if (!other || weight(place) >= weight(other)) best.set(place.userId, place);
  }
  return [...best.values()]
    .flatMap(({ userId: id, itemId, typing }) => {
      const name = names.get(id);
      return id === userId || name === undefined ? [] : [{ id, name, itemId, typing }];
    })
    .toSorted((a, b) => a.id - b.id);
}
