// Adds totals to a quote's rows, with and without the eligibility requests that prices depend on.
import type { Decimal } from '#platform/shared/money.ts';
import type { Line, QuoteRecord } from '../quote-rows.ts';
import type { netOf } from './net-price.ts';
import { quoteTotals } from './quote-totals.ts';

/** The fields of a line for totals and net prices. */
export function asTotalled(line: Line): Parameters<typeof netOf>[0] {
  return {
    type: line.type,
    active: line.active,
    optional: line.optional,
    qty: line.qty,
    listPrice: line.list_price,
    systemPrice: line.system_price,
    unitPrice: line.unit_price,
    typedPct: line.manual_discount_pct,
  };
}

/** Computes shares of the quote discount, line totals, the quote's totals, and its total without the requests that prices depend on. */
export function totalled(quote: QuoteRecord, lines: readonly Line[]): { quote: QuoteRecord; lines: Line[] } {
  const totals = quoteTotals(lines.map(asTotalled), {
    discountPct: quote.discount_pct,
    freightAmount: quote.freight_amount,
    taxRate: quote.tax_rate,
    taxExempt: quote.tax_exempt,
  });
  return {
    lines: lines.map((line, index) => {
      const { quoteDiscount = 0, lineTotal = 0 } = totals.lines[index] ?? {};
      if (line.quote_discount === quoteDiscount && line.line_total === lineTotal) return line;
      return { ...line, quote_discount: quoteDiscount, line_total: lineTotal };
    }),
    quote: {
      ...quote,
      list_total: totals.listTotal,
      discount_total: totals.discountTotal,
      subtotal: totals.subtotal,
      tax_amount: totals.taxAmount,
      total_amount: totals.totalAmount,
      savings: totals.savings,
      fallback_total: fallbackTotal(quote, lines),
    },
  };
}

/** Null when no price in the total depends on a request, or when a line that depends on one has no other price. */
function fallbackTotal(quote: QuoteRecord, lines: readonly Line[]): Decimal | null {
  const hanging = lines.filter((line) => line.fallback !== null && line.active && !line.optional);
  if (hanging.length === 0 || hanging.some((line) => line.fallback?.unitPrice === null)) return null;
  return totalled(quote, withoutRequests(lines)).quote.total_amount;
}

/** The lines without the requests that their prices depend on. */
export function withoutRequests(lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    const { fallback } = line;
    if (fallback === null) return line;
    return {
      ...line,
      system_price: fallback.systemPrice,
      unit_price: fallback.unitPrice,
      discount_pct: fallback.discountPct,
      price_source: fallback.priceSource,
      price_problem: fallback.problem,
      contract_price: fallback.contractPrice,
      contract_line_id: fallback.contractLineId,
      price_ends: fallback.priceEnds,
      eligibility_request_id: null,
      fallback: null,
    };
  });
}
