// Computes margin and floor of stored lines, for users who may see the cost.
import { add, compare, type Decimal, extend, percentBelow } from '#platform/shared/money.ts';
import type { Line } from '../quote-rows.ts';
import { netOf } from './net-price.ts';
import { counts } from './quote-totals.ts';
import { asTotalled } from './total-quote.server.ts';

/** The margin on the line total, in percent. Null without a cost or a price. */
export function lineMargin(line: Line): Decimal | null {
  if (line.cost === null || line.unit_price === null || line.line_total <= 0) return null;
  return percentBelow(extend(line.cost, line.qty), line.line_total);
}

/** The margin of the lines that are included in the total and have a known cost, including the cost of free goods. Null without such lines. */
export function quoteMargin(lines: readonly Line[]): Decimal | null {
  const known = lines.filter((line) => counts(line) && line.cost !== null && line.unit_price !== null);
  const revenue = add(...known.map((line) => line.line_total));
  if (revenue <= 0) return null;
  return percentBelow(add(...known.map((line) => extend(line.cost ?? 0, line.qty))), revenue);
}

/** Returns whether the customer pays less than the floor price. */
export function isUnderFloor(line: Line, discountPct: Decimal): boolean {
  const { netPrice } = netOf(asTotalled(line), discountPct);
  return (
    line.floor_price !== null && netPrice !== null && line.type !== 'free' && compare(netPrice, line.floor_price) < 0
  );
}
