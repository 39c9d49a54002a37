// Promotions of items as they stand in the database.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import { currencyOf, EURO_INDEX } from '#shared/money.ts';
import type { DatedPromotion } from './promotion.ts';

/**
 * Active promotions of items that run on a day, by item id, in a fixed order. A fixed price counts only in its own currency;
 * percentages and free goods know none.
 */
export async function promotionsFor(
  db: Db,
  itemIds: number[],
  { currnIdx, date }: { currnIdx: number; date: IsoDate },
): Promise<Map<number, (DatedPromotion & { itemId: number })[]>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('promotion as p')
    .innerJoin('item', 'item.id', 'p.item_id')
    .select(['p.id', 'p.item_id as itemId', 'item.item_number as itemNumber', 'p.promotion_type as promotionType'])
    .select(['p.buy_qty as buyXGetYFreeBuyQty', 'p.get_qty as buyXGetYFreeGetQty', 'p.amount as promotionAmt'])
    .select([
      'p.min_qty as minQty',
      'p.max_qty as maxQty',
      'p.uom',
      'p.valid_from as validFrom',
      'p.valid_to as validTo',
    ])
    .where('p.item_id', '=', sql<number>`any(${[...new Set(itemIds)]}::int[])`)
    .where('p.active', '=', true)
    .where('p.valid_from', '<=', date)
    .where((eb) => eb.or([eb('p.valid_to', 'is', null), eb('p.valid_to', '>=', date)]))
    .where((eb) =>
      eb.or([
        eb('p.promotion_type', 'in', ['BuyXGetYFree', 'DiscountPct']),
        eb('p.currn_idx', currencyOf(currnIdx) === 'EUR' ? '=' : '!=', EURO_INDEX),
      ]),
    )
    .orderBy('p.item_id')
    .orderBy('p.id')
    .execute();
  return Map.groupBy(rows, (row) => row.itemId);
}
