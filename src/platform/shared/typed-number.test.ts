// Tests what a number field accepts as a number, and that it refuses everything else with a sentence.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNumber } from './typed-number.ts';

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
