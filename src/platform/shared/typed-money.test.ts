// Tests what fields for prices, amounts and percentages accept, and that they refuse everything else with a sentence.
import { expect, test } from 'vitest';
import { DOLLAR_INDEX, EURO_INDEX } from './money.ts';
import { readMoney, readPercent } from './typed-money.ts';

test.each([
  ['$1,200.50', DOLLAR_INDEX, 1200.5],
  ['US$ 12', DOLLAR_INDEX, 12],
  ['12 usd', DOLLAR_INDEX, 12],
  ['€12', EURO_INDEX, 12],
  ['12.5 EUR', EURO_INDEX, 12.5],
  [' 0 ', EURO_INDEX, 0],
])('%j is an amount', (text, currnIdx, value) => {
  expect(readMoney(text, currnIdx)).toEqual({ value, problem: '' });
});

test.each([
  ['€5', DOLLAR_INDEX, "'€5' is in euros, the quote in US dollars"],
  ['$5', EURO_INDEX, "'$5' is in US dollars, the quote in euros"],
  ['1,5', DOLLAR_INDEX, "'1,5' is not a number"],
  ['€1.200,50', EURO_INDEX, "'1.200,50' is not a number"],
  ['12 50', DOLLAR_INDEX, "'12 50' is not a number"],
  ['12%', DOLLAR_INDEX, "'12%' is not a number"],
  ['$5$', DOLLAR_INDEX, "'5$' is not a number"],
  ['1e400', DOLLAR_INDEX, "'1e400' is not a number"],
  ['$-5', DOLLAR_INDEX, 'At least 0'],
  ['1.23456', DOLLAR_INDEX, 'At most 4 decimals'],
  ['10,000,000,000', DOLLAR_INDEX, 'At most 9,999,999,999'],
  ['$', DOLLAR_INDEX, 'This field is required'],
])('%j is no amount', (text, currnIdx, problem) => {
  expect(readMoney(text, currnIdx)).toEqual({ value: null, problem });
});

test('a percentage is read with its sign or without', () => {
  expect([' 12.5 % ', '12.5%', '12.5'].map((text) => readPercent(text).value)).toEqual([12.5, 12.5, 12.5]);
  expect(['$5', '1,5', '1e1', '0x0a', '101', '-1'].map((text) => readPercent(text).value)).toEqual(Array(6).fill(null));
});
