// Tests that every address with a query stays the same when it is read and written, also as the page to return to after signing in.
import { expect, test } from 'vitest';
import { wayBack } from './way-back.ts';
import { readQuery, writeQuery } from '#platform/shared/query-text.ts';

const ADDRESSES = [
  '/',
  '/?page=2&csRepId=7',
  '/int-quotes?page=1&qtStatuses=Editing%2CWon&facilityName=St.+Mary&dateFrom=2026-01-02',
  '/int-quote-board/7?decide',
  '/int-quote-board/7?comment=12',
  '/pub-quote-new?clone=7',
  '/facilities/3?tab=prices',
  '/gpo/contracts/3?tab=lines&page=2',
  '/admin/data-import?import=4',
  '/item-search?keyword=glove+%26+gown&recent=0',
  '/reports/quotes?from=2026-01-01&to=2026-02-01&slice=age%3A91',
  '/int-quotes?page=1&printView',
  '/int-quotes?page=1&printView=1',
  '/change-password?from=mail&n=2#here',
];

test.each(ADDRESSES)('%s', (address) => {
  const { pathname, search, hash } = new URL(address, 'https://quotes.example');
  expect(pathname + writeQuery(readQuery(search)) + hash).toBe(address);
  // The address passes through the sign-in page, and again through a forced change of the password.
  for (const screen of ['/login', '/change-password', '/account']) {
    const stored = new URL(screen + writeQuery({ redirect: address }), 'https://quotes.example');
    expect(writeQuery(readQuery(stored.search))).toBe(stored.search);
    expect(wayBack(readQuery(stored.search)['redirect'] ?? null)).toBe(address);
  }
});

test('what has no value is not written', () => {
  expect(writeQuery({ page: 2, zip: '', territory: null, region: undefined })).toBe('?page=2');
  expect(writeQuery({ decide: undefined })).toBe('');
});
