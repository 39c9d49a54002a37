// The conditions on quotes for the pipeline's figures. The lists behind the figures use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { addDays, instantOf, type IsoDate } from '#platform/shared/dates.ts';
import { bucketOf } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { companyDayOf, IS_OPEN, inPeriod, quotedInPeriod, type Terms } from '../facts/selection.server.ts';
import { AGES, type BridgeStep, type Slice, type WeekStep } from '../slices.ts';
import { bridgeStep, weekAgo } from './bridge.server.ts';
import { EXPIRING_DAYS, UNTOUCHED_DAYS } from './pipeline.definitions.ts';

const DAY_MS = 86_400_000;
const IS_SENT = sql<SqlBool>`quote.status_id = 'SentToCustomer'`;

/** The bucket of a quote's age in days. */
export const ageOf = (terms: Terms): RawBuilder<string> =>
  bucketOf(sql`(${terms.today}::date - ${companyDayOf(sql`quote.created_at`, terms)})`, AGES);

export const isUntouched = ({ now }: Terms): RawBuilder<SqlBool> => {
  const before = new Date(now.getTime() - UNTOUCHED_DAYS * DAY_MS).toISOString();
  return sql<SqlBool>`(${IS_OPEN} and quote.touched_at < ${before}::timestamptz)`;
};
export const isExpiring = ({ today }: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${IS_SENT} and quote.valid_until between ${today}::date and ${today}::date + ${sql.lit(EXPIRING_DAYS)})`;
export const isExpired = ({ today }: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${IS_SENT} and quote.valid_until < ${today}::date)`;

/** The instant of a step of the week for a quote, and the condition on the quotes to count. */
export function weekStep(step: WeekStep, terms: Terms): { instant: RawBuilder<unknown>; where: RawBuilder<SqlBool> } {
  const instant = sql.ref(
    { created: 'quote.created_at', submitted: 'quote.submitted_at', sent: 'quote.sent_at', won: 'quote.decided_at' }[
      step
    ],
  );
  const happened = inPeriod(instant, terms);
  return { instant, where: step === 'won' ? sql<SqlBool>`(quote.status_id = 'Won' and ${happened})` : happened };
}

/** The Mondays of the weeks that overlap the period. */
export function weeksOf({ filters: { from, to } }: Pick<Terms, 'filters'>): IsoDate[] {
  const weeks: IsoDate[] = [];
  for (let week = mondayOf(from); week <= to; week = addDays(week, 7)) weeks.push(week);
  return weeks;
}

function mondayOf(day: IsoDate): IsoDate {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The first instant of a day in the company's time zone. */
export const beginOf = (day: IsoDate, { zone }: Pick<Terms, 'zone'>): string =>
  instantOf(day, '00:00', zone).toISOString();

const BRIDGE_AMOUNTS: Record<BridgeStep, string> = {
  start: 'Total a week ago',
  new: 'Total',
  reopened: 'Total',
  grown: 'Increase',
  shrunk: 'Decrease',
  won: 'Total a week ago',
  lost: 'Total a week ago',
  cancelled: 'Total a week ago',
  expired: 'Total a week ago',
  end: 'Total',
};

type PipelineSlice = Extract<
  Slice,
  { kind: 'status' | 'age' | 'week' | 'bridge' | 'untouched' | 'expiring' | 'expired' }
>;

export function pipelinePart(slice: PipelineSlice, terms: Terms): Part {
  const ofPeriod = (where: RawBuilder<SqlBool>): Part => ({
    where: sql<SqlBool>`${quotedInPeriod(terms)} and ${where}`,
  });
  switch (slice.kind) {
    case 'status':
      return ofPeriod(sql<SqlBool>`quote.status_id = ${slice.status}`);
    case 'age': {
      const ofStatus = slice.status ? sql`and quote.status_id = ${slice.status}` : sql``;
      return ofPeriod(sql<SqlBool>`${IS_OPEN} and ${ageOf(terms)} = ${slice.age} ${ofStatus}`);
    }
    case 'untouched':
      return ofPeriod(isUntouched(terms));
    case 'expiring':
      return ofPeriod(isExpiring(terms));
    case 'expired':
      return ofPeriod(isExpired(terms));
    case 'week': {
      const { instant, where } = weekStep(slice.step, terms);
      const [begin, end] = [slice.week, addDays(slice.week, 7)].map((day) => beginOf(day, terms));
      return {
        where: sql<SqlBool>`${where} and ${instant} >= ${begin}::timestamptz and ${instant} < ${end}::timestamptz`,
      };
    }
    case 'bridge':
      return { ...bridgeStep(slice.step, terms), amountTitle: BRIDGE_AMOUNTS[slice.step], from: weekAgo(terms) };
  }
}
