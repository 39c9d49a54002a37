// Tests the texts about contracts.
import { expect, test } from 'vitest';
import { firmUntilInWords } from './contract-words.ts';

test('a day until which prices are firm says when it is past', () => {
  expect(firmUntilInWords('2026-07-12', '2026-07-12')).toBe('07/12/2026');
  expect(firmUntilInWords('2026-07-12', '2026-11-24')).toBe('07/12/2026, which is in the past');
});
