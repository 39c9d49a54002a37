// Computes the days on which a report is sent.
import { addDays, addMonths, type IsoDate } from '#platform/shared/dates.ts';

/** The hour of the company's day at which reports are sent. */
export const SENT_AT_HOUR = 6;

/** The first day after `after` that is a Monday, or the first of a month. */
export function nextDay(every: 'week' | 'month', after: IsoDate): IsoDate {
  if (every === 'month') return addMonths(`${after.slice(0, 7)}-01`, 1);
  const weekday = new Date(`${after}T00:00:00Z`).getUTCDay();
  return addDays(after, (8 - weekday) % 7 || 7);
}
