// Prices pasted rows as lines of their quote, to compare our prices with the pasted ones.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { pricePlacesOf } from '#platform/company/company.server.ts';
import { loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { priceOfItem } from '../lines/item-price.server.ts';
import type { QuoteEdit } from '../quote-edit.contract.ts';
import { quoteTerms } from '../settle/known-items.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';

const UNTYPED = { price: null, discountPct: null, discountAmount: null, reason: '', by: '' };

/** One result per row, in order. A few queries for any number of rows. Throws 404 when the user cannot see the quote. */
export async function pricePastedItems(
  { db, user }: ReadContext,
  { quoteId, rows }: ParsedInputOf<typeof QuoteEdit.PricePastedItems>,
): Promise<OutputOf<typeof QuoteEdit.PricePastedItems>> {
  const quote = await requireQuote(db, user, quoteId);
  const terms = quoteTerms(quote);
  const items = await loadPricedItems(db, terms, [...new Set(rows.map(({ itemId }) => itemId))]);
  const company = await db.selectFrom('company').select('price_places').executeTakeFirstOrThrow();
  const priceTerms = { ...terms, places: pricePlacesOf(company) };
  return rows.map((row) => {
    const line = { ...row, promotionId: null, manual: UNTYPED };
    const { price } = priceOfItem(items.get(row.itemId), priceTerms, line);
    return { ...row, unitPrice: price.unitPrice };
  });
}
