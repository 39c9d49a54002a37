// Adds up the lines of a report's quotes: whole months from stored sums, all other days from the lines.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { seesAllQuotes } from '#core/quoting/quotes/sight.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import { columns, type KeptSums } from './kept-sums.server.ts';
import { linesSelected, quotedInPeriod, selected, type Terms } from './selection.server.ts';

/** The months that are completely in a period. `first` is the first day of the first month, `end` the first day after the last one. */
export type Months = { first: IsoDate; end: IsoDate };

const monthOf = (day: IsoDate): IsoDate => `${day.slice(0, 7)}-01`;
const monthAfter = (day: IsoDate): IsoDate => monthOf(addDays(monthOf(day), 31));

/** Whether a report covers all quotes, so that the stored sums apply. */
export const isOfAll = ({ user, filters: { regionId, territoryId, repId, classId, contractId } }: Terms): boolean =>
  seesAllQuotes(user) && !(regionId ?? territoryId ?? repId ?? classId ?? contractId);

/** The months whose stored sums a report can use, or null. The last month is included if it has no quotes after the period. */
export async function keptMonths(db: Db, terms: Terms): Promise<Months | null> {
  if (!isOfAll(terms)) return null;
  const { from, to } = terms.filters;
  const { rows } = await sql`
    select from report_quote where quote_date > ${to}::date and quote_date < ${monthAfter(to)}::date limit 1`.execute(
    db,
  );
  const first = from === monthOf(from) ? from : monthAfter(from);
  const end = rows.length === 0 ? monthAfter(to) : monthOf(to);
  return first < end ? { first, end } : null;
}

/** The sums over the lines of a report's quotes, except cancelled ones. Several rows may have the same keys. */
export function sumsOf({ table, keys, sums, of }: KeptSums, terms: Terms, months: Months | null): RawBuilder<unknown> {
  const { from, to } = terms.filters;
  const days = months
    ? sql`(quote.quote_date >= ${from}::date and quote.quote_date < ${months.first}::date
        or quote.quote_date >= ${months.end}::date and quote.quote_date <= ${to}::date)`
    : quotedInPeriod(terms);
  const lines = sql`report_quote quote join report_counted_line line on line.quote_id = quote.id
    where ${selected(terms)} and quote.status_id <> 'Cancelled' and ${days} and ${linesSelected(terms)}`;
  const all = columns([...keys, ...sums]);
  const direct = sql`select ${all} from (${of(lines, sql``)}) made`;
  if (!months) return direct;
  return sql`${direct} union all select ${all} from ${sql.table(table)}
    where currn_idx = ${terms.currnIdx}::int and month >= ${months.first}::date and month < ${months.end}::date`;
}
