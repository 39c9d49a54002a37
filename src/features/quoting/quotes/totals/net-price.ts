// What the customer pays for a line: its price after the quote discount. Decisions about a price and memories of prices show this one.
import { type Decimal, fromUnits, divideRounded, lessPercent, percentBelow, toUnits } from '#shared/money.ts';
import { isDiscountable, type TotalledLine } from './quote-totals.ts';

export type Net = {
  /** Per unit, four places, not rounded to the cents of the line; null without a price. */
  netPrice: Decimal | null;
  /** How many percent it is below the system price, quote discount included; negative when it is above; 0 without a system price. */
  netDiscountPct: Decimal;
};

/** `typedPct`: the line's discount as typed, which is exact; null when a price or an amount off was typed, or nothing. */
export function netOf(
  line: TotalledLine & { systemPrice: Decimal | null; typedPct: Decimal | null },
  quoteDiscountPct: Decimal,
): Net {
  const { unitPrice, systemPrice, typedPct } = line;
  if (unitPrice === null) return { netPrice: null, netDiscountPct: 0 };
  const taken = isDiscountable(line) ? quoteDiscountPct : 0;
  const netPrice = taken === 0 ? unitPrice : lessPercent(unitPrice, taken);
  if (systemPrice === null) return { netPrice, netDiscountPct: 0 };
  return {
    netPrice,
    netDiscountPct: typedPct === null ? percentBelow(netPrice, systemPrice) : together(typedPct, taken),
  };
}

const HUNDRED = toUnits(100);

/** Two discounts one after the other, in percent: 10 % and then 5 % are 14.5 %. */
function together(first: Decimal, second: Decimal): Decimal {
  const kept = divideRounded((HUNDRED - toUnits(first)) * (HUNDRED - toUnits(second)), HUNDRED);
  return fromUnits(HUNDRED - kept);
}
