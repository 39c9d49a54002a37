// Finds quotes by number, PO number, and the name or account number of their facility. It is fast even with half a million quotes.
import { type RawBuilder, sql } from 'kysely';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { namesLike, typedNumber } from '#core/quoting/quotes/list/quote-list.server.ts';
import { inSight, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';

/** If more names than this contain the words, some of the newest quotes contain them, too. */
const MANY_NAMES = 200;
const NEWEST = 2_000;
/** The maximum number of quotes that are checked for a part of a PO number. */
const MAX_PO_MATCHES = 2_000;

export type FoundQuote = {
  id: number;
  num: number;
  revision: number;
  status_id: StatusId;
  facility_name: string;
  po_number: string;
};

/**
 * Returns the quotes that the text may mean and that the user may see, at most `limit`: by number first, then by PO number, then by the facility's
 * name or account number; the newest of each first.
 */
export async function findQuotes(db: Db, user: Viewer, text: string, limit: number): Promise<FoundQuote[]> {
  const number = typedNumber(text);
  const seen = inSight(user);
  const ways = [
    await byName(db, user, text),
    ...(number === null ? [] : [sql`select id, quote_date, 0 as place from quote where num = ${number} and ${seen}`]),
    ...(hasThreeLetters(text) ? [byPoNumber(user, text)] : []),
  ].map((way) => sql`(select * from (${way}) way order by place, quote_date desc, id desc limit ${sql.lit(limit)})`);
  const { rows } = await sql<FoundQuote>`
    select quote.id, num, revision, status_id, facility_name, po_number
    from (select id, min(place) as place from (${sql.join(ways, sql` union all `)}) way group by id) found join quote using (id)
    order by found.place, quote.quote_date desc, quote.id desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Returns whether the text contains three letters in a row. The index of PO numbers contains groups of three letters. */
function hasThreeLetters(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

/** The user's permission is checked on the results, because an index for it would be read completely. */
function byPoNumber(user: Viewer, text: string): RawBuilder<unknown> {
  const po = sql`plain_text(po_number)`;
  const having = (condition: RawBuilder<unknown>, place: number) => sql`
    select id, quote_date, ${sql.lit(place)} as place from (
      select * from quote where po_number <> '' and ${condition} limit ${sql.lit(MAX_PO_MATCHES)}) quote where ${inSight(user)}`;
  return sql`${having(sql`${po} = plain_text(${text})`, 1)} union all ${having(sql`${po} like plain_text(${contains(text)})`, 2)}`;
}

/**
 * Reads either the quotes of a few names, or the newest quotes until enough contain the words. `offset 0` keeps the planner from scanning all quotes
 * by day until it has found a few with rare names.
 */
async function byName(db: Db, user: Viewer, text: string): Promise<RawBuilder<unknown>> {
  const patterns = wordsOf(text).map((word) => sql<string>`plain_text(${contains(word)})`);
  const names = namesLike(patterns);
  const { rows } = await sql<{ id: number }>`select id from ${names} name limit ${sql.lit(MANY_NAMES + 1)}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const quotes = sql`select id, quote_date, 3 as place`;
  if (ids.length <= MANY_NAMES)
    return sql`${quotes} from quote where name_id = any(${ids}::int[]) and ${inSight(user)} offset 0`;
  return sql`${quotes} from (select id, quote_date, name_id from quote where ${inSight(user)}
    order by quote_date desc, id desc limit ${sql.lit(NEWEST)}) newest where name_id in ${names}`;
}
