// Tests that the address keeps all criteria, ignores invalid parts, and returns to page 1 when a filter changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUOTE_SORT_FIELDS, QuoteCriteria, WAITS_FOR } from '../quotes.contract.ts';
import { STATUSES } from '../status.ts';
import { addressOf, type Criteria, criteriaOf, NO_CRITERIA, refiltered, restored } from './criteria-address.ts';

const id = fc.option(fc.integer({ min: 1, max: 999_999_999 }));
const date = fc.constantFrom('', '2026-02-28', '2024-02-29');
const criteria: fc.Arbitrary<Criteria> = fc.record({
  page: fc.integer({ min: 1, max: 1_000_000 }),
  sort: fc.record({ field: fc.constantFrom(...QUOTE_SORT_FIELDS), dir: fc.constantFrom('asc', 'desc') }),
  num: fc.string({ maxLength: 40 }),
  facilityId: id,
  facilityAccountNo: fc.string({ maxLength: 200 }),
  facilityName: fc.string({ maxLength: 200 }),
  itemNum: fc.string({ maxLength: 200 }),
  comment: fc.string({ maxLength: 200 }),
  dateFrom: date,
  dateTo: date,
  regionId: id,
  territoryId: id,
  qtStatuses: fc.subarray([...STATUSES]),
  salesRepId: id,
  needsFollowUp: fc.boolean(),
  waitsFor: fc.constantFrom(null, ...WAITS_FOR),
  csRepId: id,
});

test('criteria written to an address read back the same', () => {
  fc.assert(
    fc.property(criteria, (overrides) => {
      const text = new URLSearchParams(addressOf(overrides) as Record<string, string>).toString();
      expect(criteriaOf(Object.fromEntries(new URLSearchParams(text)))).toEqual(overrides);
    }),
  );
});

test('nonsense in an address is left out', () => {
  const address = {
    page: '-3',
    sort: 'password',
    dateFrom: '02/30/2026',
    regionId: '1e9',
    qtStatuses: 'Won,Open,Won',
    x: 'y',
  };
  expect(criteriaOf(address)).toEqual({ ...NO_CRITERIA, qtStatuses: ['Won'] });
  expect(criteriaOf({})).toEqual(NO_CRITERIA);
});

test('a changed filter or order goes back to page 1, the same ones in another order do not', () => {
  const before: Criteria = { ...NO_CRITERIA, page: 4, qtStatuses: ['Won', 'Lost'] };
  expect(refiltered(before, { ...before, facilityName: 'mercy' }).page).toBe(1);
  expect(refiltered(before, { ...before, sort: { field: 'num', dir: 'asc' } }).page).toBe(1);
  expect(refiltered(before, { ...before, qtStatuses: ['Lost', 'Won'] }).page).toBe(4);
  expect(refiltered(before, { ...before, page: 5 }).page).toBe(5);
});

test('criteria remembered by the server come back, with their page', () => {
  expect(restored(QuoteCriteria.parse({ page: 3, num: 104512, qtStatuses: null }))).toEqual({
    ...NO_CRITERIA,
    page: 3,
    num: '104512',
  });
});
