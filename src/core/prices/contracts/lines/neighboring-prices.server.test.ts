// Tests the dated prices of one line and tier: the result of each change, and that days never overlap.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '#platform/shared/dates.ts';
import { type Dated, placePrice, withoutPrice } from './neighboring-prices.server.ts';

const A: Dated = { id: 1, from: '2026-01-01', to: null };
const BEFORE: Dated = { id: 1, from: '2026-01-01', to: '2026-10-31' };
const AFTER: Dated = { id: 2, from: '2026-11-01', to: null };

it('a new price ends the one before on the previous day, and has no end itself', () => {
  expect(placePrice([A], { from: '2026-11-01', to: null })).toEqual({ to: null, ended: [{ id: 1, to: '2026-10-31' }] });
});

it('a new price keeps a later one, and ends the day before it', () => {
  expect(placePrice([BEFORE, AFTER], { from: '2026-06-01', to: null })).toEqual({
    to: '2026-10-31',
    ended: [{ id: 1, to: '2026-05-31' }],
  });
});

it('a new price leaves ended prices and existing gaps alone', () => {
  const gap = { id: 1, from: '2026-01-01', to: '2026-03-31' };
  expect(placePrice([gap, AFTER], { from: '2026-06-01', to: '2026-06-30' })).toEqual({ to: '2026-06-30', ended: [] });
  expect(placePrice([], { from: '2026-06-01', to: null })).toEqual({ to: null, ended: [] });
  expect(placePrice([AFTER], { from: '2025-06-01', to: null })).toEqual({ to: '2026-10-31', ended: [] });
});

it('refuses a first day on which another price begins, and a last day past the start of the next', () => {
  expect(placePrice([A], { from: A.from, to: null })).toMatchObject({ path: 'from' });
  expect(placePrice([BEFORE, AFTER], { from: '2026-06-01', to: '2026-11-01' })).toMatchObject({ path: 'to' });
});

it('removing a future price gives its days to the one before', () => {
  expect(withoutPrice([BEFORE, AFTER], 2)).toEqual([{ id: 1, to: null }]);
  expect(withoutPrice([{ ...BEFORE, to: '2026-09-30' }, AFTER], 2)).toEqual([]);
  expect(withoutPrice([BEFORE, AFTER], 9)).toEqual([]);
});

it('prices never overlap, whatever is added, and a shortened price continues when the next is removed', () => {
  const day = fc.integer({ min: 0, max: 60 }).map((n) => addDays('2026-01-01', n));
  const input = fc.array(fc.record({ from: day, length: fc.option(fc.integer({ min: 0, max: 20 })) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(input, (prices) => {
      let rows: Dated[] = [];
      for (const [index, { from, length }] of prices.entries()) {
        const placed = placePrice(rows, { from, to: length === null ? null : addDays(from, length) });
        if ('path' in placed) continue;
        const ends = new Map(placed.ended.map(({ id, to }) => [id, to]));
        const id = index + 1;
        rows = [
          ...rows.map((row) => (ends.has(row.id) ? { ...row, to: ends.get(row.id) ?? null } : row)),
          { id, from, to: placed.to },
        ];
        const inOrder = rows.toSorted((a, b) => (a.from < b.from ? -1 : 1));
        for (const [at, row] of inOrder.entries()) {
          const next = inOrder[at + 1];
          expect(row.to === null || row.to >= row.from).toBe(true);
          expect(next === undefined || (row.to !== null && row.to < next.from)).toBe(true);
        }
        // The shortened price continues when the other one is removed.
        const back = new Map(withoutPrice(rows, id).map((entry) => [entry.id, entry.to]));
        for (const { id: cut } of placed.ended) expect(back.get(cut)).toBe(placed.to);
      }
    }),
  );
});
