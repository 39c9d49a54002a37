// Tests units as users write them: alone, with a pack size, and texts with two readings.
import { expect, test } from 'vitest';
import { Refusal } from './refusal.server.ts';
import { readUnit } from './unit-text.server.ts';

const NOT_ONE = "is not one unit with one pack size: write the unit alone, or as in 'CS of 10 EA'";

test.each<[text: string, unit: string, count?: string, of?: string]>([
  ['Each', 'EA'],
  ['ea.', 'EA'],
  ['/EA', 'EA'],
  ['per box', 'BX'],
  ['1 EA', 'EA'],
  ['EA (1)', 'EA'],
  ['EA/1', 'EA'],
  ['Inner Box', 'BX'],
  ['Tyvek bag', 'BG'],
  ['case/CA', 'CS'],
  ['PACK_OR_INNER_PACK', 'PK'],
  ['inner', 'PK'],
  ['in', 'IN'],
  ['gal', 'GAL'],
  ['P5', 'P5'],
  ['1N', '1N'],
  ['Case of 10 EA', 'CS', '10', 'EA'],
  ['Box of 50 pieces', 'BX', '50', 'EA'],
  ['BX (100 EA)', 'BX', '100', 'EA'],
  ['50 EA/CA', 'CS', '50', 'EA'],
  ['50 each per case', 'CS', '50', 'EA'],
  ['CS of 4 BX', 'CS', '4', 'BX'],
  ['CS 1,000 SLV', 'CS', '1000', 'SLV'],
  ['BX/100', 'BX', '100'],
  ['100/BX', 'BX', '100'],
  ['CS12', 'CS', '12'],
  ['CASE12', 'CS', '12'],
  ['Case, 12', 'CS', '12'],
  ['CS w/ 12', 'CS', '12'],
  ['BX x 50', 'BX', '50'],
  ['BX of 1', 'BX', '1'],
])('%s', (text, unit, count, target) => {
  expect(readUnit(text)).toEqual({
    unit,
    ...(count === undefined ? {} : { count }),
    ...(target === undefined ? {} : { of: target }),
  });
});

test.each([
  ['EA/100', 'may be EA, or a unit that holds 100 EA: write the one you mean'],
  ['EA 100', 'may be EA, or a unit that holds 100 EA: write the one you mean'],
  ['10 EA', 'may be EA, or a unit that holds 10 EA: write the one you mean'],
  ['6-pack', 'may be PK, or a unit that holds 6 PK: write the one you mean'],
  ['EA of 10 BX', 'may be EA, or 10 BX: write the one you mean'],
  ['EA/CS', 'names two units, EA and CS: write the one you mean'],
  ['Box, each', 'names two units, BX and EA: write the one you mean'],
  ['CS 4/50', NOT_ONE],
  ['CS of 4 BX of 50', NOT_ONE],
  ['4x50 EA/CS', NOT_ONE],
  ['BX of 0', 'has a pack size of 0'],
  ['100', 'is not a unit of measure'],
  ['x12', 'is not a unit of measure'],
  ['Clamshell', 'is not a unit of measure'],
  ['Wheelchair with bag', 'is not a unit of measure'],
  ['', 'is not a unit of measure'],
])("'%s' is refused", (text, reason) => {
  expect(readUnit(text)).toEqual(new Refusal(reason));
});
