// Parses cells into days, in the date format of their file.
import { parseDate } from '#platform/shared/dates.ts';
import type { CellContext, CellParser } from './cell-values.server.ts';
import { Refusal } from './refusal.server.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{2}|\d{4})$/;

/**
 * Returns an ISO date from mm/dd/yyyy, mm/dd/yy, ISO, yyyymmdd, yyyy/mm/dd, 17-May-2016, 17-May-16, May 17, 2016 or a spreadsheet's serial number,
 * without any time. In a column with the day first, it reads dd/mm/yyyy.
 */
export const date: CellParser = (text, context) => {
  const day = text.replace(/(?<=\d)[T ]\d{1,2}:\d{2}.*$/, '');
  const slashed = SLASHED.exec(day);
  if (slashed) return slashedDay(slashed, text, context);
  const result = plainDay(day);
  if (result === null) return new Refusal('is not a date (write mm/dd/yyyy)');
  const [, month = 0, ofMonth = 0] = result.split('-').map(Number);
  if (!context.isBook || ofMonth === month) return result;
  // Excel turns 05/02/2026 into a day but leaves 13/02/2026 as text, perhaps in another column.
  if (/^\d{4}-/.test(day)) context.notation?.(ofMonth > 12 ? 'whole' : 'either', text);
  return context.dates === 'day' && ofMonth <= 12
    ? new Refusal('is among dates written dd/mm/yyyy: a spreadsheet may have swapped day and month')
    : result;
};

const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`);

/** Returns the day of a date in numbers, in the format of its column. */
function slashedDay([, first = '', second = '', end = '']: RegExpExecArray, text: string, context: CellContext) {
  const year = fullYear(end);
  const monthFirst = parseDate(`${first}/${second}/${year}`);
  const dayFirst = parseDate(`${second}/${first}/${year}`);
  if (monthFirst === null && dayFirst === null) return new Refusal('is not a date (write mm/dd/yyyy)');
  if (monthFirst === null || dayFirst === null) {
    const notation = monthFirst === null ? 'day' : 'month';
    context.notation?.(notation, text);
    const isOther = notation === 'day' ? context.dates === undefined : context.dates === 'day';
    return isOther ? new Refusal('is not a date (write mm/dd/yyyy)') : (monthFirst ?? dayFirst ?? '');
  }
  if (monthFirst !== dayFirst) context.notation?.('either', text);
  if (context.dates === 'mixed' && monthFirst !== dayFirst)
    return new Refusal('may have its day or its month first: the file has both. Write mm/dd/yyyy');
  if (context.dates !== 'day') return monthFirst;
  context.noteCorrection('day read as dd/mm/yyyy', 'days read as dd/mm/yyyy');
  return dayFirst;
}

/** Returns the day of a date with a month name, with the year first, or of a spreadsheet's serial number. */
function plainDay(day: string): string | null {
  const plain = parseDate(day);
  if (plain) return plain;
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(day) ?? /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(day);
  if (packed) return parseDate(`${packed[2]}/${packed[3]}/${packed[1]}`);
  const named =
    /^(?<day>\d{1,2})[ -](?<month>[a-z]{3})[a-z]*\.?[ ,-]+(?<year>\d{4}|\d{2})$/i.exec(day) ??
    /^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i.exec(day);
  if (named?.groups) {
    const month = MONTHS.indexOf(named.groups['month']?.toLowerCase() ?? '') + 1;
    return month ? parseDate(`${month}/${named.groups['day']}/${fullYear(named.groups['year'] ?? '')}`) : null;
  }
  // 20000 is a day in 1954, 80000 a day in 2119. No other number in a date column is a day.
  const serial = /^(\d{5})(?:\.\d+)?$/.exec(day)?.[1];
  if (!serial || Number(serial) < 20_000 || Number(serial) > 80_000) return null;
  return new Date((Number(serial) - 25_569) * 86_400_000).toISOString().slice(0, 10);
}

const NO_END =
  /^(?:evergreen|for ?ever|open(?: ended)?|no end(?: date)?|never|indefinite(?:ly)?|until further notice)$/i;
/** Matches the year of a day in any format that `date` accepts. */
const WITH_YEAR =
  /^(?:\d{1,2}[/-]\d{1,2}[/-](\d{4})|(\d{4})-\d\d-\d\d|(\d{4})\/\d{1,2}\/\d{1,2}|(\d{4})\d{4}|\d{1,2}[ -][a-z]{3,}[ ,-]+(\d{4})|[a-z]{3,} \d{1,2},? (\d{4}))(?:[T ].*)?$/i;
/** Last days that mean 'no end' in several programs, besides all days of later centuries. */
const FOR_EVER: readonly unknown[] = ['2079-06-06', '2099-12-31', '2199-12-31'];

/** Returns a last day, or 'infinity' if a day such as 12/31/9999 means that there is no end. */
export const lastDay: CellParser = (text, context) => {
  const year = Number(WITH_YEAR.exec(text)?.slice(1).find(Boolean));
  // 12/31/9999 is Excel's last day, with the serial number 2958465.
  const serial = /^\d{6,7}(?:\.0+)?$/.test(text) ? Number(text) : 0;
  if (NO_END.test(text) || year >= 2200 || (serial >= 109_574 && serial <= 2_958_465)) return 'infinity';
  const day = date(text, context);
  return FOR_EVER.includes(day) ? 'infinity' : day;
};
