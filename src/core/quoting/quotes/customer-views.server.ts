// The customer's openings of a revision, in SQL.
import { type RawBuilder, sql } from 'kysely';
import type { Openings } from './customer-views.ts';

/** The openings of the row `alias` of quote_revision as JSON. Null before the first one. */
export function openingsOf(alias: string): RawBuilder<Openings | null> {
  const row = sql.table(alias);
  return sql<Openings | null>`case when ${row}.viewed_at is not null then jsonb_build_object('times', ${row}.later_views + 1,
    'first', ${row}.viewed_at, 'last', coalesce(${row}.last_viewed_at, ${row}.viewed_at)) end`;
}
