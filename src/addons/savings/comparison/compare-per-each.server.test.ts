// Tests that only the amount per year is rounded, not its quantity.
import { expect, test } from 'vitest';
import { compareRow } from './compare-per-each.server.ts';

const ONE = { price_each: null, their_eaches: 1 };

test('a file of 7 months costs to the cent what its quantity does', () => {
  const qty = Number(((100 * 12) / 7).toFixed(10));
  const ours = { price: 250_000, cost: 99_999.99, our_eaches: 1 };
  expect(compareRow({ ...ONE, price: 300_000, qty_year: qty }, ours)).toMatchObject({
    their_year: 51_428_571.43,
    our_year: 42_857_142.86,
    cost_year: 17_142_855.43,
  });
});

test('another unit of ours rounds no quantity either', () => {
  const row = { price: 3, price_each: null, their_eaches: 1, qty_year: 100 };
  // 100 / 144 boxes at $72,000.00
  expect(compareRow(row, { price: 72_000, cost: null, our_eaches: 144 })).toMatchObject({ our_year: 50_000 });
  expect(compareRow(row, { price: 90_000_000_000, cost: null, our_eaches: 1 }).our_year).toBeNull();
});
