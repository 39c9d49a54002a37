// The last steps of a line's price (design 4, steps 5 to 7): promotion, manual price, quote discount, each with its proof.
import { type PriceStep, type ResolvedPrice, roundingSteps } from '#core/prices/pricing/price-proof.ts';
import {
  type DatedPromotion,
  freeQuantity,
  promotedPrice,
  promotionApplies,
  roundedPromotion,
} from '#core/prices/promotions/promotion.ts';
import type { TypedAs } from '#core/quoting/quotes/quote-rows.ts';
import { earliest, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import {
  type Decimal,
  divideRounded,
  extend,
  formatAmount,
  formatPrice,
  fromUnits,
  lessPercent,
  type PricePlaces,
  percentBelow,
  roundDiscounted,
  subtract,
  toUnits,
} from '#platform/shared/money.ts';

/** Manual values, of which at most one is set. A changed quantity never replaces a typed price. */
export type ManualPrice = {
  price: Decimal | null;
  discountPct: Decimal | null;
  discountAmount: Decimal | null;
  reason: string;
  by: string;
  /** The price as it was typed, when it was typed for another unit. */
  typedAs?: TypedAs | null;
};

export type LineToPrice = {
  currnIdx: number;
  qty: Decimal;
  unit: string;
  date: IsoDate;
  /** The result of steps 1 to 4. Null for a custom line, whose price is typed. */
  resolved: ResolvedPrice | null;
  /** The promotion applied to the line, if it is valid on that day. */
  promotion: DatedPromotion | null;
  promotionId: number | null;
  manual: ManualPrice;
  /** The decimal places for rounding discounted unit prices. Typed ones are never rounded. */
  places: PricePlaces;
};

export type LinePrice = {
  listPrice: Decimal | null;
  systemPrice: Decimal | null;
  unitPrice: Decimal | null;
  discountPct: Decimal;
  priceSource: ResolvedPrice['priceSource'];
  contractPrice: Decimal | null;
  contractLineId: number | null;
  /** The earliest end of any price or promotion in use. */
  priceEnds: IsoDate | null;
  problem: string;
  /** What the user must choose before a contract price can apply. Empty when there is nothing to choose. */
  choice: string;
  /** The proof up to the unit price. `withNet` completes it. */
  proof: PriceStep[];
  /** The number of free units that the line earns. */
  freeQty: Decimal;
};

/** Prices a line from its resolved price. Unit prices are rounded to the company's places. When the price is null, `problem` contains the reason. */
export function priceLine(line: LineToPrice): LinePrice {
  const { resolved, manual } = line;
  const proof: PriceStep[] = [...(resolved?.proof ?? [])];
  const promoted = promote(line, proof);
  const systemPrice = promoted.price ?? resolved?.systemPrice ?? null;
  const typed = byHand(manual, systemPrice, line.currnIdx);
  const usesSystemPrice = manual.price === null;
  if (typed) proof.push({ step: 'Manual', source: manual.by, ref: '', amount: typed.price, note: typed.note });
  const exactPrice = typed ? typed.price : systemPrice;
  const isDiscounted = typed && usesSystemPrice && systemPrice !== null;
  const unitPrice = isDiscounted ? roundDiscounted(typed.price, systemPrice, line.places) : exactPrice;
  if (exactPrice !== null && unitPrice !== null) proof.push(...roundingSteps(exactPrice, unitPrice, line.currnIdx));
  return {
    listPrice: resolved?.listPrice ?? null,
    systemPrice,
    unitPrice,
    // Uses the price before rounding, so that 12% stays 12%.
    discountPct: exactPrice === null || systemPrice === null ? 0 : percentBelow(exactPrice, systemPrice),
    priceSource: typed ? 'Manual' : promoted.price === null ? (resolved?.priceSource ?? '') : 'Promotion',
    contractPrice: resolved?.contractPrice ?? null,
    contractLineId: resolved?.contractLineId ?? null,
    priceEnds: earliest(usesSystemPrice ? resolved?.priceEnds : null, promoted.ends),
    problem: unitPrice === null ? (resolved?.problem ?? 'Enter a price for this custom item.') : '',
    choice: resolved?.choice ?? '',
    proof,
    freeQty: promoted.freeQty,
  };
}

type Promoted = { price: Decimal | null; freeQty: Decimal; ends: IsoDate | null };

function promote(line: LineToPrice, proof: PriceStep[]): Promoted {
  const { promotion, promotionId, resolved, qty, unit, date, currnIdx } = line;
  const none: Promoted = { price: null, freeQty: 0, ends: null };
  if (!promotion) {
    if (promotionId !== null) {
      const note = `Not applied: it is not valid on ${formatDate(date)}`;
      proof.push({ step: 'Promotion', source: 'Promotion', ref: `promotion ${promotionId}`, amount: null, note });
    }
    return none;
  }
  const step = { step: 'Promotion', source: promotionName(promotion, currnIdx), ref: `promotion ${promotion.id}` };
  const runs = promotion.validTo ? `To ${formatDate(promotion.validTo)}` : 'No end date';
  const refuse = (why: string) => {
    proof.push({ ...step, amount: null, note: `Not applied: ${why}` });
    return none;
  };
  if (!promotionApplies(promotion, { qty, unit, date })) return refuse('it requires a different quantity, unit or day');
  if (promotion.promotionType === 'BuyXGetYFree') {
    const freeQty = freeQuantity(promotion, qty);
    proof.push({ ...step, amount: null, note: `${freeQty} ${unit} free. ${runs}` });
    return { price: null, freeQty, ends: freeQty > 0 ? promotion.validTo : null };
  }
  const before = resolved?.systemPrice ?? null;
  if (before === null) return refuse('there is no price to discount');
  const price = promotedPrice(promotion, before);
  if (price === null) return refuse(`it is not lower than ${formatPrice(before, currnIdx)}`);
  proof.push({ ...step, amount: price, note: runs });
  const rounded = roundedPromotion(promotion, price, before, line.places);
  proof.push(...roundingSteps(price, rounded, currnIdx));
  return { price: rounded, freeQty: 0, ends: promotion.validTo };
}

function promotionName(promotion: DatedPromotion, currnIdx: number): string {
  const { promotionType, promotionAmt } = promotion;
  if (promotionType === 'BuyXGetYFree') return freeGoodsName(promotion);
  return promotionType === 'DiscountPct'
    ? `${promotionAmt}% promotion`
    : // Documents show it beside the unit price, which may have four decimals.
      `Promotional price ${formatPrice(promotionAmt, currnIdx)}`;
}

function freeGoodsName({ buyXGetYFreeBuyQty, buyXGetYFreeGetQty }: DatedPromotion): string {
  return `Buy ${buyXGetYFreeBuyQty}, get ${buyXGetYFreeGetQty} free`;
}

function byHand(
  manual: ManualPrice,
  systemPrice: Decimal | null,
  currnIdx: number,
): { price: Decimal; note: string } | null {
  const inMoney = (price: Decimal) => formatPrice(price, currnIdx);
  const because = manual.reason ? `. ${manual.reason}` : '';
  if (manual.price !== null) {
    const instead = systemPrice === null ? '' : ` instead of ${inMoney(systemPrice)}`;
    const as = manual.typedAs ? ` as ${inMoney(manual.typedAs.price)} per ${manual.typedAs.unit}` : '';
    return { price: manual.price, note: `Typed${as}${instead}${because}` };
  }
  if (systemPrice === null) return null;
  if (manual.discountPct !== null) {
    return {
      price: lessPercent(systemPrice, manual.discountPct),
      note: `${manual.discountPct}% off ${inMoney(systemPrice)}${because}`,
    };
  }
  if (manual.discountAmount !== null) {
    const left = subtract(systemPrice, manual.discountAmount);
    return {
      price: left > 0 ? left : 0,
      note: `${inMoney(manual.discountAmount)} off ${inMoney(systemPrice)}${because}`,
    };
  }
  return null;
}

/** The steps of a proof up to the unit price. */
export function toUnitPrice(proof: readonly PriceStep[]): PriceStep[] {
  return proof.filter(({ step }) => step !== 'Quote discount' && step !== 'Net');
}

/** Completes a proof with the line's share of the quote discount and the net price, replacing earlier ones. */
export function withNet(
  proof: readonly PriceStep[],
  line: { unitPrice: Decimal | null; qty: Decimal; quoteDiscount: Decimal; lineTotal: Decimal },
  { discountPct, currnIdx }: { discountPct: Decimal; currnIdx: number },
): PriceStep[] {
  const steps = toUnitPrice(proof);
  const { unitPrice, qty, quoteDiscount, lineTotal } = line;
  if (unitPrice === null) return steps;
  const extended = extend(unitPrice, qty);
  const net = quoteDiscount === 0 ? unitPrice : fromUnits(divideRounded(toUnits(lineTotal) * 10_000n, toUnits(qty)));
  if (quoteDiscount !== 0) {
    steps.push({
      step: 'Quote discount',
      source: `${discountPct}% on the quote`,
      ref: '',
      amount: net,
      note: `${formatAmount(quoteDiscount, currnIdx)} off ${formatAmount(extended, currnIdx)}`,
    });
  }
  const less = quoteDiscount === 0 ? '' : ` − ${formatAmount(quoteDiscount, currnIdx)}`;
  steps.push({
    step: 'Net',
    source: 'Net price',
    ref: '',
    amount: net,
    note: `${formatPrice(unitPrice, currnIdx)} × ${qty}${less} = ${formatAmount(lineTotal, currnIdx)}`,
  });
  return steps;
}

/** The complete proof of a free line, which names the line that earned it. */
export function freeProof(
  promotion: DatedPromotion,
  earned: { qty: Decimal; unit: string; freeQty: Decimal },
): PriceStep[] {
  return [
    {
      step: 'Promotion',
      source: freeGoodsName(promotion),
      ref: `promotion ${promotion.id}`,
      amount: 0,
      note: `${earned.freeQty} ${earned.unit} free with ${earned.qty} ${earned.unit}`,
    },
  ];
}
