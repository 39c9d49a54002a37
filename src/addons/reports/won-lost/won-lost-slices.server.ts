// The conditions on quotes for won and lost. The lists behind the figures use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { bucketOf, hasKey } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { companyDayOf, inPeriod, type Terms } from '../facts/selection.server.ts';
import { DECISION_DAYS, DISCOUNTS, type OutcomeGroup, PRICE_GAPS, type Slice } from '../slices.ts';

const STATUS = { won: 'Won', lost: 'Lost' } as const;
const decided = sql`quote.decided_at`;

/** Whether a quote was won or lost in the period. */
export const isDecided = (terms: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`quote.status_id in ('Won', 'Lost') and ${inPeriod(decided, terms)}`;
const hasOutcome = (outcome: 'won' | 'lost', terms: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`quote.status_id = ${sql.lit(STATUS[outcome])} and ${inPeriod(decided, terms)}`;

/** `report_quote quote` with its facility, for the class of trade. */
export const WITH_FACILITY = sql`report_quote quote left join facility on facility.id = quote.facility_id`;

/** The value that decided quotes are grouped by. Null if a quote has none. */
export function groupValue(by: Exclude<OutcomeGroup, 'all'>, terms: Terms): RawBuilder<unknown> {
  switch (by) {
    case 'month':
      return sql`to_char(${decided} at time zone ${sql.lit(terms.zone)}, 'YYYY-MM')`;
    case 'rep':
      return sql`quote.sales_rep_id`;
    case 'region':
      return sql`quote.region_id`;
    case 'trade':
      return TRADE;
    case 'discount':
      return bucketOf(sql`quote.discount`, DISCOUNTS, 100);
    case 'days':
      return sql`case when quote.sent_at is not null
        then ${bucketOf(sql`(${companyDayOf(decided, terms)} - ${companyDayOf(sql`quote.sent_at`, terms)})`, DECISION_DAYS)} end`;
  }
}

export const REASON = sql`nullif(quote.lost_reason, '')`;
/** A class of trade 'None' is treated as no class, because 'none' is the key of quotes without one. */
export const TRADE = sql`case when lower(facility.class_of_trade) not in ('', 'none') then facility.class_of_trade end`;
/** The competitor in one spelling. */
export const COMPETITOR = sql`nullif(nullif(lower(quote.lost_competitor), ''), 'none')`;
const THEIRS = sql`quote.lost_competitor_price`;
export const isPriceKnown = sql<SqlBool>`coalesce(${THEIRS} > 0, false)`;
/** How far our total is above theirs, in percent. */
export const gapOf = bucketOf(sql`100 * (quote.total_amount - ${THEIRS}) / nullif(${THEIRS}, 0)`, PRICE_GAPS);

type WonLostSlice = Extract<Slice, { kind: 'decided' | 'reason' | 'competitor' | 'gap' }>;

export function wonLostPart(slice: WonLostSlice, terms: Terms): Part {
  const lostWith = (where: RawBuilder<SqlBool>): Part => ({
    where: sql<SqlBool>`${hasOutcome('lost', terms)} and ${where}`,
  });
  switch (slice.kind) {
    case 'decided': {
      const outcome = hasOutcome(slice.outcome, terms);
      if (slice.by === 'all') return { where: outcome };
      const where = sql<SqlBool>`${outcome} and ${hasKey(groupValue(slice.by, terms), slice.key)}`;
      return slice.by === 'trade' ? { where, from: WITH_FACILITY } : { where };
    }
    case 'reason':
      return lostWith(hasKey(REASON, slice.key));
    case 'competitor':
      return lostWith(hasKey(COMPETITOR, slice.key));
    case 'gap':
      return lostWith(slice.key === 'all' ? isPriceKnown : sql<SqlBool>`${isPriceKnown} and ${gapOf} = ${slice.key}`);
  }
}
