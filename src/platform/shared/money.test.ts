// Tests money with tables of known sums, and with laws over all amounts: exact, symmetric, nothing lost in spreading.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPercent } from './percent.ts';
import { signedAmount } from './signed-figures.ts';
import {
  AmountOutOfRange,
  add,
  compare,
  convertPrice,
  currencyOf,
  divideRounded,
  extend,
  formatAmount,
  formatPrice,
  pricesAligned,
  fromUnits,
  lessPercent,
  percentBelow,
  percentOf,
  roundAmount,
  roundDiscounted,
  roundPrice,
  spread,
  subtract,
  toUnits,
} from './money.ts';

/** Decimals of four places up to `most`, as JS numbers carry them. */
const decimals = (most: number, least = -most) =>
  fc.bigInt({ min: BigInt(Math.round(least * 10_000)), max: BigInt(Math.round(most * 10_000)) }).map(fromUnits);
const cents = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((value) => value / 100);

describe('tables', () => {
  it.each([
    [0.005, 0.01],
    [-0.005, -0.01],
    [0.0049, 0],
    [-0.0049, 0],
    [1.005, 1.01],
    [2.345, 2.35],
    [2.3449, 2.34],
    [-2.345, -2.35],
    [8.335, 8.34],
    [1.255, 1.26],
    [10.075, 10.08],
    [1_234_567_890.125, 1_234_567_890.13],
  ])('%f rounds to %f', (value, rounded) => {
    expect(roundAmount(value)).toBe(rounded);
    expect(Object.is(roundAmount(value), -0)).toBe(false);
  });

  it.each([
    [11_971.5072, 2, 11_971.51],
    [1, 2, 1],
    [1.005, 2, 1.01],
    [0.9999, 2, 0.9999],
    [0.0518, 2, 0.0518],
    [11_971.5072, 4, 11_971.5072],
  ] as const)('a unit price of %f has, to %i places, %f', (price, places, rounded) => {
    expect(roundPrice(price, places)).toBe(rounded);
  });

  it.each([
    [0.1, 3, 0.3],
    [1.005, 1, 1.01],
    [0.3333, 3, 1],
    [2.675, 100, 267.5],
    [19.99, 0.5, 10],
    [0.0001, 49, 0],
    [0.0001, 50, 0.01],
    [-1.005, 1, -1.01],
    [1141.4, 12, 13_696.8],
    [9_999.9999, 9_999, 99_989_999],
  ])('%f × %f is %f', (price, qty, amount) => {
    expect(extend(price, qty)).toBe(amount);
  });

  it.each([
    [10, 12.5, 8.75],
    [10, 0, 10],
    [10, 100, 0],
    [0.0001, 50, 0.0001],
    [33.3333, 33.3333, 22.2222],
    [10, -5, 10.5],
  ])('%f less %f %% is %f', (price, percent, left) => {
    expect(lessPercent(price, percent)).toBe(left);
  });

  it.each([
    [100, 8.875, 8.88],
    [0.04, 12.5, 0.01],
    [1_000_000, 6.25, 62_500],
    [-100, 8.875, -8.88],
  ])('of %f, %f %% are %f', (amount, percent, part) => {
    expect(percentOf(amount, percent)).toBe(part);
  });

  it.each([
    [8.5, 10, 15],
    [10, 10, 0],
    [11, 10, -10],
    [2, 3, 33.33],
    [1, 3, 66.67],
    [5, 0, 0],
  ])('%f lies below %f by %f %%', (price, base, percent) => {
    expect(percentBelow(price, base)).toBe(percent);
  });

  it.each([
    [10, 1, 50, 500],
    [500, 50, 1, 10],
    [10, 3, 1, 3.3333],
    [10, 500, 50, 1],
    [0.0001, 2, 1, 0.0001],
  ])('%f per %f is %f × the other', (price, from, to, converted) => {
    expect(convertPrice(price, from, to)).toBe(converted);
  });

  it.each([
    ['three equal lines', 100, [1, 1, 1], [33.34, 33.33, 33.33]],
    ['the remainder to the largest', 100, [10, 20, 40], [14.29, 28.57, 57.14]],
    ['two cents to the largest', 10, [10.04, 10.04, 10.04, 10.04, 59.84], [1, 1, 1, 1, 6]],
    ['less than a cent a line', 0.02, [5, 5, 5], [0, 0.01, 0.01]],
    [
      'more lines that round up than there are cents',
      0.05,
      Array(10).fill(1),
      [...Array(5).fill(0), ...Array(5).fill(0.01)],
    ],
    ['a line of nothing', 1, [0, 2, 0], [0, 1, 0]],
    ['lines of nothing', 5, [0, 0], [0, 0]],
    ['nothing over lines', 0, [3, 4], [0, 0]],
    ['a negative amount', -100, [1, 1, 1], [-33.34, -33.33, -33.33]],
  ] as [string, number, number[], number[]][])('%s', (_name, amount, weights, parts) => {
    expect(spread(amount, weights)).toEqual(parts);
  });

  it.each([
    [1234.5, 1007, '$1,234.50'],
    [1234.5, 1009, '€1,234.50'],
    [1234.5, null, '$1,234.50'],
    [-0.5, 1010, '−$0.50'],
    [-0.001, 1007, '$0.00'],
    [0, undefined, '$0.00'],
  ])('%f in currency %s reads %s', (amount, currnIdx, text) => {
    expect(formatAmount(amount, currnIdx)).toBe(text);
    expect(currencyOf(currnIdx)).toBe(text.includes('€') ? 'EUR' : 'USD');
  });

  it('a figure below zero has one minus sign, before the currency', () => {
    expect([20, -100, 0].map((change) => signedAmount(change, 1009))).toEqual(['+€20.00', '−€100.00', '€0.00']);
    expect(formatPrice(-0.0518)).toBe('−$0.0518');
    expect([31.44, -3, -0.04].map(formatPercent)).toEqual(['31.4%', '−3.0%', '−0.04%']);
  });

  it('lines the points of a column up, and shows what was worked out with two places from a dollar up', () => {
    const write = pricesAligned([{ price: 12 }, { price: 0.0518 }, { price: null }]);
    expect([write(12), write(0.0518)]).toEqual(['$12.00\u2007\u2007', '$0.0518']);
    // Prices per each of 100.00 for 30 and of 100.0005 for 30.
    expect(formatPrice(3.3333, null, { agreed: 100 })).toBe('$3.33');
    expect(formatPrice(3.3334, null, { agreed: 100.0005 })).toBe('$3.3334');
    expect(formatPrice(0.8333, null, { agreed: 25 })).toBe('$0.8333');
    const each = pricesAligned([{ price: 3.3333, agreed: 100 }]);
    expect(each(3.3333, 1009, 100)).toBe('€3.33');
  });

  it('prices show the places they have, two to four', () => {
    expect([0.5, 0.125, 0.0375, 12].map((price) => formatPrice(price))).toEqual([
      '$0.50',
      '$0.125',
      '$0.0375',
      '$12.00',
    ]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 100_000_000_000, -100_000_000_000])('%f is no amount', (value) => {
    expect(() => toUnits(value)).toThrow(AmountOutOfRange);
  });

  it('what grows too large is refused, not rounded', () => {
    expect(() => extend(9_999_999_999, 9_999_999)).toThrow(AmountOutOfRange);
    expect(() => add(99_999_999_999, 1)).toThrow(AmountOutOfRange);
  });

  it.each([
    [0, 1],
    [1, 0],
    [-1, 1],
    [1, 0.00001],
  ])('a unit of factor %f cannot become one of %f', (from, to) => {
    expect(() => convertPrice(1, from, to)).toThrow('a unit factor must be above zero');
  });
});

describe('laws', () => {
  it('a rounded discount lies within half a cent, on the same side of the price before, and cheap prices stay', () => {
    fc.assert(
      fc.property(decimals(1e6, 0), decimals(1e6, 0), (price, before) => {
        const rounded = roundDiscounted(price, before, 2);
        expect(Math.abs(subtract(rounded, price))).toBeLessThanOrEqual(0.005);
        expect(compare(rounded, before) * compare(price, before)).toBeGreaterThanOrEqual(0);
        expect(rounded).toBe(price < 1 ? price : rounded);
        expect(roundDiscounted(price, before, 4)).toBe(price);
      }),
    );
  });

  it('a carrier gives back its units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -999_999_999_990_000n, max: 999_999_999_990_000n }), (units) => {
        expect(toUnits(fromUnits(units))).toBe(units);
      }),
    );
  });

  it('n / d is rounded to the nearest, halves away from zero, and mirrors with the sign', () => {
    const numbers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(
        numbers,
        numbers.filter((d) => d !== 0n),
        (n, d) => {
          const q = divideRounded(n, d);
          const off = 2n * (n - q * d);
          const size = d < 0n ? -d : d;
          expect(off <= size && off >= -size).toBe(true);
          // On a half, the quotient is further from zero than the exact value.
          const isHalf = off === size || off === -size;
          expect(isHalf && (q < 0n ? -q : q) * size < (n < 0n ? -n : n)).toBe(false);
          expect(divideRounded(-n, d)).toBe(-q);
          expect(divideRounded(n, -d)).toBe(-q);
        },
      ),
    );
  });

  it('sums do not depend on order, and a difference undoes a sum', () => {
    fc.assert(
      fc.property(fc.array(decimals(1_000_000), { maxLength: 50 }), decimals(1_000_000), (values, more) => {
        expect(add(...values)).toBe(add(...values.toReversed()));
        expect(subtract(add(...values, more), more)).toBe(add(...values));
        expect(compare(add(...values, 0.0001), add(...values))).toBe(1);
      }),
    );
  });

  it('rounding a rounded amount changes nothing, and moves none by more than half a cent', () => {
    fc.assert(
      fc.property(decimals(99_999_999), (value) => {
        const rounded = roundAmount(value);
        expect(roundAmount(rounded)).toBe(rounded);
        expect(roundAmount(-value)).toBe(rounded === 0 ? 0 : -rounded);
        const off = toUnits(rounded) - toUnits(value);
        expect(off <= 50n && off >= -50n).toBe(true);
        expect(toUnits(rounded) % 100n).toBe(0n);
      }),
    );
  });

  it('a line of one has its own price, rounded; quantities multiply exactly', () => {
    fc.assert(
      fc.property(decimals(100_000, 0), fc.integer({ min: 0, max: 10_000 }), (price, qty) => {
        expect(extend(price, 1)).toBe(roundAmount(price));
        expect(extend(price, qty)).toBe(roundAmount(fromUnits(toUnits(price) * BigInt(qty))));
        expect(extend(-price, qty)).toBe(extend(price, qty) === 0 ? 0 : -extend(price, qty));
      }),
    );
  });

  it('a discount and how far it lies below agree to what rounding allows', () => {
    fc.assert(
      fc.property(decimals(100_000, 1), decimals(100, 0), (price, percent) => {
        const result = percentBelow(lessPercent(price, percent), price);
        expect(Math.abs(result - percent)).toBeLessThanOrEqual(0.005 + 0.005 / price + 1e-9);
        expect(add(percentOf(price, percent), percentOf(-price, percent))).toBe(0);
      }),
    );
  });

  it('a price goes to a larger unit and back unchanged', () => {
    const factor = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(decimals(10_000, 0), factor, factor, (price, base, times) => {
        expect(convertPrice(convertPrice(price, base, base * times), base * times, base)).toBe(price);
        expect(convertPrice(price, base, base)).toBe(price);
      }),
    );
  });

  it('parts sum to the amount, lie within 0 and their weight, and near their share', () => {
    const lines = fc.array(cents(10_000), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 10_000 }), fc.boolean(), (weights, basisPoints, negative) => {
        const total = add(...weights);
        const size = percentOf(total, basisPoints / 100);
        const parts = spread(negative ? -size : size, weights).map((part) => (negative ? -part : part));
        expect(add(...parts)).toBe(size);
        parts.forEach((part, index) => {
          const weight = weights[index] ?? 0;
          expect(compare(part, 0)).not.toBe(-1);
          expect(compare(part, weight)).not.toBe(1);
          const share = total === 0 ? 0 : (size * weight) / total;
          expect(Math.abs(part - share)).toBeLessThanOrEqual(0.01 + part / 100);
        });
      }),
    );
  });
});
