// Tests the words for an ERP's answer about a line.
import { expect, test } from 'vitest';
import { answerWords } from './order-words.ts';

test.each([
  [
    { status: 'Backordered', qty: 1200, shipOn: '2026-12-24', note: 'late' },
    '1,200 backordered, ships 12/24/2026, late',
  ],
  [{ status: 'Changed', qty: 4 }, 'changed to 4'],
  [{ status: 'Changed' }, 'changed'],
  [{ status: 'Accepted', shipOn: '2026-12-24' }, 'accepted, ships 12/24/2026'],
  [{ status: 'Rejected', note: 'discontinued' }, 'rejected, discontinued'],
] as const)('%o is described with its quantity in place', (answer, words) => {
  expect(answerWords({ lineNo: 2, ...answer })).toBe(`Line 2: ${words}`);
});
