// Tests which field is named when an amount becomes too large.
import { expect, test } from 'vitest';
import { tooLarge } from './too-large.server.ts';

test.each([
  [
    {
      quoteId: 7,
      items: [
        { id: 99, qty: 3 },
        { id: 1, qty: 4_000 },
      ],
    },
    'items.1.qty',
  ],
  [{ itemId: 500, unit: 'CS', qty: 2 }, 'qty'],
  [{ quoteId: 7, keyword: 'x' }, 'quoteId'],
  [undefined, ''],
])('%j', (input, path) => {
  expect(tooLarge(input).errors).toEqual([{ path, message: expect.stringContaining('99,999,999,999') }]);
});
