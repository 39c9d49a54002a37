// The conditions on quotes for territory sales. The lists behind the figures use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { addMonths, addDays, instantOf } from '#platform/shared/dates.ts';
import { hasKey } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { IS_OPEN, inPeriod, type Terms } from '../facts/selection.server.ts';
import type { Slice } from '../slices.ts';

/** The same days a year earlier. */
export function yearBefore({ filters, zone }: Terms): { begin: Date; end: Date } {
  return {
    begin: instantOf(addMonths(filters.from, -12), '00:00', zone),
    end: instantOf(addDays(addMonths(filters.to, -12), 1), '00:00', zone),
  };
}

const wonWithin = (days: { begin: Date; end: Date }): RawBuilder<SqlBool> =>
  sql<SqlBool>`(quote.status_id = 'Won' and ${inPeriod(sql`quote.decided_at`, days)})`;

/** The condition on the quotes that each column of the report adds up. */
export const outcomeTerms = (
  terms: Terms,
): Record<Extract<Slice, { kind: 'territory' }>['outcome'], RawBuilder<SqlBool>> => ({
  won: wonWithin(terms),
  open: IS_OPEN,
  yearBefore: wonWithin(yearBefore(terms)),
});

export function territoryPart({ outcome, key }: Extract<Slice, { kind: 'territory' }>, terms: Terms): Part {
  return { where: sql<SqlBool>`${outcomeTerms(terms)[outcome]} and ${hasKey(sql`quote.territory_id`, key)}` };
}
