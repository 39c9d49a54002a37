// Reads, checks and writes one promotion.

import type { z } from 'zod';
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { itemMeant } from '#core/catalog/item-finder/find-by-number.server.ts';
import { oneRecord } from '#platform/history/record-kit.server.ts';
import { kindOf } from '#core/prices/promotions/promotion.ts';
import { type PromotionEdit, WholePromotion } from './promotion-admin.contract.ts';

export type Whole = z.infer<typeof WholePromotion>;
export type PromotedItem = { id: number; itemNumber: string; description: string; units: string[] };

export const PROMOTION_COLUMNS = [
  'promotion.id',
  'promotion.name',
  'promotion.promotion_type as promotionType',
  'item.item_number as itemNumber',
  'promotion.buy_qty as buyXGetYFreeBuyQty',
  'promotion.get_qty as buyXGetYFreeGetQty',
  'promotion.amount as promotionAmt',
  'promotion.min_qty as minQty',
  'promotion.max_qty as maxQty',
  'promotion.uom',
  'promotion.currn_idx as currnIdx',
  'promotion.valid_from as validFrom',
  'promotion.valid_to as validTo',
  'promotion.active',
  'promotion.version',
] as const;

/** Throws 404 if there is no such promotion. `lock` locks the row until the transaction ends. */
export async function readPromotion(db: Db, id: number, lock?: 'lock'): Promise<PromotionEdit> {
  const query = db
    .selectFrom('promotion')
    .innerJoin('item', 'item.id', 'promotion.item_id')
    .select(PROMOTION_COLUMNS)
    .where('promotion.id', '=', id);
  return oneRecord('promotion', query, lock);
}

/** Returns an item with its units, base unit first. Throws 422 if the number does not identify exactly one item. */
export async function promotedItem(db: Db, number: string): Promise<PromotedItem> {
  const itemId = await itemMeant(db, number);
  const rows = await db
    .selectFrom('item')
    .leftJoin('item_unit', 'item_unit.item_id', 'item.id')
    .select(['item.id', 'item.item_number', 'item.description', 'item.base_unit', 'item_unit.unit'])
    .where('item.id', '=', itemId)
    .orderBy('item_unit.factor')
    .execute();
  const [item] = rows;
  if (!item) throw invalid([{ path: 'itemNumber', message: `There is no item ${number}.` }]);
  const units = new Set([item.base_unit, ...rows.flatMap(({ unit }) => unit ?? [])]);
  return { id: item.id, itemNumber: item.item_number, description: item.description, units: [...units] };
}

/** Requires a consistent promotion of an existing item and unit. Otherwise throws 422. Drops values that belong to other types. */
export async function requireWhole(
  db: Db,
  input: Partial<Record<keyof PromotionEdit, unknown>> & { id: number },
): Promise<{ id: number; whole: Whole; item: PromotedItem }> {
  const checked = WholePromotion.safeParse(input);
  if (!checked.success)
    throw invalid(checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  const whole = checked.data;
  const item = await promotedItem(db, whole.itemNumber);
  if (whole.uom !== '' && !item.units.includes(whole.uom)) {
    const message = `Item ${item.itemNumber} has no unit ${whole.uom}: it is sold in ${item.units.join(', ')}.`;
    throw invalid([{ path: 'uom', message }]);
  }
  const other =
    kindOf(whole) === 'BuyXGetYFree' ? { promotionAmt: 0 } : { buyXGetYFreeBuyQty: 0, buyXGetYFreeGetQty: 0 };
  return { id: input.id, whole: { ...whole, promotionType: whole.promotionType || 'FixedPrice', ...other }, item };
}

/** The stored columns of a complete promotion. */
export function promotionColumns(whole: Whole, item: PromotedItem) {
  return {
    name: whole.name,
    promotion_type: whole.promotionType,
    item_id: item.id,
    buy_qty: whole.buyXGetYFreeBuyQty,
    get_qty: whole.buyXGetYFreeGetQty,
    amount: whole.promotionAmt,
    min_qty: whole.minQty,
    max_qty: whole.maxQty,
    uom: whole.uom,
    currn_idx: whole.currnIdx,
    valid_from: whole.validFrom,
    valid_to: whole.validTo,
    active: whole.active,
  };
}
