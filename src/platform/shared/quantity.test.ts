// Tests typed quantities: each is read exactly as typed, or refused with a message.
import { describe, expect, it } from 'vitest';
import { readQuantity } from './quantity.ts';
import { Quantity } from './wire.ts';

describe('readQuantity', () => {
  it.each([
    ['3', 3],
    [' 1,200 ', 1200],
    ['2.5', 2.5],
    ['.5', 0.5],
    ['7.', 7],
    ['0.0001', 0.0001],
    ['2.50000', 2.5],
    ['9,999,999', 9_999_999],
  ])('%j is %d', (text, qty) => {
    expect(readQuantity(text)).toEqual({ qty, problem: '' });
    expect(Quantity.safeParse(qty).success).toBe(true);
  });

  it.each([
    ['', 'This field is required'],
    ['-3', 'The quantity must be above 0'],
    ['−3', 'The quantity must be above 0'],
    ['0', 'The quantity must be above 0'],
    ['10,000,000', 'The quantity is at most 9,999,999'],
    ['1.23456', 'At most four decimals'],
    ['3 EA', "'3 EA' is not a quantity"],
    ['1.234,50', "'1.234,50' is not a quantity"],
    ['12,34', "'12,34' is not a quantity"],
    ['1e3', "'1e3' is not a quantity"],
    ['--3', "'--3' is not a quantity"],
    ['-', "'-' is not a quantity"],
    ['.', "'.' is not a quantity"],
    ['(3)', "'(3)' is not a quantity"],
    ['three', "'three' is not a quantity"],
  ])('%j is refused', (text, problem) => {
    expect(readQuantity(text)).toEqual({ qty: null, problem });
  });
});
