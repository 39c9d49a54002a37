// Totals a quote: spreads the quote discount over its lines, then computes line totals and quote totals (design 4, step 7).
import { add, type Decimal, extend, fromUnits, percentOf, spread, subtract, toUnits } from '#platform/shared/money.ts';

/** The fields of a line that totals need. A line from the API contains all of them. */
export type TotalledLine = {
  type: 'item' | 'custom' | 'section' | 'note' | 'free';
  active: boolean;
  optional: boolean;
  qty: Decimal;
  listPrice: Decimal | null;
  unitPrice: Decimal | null;
};

export type TotalledQuote = { discountPct: Decimal; freightAmount: Decimal; taxRate: Decimal; taxExempt: boolean };

export type Totals = {
  /** For each line, its share of the quote discount and its total after that share. */
  lines: { quoteDiscount: Decimal; lineTotal: Decimal }[];
  listTotal: Decimal;
  discountTotal: Decimal;
  subtotal: Decimal;
  taxAmount: Decimal;
  totalAmount: Decimal;
  savings: Decimal;
};

/** Returns whether a line is included in the totals. Sections, notes, optional and inactive lines are not. */
export function counts(line: Pick<TotalledLine, 'type' | 'active' | 'optional'>): boolean {
  return line.active && !line.optional && line.type !== 'section' && line.type !== 'note';
}

/** Returns whether a line gets a share of the quote discount: it is included in the totals, has a price, and is not free. */
export function isDiscountable(line: Pick<TotalledLine, 'type' | 'active' | 'optional' | 'unitPrice'>): boolean {
  return counts(line) && line.type !== 'free' && line.unitPrice !== null;
}

/**
 * Computes the totals of a quote. Each line is rounded once (unit price × quantity), so sums are exact. A line without a list price uses its own
 * price as list value. `savings` compares with list and is never negative. Throws a RangeError for an amount too large to store.
 */
export function quoteTotals(lines: readonly TotalledLine[], quote: TotalledQuote): Totals {
  const extended = lines.map((line) => extend(line.unitPrice ?? 0, line.qty));
  const weights = lines.map((line, index) => (isDiscountable(line) ? (extended[index] ?? 0) : 0));
  const shares = spread(percentOf(add(...weights), quote.discountPct), weights);
  const totals = extended.map((amount, index) => subtract(amount, shares[index] ?? 0));

  let [list, sub] = [0n, 0n];
  lines.forEach((line, index) => {
    if (!counts(line)) return;
    list += toUnits(line.listPrice === null ? (extended[index] ?? 0) : extend(line.listPrice, line.qty));
    sub += toUnits(totals[index] ?? 0);
  });
  const [listTotal, subtotal] = [fromUnits(list), fromUnits(sub)];
  const discountTotal = subtract(listTotal, subtotal);
  const taxAmount = quote.taxExempt ? 0 : percentOf(subtotal, quote.taxRate);
  const totalAmount = add(subtotal, quote.freightAmount, taxAmount);
  toUnits(totalAmount);
  return {
    lines: totals.map((lineTotal, index) => ({ quoteDiscount: shares[index] ?? 0, lineTotal })),
    listTotal,
    discountTotal,
    subtotal,
    taxAmount,
    totalAmount,
    savings: discountTotal > 0 ? discountTotal : 0,
  };
}
