// Defines a promotion, its message to a sales representative, and when it applies (specification sections 3, 6 and 9; design 4, step 5).
import { z } from 'zod';
import type { IsoDate } from '#platform/shared/dates.ts';
import {
  compare,
  type Decimal,
  formatPrice,
  fromUnits,
  lessPercent,
  type PricePlaces,
  roundDiscounted,
  toUnits,
} from '#platform/shared/money.ts';

export const Promotion = z.object({
  id: z.number().int(),
  /** BuyXGetYFree or DiscountPct. Anything else means a fixed promotional price. */
  promotionType: z.string(),
  itemNumber: z.string(),
  buyXGetYFreeBuyQty: z.number(),
  buyXGetYFreeGetQty: z.number(),
  promotionAmt: z.number(),
  minQty: z.number(),
  /** 0 or less means unlimited. */
  maxQty: z.number(),
  /** Empty means any unit. */
  uom: z.string(),
});
export type Promotion = z.infer<typeof Promotion>;

/** The three kinds in words. Any other type is a fixed price. */
export const KIND_LABELS = { BuyXGetYFree: 'Buy X get Y free', DiscountPct: 'Discount', FixedPrice: 'Fixed price' };
export type PromotionKind = keyof typeof KIND_LABELS;
export const PROMOTION_KINDS = Object.keys(KIND_LABELS) as [PromotionKind, ...PromotionKind[]];

export function kindOf({ promotionType }: { promotionType: string }): PromotionKind {
  return promotionType === 'BuyXGetYFree' || promotionType === 'DiscountPct' ? promotionType : 'FixedPrice';
}

/** A promotion with the days on which it is valid, both included. Null means no end. */
export type DatedPromotion = Promotion & { validFrom?: IsoDate; validTo: IsoDate | null };

const ASK = 'Please ask an IS Rep to apply the discount.';

/**
 * The message to a sales representative (specification sections 3, 6 and 9). A max quantity of 0 or less is written as 'unlimited', and an empty unit
 * as 'any'. Discount and price messages end with the request to ask an IS Rep. A fixed price is written in the quote's currency.
 */
export function promotionMessage(promotion: Promotion, currnIdx?: number | null): string {
  const { itemNumber, minQty, maxQty, uom } = promotion;
  const range = `Min. quantity ${minQty}, max. quantity ${maxQty > 0 ? maxQty : 'unlimited'}, unit ${uom || 'any'}.`;
  const ask = kindOf(promotion) === 'BuyXGetYFree' ? '' : ` ${ASK}`;
  return `Promotion for item ${itemNumber}: ${promotionOffer(promotion, currnIdx)}. ${range}${ask}`;
}

/** The benefit of a promotion: `buy 10, get 1 free`, `10% discount`, `price $8.50`. */
export function promotionOffer(
  promotion: Pick<Promotion, 'promotionType' | 'buyXGetYFreeBuyQty' | 'buyXGetYFreeGetQty' | 'promotionAmt'>,
  currnIdx?: number | null,
): string {
  const { buyXGetYFreeBuyQty, buyXGetYFreeGetQty, promotionAmt } = promotion;
  switch (kindOf(promotion)) {
    case 'BuyXGetYFree':
      return `buy ${buyXGetYFreeBuyQty}, get ${buyXGetYFreeGetQty} free`;
    case 'DiscountPct':
      return `${promotionAmt}% discount`;
    default:
      return `price ${formatPrice(promotionAmt, currnIdx)}`;
  }
}

/** Returns whether a line of this quantity and unit gets the promotion on that day (design 4, step 5). Without a day, ignores days. */
export function promotionApplies(
  promotion: Promotion & { validFrom?: IsoDate; validTo?: IsoDate | null },
  line: { qty: Decimal; unit: string; date?: IsoDate },
): boolean {
  const { minQty, maxQty, uom, validFrom, validTo } = promotion;
  if (compare(line.qty, minQty) < 0 || (maxQty > 0 && compare(line.qty, maxQty) > 0)) return false;
  if (uom !== '' && uom !== line.unit) return false;
  return !line.date || ((!validFrom || validFrom <= line.date) && (!validTo || line.date <= validTo));
}

/**
 * The unit price with a discount or fixed-price promotion, or null if it does not apply. It applies only if it is lower than the system price. Free
 * goods do not change the price (design 4, step 5).
 */
export function promotedPrice(promotion: Promotion, systemPrice: Decimal): Decimal | null {
  if (promotion.promotionType === 'BuyXGetYFree') return null;
  const { promotionType, promotionAmt } = promotion;
  const price = promotionType === 'DiscountPct' ? lessPercent(systemPrice, promotionAmt) : promotionAmt;
  return price >= 0 && compare(price, systemPrice) < 0 ? price : null;
}

/** Rounds a promoted price to the company's places. A fixed price stays exact. */
export function roundedPromotion(
  { promotionType }: Promotion,
  price: Decimal,
  systemPrice: Decimal,
  places: PricePlaces,
): Decimal {
  return promotionType === 'DiscountPct' ? roundDiscounted(price, systemPrice, places) : price;
}

/** The free units that a quantity earns: floor(qty / X) × Y, in the line's unit. 0 for other promotions. */
export function freeQuantity(promotion: Promotion, qty: Decimal): Decimal {
  const buy = toUnits(promotion.buyXGetYFreeBuyQty);
  if (promotion.promotionType !== 'BuyXGetYFree' || buy <= 0n || qty <= 0 || promotion.buyXGetYFreeGetQty <= 0)
    return 0;
  return fromUnits((toUnits(qty) / buy) * toUnits(promotion.buyXGetYFreeGetQty));
}
