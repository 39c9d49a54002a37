// Reads promotions of items from the database.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { anyOf, type Given, hidden } from '#platform/db/one-plan-parameter.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import type { DatedPromotion } from './promotion.ts';

export type RunningPromotion = DatedPromotion & { itemId: number };
type Terms = { currnIdx: number; date: IsoDate };
type GivenTerms = { currnIdx: Given<number>; date: Given<IsoDate> };

/** The condition on `promotion p`: active, valid on the day, and for a fixed price in the requested currency. */
export function runsOn(date: RawBuilder<unknown>, currnIdx: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`p.active and p.valid_from <= ${date} and (p.valid_to is null or p.valid_to >= ${date})
    and (p.promotion_type in ('BuyXGetYFree', 'DiscountPct')
      or (p.currn_idx = ${sql.lit(EURO_INDEX)}) = (${currnIdx} = ${sql.lit(EURO_INDEX)}))`;
}

/** An active promotion, whenever it is valid, and its currency. */
export type ActivePromotion = RunningPromotion & { validFrom: IsoDate; currnIdx: number };

/** Returns whether an active promotion is one that `runsOn` finds. */
export function isRunning({ promotionType, validFrom, validTo, ...promotion }: ActivePromotion, terms: Terms): boolean {
  return (
    validFrom <= terms.date &&
    (validTo === null || validTo >= terms.date) &&
    (promotionType === 'BuyXGetYFree' ||
      promotionType === 'DiscountPct' ||
      (promotion.currnIdx === EURO_INDEX) === (terms.currnIdx === EURO_INDEX))
  );
}

/**
 * Active promotions of items that are valid on a day, by item id, in a fixed order. A fixed price applies only in its own currency. Percentages and
 * free goods apply in any currency.
 */
export async function promotionsFor(db: Db, itemIds: number[], terms: Terms): Promise<Map<number, RunningPromotion[]>> {
  if (itemIds.length === 0) return new Map();
  const { rows } = await promotionRows([...new Set(itemIds)], terms).execute(db);
  return Map.groupBy(rows, (row) => row.itemId);
}

/** The query of `promotionsFor`, for a statement that also reads other rows. */
export function promotionRows(itemIds: Given<number[]>, { currnIdx, date }: GivenTerms) {
  return sql<RunningPromotion>`
    select p.id, p.item_id as "itemId", item.item_number as "itemNumber", p.promotion_type as "promotionType",
           p.buy_qty as "buyXGetYFreeBuyQty", p.get_qty as "buyXGetYFreeGetQty", p.amount as "promotionAmt", p.min_qty as "minQty",
           p.max_qty as "maxQty", p.uom, p.valid_from as "validFrom", p.valid_to as "validTo"
      from promotion p join item on item.id = p.item_id
     where p.item_id = ${anyOf(itemIds)} and ${runsOn(hidden(date, 'date'), hidden(currnIdx, 'int'))}
     order by p.item_id, p.id`;
}
