// Tests that a view stores the query of a list and nothing that leads elsewhere.
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { viewQuery, viewScreen } from './view-address.ts';

it.each([
  ['', 'page=1'],
  ['?', 'page=1'],
  ['?qtStatuses=Editing%2CWon&page=7', 'page=1&qtStatuses=Editing%2CWon'],
  ['facilityName=St.+Mary&printView=1', 'page=1&facilityName=St.+Mary'],
  ['keyword=a%26b%3Dc', 'page=1&keyword=a%26b%3Dc'],
  ['keyword=//evil.example', 'page=1&keyword=%2F%2Fevil.example'],
  ['a=b=c', 'page=1&a=b%3Dc'],
  ['keyword=', 'page=1'],
])('keeps %s', (address, stored) => {
  expect(viewQuery(address)).toBe(stored);
});

it.each([
  'https://evil.example/?a=b',
  '//evil.example',
  '/admin/users?a=b',
  'javascript:alert(1)',
  'javascript:a=b',
  '\\\\evil.example',
  'a=b#c',
  '#a=b',
  '??a=b',
  'a',
  'a=b&',
  'a=b&&c=d',
  '../users?a=b',
  '=b',
  '%2F%2Fevil=1',
  'a b=c',
])('refuses %s', (address) => {
  expect(viewQuery(address)).toBeNull();
});

test('what is kept stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const stored = viewQuery(new URLSearchParams({ keyword: value }).toString());
      expect(stored === null ? null : viewQuery(stored)).toBe(stored);
    }),
  );
});

test('the two addresses of Find Quote are one list', () => {
  expect(viewScreen('/pub-quotes')).toBe(viewScreen('/int-quotes'));
  expect(viewScreen('/tools/zipsAssignMapSavedList/')).toBe('/tools/zipsAssignMapSavedList');
  expect(viewScreen('/')).toBe('/');
});
