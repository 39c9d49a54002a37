// Tests the selection of quotes: ranges, the maximum, and the versions that the user has seen.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QuoteRow } from '../quotes.contract.ts';
import { MAX_SELECTED, rangeTo, seenAgain, selecting } from './selection.ts';

const row = (id: number, version = 1) => ({ id, version }) as QuoteRow;
const page = [1, 2, 3, 4, 5].map((id) => row(id));
const idsOf = (rows: Iterable<{ id: number }>) => [...rows].map(({ id }) => id);

it('selects from the last one to this one, in either direction, or this one alone', () => {
  expect(idsOf(rangeTo(page, 2, row(4)))).toEqual([2, 3, 4]);
  expect(idsOf(rangeTo(page, 4, row(2)))).toEqual([2, 3, 4]);
  expect(idsOf(rangeTo(page, 77, row(2)))).toEqual([2]);
  expect(idsOf(rangeTo(page, null, row(2)))).toEqual([2]);
});

it('selects and deselects the given rows, each once, and never more than the limit', () => {
  const Rows = fc.array(fc.integer({ min: 1, max: 700 }).map((id) => row(id)));
  fc.assert(
    fc.property(Rows, Rows, (list, gone) => {
      const selected = selecting(selecting(new Map(), list, true), gone, false);
      const left = new Set(idsOf(gone));
      expect(new Set(selected.keys())).toEqual(new Set(idsOf(list).filter((id) => !left.has(id))));
    }),
  );
  const many = Array.from({ length: MAX_SELECTED + 5 }, (_, at) => row(at));
  expect(selecting(new Map(), many, true).size).toBe(MAX_SELECTED);
});

it('knows the version that was seen last, on the pages that were seen again', () => {
  const selected = selecting(new Map(), [row(1), row(9)], true);
  const again = seenAgain(selected, [row(1, 2), row(3, 5)]);
  expect([...again.values()].map(({ id, version }) => [id, version])).toEqual([
    [1, 2],
    [9, 1],
  ]);
  expect(seenAgain(again, [...again.values()])).toBe(again);
  expect(seenAgain(again, [row(1, 1)])).toBe(again);
});
