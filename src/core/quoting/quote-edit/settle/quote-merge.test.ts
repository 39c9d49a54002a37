// Tests merging two users' changes to one record: different fields merge, the same field is a conflict.
import { describe, expect, it } from 'vitest';
import { clashes, seen, seenAfter } from './quote-merge.ts';

const line = { qty: 1, unit: 'EA', unitPrice: 10, priceSource: 'List', priceReason: '', type: 'item', notes: '' };
const quote = { poNumber: '', phone: '1', discountPct: 0, taxExempt: false };

const request = (patch: Record<string, unknown>, before: object, now: object) =>
  clashes({ patch, base: seen(patch, { ...before }) }, { ...now });

describe('what is asked', () => {
  it.each([
    ['nothing changed', { qty: 5 }, line, line, []],
    ['another field', { notes: 'x' }, line, { ...line, qty: 9 }, []],
    ['the same field', { qty: 5 }, line, { ...line, qty: 9 }, ['qty']],
    ['the same field, to the same', { qty: 5 }, line, { ...line, qty: 5 }, []],
    ['one of two fields', { qty: 5, notes: 'x' }, line, { ...line, notes: 'y' }, ['notes']],
    ['the unit that a quantity was meant in', { qty: 5 }, line, { ...line, unit: 'BX' }, ['qty']],
    ['a price that followed from a quantity', { unitPrice: 8 }, line, { ...line, qty: 9, unitPrice: 9 }, []],
    ['a price set by hand', { unitPrice: 8 }, line, { ...line, priceSource: 'Manual', unitPrice: 9 }, ['unitPrice']],
    [
      'a price set by hand, where a discount is typed',
      { discountPct: 8 },
      line,
      { ...line, priceSource: 'Manual' },
      ['discountPct'],
    ],
    ['another field of the quote', { poNumber: 'P' }, quote, { ...quote, phone: '2' }, []],
    ['the same field of the quote', { poNumber: 'P' }, quote, { ...quote, poNumber: 'Q' }, ['poNumber']],
    ['the discount of the whole quote', { discountPct: 3 }, quote, { ...quote, discountPct: 4 }, ['discountPct']],
  ])('%s', (_name, patch, before, now, fields) => {
    expect(request(patch, before, now)).toEqual(fields);
  });
});

it('an own change that has arrived is not a conflict', () => {
  const base = seen({ unitPrice: 8, notes: 'x' }, line);
  const stored = { ...line, priceSource: 'Manual', unitPrice: 9, priceReason: 'Match', notes: 'theirs' };
  const after = seenAfter(base, { unitPrice: 9, priceReason: 'Match' }, stored);
  expect(clashes({ patch: { unitPrice: 8, notes: 'x' }, base: after }, stored)).toEqual(['notes']);
});
