// Calendar days of a time zone, worked out with Intl alone, for the proof of reports.

const days = new Map<string, Intl.DateTimeFormat>();

/** The day of an instant, as ISO text. */
export function dayOf(at: number, zone: string): string {
  const day = days.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  days.set(zone, day);
  return day.format(at);
}

/** The first instant of a day. */
export function midnight(day: string, zone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  for (let at = noon - 30 * 3_600_000; ; at += 900_000) if (dayOf(at, zone) === day) return at;
}

/** The first instant after a day. */
export function endsOn(day: string, zone: string): number {
  return midnight(plusDays(day, 1), zone);
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Whole days from one day to another. */
export function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
