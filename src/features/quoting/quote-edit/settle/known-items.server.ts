// Reads what a quote that is being edited has to know of its items, each item once.
import type { Db } from '#db/database.server.ts';
import { loadItemFacts, loadPricedItems } from '#features/prices/pricing/price-lines.server.ts';
import type { Draft, ItemFactsById } from './settle-quote.ts';

/** Reads the items that are not known yet. */
export async function knowItems(db: Db, known: ItemFactsById, ids: Iterable<number | null | undefined>): Promise<void> {
  const missing = lacking(known, ids);
  for (const [id, item] of await loadItemFacts(db, missing)) known.set(id, item);
}

/** Reads the prices and promotions that items have on this quote, where they are not known yet, and the items with them. */
export async function knowPrices(db: Db, draft: Draft, ids: Iterable<number | null | undefined>): Promise<void> {
  const { facility_id: facilityId, currn_idx: currnIdx, quote_date: priceDate } = draft.quote;
  const of = `${facilityId} ${currnIdx} ${priceDate}`;
  if (draft.prices?.of !== of) draft.prices = { of, items: new Map() };
  const { items } = draft.prices;
  const missing = lacking(items, ids);
  for (const [id, item] of await loadPricedItems(db, { facilityId, currnIdx, priceDate }, missing)) {
    items.set(id, item);
    draft.items.set(id, item);
  }
}

function lacking(known: ReadonlyMap<number, unknown>, ids: Iterable<number | null | undefined>): number[] {
  return [...ids].filter((id) => id !== null && id !== undefined).filter((id) => !known.has(id));
}
