// Tests the day of a reminder to the customer, and the text of its mail.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#platform/shared/dates.ts';
import { dayProblem, daysWords, filledReminder, MAX_DAYS, reminderDay } from './reminder-day.ts';

const DAY = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2024-01-01', days));

test('a reminder is taken exactly if its day is after today and before the quote expires', () => {
  fc.assert(
    fc.property(DAY, fc.integer({ min: -5, max: 500 }), fc.integer({ min: -5, max: 500 }), (today, left, days) => {
      const validUntil = addDays(today, left);
      const fits = days >= 1 && days <= MAX_DAYS && days < left;
      const day = reminderDay(validUntil, days);
      expect(dayProblem(validUntil, days, today) === '').toBe(fits);
      expect(!fits || (day > today && day < validUntil)).toBe(true);
    }),
  );
});

test('a refusal says which day it would be, and how many days fit', () => {
  expect(dayProblem('2026-12-03', 3, '2026-12-01')).toBe(
    'It would be sent on 11/30/2026, which is in the past. At most 1 day before.',
  );
  expect(dayProblem('2026-12-04', 3, '2026-12-01')).toBe(
    'It would be sent on 12/01/2026, which is today. At most 2 days before.',
  );
  expect(dayProblem('2026-12-02', 1, '2026-12-01')).toBe(
    'It would be sent on 12/01/2026, which is today. The quote expires too soon for a reminder.',
  );
  expect(dayProblem('2026-12-30', Number.NaN, '2026-12-01')).toBe('A whole number from 1 to 365');
});

test('the text gets the day and the link, which comes last if the text has no place for it', () => {
  const filling = { validUntil: '2026-12-03', link: 'https://q.example/quote-doc/a' };
  expect(filledReminder('Until [valid until]: [quote link]!', filling)).toBe(
    'Until 12/03/2026: https://q.example/quote-doc/a!',
  );
  expect(filledReminder('Hello', filling)).toBe('Hello\n\nRead the quote online: https://q.example/quote-doc/a');
  expect(daysWords(1)).toBe('1 day before the quote expires');
});
