// On which days a report goes out.
import { addDays, addMonths, type IsoDate } from '#platform/shared/dates.ts';

/** The hour of the company's day at which reports go out. */
export const SENT_AT_HOUR = 6;

/** The first day after another: a Monday, or the first of a month. */
export function nextDay(every: 'week' | 'month', after: IsoDate): IsoDate {
  if (every === 'month') return addMonths(`${after.slice(0, 7)}-01`, 1);
  const weekday = new Date(`${after}T00:00:00Z`).getUTCDay();
  return addDays(after, (8 - weekday) % 7 || 7);
}
