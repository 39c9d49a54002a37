// Finds the items of a search in order, from this server's memory or else from the trigram index of item.search_text.
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { contains, folded, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { hidden } from '#platform/db/one-plan-parameter.server.ts';
import { COUNTED, direction } from '#platform/db/page.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { withoutEnding, withoutPlural } from '#core/catalog/item-finder/endings.server.ts';
import { fitting } from '#core/catalog/item-finder/number-matches.server.ts';
import {
  type Asked,
  isFresh,
  itemCache,
  recentFrom,
  type Remembered,
} from '#core/catalog/item-cache/item-cache.server.ts';
import type { Sort } from '#platform/shared/wire.ts';

export type ItemFilter = {
  keyword: string;
  classId?: number | null | undefined;
  hasRecentSaleOnly: boolean;
  /** Numbers of other customers are ignored. */
  facilityId?: number | null | undefined;
  /** Strips the commonest endings from words, not only those of a plural. */
  loose?: boolean;
};

/** Active items of visible classes. Items of a hidden class appear nowhere. */
export function isOffered(eb: ExpressionBuilder<Tables, 'item'>): Expression<SqlBool> {
  return eb.and([eb('item.status', '=', 'Active'), isVisible(eb)]);
}

/** Whether the item's class is visible. */
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

function isRecent(now: Date): RawBuilder<boolean> {
  return sql`item.last_sold >= ${recentFrom(now)}`;
}

/** Whether any item has a recent sale. In a new installation none has. */
export async function haveRecentSales(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{
    have: boolean;
  }>`select exists (select from item where ${isRecent(now)}) as have`.execute(db);
  return rows[0]?.have ?? false;
}

type Range = { offset: number; limit: number; sort?: Sort | null | undefined };
/**
 * One row of a range. An empty range has one row with a null `id`, because the counts are always present. `fit` is the item's number that the keyword
 * matches, or null. `meant`: no other item has that number. `must_choose` and `said_unit` come from a cross-reference. `snapshot` is null if this
 * server's memory was out of date.
 */
export type Found = {
  id: number | null;
  total: number;
  snapshot: string | null;
  fit: string | null;
  meant: boolean | null;
  must_choose: boolean | null;
  said_unit: string | null;
};

/** Reads the columns it needs of the items in `result`, in the order of `by`. */
type Read<R> = (result: RawBuilder<Found>, by: RawBuilder<unknown>, onePlan: boolean) => Promise<(R & Found)[]>;
type Keeper = Pick<Services, 'database' | 'log'>;

/**
 * One range of the matching items, and their total number: exact up to `COUNTED`, else one more. An item matches if the keyword is one of its numbers
 * (`fitting`), or if every word is in its number, words, brand or manufacturer. By default the best come first: the exact number, other numbers that
 * match, numbers that begin with the keyword, then selling rank, then number. If nothing matches, words lose more of their endings. Do not search in
 * a transaction that has changed items, because the memory does not include those changes.
 */
export async function stretchOfItems<R>(
  services: Keeper,
  read: Read<R>,
  filter: ItemFilter,
  now: Date,
  range: Range,
): Promise<{ rows: R[]; total: number }> {
  const { rows, total } =
    (await byMemory(services, read, filter, now, range)) ?? (await byIndex(read, filter, now, range));
  const loose = total === 0 ? loosened(filter) : null;
  if (loose) return stretchOfItems(services, read, loose, now, range);
  return { rows: rows.filter(({ id }) => id !== null), total };
}

/** Returns null if the memory cannot answer, while it is being read, or if items change faster than it can catch up. */
async function byMemory<R>(services: Keeper, read: Read<R>, filter: ItemFilter, now: Date, range: Range) {
  const order = orderOfItems(filter, range.sort);
  const most = range.offset + range.limit;
  // Only the database knows how it folds letters outside ASCII.
  if (order.whole === undefined || most > COUNTED || !/^\p{ASCII}*$/u.test(filter.keyword)) return null;
  const { keyword, classId, hasRecentSaleOnly, loose = false } = filter;
  const request: Asked = {
    words: wordsOf(keyword).map((typed) => writtenForms(searched(typed, loose))),
    whole: order.whole,
    classId: classId ?? null,
    recentOnly: hasRecentSaleOnly,
    most,
  };
  const memory = itemCache(services);
  for (let tries = 0; tries < 2; tries++) {
    const match = memory.find(request, now);
    if (!match) return null;
    const rows = await read(remembered(match, matchingItems(filter, now), order, range, now), order.by, true);
    const snapshot = rows[0]?.snapshot;
    if (snapshot) {
      memory.confirm(match.known, snapshot);
      return { rows, total: rows[0]?.total ?? 0 };
    }
    await memory.catchUp(now);
  }
  return null;
}

/** The items from memory, and those whose number the keyword is: all by item_pkey, at most `COUNTED` and `MAX_FITTING`. */
function remembered(
  { ids, begins, total, known }: Remembered,
  { asked, words }: Matching,
  { by, fits }: Order,
  { offset, limit }: Range,
  now: Date,
): RawBuilder<Found> {
  const keys = sql`item.selling_rank_num as rank, item.item_number as number`;
  // Hides the ids from the planner, as `hidden` does. Otherwise a search with few items would be planned at each call.
  const idList = sql`(select ${ids}::int[])`;
  return sql`
    with ${fits},
    given as materialized (
      select id, case when begins then ${sql.lit(BEGINS)} else ${sql.lit(OTHER)} end as place
        from unnest(${idList}, (select ${begins}::boolean[])) g (id, begins)),
    found as materialized (
      select item.id, coalesce(fits.place, given.place) as place, ${keys}, 0 as more
        from given
        join item on item.id = given.id
        left join fits on fits.item_id = given.id
      union all
      select item.id, fits.place, ${keys}, case when ${words} then 0 else 1 end
        from fits
        join item on item.id = fits.item_id
       where ${asked} and item.id <> all (${idList}::int[])),
    size as materialized (
      select least(${total}::int + (select coalesce(sum(more), 0) from found), ${sql.lit(COUNTED + 1)})::int as total,
             case when ${isFresh(known, now)} then pg_current_snapshot()::text end as snapshot)
    select size.*, best.*, fits.fit, fits.meant, fits.must_choose, fits.said_unit
      from size
      left join (
        select id, place, rank, number
          from found
         order by ${by}
        offset ${hidden(offset, 'int')} limit ${hidden(limit, 'int')}) best on true
      left join fits on fits.item_id = best.id`;
}

/** Without memory, a second statement sorts all matching items if there are more than `COUNTED`. */
async function byIndex<R>(read: Read<R>, filter: ItemFilter, now: Date, range: Range) {
  const [matching, order] = [matchingItems(filter, now), orderOfItems(filter, range.sort)];
  const rows = await read(few(matching, order, range), order.by, isSelective(filter));
  const total = rows[0]?.total ?? 0;
  return { rows: total <= COUNTED ? rows : await read(sortedRange(matching, order, range), order.by, false), total };
}

/** The ids of all matching items in order, at most `limit`, for an export. */
export async function allItems(
  db: Db,
  filter: ItemFilter,
  now: Date,
  { limit, sort }: Omit<Range, 'offset'>,
): Promise<number[]> {
  const { rows } = await sortedRange(matchingItems(filter, now), orderOfItems(filter, sort), {
    offset: 0,
    limit,
  }).execute(db);
  const loose = rows.length === 0 ? loosened(filter) : null;
  return loose ? allItems(db, loose, now, { limit, sort }) : rows.map(({ id }) => id);
}

/** The same search with shorter words, or null if no word gets shorter. */
function loosened(filter: ItemFilter): ItemFilter | null {
  const words = wordsOf(filter.keyword);
  if (filter.loose || words.every((word) => withoutEnding(word) === withoutPlural(word))) return null;
  return { ...filter, loose: true };
}

/**
 * The sort order: `keys` are columns of each found item, and `by` sorts by them. `fits` are the items whose number the keyword is. `whole` is the
 * keyword as the start of a number; only the default order has it.
 */
type Order = { keys: RawBuilder<unknown>; by: RawBuilder<unknown>; fits: RawBuilder<unknown>; whole?: string };

/** The most items that one number can find. Thousands have 'N/A' as their manufacturer number. */
const MAX_FITTING = 200;
/** The places after those of `fitting`: numbers that begin with the keyword, and all others. */
const BEGINS = 5;
const OTHER = 6;

const SORTABLE = {
  itemNumber: sql`lower(item.item_number)`,
  description: sql`lower(item.description)`,
  sellingRankNum: sql`item.selling_rank_num`,
  lastSold: sql`item.last_sold`,
};

function orderOfItems({ keyword, facilityId }: ItemFilter, sort: Sort | null | undefined): Order {
  const fits = fitsOf(keyword.trim(), facilityId ?? null);
  const field = sort && Object.hasOwn(SORTABLE, sort.field) ? SORTABLE[sort.field as keyof typeof SORTABLE] : undefined;
  if (sort && field) {
    return {
      fits,
      keys: sql`${field} as key, item.item_number as number`,
      by: sql`key ${direction(sort.dir)} nulls last, number`,
    };
  }
  const whole = wordsOf(keyword.toLowerCase()).join(' ');
  return {
    fits,
    keys: sql`${placeBy(whole)} as place, item.selling_rank_num as rank, item.item_number as number`,
    by: sql`place, rank desc, number`,
    whole,
  };
}

/** The common table of items whose number the keyword is, by the indexes of `fitting`. Empty without a keyword. */
function fitsOf(typed: string, facilityId: number | null) {
  const numbers =
    typed === ''
      ? NO_NUMBERS
      : sql`(select ${hidden(typed, 'text')} as typed, ${hidden(facilityId, 'int')} as facility offset 0) k,
            lateral (${fitting(sql`k.typed`, sql`k.facility`)}) f`;
  return sql`fits as materialized (
      select f.item_id, f.place,
             case f.kind when 'Item number' then f.kind else f.kind || ' ' || f.number end as fit,
             f.sure and f.tier <= f.best and count(*) filter (where f.tier <= f.best) over () = 1 as meant,
             not f.sure as must_choose, f.unit as said_unit
        from ${numbers}
       order by f.place
       limit ${sql.lit(MAX_FITTING)})`;
}

const NO_NUMBERS = sql`(
        select 0 as item_id, 0 as tier, 0 as best, 0 as place, '' as kind, '' as number, true as sure, '' as unit
         where false) f`;

/** The place of a number that matches, else BEGINS or OTHER. Two lookups skip the common case that no number matches or begins with the keyword. */
function placeBy(whole: string): RawBuilder<number> {
  if (!whole) return sql`${sql.lit(OTHER)}`;
  const begins = sql`case when not (select exists (select from item where ${beginsWith(whole)})) then ${sql.lit(OTHER)}
    when starts_with(lower(item.item_number), ${hidden(whole, 'text')}) then ${sql.lit(BEGINS)}
    else ${sql.lit(OTHER)} end`;
  return sql`case when not (select exists (select from fits)) then ${begins}
    else coalesce((select fits.place from fits where fits.item_id = item.id), ${begins}) end`;
}

/**
 * The planner uses item_number_pattern for this, whatever the keyword. `after` is the keyword with the last of all characters, so that every number
 * with this start sorts before it.
 */
function beginsWith(whole: string): RawBuilder<boolean> {
  const after = `${whole}\u{10FFFF}`;
  return sql`lower(item.item_number) ~>=~ ${hidden(whole, 'text')}
    and lower(item.item_number) ~<~ ${hidden(after, 'text')}`;
}

/** The items whose number the keyword is, whatever their words. */
function near({ asked }: Matching, { keys }: Order): RawBuilder<unknown> {
  return sql`select item.id, ${keys} from item where item.id = any (array(select item_id from fits)) and ${asked}`;
}

/** Counts up to one more than `COUNTED` items as it reads them, and sorts them if there are no more. */
function few(matching: Matching, order: Order, { offset, limit }: Range): RawBuilder<Found> {
  const { keys, by, fits } = order;
  const counted = sql.lit(COUNTED + 1);
  return sql`
    with ${fits}, hit as materialized (
        (select item.id, ${keys} from item where ${matching.all} limit ${counted})
        union all (${near(matching, order)} and not (${matching.words}))),
      size as materialized (select least(count(*), ${counted})::int as total, null as snapshot from hit)
    select size.*, best.*, fits.fit, fits.meant, fits.must_choose, fits.said_unit from size left join (
      select * from hit where (select total from size) <= ${sql.lit(COUNTED)}
      order by ${by} offset ${hidden(offset, 'int')} limit ${hidden(limit, 'int')}) best on true
    left join fits on fits.item_id = best.id`;
}

/** Reads and sorts all matching items, and returns the range. */
function sortedRange(matching: Matching, order: Order, { offset, limit }: Omit<Range, 'sort'>) {
  const { keys, by, fits } = order;
  return sql<Found & { id: number }>`with ${fits}
    select found.*, ${sql.lit(COUNTED + 1)} as total, null as snapshot, fits.fit, fits.meant, fits.must_choose,
      fits.said_unit
    from (select item.id, ${keys} from item where ${matching.all}
      union all ${near(matching, order)} and not (${matching.words})) found
    left join fits on fits.item_id = found.id order by ${by} offset ${offset} limit ${limit}`;
}

/** The index contains groups of three letters, so one plan serves all such searches. */
function isSelective({ keyword }: ItemFilter): boolean {
  return wordsOf(keyword).some((word) => /[\p{L}\p{N}]{3}/u.test(word));
}

/** Conditions on an item: the filters besides the keyword, that it has every word, and both. */
type Matching = { asked: Expression<SqlBool>; words: Expression<SqlBool>; all: Expression<SqlBool> };

function matchingItems(filter: ItemFilter, now: Date): Matching {
  const { keyword, classId, hasRecentSaleOnly, loose = false } = filter;
  const eb = expressionBuilder<Tables, 'item'>();
  const once = (pattern: RawBuilder<string>) => (isSelective(filter) ? sql<string>`(select ${pattern})` : pattern);
  const holding = (typed: string) => {
    const word = searched(typed, loose);
    const written = eb('item.search_text', 'like', once(folded(contains(word))));
    if (!isBroken(word)) return written;
    return eb.or([written, eb('item.search_text', 'like', once(sql`'%' || bare_text(${word}) || '%'`))]);
  };
  const request = eb.and([
    isOffered(eb),
    ...(classId ? [eb('item.class_id', '=', classId)] : []),
    ...(hasRecentSaleOnly ? [isRecent(now)] : []),
  ]);
  const words = eb.and([sql<boolean>`true`, ...wordsOf(keyword).map(holding)]);
  return { asked: request, words, all: eb.and([request, words]) };
}

/** The part of a typed word to search for. */
function searched(typed: string, loose: boolean): string {
  return loose ? withoutEnding(typed) : withoutPlural(typed);
}

/** The forms of an ASCII word that `matchingItems` compares, as the database writes them. */
function writtenForms(word: string): string[] {
  const folded = word.toLowerCase();
  return isBroken(word) ? [folded, folded.replaceAll(/[^a-z0-9]/g, '')] : [folded];
}

/** Whether a word may be a number with dashes that the item's number does not contain. */
function isBroken(word: string): boolean {
  return /\d/.test(word) && /[^\p{L}\p{N}]/u.test(word) && word.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= 4;
}
