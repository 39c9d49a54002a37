// Dates and times as text: ISO `yyyy-mm-dd` on the wire and in the database, mm/dd/yyyy for users.

/** An ISO calendar date without a time, `2026-11-21`. */
export type IsoDate = string;

const WRITTEN = /^(?:(\d{1,2})[/-](\d{1,2})[/-](\d{4})|(\d{4})-(\d{2})-(\d{2})(?:T.*)?)$/;
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** Parses mm/dd/yyyy or ISO. Returns null for a day that does not exist, such as 02/30/2026. */
export function parseDate(text: string): IsoDate | null {
  const [year, month, day] = partsOf(text);
  if (!hasYear(year)) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

/** Returns why a text is not a date, in words for the user, or undefined for a date. */
export function dateProblem(text: string): string | undefined {
  if (parseDate(text)) return undefined;
  const [year, month, day] = partsOf(text);
  if (!(month > 0 && month < 13 && day > 0)) return 'Enter a date as mm/dd/yyyy';
  if (!hasYear(year)) return `Enter a year from ${FIRST_YEAR} to ${LAST_YEAR}`;
  const last = new Date(Date.UTC(year, month, 0));
  const name = last.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  return `${name} ${year} has only ${last.getUTCDate()} days`;
}

const hasYear = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR;

/** Returns year, month and day of a text written as a date, whether or not the day exists; NaN for any other text. */
function partsOf(text: string): [year: number, month: number, day: number] {
  const [, month, day, year, isoYear, isoMonth, isoDay] = WRITTEN.exec(text.trim()) ?? [];
  return [Number(year ?? isoYear), Number(month ?? isoMonth), Number(day ?? isoDay)];
}

/** The company's time zone, which every screen uses. The browser sets it once. Undefined: the zone of the computer. */
let companyZone: string | undefined;

export function setCompanyTimeZone(timeZone: string | undefined): void {
  companyZone = timeZone;
}

/** Formats an ISO date as mm/dd/yyyy, or the day of an instant in the company's time zone. Returns '' without a date. */
export function formatDate(date: IsoDate | null | undefined): string {
  if (!date) return '';
  const isDay = date.length === 10;
  const [year = '', month = '', day = ''] = (isDay ? date : dayIn(companyZone, new Date(date))).split('-');
  return `${month}/${day}/${year}`;
}

/** Formats an instant as mm/dd/yyyy h:mm AM/PM in the company's time zone or another one. Returns '' without an instant. */
export function formatInstant(instant: string | Date | null | undefined, timeZone = companyZone): string {
  if (!instant) return '';
  const at = new Date(instant);
  return `${formatDate(dayIn(timeZone, at))} ${formatTime(at, timeZone)}`;
}

/** Formats the time of day of an instant as h:mm AM/PM. */
export function formatTime(instant: string | Date, timeZone = companyZone): string {
  let format = times.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
    times.set(timeZone, format);
  }
  // Some versions of the ICU library put another kind of space before AM and PM.
  return format.format(new Date(instant)).replace(/\s/gu, ' ');
}

/** Returns the instant of a day and a time of day ('17:30') in the company's time zone, or in another one. */
export function instantOf(day: IsoDate, time: string, timeZone = companyZone): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  // Near a clock change the offset at the instant itself differs from the offset at the first guess.
  const guess = wall - offsetAt(timeZone, wall);
  return new Date(wall - offsetAt(timeZone, guess));
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string | undefined, instant: number): number {
  const at = new Date(instant);
  return Date.parse(`${dayIn(timeZone, at)}T${timeIn(timeZone, at)}Z`) - Math.floor(instant / 60_000) * 60_000;
}

/** Returns whether an instant is today in the company's time zone. */
export function isToday(instant: string | Date): boolean {
  return dayIn(companyZone, new Date(instant)) === dayIn(companyZone, new Date());
}

// Caches the formats, because creating one takes a hundred times as long as using it.
const days = new Map<string | undefined, Intl.DateTimeFormat>();
const times = new Map<string | undefined, Intl.DateTimeFormat>();

/** Returns the calendar day of an instant in a time zone, or in the zone of the computer. */
export function dayIn(timeZone: string | undefined, instant: Date): IsoDate {
  let format = days.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    days.set(timeZone, format);
  }
  return format.format(instant);
}

/** Returns the time of day of an instant in a time zone: '17:30'. */
export function timeIn(timeZone: string | undefined, instant: Date): string {
  return instant.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
}

export function addDays(date: IsoDate, days: number): IsoDate {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns the same day some months later (or earlier), or the last day of that month if it is shorter. */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** Returns the earliest date. A null means 'no end'. */
export function earliest(...dates: (IsoDate | null | undefined)[]): IsoDate | null {
  return dates.reduce<IsoDate | null>((first, date) => (date && (!first || date < first) ? date : first), null);
}
