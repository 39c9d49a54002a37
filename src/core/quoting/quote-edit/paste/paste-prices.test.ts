// Tests the prices of a paste: what a cell and its heading mean, and the price per unit of the row. Nothing is guessed.
import { describe, expect, it } from 'vitest';
import { comparison, offerOf, readPrice } from './paste-prices.ts';

const GLOVE = {
  itemId: 7,
  itemNumber: 'AB-1',
  description: 'Glove',
  unit: 'BX',
  units: [
    { unit: 'EA', factor: 1 },
    { unit: 'BX', factor: 100 },
  ],
  gone: false,
  reference: '',
  problem: '',
};
const row = (unit: string) => ({ item: GLOVE, qty: 2, unit });

describe('readPrice', () => {
  it.each([
    ['9.50', 'Price', 9.5, null, ''],
    ['$1,209.50', 'Price', 1209.5, 'USD', ''],
    ['9.5 EUR', 'Price', 9.5, 'EUR', ''],
    ['€ 0.0518/EA', 'Price', 0.0518, 'EUR', 'EA'],
    ['9.50 per BX', '', 9.5, null, 'BX'],
    ['9.50', 'Target price (€) per EA', 9.5, 'EUR', 'EA'],
    ['9.50/BX', 'Price per EA', 9.5, null, 'BX'],
    ['9.50', 'Price/UOM', 9.5, null, ''],
    ['9.50', 'Case Price', 9.5, null, 'Case'],
    ['9.50', 'Box Cost (USD)', 9.5, 'USD', 'Box'],
    ['9.50', 'Price (BX)', 9.5, null, 'BX'],
    ['9.50', 'Cost each', 9.5, null, 'each'],
    ['9.50', 'Unit Price', 9.5, null, ''],
    ['9.50', 'Net Price', 9.5, null, ''],
  ])('%j under %j', (cell, title, price, currency, unit) => {
    expect(readPrice(cell, title)).toEqual({ price, currency, unit, problem: '' });
  });

  it.each(['9,50', 'ask', '-3', '8.25 %', '1.23456', '1e3', '999999999999'])('refuses %j with a reason', (cell) => {
    const read = readPrice(cell, '');
    expect(read.price).toBeNull();
    expect(read.problem).toContain(`‘${cell}’ is not a price`);
  });
});

describe('offerOf', () => {
  it('is per the unit of the row, converted by the item when it says another', () => {
    expect(offerOf(readPrice('9.50', ''), row('BX'), 'USD')).toEqual({ theirs: 9.5, problem: '', typedAs: null });
    expect(offerOf(readPrice('0.095/EA', ''), row('BX'), 'USD')).toEqual({
      theirs: 9.5,
      problem: '',
      typedAs: { price: 0.095, unit: 'EA' },
    });
    expect(offerOf(readPrice('9.50/BX', ''), row('BX'), 'USD').typedAs).toBeNull();
  });

  it('cannot be typed in another currency, or per a unit that the item has not', () => {
    const euros = offerOf(readPrice('€9.50', ''), row('BX'), 'USD');
    expect(euros).toMatchObject({ theirs: null, problem: 'The price is in euros, the quote in US dollars.' });
    expect(offerOf(readPrice('9.50/ZOLL', ''), row('BX'), 'USD').problem).toContain('AB-1 is not sold by ZOLL.');
    expect(offerOf(readPrice('999999999/EA', ''), row('BX'), 'USD')).toMatchObject({
      theirs: null,
      problem: 'The price per BX would be too large.',
    });
  });
});

it('counts what is lower, higher, the same, without a price of ours, or unusable', () => {
  const pairs = [
    { theirs: 1, ours: 2 },
    { theirs: 3, ours: 2 },
    { theirs: 2, ours: 2 },
    { theirs: 2, ours: null },
    { theirs: null, ours: 2 },
  ];
  expect(comparison(pairs)).toEqual({ lower: 1, higher: 1, same: 1, none: 1, unusable: 1 });
});
