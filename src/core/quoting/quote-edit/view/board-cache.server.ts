// Caches in this server's memory what boards show beside their quotes and what seldom changes (docs/decisions/0032).
import { type RawBuilder, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { compiledOnce } from '#platform/db/compiled.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { anyOf } from '#platform/db/one-plan-parameter.server.ts';
import { type PlacedPicture, placedPictures } from '#core/catalog/items/choose-pictures.server.ts';
import { type ItemLook, productName } from '#core/catalog/items/item-look.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import type { ActivePromotion } from '#core/prices/promotions/promotions.server.ts';
import { rulesValue } from '#core/quoting/approvals/load-rules.server.ts';
import type { Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';

/** Whether users may configure anything for a new quote, as a value in a statement. */
export const MODELS_ACTIVE = sql<boolean>`exists (select from configurable_model where active)`;

type Person = { id: number; name: string; active: boolean };

/** What boards show of an item, regardless of the user and the day of the quote. */
type KnownItem = Pick<ItemFacts, 'status' | 'visible' | 'units'> &
  Pick<ItemLook, 'productName'> & {
    classId: number | null;
    pictures: PlacedPicture[];
    promotions: ActivePromotion[];
  };

type Company = { rules: Rule[]; timeZone: string; modelsActive: boolean };
type Known = Company & {
  people: Map<number, Person>;
  items: Map<number, KnownItem>;
  /** For each facility, other facilities that look the same and have their own prices. */
  alike: Map<number, string[]>;
};
type Memory = Known & { stamp: string | null };

/** What a board needs from the cache. */
type Needed = { personIds: number[]; itemIds: number[]; facilityIds: number[] };

/** Above this number, the cache is cleared and everything is read again. An item takes less than a kilobyte. */
const MAX_ITEMS = 20_000;

const memories = new WeakMap<Services['database'], Memory>();

/**
 * Identifies the changes to the cached data that the statement's snapshot sees, as a value in a statement. Data read with the same stamp is still
 * correct. The stamp contains the latest change and the transactions that began before it and are still running, because one of those may commit a
 * change that is not the latest. Null for a transaction that has itself changed the data, because it may roll back.
 */
export const BOARD_STAMP = sql<string | null>`(
  select case when not coalesce(is_own, false)
              then concat_ws(' ', latest, pg_postmaster_start_time(), current_date,
                (select string_agg(before::text, ',' order by before)
                   from (select pg_snapshot_xip(pg_current_snapshot()) as before
                         union select pg_current_xact_id_if_assigned()) writing
                  where before < latest)) end
    from (select max(changed_in) as latest, bool_or(changed_in = pg_current_xact_id_if_assigned()) as is_own
            from board_change
           where changed_in < pg_snapshot_xmax(pg_current_snapshot())
              or changed_in = pg_current_xact_id_if_assigned()) change)`;

/** Returns at least the needed facts, from memory if they are there and current. `stamp` is the value that the caller has just read. */
export async function recallKnown(
  context: { db: Db; services: Pick<Services, 'database'> },
  stamp: string | null,
  needed: Needed,
): Promise<Known> {
  const { database } = context.services;
  let memory = memories.get(database);
  if (stamp === null || memory?.stamp !== stamp || memory.items.size > MAX_ITEMS) memory = undefined;
  const missing = {
    isFirst: !memory,
    personIds: needed.personIds.filter((id) => !memory?.people.has(id)),
    itemIds: needed.itemIds.filter((id) => !memory?.items.has(id)),
    facilityIds: needed.facilityIds.filter((id) => !memory?.alike.has(id)),
  };
  const { isFirst, personIds, itemIds, facilityIds } = missing;
  if (memory && personIds.length + itemIds.length + facilityIds.length === 0) return memory;
  const [read] = await readKnown(context.db, missing);
  if (!read) throw new Error('a select without a table has one row');
  // The data has changed since, so the memory and the rows just read do not match.
  if (memory && read.stamp !== stamp) return recallKnown(context, read.stamp, needed);
  const updated = memory ?? {
    stamp: read.stamp,
    ...read.company,
    people: new Map(),
    items: new Map(),
    alike: new Map(),
  };
  for (const person of read.people) updated.people.set(person.id, person);
  for (const values of read.items) updated.items.set(values[0], itemOf(values));
  for (const [facilityId, names] of read.alike) updated.alike.set(facilityId, names);
  if (isFirst && read.stamp !== null) memories.set(database, updated);
  return updated;
}

type PromotionValues = [
  number,
  string,
  number,
  number,
  number,
  number,
  number,
  string,
  IsoDate,
  IsoDate | null,
  number,
];
type ItemValues = [
  number,
  string,
  string,
  string,
  number | null,
  boolean,
  ItemFacts['units'] | null,
  PlacedPicture[] | null,
  string,
  PromotionValues[],
];

/** Rows without field names, because the names would be repeated for each of a thousand items. */
function arrays(columns: RawBuilder<unknown>, order?: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(json_agg(json_build_array(${columns})${order ? sql` order by ${order}` : sql``}), '[]')`;
}

const PROMOTIONS = sql`(
  select ${arrays(
    sql`p.id, p.promotion_type, p.buy_qty, p.get_qty, p.amount, p.min_qty, p.max_qty, p.uom, p.valid_from, p.valid_to,
        p.currn_idx`,
    sql`p.id`,
  )}
    from promotion p
   where p.item_id = item.id and p.active)`;
const UNITS = sql`(
  select json_agg(json_build_object('unit', unit, 'factor', factor) order by factor, unit)
    from item_unit
   where item_id = item.id)`;
const VISIBLE = sql`coalesce((select visible_in_web_quote from item_class where id = item.class_id), true)`;

type Read = {
  stamp: string | null;
  company: Company;
  people: Person[];
  items: ItemValues[];
  alike: [number, string[]][];
};

const readKnown = compiledOnce<Read, Needed & { isFirst: boolean }>(
  ({ isFirst, personIds, itemIds, facilityIds }) => sql`
    select ${BOARD_STAMP} as stamp,
           case when ${isFirst}::boolean then json_build_object(
             'rules', ${rulesValue},
             'modelsActive', ${MODELS_ACTIVE},
             'timeZone', (select time_zone from company)) end as company,
           (select coalesce(json_agg(json_build_object('id', id, 'name', full_name, 'active', active)), '[]')
              from app_user
             where id = ${anyOf(personIds)}) as people,
           (select ${arrays(
             sql`item.id, item.item_number, item.base_unit, item.status, item.class_id, ${VISIBLE}, ${UNITS},
                 ${placedPictures}, ${productName}, ${PROMOTIONS}`,
           )}
              from item
             where id = ${anyOf(itemIds)}) as items,
           (select coalesce(json_agg(json_build_array(id, alike_with_prices(id))), '[]')
              from unnest(${facilityIds}::int[]) id) as alike`,
);

function itemOf(values: ItemValues): KnownItem {
  const [itemId, itemNumber, baseUnit, status, classId, visible, units, pictures, name, promotions] = values;
  const others = units?.filter(({ unit }) => unit !== baseUnit) ?? [];
  return {
    status,
    visible,
    classId,
    pictures: pictures ?? [],
    productName: name,
    units: [{ unit: baseUnit, factor: 1 }, ...others],
    promotions: promotions.map(([id, type, buy, get, amount, minQty, maxQty, uom, validFrom, validTo, currnIdx]) => ({
      id,
      itemId,
      itemNumber,
      promotionType: type,
      buyXGetYFreeBuyQty: buy,
      buyXGetYFreeGetQty: get,
      promotionAmt: amount,
      minQty,
      maxQty,
      uom,
      validFrom,
      validTo,
      currnIdx,
    })),
  };
}
