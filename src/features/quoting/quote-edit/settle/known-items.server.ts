// Reads what a quote that is being edited has to know of its items, each item once.
import type { Db } from '#db/database.server.ts';
import { loadItemFacts, loadPricedItems } from '#features/prices/pricing/price-lines.server.ts';
import type { PriceContext, PricedItem } from '#features/prices/pricing/priced-item.ts';
import type { QuoteRecord } from '#features/quoting/quotes/records.ts';
import type { Draft, ItemFactsById } from './settle-quote.ts';

/** Reads the items that are not known yet. */
export async function knowItems(db: Db, known: ItemFactsById, ids: Iterable<number | null | undefined>): Promise<void> {
  const missing = lacking(known, ids);
  for (const [id, item] of await loadItemFacts(db, missing)) known.set(id, item);
}

/** Reads the prices and promotions that items have on this quote, where they are not known yet, and the items with them. */
export async function knowPrices(db: Db, draft: Draft, ids: Iterable<number | null | undefined>): Promise<void> {
  const terms = termsOf(draft.quote);
  rememberPrices(draft, await loadPricedItems(db, terms, lacking(pricesOn(draft), ids)));
}

/** Keeps what was read for the quote as it is now. */
export function rememberPrices(draft: Draft, read: ReadonlyMap<number, PricedItem>): void {
  const items = pricesOn(draft);
  for (const [id, item] of read) {
    items.set(id, item);
    draft.items.set(id, item);
  }
}

/** The prices of the quote's own terms; others are forgotten. */
function pricesOn(draft: Draft): Map<number, PricedItem> {
  const of = Object.values(termsOf(draft.quote)).join(' ');
  if (draft.prices?.of !== of) draft.prices = { of, items: new Map() };
  return draft.prices.items;
}

/** What the prices of a quote are found by. */
export function termsOf(quote: Pick<QuoteRecord, 'id' | 'facility_id' | 'currn_idx' | 'quote_date'>): PriceContext {
  const { id: quoteId, facility_id: facilityId, currn_idx: currnIdx, quote_date: priceDate } = quote;
  return { facilityId, currnIdx, priceDate, quoteId };
}

function lacking(known: ReadonlyMap<number, unknown>, ids: Iterable<number | null | undefined>): number[] {
  return [...ids].filter((id) => id !== null && id !== undefined).filter((id) => !known.has(id));
}
