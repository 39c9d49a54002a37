// Computes what the customer pays for a line: its price after the quote discount. Approval decisions and last prices use this price.
import { type Decimal, fromUnits, divideRounded, lessPercent, percentBelow, toUnits } from '#platform/shared/money.ts';
import { isDiscountable, type TotalledLine } from './quote-totals.ts';

export type Net = {
  /** Per unit, with four places, not rounded to the cents of the line. Null without a price. */
  netPrice: Decimal | null;
  /** The percentage below the system price, including the quote discount. Negative when it is above, and 0 without a system price. */
  netDiscountPct: Decimal;
};

type Discountable = Parameters<typeof isDiscountable>[0];

/** The quote discount that applies to a line: all of it, or none. */
const takenBy = (line: Discountable, quoteDiscountPct: Decimal): Decimal =>
  isDiscountable(line) ? quoteDiscountPct : 0;

/** Returns only the net price of `netOf`. */
export function netPriceOf(line: Discountable, quoteDiscountPct: Decimal): Decimal | null {
  return line.unitPrice === null ? null : lessPercent(line.unitPrice, takenBy(line, quoteDiscountPct));
}

/** `typedPct` is the line's discount as typed, which is exact. Null when a price, an amount off, or nothing was typed. */
export function netOf(
  line: TotalledLine & { systemPrice: Decimal | null; typedPct: Decimal | null },
  quoteDiscountPct: Decimal,
): Net {
  const { systemPrice, typedPct } = line;
  const netPrice = netPriceOf(line, quoteDiscountPct);
  if (netPrice === null || systemPrice === null) return { netPrice, netDiscountPct: 0 };
  const netDiscountPct =
    typedPct === null ? percentBelow(netPrice, systemPrice) : together(typedPct, takenBy(line, quoteDiscountPct));
  return { netPrice, netDiscountPct };
}

const HUNDRED = toUnits(100);

/** Two discounts one after the other, in percent: 10% and then 5% is 14.5%. */
function together(first: Decimal, second: Decimal): Decimal {
  const share = divideRounded((HUNDRED - toUnits(first)) * (HUNDRED - toUnits(second)), HUNDRED);
  return fromUnits(HUNDRED - share);
}
