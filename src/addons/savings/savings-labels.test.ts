// Tests the texts of amounts and ages on the screens.
import { expect, test } from 'vitest';
import { ageText, percentText } from './savings-labels.ts';

test('percentages have one decimal unless they would read as 0, and say when there is none', () => {
  expect(percentText(12.34)).toBe('12.3%');
  expect(percentText(-3)).toBe('−3%');
  expect(percentText(0)).toBe('0%');
  expect(percentText(-0.01)).toBe('−0.01%');
  expect(percentText(null)).toBe('–');
});

test('an age is in whole days', () => {
  const at = '2026-11-20T10:00:00.000Z';
  expect(ageText(at, Date.parse('2026-11-20T23:00:00.000Z'))).toBe('today');
  expect(ageText(at, Date.parse('2026-11-21T10:00:00.000Z'))).toBe('1 day');
  expect(ageText(at, Date.parse('2026-12-02T09:00:00.000Z'))).toBe('11 days');
});
