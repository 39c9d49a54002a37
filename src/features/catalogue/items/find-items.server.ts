// Which items a search finds and in which order: built for a catalogue of 200,000 items on the trigram index of item.search_text.
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { contains, folded, startsWith, wordsOf } from '#db/contains.server.ts';
import type { Db } from '#db/database.server.ts';
import type { Tables } from '#db/tables.ts';
import type { Sort } from '#shared/wire.ts';

export type ItemFilter = { keyword: string; classId?: number | null | undefined; hasRecentSaleOnly: boolean };

/** A sales order is 'recent' for this many months. */
const RECENT_MONTHS = 24;

/** Active items of visible classes; items of a hidden class appear nowhere. */
export function isOffered(eb: ExpressionBuilder<Tables, 'item'>): Expression<SqlBool> {
  return eb.and([eb('item.status', '=', 'Active'), isVisible(eb)]);
}

/** The item's class is not hidden. */
export function isVisible(eb: ExpressionBuilder<Tables, 'item'>): Expression<SqlBool> {
  return eb.not(
    eb.exists(
      eb
        .selectFrom('item_class')
        .select(sql<number>`1`.as('one'))
        .whereRef('item_class.id', '=', 'item.class_id')
        .where('item_class.visible_in_web_quote', '=', false),
    ),
  );
}

/** Today where the company is, by this clock: known to the database without being asked for first. */
function todayOf(now: Date): RawBuilder<unknown> {
  return sql`(select (${now.toISOString()}::timestamptz at time zone time_zone)::date from company)`;
}

type Range = { offset: number; limit: number; sort?: Sort | null | undefined };

/**
 * A statement for one stretch of the result, `total` with each row. Every word must be in the number or the description. Unless sorted
 * otherwise the best come first: the very number, numbers that begin with the keyword, then selling rank, then number.
 */
export function foundItems(filter: ItemFilter, now: Date, range: Range): RawBuilder<{ id: number; total: number }> {
  const matching = matchingItems(filter, now);
  // Few are counted and sorted in one pass; the whole catalogue is counted on its own.
  const total = isSelective(filter) ? sql`count(*) over ()` : sql`(select count(*) from item where ${matching})`;
  return sql`select item.id, ${total} as total from item where ${matching}
    order by ${inOrder(filter, range.sort)} offset ${range.offset} limit ${range.limit}`;
}

/** A statement for the ids of the best `limit` items, uncounted. */
export function bestItems(filter: ItemFilter, now: Date, limit: number): RawBuilder<{ id: number }> {
  return sql`select item.id from item where ${matchingItems(filter, now)} order by ${inOrder(filter)} limit ${limit}`;
}

export async function countItems(db: Db, filter: ItemFilter, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from item where ${matchingItems(filter, now)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Three letters together are in the index, so that one plan serves all such searches. */
export function isSelective({ keyword }: ItemFilter): boolean {
  return wordsOf(keyword).some((word) => /[\p{L}\p{N}]{3}/u.test(word));
}

function matchingItems(filter: ItemFilter, now: Date): Expression<SqlBool> {
  const { keyword, classId, hasRecentSaleOnly } = filter;
  const eb = expressionBuilder<Tables, 'item'>();
  const holding = (word: string) =>
    isSelective(filter) ? sql<string>`(select ${folded(contains(word))})` : folded(contains(word));
  return eb.and([
    isOffered(eb),
    ...wordsOf(keyword).map((word) => eb('item.search_text', 'like', holding(word))),
    ...(classId ? [eb('item.class_id', '=', classId)] : []),
    ...(hasRecentSaleOnly
      ? [sql<boolean>`item.last_sold >= (${todayOf(now)} - ${RECENT_MONTHS} * interval '1 month')::date`]
      : []),
  ]);
}

const SORTABLE = {
  itemNumber: sql`lower(item.item_number)`,
  description: sql`lower(item.description)`,
  sellingRankNum: sql`item.selling_rank_num`,
  lastSold: sql`item.last_sold`,
};

/** What rows of `item` are ordered by. */
export function inOrder({ keyword }: ItemFilter, sort?: Sort | null): RawBuilder<unknown> {
  const field = sort && Object.hasOwn(SORTABLE, sort.field) ? SORTABLE[sort.field as keyof typeof SORTABLE] : undefined;
  if (sort && field) return sql`${field} ${sql.raw(sort.dir)} nulls last, item.item_number`;
  const best = sql`item.selling_rank_num desc, item.item_number`;
  const whole = wordsOf(keyword.toLowerCase()).join(' ');
  if (!whole) return best;
  return sql`case when lower(item.item_number) = ${whole} then 0 when lower(item.item_number) like ${startsWith(whole)} then 1
    else 2 end, ${best}`;
}
