// Reads the facts of items that an edit of a quote needs, once for each item.
import type { Db } from '#platform/db/database.server.ts';
import { loadItemFacts, loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import type { PriceContext, PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { Draft, ItemFactsById } from './settle-quote.server.ts';

/** Reads the items that are not yet known. */
export async function loadMissingItems(
  db: Db,
  known: ItemFactsById,
  ids: Iterable<number | null | undefined>,
): Promise<void> {
  const missing = lacking(known, ids);
  for (const [id, item] of await loadItemFacts(db, missing)) known.set(id, item);
}

/** Reads the missing prices and promotions of items for this quote, with the items themselves. */
export async function loadMissingPrices(db: Db, draft: Draft, ids: Iterable<number | null | undefined>): Promise<void> {
  const terms = quoteTerms(draft.quote);
  rememberPrices(draft, await loadPricedItems(db, terms, lacking(pricesOn(draft), ids)));
}

/** Stores prices read for the quote's current terms. */
export function rememberPrices(draft: Draft, read: ReadonlyMap<number, PricedItem>): void {
  const items = pricesOn(draft);
  for (const [id, item] of read) {
    items.set(id, item);
    draft.items.set(id, item);
  }
}

/** The prices for the quote's current terms. Discards prices for other terms. */
function pricesOn(draft: Draft): Map<number, PricedItem> {
  const target = Object.values(quoteTerms(draft.quote)).join(' ');
  if (draft.prices?.of !== target) draft.prices = { of: target, items: new Map() };
  return draft.prices.items;
}

/** The terms that determine the prices of a quote. */
export function quoteTerms(quote: Pick<QuoteRecord, 'id' | 'facility_id' | 'currn_idx' | 'quote_date'>): PriceContext {
  const { id: quoteId, facility_id: facilityId, currn_idx: currnIdx, quote_date: priceDate } = quote;
  return { facilityId, currnIdx, priceDate, quoteId };
}

function lacking(known: ReadonlyMap<number, unknown>, ids: Iterable<number | null | undefined>): number[] {
  return [...ids].filter((id) => id !== null && id !== undefined).filter((id) => !known.has(id));
}
