// Tests where users are on quotes: the last report of each tab, how long it is valid, and what each user sees of the others.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPlaces, othersOn, type Place, SILENT_TAB_MS, wordOf } from './who-is-where.server.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const NAMES = new Map([
  [1, 'Ana Cruz'],
  [2, 'Kim Lee'],
]);
const at = (place: Partial<Place> = {}): Place => ({
  quoteId: 7,
  userId: 1,
  sessionId: 's1',
  itemId: null,
  typing: false,
  ...place,
});

function heard() {
  const moved: number[] = [];
  const places = openPlaces((quoteId) => moved.push(quoteId));
  return { places, moved, say: (tab: string, place: Place | null) => places.hear(wordOf(tab, place)) };
}

it('reads every word as it was written, and no other text', () => {
  const place = fc.record({
    quoteId: fc.integer({ min: 1 }),
    userId: fc.integer({ min: 1 }),
    sessionId: fc.uuid(),
    itemId: fc.option(fc.integer({ min: 1 })),
    typing: fc.boolean(),
  });
  fc.assert(
    fc.property(place, (spot) => {
      const { places, say } = heard();
      expect(say('t', spot)).toBe(true);
      expect(places.on(spot.quoteId)).toMatchObject([spot]);
      places.clear();
    }),
  );
  expect(heard().places.hear('quote 7 3')).toBe(false);
});

it('reports coming, moving and leaving, and ignores a repeated report', () => {
  const { places, moved, say } = heard();
  say('t', at());
  say('t', at());
  expect(moved).toEqual([7]);
  say('t', at({ itemId: 3 }));
  say('t', at({ itemId: 3, typing: true }));
  expect(moved).toEqual([7, 7, 7]);
  say('t', at({ quoteId: 8 }));
  expect(moved.slice(3)).toEqual([7, 8]);
  say('t', null);
  say('t', null);
  expect(moved.slice(5)).toEqual([8]);
  expect([places.on(7), places.on(8)]).toEqual([[], []]);
});

it('forgets a tab that falls silent, and one whose session ends', () => {
  const { places, moved, say } = heard();
  say('silent', at());
  say('other', at({ userId: 2, sessionId: 's2' }));
  vi.advanceTimersByTime(SILENT_TAB_MS - 1);
  say('other', at({ userId: 2, sessionId: 's2' }));
  vi.advanceTimersByTime(1);
  expect(places.on(7).map(({ userId }) => userId)).toEqual([2]);
  expect(places.quotesOf('s2')).toEqual([7]);
  places.endSession('s2');
  expect(places.on(7)).toEqual([]);
  expect(moved).toHaveLength(4);
});

it('names each other person once, where they type, else in the line they took up last', () => {
  const kim = { userId: 2, sessionId: 's2' };
  const places = [
    at({ itemId: 1 }),
    at({ ...kim, itemId: 4 }),
    at({ ...kim, itemId: 5, typing: true }),
    at({ ...kim, itemId: 6 }),
    at(kim),
    at({ userId: 3 }),
  ];
  expect(othersOn(places, 1, NAMES)).toEqual([{ id: 2, name: 'Kim Lee', itemId: 5, typing: true }]);
  expect(othersOn(places, 2, NAMES)).toEqual([{ id: 1, name: 'Ana Cruz', itemId: 1, typing: false }]);
  const calm = places.filter(({ typing }) => !typing);
  expect(othersOn(calm, 1, NAMES)).toMatchObject([{ itemId: 6 }]);
});
