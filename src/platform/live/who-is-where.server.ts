// Where people are on quotes, by the last report of each of their tabs, until the tab leaves or falls silent.
import type { Other } from './live.contract.ts';

export type Place = { quoteId: number; userId: number; sessionId: string; itemId: number | null; typing: boolean };

/** A visible tab reports its place every 20 seconds. A tab without a report for this long is gone. */
export const SILENT_TAB_MS = 45_000;

const WORD = 'place';

/** The message about a place between servers, which has only ids. Null: the tab left. */
export function wordOf(tab: string, place: Place | null): string {
  if (!place) return `${WORD} ${tab}`;
  const { quoteId, userId, sessionId, itemId, typing } = place;
  return [WORD, tab, quoteId, userId, sessionId, itemId ?? 0, Number(typing)].join(' ');
}

/** `moved` is called with the quote on which somebody came, went, or moved. */
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
    /** Takes a word of a tab. Returns false when the text is none. */
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

/** The others on a quote, for one person: each once, where they type, else in the line they last took up. */
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
