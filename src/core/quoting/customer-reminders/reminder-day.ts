// The day of a reminder to the customer, and its words. Pure.
import { countOf } from '#platform/shared/count-of.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';

/** The placeholders of a mail, filled when it goes out: the address of the customer's page, and until when the quote is valid. */
export const QUOTE_LINK = '[quote link]';
export const VALID_UNTIL = '[valid until]';
export const MOST_DAYS = 365;
/** The hour in the company's time zone from which reminders go out. */
export const HOUR = 7;

/** It follows the end of the quote's validity, also when that moves. */
export function reminderDay(validUntil: IsoDate, days: number): IsoDate {
  return addDays(validUntil, -days);
}

/** The largest number of days that fits. Below 1: none does. */
function mostDays(validUntil: IsoDate, today: IsoDate): number {
  return Math.round((Date.parse(validUntil) - Date.parse(today)) / 86_400_000) - 1;
}

/** What the form proposes. */
export function proposedDays(validUntil: IsoDate, today: IsoDate): number {
  return Math.max(1, Math.min(3, mostDays(validUntil, today)));
}

/** Why a reminder cannot be set so. Empty: it can. It goes out tomorrow at the earliest, and before the day on which the quote expires. */
export function dayProblem(validUntil: IsoDate, days: number, today: IsoDate): string {
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) return `A whole number from 1 to ${MOST_DAYS}`;
  const day = reminderDay(validUntil, days);
  if (day > today) return '';
  const most = mostDays(validUntil, today);
  const instead = most < 1 ? 'The quote expires too soon for a reminder.' : `At most ${countOf(most, 'day')} before.`;
  return `It would be sent on ${formatDate(day)}, which is ${day === today ? 'today' : 'in the past'}. ${instead}`;
}

/** The text with its placeholders filled. A text without the link gets it at the end. */
export function withLink(text: string, link: string): string {
  return text.includes(QUOTE_LINK) ? text.replaceAll(QUOTE_LINK, link) : `${text}\n\nRead the quote online: ${link}`;
}

export function filledReminder(text: string, { validUntil, link }: { validUntil: IsoDate; link: string }): string {
  return withLink(text.replaceAll(VALID_UNTIL, formatDate(validUntil)), link);
}

/** '3 days before the quote expires' */
export function daysWords(days: number): string {
  return `${countOf(days, 'day')} before the quote expires`;
}

/** Whether a reminder can be set so. `daysSet`: the days it has already, which may stay. */
export function isComplete(
  { days, text }: { days: number; text: string },
  { validUntil, today }: { validUntil: IsoDate; today: IsoDate },
  daysSet: number | null = null,
): boolean {
  return text.trim() !== '' && (days === daysSet || dayProblem(validUntil, days, today) === '');
}

/** 'Customer reminder goes out on 12/03/2026, 3 days before the quote expires' */
export function reminderWords({ day, today, days }: { day: IsoDate; today: IsoDate; days: number }): string {
  return `Customer reminder goes out ${day > today ? `on ${formatDate(day)}` : 'today'}, ${daysWords(days)}`;
}
