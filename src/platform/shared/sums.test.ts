// Tests that sums equal those of amounts, and have no limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, MOST, percentBelow } from './money.ts';
import { addSums, percentBelowSum } from './sums.ts';

const amount = fc.integer({ min: -999_999_999, max: 999_999_999 }).map((units) => units / 10_000);

test('are those of amounts', () => {
  fc.assert(
    fc.property(amount, amount, (first, other) => {
      expect(addSums(first, other)).toBe(add(first, other));
      expect(percentBelowSum(first, other)).toBeCloseTo(percentBelow(first, other), 6);
    }),
  );
});

test('have no limit', () => {
  expect(addSums(MOST, MOST, 0.01)).toBe(199_999_999_998.01);
  expect(percentBelowSum(1.5 * MOST, 2 * MOST)).toBe(25);
});
