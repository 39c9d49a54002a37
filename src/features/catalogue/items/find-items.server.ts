// Finds the items of a search in order. It uses the trigram index of item.search_text, for a catalogue of 200,000 items.
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { contains, folded, wordsOf } from '#db/contains.server.ts';
import type { Db } from '#db/database.server.ts';
import { hidden } from '#db/hidden-parameter.server.ts';
import { COUNTED } from '#db/page.server.ts';
import type { Tables } from '#db/tables.ts';
import { companyDay } from '#features/company/company/company.server.ts';
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

type Range = { offset: number; limit: number; sort?: Sort | null | undefined };
/** One row of a range. In an empty range the only row has a null `id`, because the counts are always present. */
export type Found = { id: number | null; total: number; top: number; head: number };

/** Items from this rank on have their own search index (item_search_top); the best page of a common word is among them. */
const TOP = sql.lit(4);

/**
 * One range of the matching items, and their total number: exact up to `COUNTED`, else one more. Every word must be in
 * the number or the description. By default the best come first: the exact number, numbers that begin with the keyword, then
 * selling rank, then number. `read` reads what it needs of the found items, in the order of `by`.
 */
export async function stretchOfItems<R>(
  read: (found: RawBuilder<Found>, by: RawBuilder<unknown>, onePlan: boolean) => Promise<(R & Found)[]>,
  filter: ItemFilter,
  now: Date,
  range: Range,
): Promise<{ rows: R[]; total: number }> {
  const { offset, limit } = range;
  const matching = matchingItems(filter, now);
  const order = orderOf(filter, range.sort);
  const rows = await read(fewOrTop(matching, order, range), order.by, isSelective(filter));
  const { total = 0, top = 0, head = 0 } = rows[0] ?? {};
  const there = rows.filter(({ id }) => id !== null);
  if (total <= COUNTED || isWithinTop({ top, head }, order, range)) return { rows: there, total };
  const isCommon = order.whole !== undefined && top > COUNTED && offset + limit <= COUNTED;
  const rest = isCommon ? walked(matching, order, head > COUNTED ? 1 : 2, range) : sorted(matching, order, range);
  return { rows: await read(rest, order.by, false), total };
}

/** The ids of all matching items in order, at most `limit`, for an export. */
export async function allItems(db: Db, filter: ItemFilter, now: Date, { limit, sort }: Omit<Range, 'offset'>) {
  const { rows } = await sorted(matchingItems(filter, now), orderOf(filter, sort), { offset: 0, limit }).execute(db);
  return rows.map(({ id }) => id);
}

/**
 * The sort order: `keys` are columns of each found item, `by` sorts by them. `whole` is the keyword as the beginning of a
 * number; only the default order has it.
 */
type Order = { keys: RawBuilder<unknown>; by: RawBuilder<unknown>; whole?: string };

const SORTABLE = {
  itemNumber: sql`lower(item.item_number)`,
  description: sql`lower(item.description)`,
  sellingRankNum: sql`item.selling_rank_num`,
  lastSold: sql`item.last_sold`,
};

function orderOf({ keyword }: ItemFilter, sort: Sort | null | undefined): Order {
  const field = sort && Object.hasOwn(SORTABLE, sort.field) ? SORTABLE[sort.field as keyof typeof SORTABLE] : undefined;
  if (sort && field) {
    return {
      keys: sql`${field} as key, item.item_number as number`,
      by: sql`key ${sql.raw(sort.dir)} nulls last, number`,
    };
  }
  const whole = wordsOf(keyword.toLowerCase()).join(' ');
  return {
    keys: sql`${placeBy(whole)} as place, item.selling_rank_num as rank, item.item_number as number`,
    by: sql`place, rank desc, number`,
    whole,
  };
}

/** 0 for the exact number, 1 for a number that begins with the keyword, 2 for any other. One lookup skips the common case that no number does. */
function placeBy(whole: string): RawBuilder<number> {
  if (!whole) return sql`2`;
  return sql`case when not (select exists (select from item where ${beginsWith(whole)})) then 2 when lower(item.item_number) = ${hidden(whole, 'text')} then 0
    when starts_with(lower(item.item_number), ${hidden(whole, 'text')}) then 1 else 2 end`;
}

