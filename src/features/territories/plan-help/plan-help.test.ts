// Tests cleaning up and balancing on small boards: the suggestions, and what must never happen.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { balance, type BalanceInput } from './balance.server.ts';
import { cleanUp } from './clean-up.ts';
import { type Ground, type Owners, connectedParts } from './geography.ts';

const nameOf = (x: number, y: number) => `${x}${y}`;

/** A board of areas. Each touches those left, right, above, and below it. */
function board(size: number): Map<string, string[]> {
  const neighbors = new Map<string, string[]>();
  const isOn = (one: number) => one >= 0 && one < size;
  for (let x = 0; x < size; x++)
    for (let y = 0; y < size; y++) {
      const around: [number, number][] = [
        [x - 1, y],
        [x + 1, y],
        [x, y - 1],
        [x, y + 1],
      ];
      neighbors.set(
        nameOf(x, y),
        around.filter(([a, b]) => isOn(a) && isOn(b)).map(([a, b]) => nameOf(a, b)),
      );
    }
  return neighbors;
}

function ground(neighbors: Map<string, string[]>, hosts: Record<string, string> = {}): Ground {
  const hostOf = new Map(Object.entries(hosts));
  const pointsIn = new Map<string, string[]>();
  for (const [point, host] of hostOf) pointsIn.set(host, [...(pointsIn.get(host) ?? []), point]);
  const islandsOf = (zips: Iterable<string>) =>
    connectedParts(neighbors, zips)
      .toSorted((a, b) => b.length - a.length)
      .slice(1);
  return { neighbors, hostOf, pointsIn, islandsOf };
}

/** Draws a board: rows are x, letters in a row are y. 'a' is territory 1, '.' nobody. */
const drawn = (...rows: string[]): Map<string, number> =>
  new Map(
    rows.flatMap((row, x) =>
      [...row].flatMap((letter, y): [string, number][] =>
        letter === '.' ? [] : [[nameOf(x, y), letter.charCodeAt(0) - 96]],
      ),
    ),
  );
const all = () => true;

it('gives ZIPs without a territory, and points in them, to the territory around them, from the rim inward', () => {
  const owners = drawn('aaaa', 'a..b', 'a..b', 'bbbb');
  const found = cleanUp({ ground: ground(board(4), { p1: '11', p2: '00' }), owners, points: ['p1', 'p2'], may: all });
  expect(found).toEqual([
    // Each territory touches two sides. In a tie, the smaller number wins.
    { kind: 'unassigned', from: null, to: 1, zips: ['11', '12', '21', 'p1'] },
    { kind: 'unassigned', from: null, to: 2, zips: ['22'] },
    { kind: 'unassigned', from: null, to: 1, zips: ['p2'] },
  ]);
});

it('reports ZIPs that no territory touches, and never suggests territories that may not get ZIPs', () => {
  const owners = drawn('a.', '..');
  expect(cleanUp({ ground: ground(board(2)), owners, points: [], may: () => false })).toEqual([
    { kind: 'unassigned', from: null, to: null, zips: ['01', '10', '11'] },
  ]);
  expect(cleanUp({ ground: ground(board(2)), owners, points: ['p9'], may: all }).at(-1)).toEqual({
    kind: 'unassigned',
    from: null,
    to: null,
    zips: ['p9'],
  });
});

it('finds islands and points apart from their area, and moves that would join them', () => {
  const owners = new Map([...drawn('aaab', 'aaab', 'abbb', 'abba'), ['p1', 2], ['p2', 1]]);
  const found = cleanUp({ ground: ground(board(4), { p1: '00', p2: '33' }), owners, points: ['p1', 'p2'], may: all });
  expect(found).toEqual([
    { kind: 'island', from: 1, to: 2, zips: ['33', 'p2'] },
    { kind: 'point', from: 2, to: 1, zips: ['p1'] },
  ]);
});

const even = (owners: Owners, weights: Record<string, number>, more: Partial<BalanceInput> = {}) =>
  balance({
    neighbors: board(4),
    owners,
    weights: new Map(Object.entries(weights)),
    fixed: new Map([...new Set(owners.values())].map((id) => [id, 0])),
    tolerance: 0.05,
    most: 100,
    ...more,
  });

it('moves areas along the border until both territories are even', () => {
  const owners = drawn('aaab', 'aaab', 'aaab', 'aaab');
  const ones = Object.fromEntries([...owners.keys()].map((zip) => [zip, 1]));
  const { moves, before, after, stopped } = even(owners, ones);
  expect([...before.values(), ...after.values(), stopped]).toEqual([12, 4, 8, 8, 'even']);
  expect(moves.size).toBe(4);
  expect([...moves.values()].every((to) => to === 2)).toBe(true);
});

it('reaches behind empty areas, and counts fixed amounts', () => {
  const owners = drawn('aaab', 'aaab', 'aaab', 'aaab');
  const { after, moves } = even(owners, { '01': 10, '20': 10, '03': 0 });
  expect([...after.values()]).toEqual([10, 10]);
  expect(moves.has('01') !== moves.has('20')).toBe(true);
  const held = even(
    owners,
    { '01': 10 },
    {
      fixed: new Map([
        [1, 0],
        [2, 10],
      ]),
    },
  );
  expect([held.moves.size, held.stopped]).toEqual([0, 'even']);
});

it('keeps a neck that holds a territory together, and reports that it is stuck', () => {
  // Without its middle, territory 1 falls apart.
  const owners = new Map([
    ['00', 1],
    ['01', 1],
    ['02', 1],
    ['11', 2],
  ]);
  const fixed = new Map([
    [1, 0],
    [2, 12],
  ]);
  const { moves, stopped } = even(owners, { '01': 6, '00': 7, '02': 7 }, { fixed });
  expect([...moves]).toEqual([]);
  expect(stopped).toBe('stuck');
});

it('never splits a territory, loses nothing, never gets less even, and always gives the same answer', () => {
  const size = 6;
  const neighbors = board(size);
  const zips = [...neighbors.keys()];
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: zips.length, maxLength: zips.length }),
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: zips.length, maxLength: zips.length }),
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      (ids, values, besides, most) => {
        const owners = new Map(zips.map((zip, i) => [zip, ids[i] ?? 1]));
        const weights = new Map(zips.map((zip, i) => [zip, values[i] ?? 0]));
        const fixed = new Map(besides.map((value, i) => [i + 1, value]));
        const input = { neighbors, owners, weights, fixed, tolerance: 0.05, most };
        const { moves, before, after } = balance(input);
        expect(balance(input).moves).toEqual(moves);
        const sum = (of: Map<number, number>) => [...of.values()].reduce((total, one) => total + one, 0);
        const spread = (of: Map<number, number>) => [...of.values()].reduce((total, one) => total + one * one, 0);
        expect(sum(after)).toBe(sum(before));
        expect(spread(after)).toBeLessThanOrEqual(spread(before));
        expect(moves.size === 0 || spread(after) < spread(before)).toBe(true);
        const then = new Map([...owners, ...moves]);
        for (const id of fixed.keys()) {
          const of = (held: Owners) => zips.filter((zip) => held.get(zip) === id);
          const load = of(then).reduce((total, zip) => total + (weights.get(zip) ?? 0), fixed.get(id) ?? 0);
          expect(load).toBe(after.get(id));
          expect(connectedParts(neighbors, of(then)).length).toBeLessThanOrEqual(
            Math.max(1, connectedParts(neighbors, of(owners)).length),
          );
        }
        for (const [zip, to] of moves) expect(to).not.toBe(owners.get(zip));
      },
    ),
    { numRuns: 300 },
  );
});
