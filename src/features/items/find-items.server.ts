// Which items a search finds and in which order: built for a catalogue of 200,000 items on the trigram index of item.search_text.
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { contains, startsWith, wordsOf } from '#db/contains.ts';
import type { Db } from '#db/database.server.ts';
import type { Tables } from '#db/tables.ts';
import { addMonths, type IsoDate } from '#shared/dates.ts';
import type { Sort } from '#shared/wire.ts';

export type ItemFilter = { keyword: string; classId?: number | null | undefined; hasRecentSaleOnly: boolean };

/** 'Recent' sales orders lie at most this many months back. */
const RECENT_MONTHS = 24;

/** Active items of visible classes; a hidden class appears nowhere. */
export function isOffered(eb: ExpressionBuilder<Tables, 'item'>): Expression<SqlBool> {
  return eb.and([eb('item.status', '=', 'Active'), isVisible(eb)]);
}

/** Not of a hidden class. */
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

/**
 * Ids of one stretch of the result and the size of the whole. Every word must be in the number or the description. Unless sorted
 * otherwise the best come first: the very number, numbers that begin with the keyword, then selling rank, then number.
 */
export async function findItems(
  db: Db,
  filter: ItemFilter,
  today: IsoDate,
  range: { offset: number; limit: number; sort?: Sort | null | undefined },
): Promise<{ ids: number[]; total: number }> {
  const found = matching(db, filter, today);
  const rows = await inOrder(found, filter, range.sort)
    .select(['item.id', sql<number>`count(*) over ()`.as('total')])
    .offset(range.offset)
    .limit(range.limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (rows[0] || range.offset === 0) return { ids, total: rows[0]?.total ?? 0 };
  // A page past the end has no row to tell the size.
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { ids, total };
}

/** Ids of the best `limit` items, uncounted. */
export async function bestItems(db: Db, filter: ItemFilter, today: IsoDate, limit: number): Promise<number[]> {
  const rows = await inOrder(matching(db, filter, today), filter)
    .select('item.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type Matching = SelectQueryBuilder<Tables, 'item', object>;

function matching(db: Db, { keyword, classId, hasRecentSaleOnly }: ItemFilter, today: IsoDate): Matching {
  let query: Matching = db.selectFrom('item').where(isOffered);
  for (const word of wordsOf(keyword.toLowerCase())) query = query.where('item.search_text', 'like', contains(word));
  if (classId) query = query.where('item.class_id', '=', classId);
  if (hasRecentSaleOnly) query = query.where('item.last_sold', '>=', addMonths(today, -RECENT_MONTHS));
  return query;
}

const SORTABLE = {
  itemNumber: sql`lower(item.item_number)`,
  description: sql`lower(item.description)`,
  sellingRankNum: sql`item.selling_rank_num`,
  lastSold: sql`item.last_sold`,
};

function inOrder(query: Matching, { keyword }: ItemFilter, sort?: Sort | null): Matching {
  const field = sort ? SORTABLE[sort.field as keyof typeof SORTABLE] : undefined;
  if (sort && field) {
    return query
      .orderBy(field, (order) => (sort.dir === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
      .orderBy('item.item_number');
  }
  const whole = wordsOf(keyword.toLowerCase()).join(' ');
  const nearness = sql`case when lower(item.item_number) = ${whole} then 0
    when lower(item.item_number) like ${startsWith(whole)} then 1 else 2 end`;
  return (whole ? query.orderBy(nearness) : query).orderBy('item.selling_rank_num', 'desc').orderBy('item.item_number');
}
