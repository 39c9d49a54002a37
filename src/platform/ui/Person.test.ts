// Tests the initials of names.
import { expect, test } from 'vitest';
import { initialsOf } from './Person.tsx';

test.each([
  ['Jordan Rivera', 'JR'],
  ['Ana María de la Cruz', 'AC'],
  ['Cher', 'CH'],
  ['  Kim   Lee ', 'KL'],
  ['X', 'X'],
  ['😀 Öz', '😀Ö'],
  ['', ''],
])('%s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
