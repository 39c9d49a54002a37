// The totals of a quote from list to total, as the board and its print show them.
import type { Quote } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { formatAmount } from '#platform/shared/money.ts';

/** `field` is the quote field whose value is shown. */
export type TotalInWords = [label: string, value: string, field: string];

export function totalsInWords(quote: Quote): TotalInWords[] {
  const money = (value: number) => formatAmount(value, quote.currnIdx);
  return [
    ['List', money(quote.listTotal), 'listTotal'],
    // Typed prices above the list price are not a discount.
    quote.discountTotal < 0
      ? ['Above list', money(-quote.discountTotal), 'discountTotal']
      : ['Discount', money(quote.discountTotal === 0 ? 0 : -quote.discountTotal), 'discountTotal'],
    ...(quote.discountPct > 0 ? [['Quote disc.', `${quote.discountPct}%`, 'discountPct'] satisfies TotalInWords] : []),
    ['Subtotal', money(quote.subtotal), 'subtotal'],
    ['Freight', money(quote.freightAmount), 'freightAmount'],
    [quote.taxExempt ? 'Tax (exempt)' : `Tax ${quote.taxRate}%`, money(quote.taxAmount), 'taxAmount'],
    ['Total', money(quote.totalAmount), 'totalAmount'],
  ];
}
