// Prices a line from its item: by the quoting rules and the typed values, with and without the request that its price depends on.
import {
  type ItemQuantity,
  type PricedItem,
  type PriceTerms,
  priceFactsOf,
} from '#core/prices/pricing/priced-item.server.ts';
import { type ProvisionalPrice, resolveRequested } from '#core/prices/pricing/provisional-price.server.ts';
import { type LinePrice, type LineToPrice, priceLine } from './price-line.server.ts';

export type ItemPrice = {
  /** The price to show. */
  price: LinePrice;
  /** The request that the price depends on, and the price without it. Null when the price is firm. */
  hangsOn: (NonNullable<ProvisionalPrice['provisional']> & { price: LinePrice }) | null;
};

/** The price of a line. `item` contains its prices in the same context. A modified item returns the hypothetical price. */
export function priceOfItem(
  item: PricedItem | undefined,
  terms: PriceTerms,
  { itemId, unit, qty, promotionId, manual }: ItemQuantity & Pick<LineToPrice, 'promotionId' | 'manual'>,
): ItemPrice {
  const { price, provisional } = resolveRequested(
    priceFactsOf(item, terms, { itemId, unit, qty }),
    item?.requested ?? [],
  );
  const line = {
    currnIdx: terms.currnIdx,
    qty,
    unit,
    date: terms.priceDate,
    promotion: item?.promotions.find(({ id }) => id === promotionId) ?? null,
    promotionId,
    places: terms.places,
    manual,
  };
  const without = priceLine({ ...line, resolved: provisional?.without ?? price });
  if (!provisional) return { price: without, hangsOn: null };
  const visible = priceLine({ ...line, resolved: price });
  // A typed price and a promotion's own price are the same with and without the request.
  if (visible.unitPrice === without.unitPrice) return { price: without, hangsOn: null };
  return { price: visible, hangsOn: { ...provisional, price: without } };
}
