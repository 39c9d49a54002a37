// Computes the day and the text of a reminder to the customer. Pure.
import { countOf } from '#platform/shared/count-of.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';

/**
 * The placeholders of a mail: the address of the customer's page, and the date until which the quote is valid. They are filled when the mail goes
 * out.
 */
export const QUOTE_LINK = '[quote link]';
export const VALID_UNTIL = '[valid until]';
export const MAX_DAYS = 365;
/** The hour from which reminders go out, in the company's time zone. */
export const HOUR = 7;

/** Returns the day of the reminder. It moves with the end of the quote's validity. */
export function reminderDay(validUntil: IsoDate, days: number): IsoDate {
  return addDays(validUntil, -days);
}

/** The largest number of days that is possible. Below 1 when none is. */
function mostDays(validUntil: IsoDate, today: IsoDate): number {
  return Math.round((Date.parse(validUntil) - Date.parse(today)) / 86_400_000) - 1;
}

/** The number of days that the form proposes. */
export function proposedDays(validUntil: IsoDate, today: IsoDate): number {
  return Math.max(1, Math.min(3, mostDays(validUntil, today)));
}

/**
 * Returns why a reminder cannot have this day, or an empty string if it can. A reminder goes out tomorrow at the earliest, and before the day on
 * which the quote expires.
 */
export function dayProblem(validUntil: IsoDate, days: number, today: IsoDate): string {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) return `A whole number from 1 to ${MAX_DAYS}`;
  const day = reminderDay(validUntil, days);
  if (day > today) return '';
  const most = mostDays(validUntil, today);
  const instead = most < 1 ? 'The quote expires too soon for a reminder.' : `At most ${countOf(most, 'day')} before.`;
  return `It would be sent on ${formatDate(day)}, which is ${day === today ? 'today' : 'in the past'}. ${instead}`;
}

/** Fills the link into the text. Adds the link at the end when the text does not contain the placeholder. */
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

/** Returns whether the reminder is complete and its day is possible. `daysSet` is the saved number of days, which remains valid. */
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
