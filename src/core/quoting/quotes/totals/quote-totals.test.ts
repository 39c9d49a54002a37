// Tests totals by example and by invariant: sums of rounded lines, a spread that loses no cent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, compare, extend, percentOf, subtract } from '#platform/shared/money.ts';
import { counts, isDiscountable, quoteTotals, type TotalledLine, type TotalledQuote } from './quote-totals.ts';

const plain: TotalledQuote = { discountPct: 0, freightAmount: 0, taxRate: 0, taxExempt: false };

function line(overrides: Partial<TotalledLine> = {}): TotalledLine {
  return { type: 'item', active: true, optional: false, qty: 1, listPrice: 12, unitPrice: 10, ...overrides };
}

test('a quote of every kind of line', () => {
  const totals = quoteTotals(
    [
      line({ qty: 40, listPrice: 12, unitPrice: 9.84 }),
      line({ type: 'free', qty: 4, listPrice: 12, unitPrice: 0 }),
      line({ type: 'custom', qty: 1, listPrice: null, unitPrice: 100 }),
      line({ optional: true, unitPrice: 999 }),
      line({ active: false, unitPrice: 999 }),
      line({ type: 'section', unitPrice: null, listPrice: null, qty: 0 }),
      line({ listPrice: null, unitPrice: null }),
    ],
    { discountPct: 5, freightAmount: 120, taxRate: 8.25, taxExempt: false },
  );
  expect(totals.lines.map(({ quoteDiscount, lineTotal }) => [quoteDiscount, lineTotal])).toEqual([
    [19.68, 373.92],
    [0, 0],
    [5, 95],
    [0, 999],
    [0, 999],
    [0, 0],
    [0, 0],
  ]);
  expect(totals).toMatchObject({
    listTotal: 628,
    subtotal: 468.92,
    discountTotal: 159.08,
    savings: 159.08,
    taxAmount: 38.69,
    totalAmount: 627.61,
  });
});

describe('rounding', () => {
  test.each([
    ['half a cent goes up', 0.125, 1, 0.13],
    ['once per line, not per piece', 0.333, 3, 1],
    ['four-place prices', 0.0033, 1000, 3.3],
    ['fractional quantities', 10, 0.25, 2.5],
  ])('%s', (_name, unitPrice, qty, total) => {
    expect(quoteTotals([line({ unitPrice, qty })], plain).subtotal).toBe(total);
  });

  test('the remainder of a discount goes to the largest line', () => {
    const { lines } = quoteTotals([line({ unitPrice: 0.33 }), line({ unitPrice: 0.34 }), line({ unitPrice: 0.33 })], {
      ...plain,
      discountPct: 10,
    });
    expect(lines.map((entry) => entry.quoteDiscount)).toEqual([0.03, 0.04, 0.03]);
  });

  test('many tiny lines: none bears more than its amount', () => {
    const { lines, subtotal } = quoteTotals(
      Array.from({ length: 100 }, () => line({ unitPrice: 0.01 })),
      { ...plain, discountPct: 50 },
    );
    expect(subtotal).toBe(0.5);
    expect(lines.every((candidate) => candidate.lineTotal >= 0 && candidate.lineTotal <= 0.01)).toBe(true);
  });
});

test('free lines and lines that do not count bear none of the discount', () => {
  expect(isDiscountable(line())).toBe(true);
  for (const input of [
    { type: 'free' },
    { type: 'note' },
    { optional: true },
    { active: false },
    { unitPrice: null },
  ] as const)
    expect(isDiscountable(line(input))).toBe(false);
});

test('tax only unless exempt; savings never below zero', () => {
  const taxed = { ...plain, taxRate: 10 };
  expect(quoteTotals([line()], taxed).taxAmount).toBe(1);
  expect(quoteTotals([line()], { ...taxed, taxExempt: true }).taxAmount).toBe(0);
  expect(quoteTotals([line({ unitPrice: 15 })], plain)).toMatchObject({ discountTotal: -3, savings: 0 });
});

test('amounts too large to store are refused, not rounded', () => {
  expect(() => quoteTotals([line({ unitPrice: 9_999_999_999, qty: 9_999_999 })], plain)).toThrow(RangeError);
});

const anyLine: fc.Arbitrary<TotalledLine> = fc.record({
  type: fc.constantFrom('item', 'custom', 'free', 'section', 'note'),
  active: fc.boolean(),
  optional: fc.boolean(),
  qty: fc.oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 99_999 }).map((n) => n / 10_000),
  ),
  listPrice: fc.option(fc.integer({ min: 0, max: 90_000_000 }).map((n) => n / 10_000)),
  unitPrice: fc.option(fc.integer({ min: 0, max: 90_000_000 }).map((n) => n / 10_000)),
});
const anyQuote: fc.Arbitrary<TotalledQuote> = fc.record({
  discountPct: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
  freightAmount: fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100),
  taxRate: fc.integer({ min: 0, max: 2_000 }).map((n) => n / 100),
  taxExempt: fc.boolean(),
});

test('laws of money', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 60 }), anyQuote, (lines, quote) => {
      const totals = quoteTotals(lines, quote);
      const counted = totals.lines.filter((_one, index) => counts(lines[index] ?? line()));
      // Totals are sums of rounded lines.
      expect(totals.subtotal).toBe(add(...counted.map((entry) => entry.lineTotal)));
      expect(totals.discountTotal).toBe(subtract(totals.listTotal, totals.subtotal));
      expect(totals.totalAmount).toBe(add(totals.subtotal, quote.freightAmount, totals.taxAmount));
      // The spread loses no cent, and assigns each line at least zero and at most its amount.
      const bearing = lines.map((entry) => (isDiscountable(entry) ? extend(entry.unitPrice ?? 0, entry.qty) : 0));
      const discount = percentOf(add(...bearing), quote.discountPct);
      expect(add(...totals.lines.map((entry) => entry.quoteDiscount))).toBe(discount);
      totals.lines.forEach((entry, index) => {
        expect(entry.quoteDiscount).toBeGreaterThanOrEqual(0);
        expect(compare(entry.quoteDiscount, bearing[index] ?? 0)).toBeLessThanOrEqual(0);
      });
      // Every amount is in whole cents.
      for (const amount of [totals.listTotal, totals.subtotal, totals.taxAmount]) {
        expect(amount).toBe(Math.round(amount * 100) / 100);
      }
    }),
    { numRuns: 300 },
  );
});

test('the order of lines does not change the total', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 20 }), anyQuote, (lines, quote) => {
      const { lines: _lines, ...totals } = quoteTotals(lines, quote);
      expect(quoteTotals(lines.toReversed(), quote)).toMatchObject(totals);
    }),
  );
});