/** The planner reads this through item_number_pattern for any keyword. No text with this beginning sorts after the last of all characters. */
function beginsWith(whole: string): RawBuilder<boolean> {
  const after = `${whole}\u{10FFFF}`;
  return sql`lower(item.item_number) ~>=~ ${hidden(whole, 'text')} and lower(item.item_number) ~<~ ${hidden(after, 'text')}`;
}

/** The numbers that begin with the keyword, or only the exact number. */
function better(matching: Expression<SqlBool>, { keys, whole = '' }: Order, than: 1 | 2): RawBuilder<unknown> {
  const number = than === 1 ? sql`lower(item.item_number) = ${whole}` : beginsWith(whole);
  return sql`select item.id, ${keys} from item where ${whole ? number : sql`false`} and ${matching} limit ${sql.lit(COUNTED + 1)}`;
}

/**
 * Counts and sorts up to `COUNTED` items as it reads them. If there are more, it searches only items of a high rank and
 * numbers that begin with the keyword; that is enough for a range within these items (`isWithinTop`).
 */
function fewOrTop(matching: Expression<SqlBool>, order: Order, { offset, limit }: Range): RawBuilder<Found> {
  const { keys, by, whole } = order;
  const counted = sql.lit(COUNTED + 1);
  const top = sql`select item.id, ${keys} from item where item.selling_rank_num >= ${TOP} and ${matching} limit ${counted}`;
  const many = sql`select * from top union all select * from head where rank < ${TOP}`;
  return sql`
    with hit as materialized (select item.id, ${keys} from item where ${matching} limit ${counted}),
      ${
        whole === undefined
          ? sql``
          : sql`top as materialized (${top}), head as materialized (${better(matching, order, 2)}),`
      }
      size as materialized (select total, ${
        whole === undefined
          ? sql`0 as top, 0 as head`
          : sql`case when total > ${sql.lit(COUNTED)} then (select count(*) from top) else 0 end as top,
            case when total > ${sql.lit(COUNTED)} then (select count(*) from head) else 0 end as head`
      } from (select count(*) as total from hit) counted)
    select size.*, best.* from size left join (
      select * from (select * from hit where (select total from size) <= ${sql.lit(COUNTED)}
        ${whole === undefined ? sql`` : sql`union all select * from (${many}) many where (select total > ${sql.lit(COUNTED)} and top <= ${sql.lit(COUNTED)} from size)`}) found
      order by ${by} offset ${hidden(offset, 'int')} limit ${hidden(limit, 'int')}) best on true`;
}

/** Tells whether the range of a common word is complete: it lies within the items of a high rank, and these and the number matches are complete. */
function isWithinTop({ top, head }: Pick<Found, 'top' | 'head'>, { whole }: Order, { offset, limit }: Range): boolean {
  return whole !== undefined && top <= COUNTED && head <= COUNTED && offset + limit <= top;
}

/**
 * The range of a word that very many items have. It takes the items with a better place than `place`, then those with `place` in order of rank
 * from an index, until it has enough.
 */
function walked(
  matching: Expression<SqlBool>,
  order: Order,
  place: 1 | 2,
  { offset, limit }: Range,
): RawBuilder<Found> {
  return sql`select id, ${sql.lit(COUNTED + 1)} as total, 0 as top, 0 as head, place, rank, number from (
      select * from (${better(matching, order, place)}) better where place < ${sql.lit(place)}
      union all select * from (select item.id, ${order.keys} from item where ${matching} and ${placeBy(order.whole ?? '')} = ${sql.lit(place)}
        order by item.selling_rank_num desc, item.item_number limit ${sql.lit(offset + limit)}) same) found
    order by ${order.by} offset ${sql.lit(offset)} limit ${sql.lit(limit)}`;
}

/** Reads and sorts all matching items, and returns the range. */
function sorted(matching: Expression<SqlBool>, { keys, by }: Order, { offset, limit }: Omit<Range, 'sort'>) {
  return sql<Found & { id: number }>`select found.*, ${sql.lit(COUNTED + 1)} as total, 0 as top, 0 as head
    from (select item.id, ${keys} from item where ${matching}) found order by ${by} offset ${offset} limit ${limit}`;
}

/** The index holds groups of three letters, so that one plan serves all such searches. */
function isSelective({ keyword }: ItemFilter): boolean {
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
      ? [sql<boolean>`item.last_sold >= (${companyDay(now)} - ${RECENT_MONTHS} * interval '1 month')::date`]
      : []),
  ]);
}
