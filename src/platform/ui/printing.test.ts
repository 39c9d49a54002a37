// Tests which addresses request the print view.
import { expect, test } from 'vitest';
import { isPrintView } from './printing.web.ts';

test.each([
  [{}, false],
  [{ printView: '' }, true],
  [{ printView: '1' }, true],
  [{ printView: true }, true],
  [{ printView: 'false' }, false],
  [{ printView: false }, false],
  [{ printView: '0' }, false],
])('%j: %s', (search, asks) => {
  expect(isPrintView(search)).toBe(asks);
});
