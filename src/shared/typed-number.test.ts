// What a number field takes for a number, and that everything else is refused in words.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOLLAR_INDEX, EURO_INDEX } from './money.ts';
import { readMoney, readNumber, readPercent } from './typed-number.ts';

test.each([
  ['45', 45],
  [' 1,200.50 ', 1200.5],
  ['.5', 0.5],
  ['2.', 2],
  ['-3', -3],
  ['−3', -3],
  ['-0', 0],
  ['0.12340', 0.1234],
])('%j is %d', (text, value) => {
  expect(readNumber(text, {})).toEqual({ value, problem: '' });
});

test.each([
  ['', {}, 'This field is required'],
  ['-3', { min: 0 }, 'At least 0'],
  ['0', { min: 1 }, 'At least 1'],
  ['1e3', {}, "'1e3' is not a number"],
  ['2,5', {}, "'2,5' is not a number"],
  ['1,2000', {}, "'1,2000' is not a number"],
  ['-', {}, "'-' is not a number"],
  ['.', {}, "'.' is not a number"],
  ['0x10', {}, "'0x10' is not a number"],
  ['Infinity', {}, "'Infinity' is not a number"],
  ['5 %', {}, "'5 %' is not a number"],
  ['101', { max: 100 }, 'At most 100'],
  ['2.5', { decimals: 0 }, 'A whole number is expected'],
  ['0.00001', {}, 'At most 4 decimals'],
] as const)('%j is refused', (text, limits, problem) => {
  expect(readNumber(text, limits)).toEqual({ value: null, problem });
});

test('a text is the number it says, or none (law)', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789.,-eE+ '), maxLength: 8 });
  fc.assert(
    fc.property(text, (typed) => {
      const { value, problem } = readNumber(typed, {});
      expect(value === null).toBe(problem !== '');
      expect(value).toBe(value === null ? null : Number(typed.replaceAll(',', '')) + 0);
    }),
  );
});

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
  ['$', DOLLAR_INDEX, 'This field is required'],
])('%j is no amount', (text, currnIdx, problem) => {
  expect(readMoney(text, currnIdx)).toEqual({ value: null, problem });
});

test('a percentage stands with its sign or without', () => {
  expect([' 12.5 % ', '12.5%', '12.5'].map((text) => readPercent(text).value)).toEqual([12.5, 12.5, 12.5]);
  expect(['$5', '1,5', '1e1', '0x0a', '101', '-1'].map((text) => readPercent(text).value)).toEqual(Array(6).fill(null));
});
