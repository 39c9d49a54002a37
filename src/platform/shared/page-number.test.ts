// Tests page numbers as users and old links write them in an address.
import { expect, it } from 'vitest';
import { LAST_PAGE, pageNumber } from './page-number.ts';
import { PageInput } from './wire.ts';

it.each([
  ['7', 7],
  [' 007 ', 7],
  [undefined, 1],
  ['', 1],
  ['0', 1],
  ['-3', 1],
  ['two', 1],
  ['1e3', 1],
  ['2.5', 1],
  ['1000001', LAST_PAGE],
  ['9'.repeat(400), LAST_PAGE],
])('page=%s is page %d', (text, page) => {
  expect(pageNumber(text)).toBe(page);
  expect(PageInput.safeParse({ page }).success).toBe(true);
});
