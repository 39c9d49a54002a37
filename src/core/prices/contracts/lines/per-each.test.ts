// Tests prices per each: pack sizes, rounding half away from zero, and prices that four places cannot express.
import { expect, it } from 'vitest';
import { perEach } from './per-each.ts';

it.each([
  [41, 50, 0.82],
  [410, 500, 0.82],
  [10, 3, 3.3333],
  [20, 3, 6.6667],
  [0.0001, 2, 0.0001],
  [12.34, 1, 12.34],
  [5, 0.5, 10],
  [0, 50, 0],
])('%d per unit of %d is %d per each', (price, factor, each) => {
  expect(perEach(price, factor)).toBe(each);
});

it('returns null without a factor, and for a price that is too small or too large', () => {
  expect(perEach(41, null)).toBeNull();
  expect(perEach(0.01, 500)).toBeNull();
  expect(perEach(9_999_999_999, 0.0001)).toBeNull();
});
