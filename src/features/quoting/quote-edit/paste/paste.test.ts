// Pasted rows as people have them: with and without headings, tabs, semicolons or spaces, figures with commas.
import { describe, expect, it } from 'vitest';
import { isTable, parsePaste } from './paste.ts';

describe('parsePaste', () => {
  it.each([
    [
      'three columns',
      '551000\t40\tBX\n881003\t4\tEA',
      [
        ['551000', 40, 'BX'],
        ['881003', 4, 'EA'],
      ],
    ],
    [
      'a heading in another order',
      'Qty\tUOM\tItem #\n1,200\tCS\tAB-1\n3\tEA\tAB-2',
      [
        ['AB-1', 1200, 'CS'],
        ['AB-2', 3, 'EA'],
      ],
    ],
    [
      'numbers only',
      '551000\n881003\r\n\r\n',
      [
        ['551000', null, null],
        ['881003', null, null],
      ],
    ],
    [
      'a description between',
      'AB-1\tGlove\t12\nAB-2\tGown\t3',
      [
        ['AB-1', 12, null],
        ['AB-2', 3, null],
      ],
    ],
    ['semicolons', 'AB-1;12;EA', [['AB-1', 12, 'EA']]],
    [
      'wide spaces',
      'AB-1   12   EA\nAB-2   1   BX',
      [
        ['AB-1', 12, 'EA'],
        ['AB-2', 1, 'BX'],
      ],
    ],
    ['quoted cells', '"AB-1"\t"2"', [['AB-1', 2, null]]],
    [
      'a quantity that is none',
      'AB-1\tsome\nAB-2\t4',
      [
        ['AB-1', null, null],
        ['AB-2', 4, null],
      ],
    ],
  ])('reads %s', (_name, text, expected) => {
    expect(parsePaste(text).map((row) => [row.itemNumber, row.qty, row.unit])).toEqual(expected);
  });

  it('leaves out rows without an item number, nothing else', () => {
    expect(parsePaste('AB-1\t1\n\t5\nAB-2\t2').map((row) => row.itemNumber)).toEqual(['AB-1', 'AB-2']);
  });
});

describe('isTable', () => {
  it.each([
    ['551000', false],
    ['exam glove nitrile', false],
    ['551000\t4', true],
    ['551000\n881003', true],
    ['551000\n', false],
  ])('%j: %s', (text, expected) => {
    expect(isTable(text)).toBe(expected);
  });
});
