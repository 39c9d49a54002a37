// Settles a quote in memory for hypothetical facts about its items. Typed prices stay, and typed discounts apply to the new price.
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { type Draft, settle } from './settle-quote.server.ts';

/** True for lines whose price follows the item's: lists, contracts and typed discounts, but not a typed price. */
export function followsItsPrice(line: Line): boolean {
  return line.type === 'item' && line.item_id !== null && line.manual_price === null;
}

/** The quote with the given lines priced from the changed items. `draft` contains the prices of its items. Other lines stay unchanged. */
export function settleAsIf(
  draft: Draft,
  lineIds: ReadonlySet<number>,
  asIf: (item: PricedItem) => PricedItem,
): Pick<Draft, 'quote' | 'lines'> {
  const items = new Map([...(draft.prices?.items ?? [])].map(([id, item]) => [id, asIf(item)]));
  return settle({ ...draft, prices: { of: draft.prices?.of ?? '', items } }, lineIds, new Map());
}
