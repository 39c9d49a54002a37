// Tests the messages of promotions, when they apply, and their benefits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeQuantity, type Promotion, promotedPrice, promotionApplies, promotionMessage } from './promotion.ts';

const promotion = (overrides: Partial<Promotion>): Promotion => ({
  id: 1,
  promotionType: 'DiscountPct',
  itemNumber: '5520-BX',
  buyXGetYFreeBuyQty: 0,
  buyXGetYFreeGetQty: 0,
  promotionAmt: 0,
  minQty: 0,
  maxQty: 0,
  uom: '',
  ...overrides,
});
const ten = promotion({ promotionAmt: 10 });
const fixed = promotion({ promotionType: 'Price', promotionAmt: 8.5 });
const tenPlusOne = promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10, buyXGetYFreeGetQty: 1 });

describe('message', () => {
  test.each([
    [tenPlusOne, 'Promotion for item 5520-BX: buy 10, get 1 free. Min. quantity 0, max. quantity unlimited, unit any.'],
    [
      { ...ten, minQty: 5, maxQty: 50, uom: 'BX' },
      'Promotion for item 5520-BX: 10% discount. Min. quantity 5, max. quantity 50, unit BX. Please ask an IS Rep to apply the discount.',
    ],
    [
      { ...ten, maxQty: -1 },
      'Promotion for item 5520-BX: 10% discount. Min. quantity 0, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.',
    ],
    [
      fixed,
      'Promotion for item 5520-BX: price $8.50. Min. quantity 0, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.',
    ],
    [
      { ...fixed, promotionType: '' },
      'Promotion for item 5520-BX: price $8.50. Min. quantity 0, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.',
    ],
  ])('%#', (overrides, message) => {
    expect(promotionMessage(overrides)).toBe(message);
  });

  test('writes a fixed price in the quote’s currency', () => {
    expect(promotionMessage(fixed, 1009)).toContain('price €8.50.');
  });
});

describe('applies', () => {
  const window = promotion({ minQty: 5, maxQty: 50, uom: 'BX' });
  test.each([
    ['below min', window, { qty: 4.9999, unit: 'BX' }, false],
    ['at min', window, { qty: 5, unit: 'BX' }, true],
    ['at max', window, { qty: 50, unit: 'BX' }, true],
    ['above max', window, { qty: 50.0001, unit: 'BX' }, false],
    ['other unit', window, { qty: 10, unit: 'EA' }, false],
    ['max 0 is unlimited', { ...window, maxQty: 0 }, { qty: 1_000_000, unit: 'BX' }, true],
    ['max below 0 is unlimited', { ...window, maxQty: -3 }, { qty: 1_000_000, unit: 'BX' }, true],
    ['empty unit is any', { ...window, uom: '' }, { qty: 10, unit: 'EA' }, true],
    ['on its last day', { ...window, validTo: '2026-11-21' }, { qty: 10, unit: 'BX', date: '2026-11-21' }, true],
    ['a day late', { ...window, validTo: '2026-11-20' }, { qty: 10, unit: 'BX', date: '2026-11-21' }, false],
    [
      'a day early',
      { ...window, validFrom: '2026-11-22', validTo: null },
      { qty: 10, unit: 'BX', date: '2026-11-21' },
      false,
    ],
    [
      'without end',
      { ...window, validFrom: '2026-11-21', validTo: null },
      { qty: 10, unit: 'BX', date: '2026-11-21' },
      true,
    ],
  ])('%s', (_name, input, line, applies) => {
    expect(promotionApplies(input, line)).toBe(applies);
  });
});

describe('promoted price', () => {
  test.each([
    ['percent', ten, 9.84, 8.856],
    ['percent, rounded to four places', promotion({ promotionAmt: 33.3333 }), 0.0101, 0.0067],
    ['all of it', promotion({ promotionAmt: 100 }), 9.84, 0],
    ['no percent is not lower', promotion({ promotionAmt: 0 }), 9.84, null],
    ['a negative percent is not lower', promotion({ promotionAmt: -5 }), 9.84, null],
    ['more than all is no price', promotion({ promotionAmt: 120 }), 9.84, null],
    ['fixed, lower', fixed, 9.84, 8.5],
    ['fixed, the same', fixed, 8.5, null],
    ['fixed, higher', fixed, 8.4, null],
    ['free goods', tenPlusOne, 9.84, null],
  ])('%s', (_name, overrides, systemPrice, price) => {
    expect(promotedPrice(overrides, systemPrice)).toBe(price);
  });

  test('is never above the system price and never negative', () => {
    const cents = fc.integer({ min: 0, max: 100_000_000 }).map((units) => units / 10_000);
    fc.assert(
      fc.property(
        fc.constantFrom('DiscountPct', 'Price', 'BuyXGetYFree'),
        cents,
        cents,
        (promotionType, promotionAmt, systemPrice) => {
          const price = promotedPrice(promotion({ promotionType, promotionAmt }), systemPrice);
          expect(price === null || (price >= 0 && price < systemPrice)).toBe(true);
        },
      ),
    );
  });
});

describe('free quantity', () => {
  test.each([
    ['below X', tenPlusOne, 9.9999, 0],
    ['at X', tenPlusOne, 10, 1],
    ['between', tenPlusOne, 39, 3],
    ['Y of several', promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 3, buyXGetYFreeGetQty: 2 }), 10, 6],
    ['fractions', promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 0.1, buyXGetYFreeGetQty: 1 }), 0.3, 3],
    ['X of 0', promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 0, buyXGetYFreeGetQty: 1 }), 10, 0],
    ['another type', promotion({ buyXGetYFreeBuyQty: 1, buyXGetYFreeGetQty: 1 }), 10, 0],
    ['no quantity', tenPlusOne, 0, 0],
  ])('%s', (_name, overrides, qty, free) => {
    expect(freeQuantity(overrides, qty)).toBe(free);
  });

  test('grows by Y with every X more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 9999 }),
        (x, y, qty) => {
          const input = promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: x, buyXGetYFreeGetQty: y });
          expect(freeQuantity(input, qty + x)).toBe(freeQuantity(input, qty) + y);
          expect(freeQuantity(input, qty)).toBeLessThanOrEqual((qty * y) / x);
        },
      ),
    );
  });
});
