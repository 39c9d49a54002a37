// Settles a quote in memory as if something else were so about its items. What is typed stays: a typed price as it is, a typed discount off its price.
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { type Draft, settle } from './settle-quote.server.ts';

/** True for lines whose price follows the item's: lists, contracts and typed discounts, but not a typed price. */
export function followsItsPrice(line: Line): boolean {
  return line.type === 'item' && line.item_id !== null && line.manual_price === null;
}

/** The quote with the given lines priced from the changed items. `draft` has the prices of its items; other lines stay. */
export function settleAsIf(
  draft: Draft,
  lineIds: ReadonlySet<number>,
  asIf: (item: PricedItem) => PricedItem,
): Pick<Draft, 'quote' | 'lines'> {
  const items = new Map([...(draft.prices?.items ?? [])].map(([id, item]) => [id, asIf(item)]));
  return settle({ ...draft, prices: { of: draft.prices?.of ?? '', items } }, lineIds, new Map());
}
