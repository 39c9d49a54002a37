// Tests the building blocks of every contract: what they accept, what they refuse, and with which message.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  Amount,
  Decimal,
  Id,
  PageInput,
  Percent,
  Price,
  Quantity,
  QueryId,
  RequiredText,
  Text,
  TypedDate,
} from './wire.ts';

const words = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => issue.message);

describe('numbers', () => {
  it.each([
    ['a price', Price, [0, 0.0001, 9_999_999_999, 1141.4]],
    ['an amount', Amount, [0, 0.01, 9_999_999_999, 1141.4, 0.29]],
    ['a quantity', Quantity, [0.0001, 1, 0.25, 9_999_999]],
    ['a percentage', Percent, [0, 12.5, 33.3333, 100]],
    ['a decimal', Decimal, [-9_999_999_999, -0.0001, 0, 123_456_789.1234]],
    ['an id', Id, [1, 2_147_483_647]],
  ])('%s may be', (_name, schema, values) => {
    for (const value of values) expect(schema.parse(value)).toBe(value);
  });

  it.each([
    [Price, -0.01, 'A price cannot be negative'],
    [Price, 0.000_01, 'At most four decimals'],
    [Amount, -0.01, 'An amount cannot be negative'],
    [Amount, 12.345, 'At most two decimals'],
    [Amount, 0.000_01, 'At most two decimals'],
    [Quantity, 0, 'The quantity must be above 0'],
    [Quantity, -1, 'The quantity must be above 0'],
    [Quantity, 10_000_000, 'The quantity is at most 9,999,999'],
    [Percent, 100.01, 'Between 0 and 100'],
    [Percent, -1, 'Between 0 and 100'],
  ])('is refused in words (%#)', (schema, value, message) => {
    expect(words(schema, value)).toEqual([message]);
  });

  it('are no text, no infinity and no half id', () => {
    for (const value of ['1', Number.NaN, Number.POSITIVE_INFINITY, null]) expect(words(Price, value)).toHaveLength(1);
    for (const value of [0, 1.5, 2_147_483_648]) expect(words(Id, value)).toHaveLength(1);
    expect(QueryId.parse({ id: '42' })).toEqual({ id: 42 });
    for (const id of ['', 'x', '1.5', '-1', '99999999999']) expect(QueryId.safeParse({ id }).success).toBe(false);
  });

  it('lose what binary arithmetic left behind', () => {
    expect(Quantity.parse(0.1 + 0.2)).toBe(0.3);
    expect(Price.parse(51.51 + 0.01)).toBe(51.52);
    expect(Amount.parse(51.51 + 0.01)).toBe(51.52);
  });

  it('of four places are all taken, of five none', () => {
    const units = fc.bigInt({ min: -99_999_999_990_000n, max: 99_999_999_990_000n });
    fc.assert(
      fc.property(units, (value) => {
        expect(Decimal.parse(Number(value) / 10_000)).toBe(Number(value) / 10_000);
      }),
    );
    const five = fc.integer({ min: 1, max: 99_999_999 }).filter((value) => value % 10 !== 0);
    fc.assert(
      fc.property(five, (value) => {
        expect(words(Decimal, value / 100_000)).toEqual(['At most four decimals']);
      }),
    );
  });
});

describe('text', () => {
  it('is trimmed and loses control characters but line breaks and tabs', () => {
    expect(Text(50).parse('  a\u0000b\u001fc\td\r\ne\u007f ')).toBe('abc\td\r\ne');
    expect(Text(5).parse('äß€😀')).toBe('äß€😀');
  });

  it('is refused with half a letter in it, which no database stores as it is', () => {
    for (const broken of ['a\ud800', '\udc00b', '\ude00\ud83d'])
      expect(words(Text(50), broken)).toEqual(['A character in this text is broken. Enter it again.']);
  });

  it('has a length, and is required where it is', () => {
    expect(words(Text(3), 'abcd')).toEqual(['At most 3 characters']);
    for (const nothing of ['', '   ', '\u0000'])
      expect(words(RequiredText(3), nothing)).toEqual(['This field is required']);
  });
});

it('dates may be typed or ISO and are read as ISO', () => {
  expect(TypedDate.parse('1/5/2026')).toBe('2026-01-05');
  expect(TypedDate.parse('2026-01-05')).toBe('2026-01-05');
  expect(words(TypedDate, '02/30/2026')).toEqual(['February 2026 has only 28 days']);
  expect(words(TypedDate, 'soon')).toEqual(['Enter a date as mm/dd/yyyy']);
});

it('a day has no time but midnight: the day of an instant depends on a time zone', () => {
  for (const zone of ['', ':00', ':00Z', ':00.000Z', ':00-06:00', ':00+0100'])
    expect(TypedDate.parse(`2026-11-27T00:00${zone}`)).toBe('2026-11-27');
  for (const time of ['23:30:00-08:00', '06:00:00.000Z', '23:59', '00:00:01', 'x', ''])
    expect(words(TypedDate, `2026-11-27T${time}`)).toEqual(['A day has no time: 2026-11-27 or 11/27/2026']);
});

it('pages start at 1 with 20 rows, and never hold more than 200', () => {
  expect(PageInput.parse({})).toEqual({ page: 1, pageSize: 20 });
  expect(PageInput.parse({ page: 3, pageSize: 200, sort: null })).toEqual({ page: 3, pageSize: 200, sort: null });
  for (const wrong of [{ page: 0 }, { pageSize: 201 }, { page: 1.5 }, { sort: { field: 'num', dir: 'up' } }]) {
    expect(PageInput.safeParse(wrong).success).toBe(false);
  }
});
