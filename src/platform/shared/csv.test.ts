// Tests that a spreadsheet opens our CSV as data.
import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

test.each<[string | number | boolean | null | undefined, string]>([
  ['plain', 'plain'],
  [12.5, '12.5'],
  [-3, '-3'],
  ['-12.00', '-12.00'],
  ['+1', '+1'],
  [true, 'true'],
  [null, ''],
  [undefined, ''],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  ["=cmd|' /C calc'!A0", `"'=cmd|' /C calc'!A0"`],
  ['@SUM(1+9)', "'@SUM(1+9)"],
  ['+1 (256) 845-3150', "'+1 (256) 845-3150"],
  ['-2+3', "'-2+3"],
  ['\t=1', `"'\t=1"`],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
])('%j is written as %j', (value, expected) => {
  expect(csvCell(value)).toBe(expected);
});

test('a line ends as RFC 4180 says', () => {
  expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
});
