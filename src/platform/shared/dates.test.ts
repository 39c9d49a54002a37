// Tests calendar dates as typed and as stored: real days only, the same day in both directions, months of every length.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  dateProblem,
  dayIn,
  earliest,
  formatDate,
  formatInstant,
  formatTime,
  instantOf,
  parseDate,
  setCompanyTimeZone,
} from './dates.ts';

const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('an instant', () => {
  it.each([
    ['2026-11-22T05:30:00Z', 'America/New_York', '11/22/2026 12:30 AM', '11/22/2026'],
    ['2026-11-22T04:30:00Z', 'America/New_York', '11/21/2026 11:30 PM', '11/21/2026'],
    ['2026-11-22T04:30:00Z', 'Asia/Tokyo', '11/22/2026 1:30 PM', '11/22/2026'],
    ['2026-07-04T16:05:00Z', 'America/Los_Angeles', '07/04/2026 9:05 AM', '07/04/2026'],
  ])('%s is, in %s, %s', (instant, timeZone, text, day) => {
    expect(formatInstant(instant, timeZone)).toBe(text);
    setCompanyTimeZone(timeZone);
    expect([formatInstant(instant), formatDate(instant), `${day} ${formatTime(instant)}`]).toEqual([text, day, text]);
    setCompanyTimeZone(undefined);
  });

  it('of nothing is empty', () => {
    expect([formatInstant(null), formatInstant(undefined), formatInstant('')]).toEqual(['', '', '']);
  });
});

it.each([
  ['2026-11-22', '17:30', 'America/Chicago', '2026-11-22T23:30:00.000Z'],
  ['2026-07-04', '00:00', 'America/Chicago', '2026-07-04T05:00:00.000Z'],
  ['2026-11-22', '00:15', 'Asia/Tokyo', '2026-11-21T15:15:00.000Z'],
  // The clocks change at 2 o'clock.
  ['2026-03-08', '01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
  ['2026-03-08', '03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01', '02:30', 'America/New_York', '2026-11-01T07:30:00.000Z'],
])('%s %s is, in %s, %s', (day, time, timeZone, instant) => {
  expect(instantOf(day, time, timeZone).toISOString()).toBe(instant);
  expect(formatInstant(instant, timeZone).startsWith(formatDate(day))).toBe(true);
});

it('no screen says an instant or a day by other means', () => {
  const source = path.join(import.meta.dirname, '../..');
  const screens = fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx|ts)$/.test(file) && !/\.(server|test|e2e)\.|server\.test|^testing/.test(file));
  const others = screens.filter((file) =>
    /toLocale(Date|Time)String|DateTimeFormat\(|new Date\([^)]*\)\.toLocaleString/.test(
      fs.readFileSync(path.join(source, file), 'utf8'),
    ),
  );
  expect(others).toEqual([path.join('platform', 'shared', 'dates.ts')]);
});

describe('tables', () => {
  it.each([
    ['11/21/2026', '2026-11-21'],
    ['1/5/2026', '2026-01-05'],
    [' 01-05-2026 ', '2026-01-05'],
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T23:59:59Z', '2026-11-21'],
    ['02/29/2024', '2024-02-29'],
    ['02/29/2100', null],
    ['02/30/2026', null],
    ['13/01/2026', null],
    ['00/10/2026', null],
    ['11/00/2026', null],
    ['11/21/26', null],
    ['21.11.2026', null],
    ['12/31/1899', null],
    ['01/01/2200', null],
    ['2026-02-30', null],
    ['tomorrow', null],
    ['', null],
  ])('%j is %s', (text, date) => {
    expect(parseDate(text)).toBe(date);
    expect(dateProblem(text) === undefined).toBe(date !== null);
  });

  it.each([
    ['02/30/2027', 'February 2027 has only 28 days'],
    ['2024-02-30', 'February 2024 has only 29 days'],
    ['11/31/2026', 'November 2026 has only 30 days'],
    ['01/01/2200', 'Enter a year from 1900 to 2199'],
    ['01/01/0026', 'Enter a year from 1900 to 2199'],
    ['30/02/2027', 'Enter a date as mm/dd/yyyy'],
    ['11/00/2026', 'Enter a date as mm/dd/yyyy'],
    ['11/21/26', 'Enter a date as mm/dd/yyyy'],
    ['', 'Enter a date as mm/dd/yyyy'],
  ])('%j is no date: %s', (text, why) => {
    expect(dateProblem(text)).toBe(why);
  });

  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-05-31', 25, '2028-06-30'],
  ])('%s and %i months are %s', (date, months, later) => {
    expect(addMonths(date, months)).toBe(later);
  });

  it.each([
    ['America/Chicago', '2026-11-22T05:59:59Z', '2026-11-21'],
    ['America/Chicago', '2026-11-22T06:00:00Z', '2026-11-22'],
    ['America/Chicago', '2026-07-22T05:00:00Z', '2026-07-22'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
    ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ])('in %s, %s falls on %s', (zone, instant, day) => {
    expect(dayIn(zone, new Date(instant))).toBe(day);
  });

  it('an instant is shown as the day it is here', () => {
    const instant = '2026-11-21T12:00:00.000Z';
    expect(formatDate(instant)).toBe(formatDate(dayIn(undefined, new Date(instant))));
    expect([formatDate(null), formatDate(undefined), formatDate('')]).toEqual(['', '', '']);
  });

  it('no end is later than any', () => {
    expect(earliest('2026-02-01', null, '2026-01-31', undefined)).toBe('2026-01-31');
    expect(earliest(null, undefined)).toBe(null);
    expect(earliest()).toBe(null);
  });
});

describe('laws', () => {
  it('a day is the same after being shown and typed again', () => {
    fc.assert(
      fc.property(days, (day) => {
        expect(parseDate(formatDate(day))).toBe(day);
        expect(parseDate(day)).toBe(day);
      }),
    );
  });

  it('days added are days taken away again, over summer time and leap years', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -40_000, max: 40_000 }), (day, count) => {
        expect(addDays(addDays(day, count), -count)).toBe(day);
        expect(addDays(day, count) > day).toBe(count > 0);
      }),
    );
  });

  it('a month on is in the next month, never past it', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -500, max: 500 }), (day, months) => {
        const later = addMonths(day, months);
        const indexOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
        expect(indexOf(later) - indexOf(day)).toBe(months);
        expect(Number(later.slice(8))).toBeLessThanOrEqual(Number(day.slice(8)));
      }),
    );
  });
});
