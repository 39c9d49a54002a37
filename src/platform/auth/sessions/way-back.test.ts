// Tests that the page after a sign-in is always one of ours, whatever the address requests.
import { expect, test } from 'vitest';
import { wayBack } from './way-back.ts';

test.each([
  ['/quotes?page=2#lines', '/quotes?page=2#lines'],
  ['/int-quote-board/7', '/int-quote-board/7'],
])('returns to %s', (redirect, path) => {
  expect(wayBack(redirect)).toBe(path);
});

test.each([
  null,
  '',
  'quotes',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\\evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '/login?redirect=/login',
])('%j leads home', (redirect) => {
  const path = wayBack(redirect);
  expect(new URL(path, 'https://quotes.example').origin).toBe('https://quotes.example');
  expect(path).toBe(wayBack(null));
});
