// Tests that a percentage is short, and shows as 0 only if it is 0.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPercent, percentPlaces } from './percent.ts';

test.each([
  [31.44, '31.4%'],
  [-3, '−3.0%'],
  [0, '0.0%'],
  [0.05, '0.1%'],
  [0.03, '0.03%'],
  [-0.04, '−0.04%'],
  [0.0001, '0.0001%'],
  [-0.000_01, '0.0%'],
])('%d is written %s', (percent, text) => expect(formatPercent(percent)).toBe(text));

test('no percentage of four decimals reads as 0 unless it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2_000_000, max: 2_000_000 }), (units) => {
      expect(/[1-9]/.test(formatPercent(units / 10_000))).toBe(units !== 0);
      expect(percentPlaces(units / 10_000, 0)).toBeLessThanOrEqual(4);
    }),
  );
});
