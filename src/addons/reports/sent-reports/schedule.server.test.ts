// Tests the days on which reports are sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#platform/shared/dates.ts';
import { nextDay } from './schedule.server.ts';

test.each([
  ['week', '2026-11-22', '2026-11-23'],
  ['week', '2026-11-23', '2026-11-30'],
  ['week', '2026-12-31', '2027-01-04'],
  ['month', '2026-11-01', '2026-12-01'],
  ['month', '2026-11-30', '2026-12-01'],
  ['month', '2026-12-15', '2027-01-01'],
  ['month', '2028-01-31', '2028-02-01'],
] as const)('%s after %s is %s', (every, after, day) => {
  expect(nextDay(every, after)).toBe(day);
});

test('each day is the next one of its kind', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (n) => {
      const after = addDays('2000-01-01', n);
      const monday = nextDay('week', after);
      expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
      expect(monday > after && monday <= addDays(after, 7)).toBe(true);
      const first = nextDay('month', after);
      expect(first.endsWith('-01') && first > after && first <= addDays(after, 31)).toBe(true);
    }),
  );
});
