// Previews a promotion before it is saved: the message to the sales representative, a priced sample line, and overlaps.
import type { Db } from '#platform/db/database.server.ts';
import { resolvePrices } from '#core/prices/pricing/price-lines.server.ts';
import { kindOf, promotionMessage } from '#core/prices/promotions/promotion.ts';
import { priceLine } from '#core/quoting/quote-edit/lines/price-line.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { currencyOf, extend, type PricePlaces } from '#platform/shared/money.ts';
import type { PromotionEdit } from './promotion-admin.contract.ts';
import { PROMOTION_COLUMNS, type PromotedItem, type Whole } from './promotion-record.server.ts';

type Sample = { qty: number; unit: string; today: IsoDate; places: PricePlaces };

export async function previewOf(
  db: Db,
  promotion: Whole & { id: number },
  item: PromotedItem,
  { qty, unit, today, places }: Sample,
) {
  const { currnIdx } = promotion;
  const line = { qty, unit: unit || promotion.uom || (item.units[0] ?? ''), date: dayItRuns(promotion, today) };
  const [resolved] = await resolvePrices(db, { facilityId: null, currnIdx, priceDate: line.date, places }, [
    { itemId: item.id, unit: line.unit, qty },
  ]);
  const manual = { price: null, discountPct: null, discountAmount: null, reason: '', by: '' };
  const priced = priceLine({
    ...line,
    currnIdx,
    resolved: resolved ?? null,
    promotion,
    promotionId: promotion.id,
    manual,
    places,
  });
  return {
    message: promotionMessage(promotion, currnIdx),
    sample: {
      date: line.date,
      unit: line.unit,
      before: resolved?.systemPrice ?? null,
      price: priced.unitPrice,
      total: priced.unitPrice === null ? null : extend(priced.unitPrice, qty),
      freeQty: priced.freeQty,
      problem: priced.problem,
      proof: priced.proof,
    },
    overlaps: await overlapsOf(db, promotion, item.id),
  };
}

/** Returns today if the promotion is valid today, or else the nearest day on which it is valid. */
function dayItRuns({ validFrom, validTo }: Whole, today: IsoDate): IsoDate {
  if (today < validFrom) return validFrom;
  return validTo !== null && validTo < today ? validTo : today;
}

/** Fixed prices in different currencies never overlap, because each applies only in its own currency. */
async function overlapsOf(db: Db, promotion: Whole & { id: number }, itemId: number): Promise<PromotionEdit[]> {
  const { id, uom, validFrom, validTo, active } = promotion;
  if (!active) return [];
  const others = await db
    .selectFrom('promotion')
    .innerJoin('item', 'item.id', 'promotion.item_id')
    .select(PROMOTION_COLUMNS)
    .where('promotion.item_id', '=', itemId)
    .where('promotion.active', '=', true)
    .where('promotion.id', '!=', id)
    .where((eb) => eb.or([eb('promotion.valid_to', 'is', null), eb('promotion.valid_to', '>=', validFrom)]))
    .$if(validTo !== null, (query) => query.where('promotion.valid_from', '<=', validTo ?? ''))
    .$if(uom !== '', (query) => query.where('promotion.uom', 'in', ['', uom]))
    .orderBy('promotion.valid_from')
    .orderBy('promotion.id')
    .limit(20)
    .execute();
  const isFixed = kindOf(promotion) === 'FixedPrice';
  return others.filter(
    (other) =>
      !isFixed || kindOf(other) !== 'FixedPrice' || currencyOf(other.currnIdx) === currencyOf(promotion.currnIdx),
  );
}
