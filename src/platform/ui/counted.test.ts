// Tests which pages a list offers.
import { expect, test } from 'vitest';
import { lastPage } from './counted.ts';

const rows = (count: number) => Array.from({ length: count }, () => null);

test.each([
  ['a whole count', { page: 3, pageCount: 7, rows: rows(20) }, 7],
  ['the last counted page, full', { page: 50, pageCount: 50, rows: rows(20), more: true }, 51],
  ['a page beyond the counted ones, full', { page: 73, pageCount: 50, rows: rows(20), more: true }, 74],
  ['the very last page', { page: 74, pageCount: 50, rows: rows(3), more: true }, 74],
  ['the first of many', { page: 1, pageCount: 50, rows: rows(20), more: true }, 50],
  ['not read yet', { page: 1 }, 0],
])('%s', (_name, list, last) => {
  expect(lastPage(list)).toBe(last);
});
