import { expect, test } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { refusalWords } from './field-words.ts';

test.for([
  ['unitPrice: At most 9,999,999,999', ['unitPrice'], 'Price: At most 9,999,999,999'],
  ['quote.poNumber: At most 100 characters', ['quote.poNumber'], 'PO number: At most 100 characters'],
  [
    'items.0.qty: Too much; items.0.notes: Too long',
    ['items.0.qty', 'items.0.notes'],
    'Qty.: Too much; Internal Notes: Too long',
  ],
  ['The quantity must be above 0', ['qty'], 'The quantity must be above 0'],
  ['This quote is won.', [], 'This quote is won.'],
] as const)('a refusal names fields as the board does: %s', ([detail, paths, words]) => {
  const errors = paths.map((path) => ({ path, message: '' }));
  expect(refusalWords(new HttpError(422, detail, { errors }))).toBe(words);
});
