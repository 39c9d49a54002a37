// The data of an item for pricing, and the facts that determine the price of a line.
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Decimal, PricePlaces } from '#platform/shared/money.ts';
import type { AccountPriceRow, ContractOffer, PriceFacts, PriceRow } from './price-facts.server.ts';
import type { RequestedOffer } from './provisional-price.server.ts';

/** The context of prices: the quote's ship-to facility, currency index, quote date, and requests. */
export type PriceContext = {
  facilityId: number | null;
  currnIdx: number;
  priceDate: IsoDate;
  /** The quote whose eligibility requests apply. Without it, no requests apply. */
  quoteId?: number;
};
/** A context with the places to which the company rounds computed unit prices. */
export type PriceTerms = PriceContext & { places: PricePlaces };
/** A quantity of an item. An empty unit means the item's base unit. */
export type ItemQuantity = { itemId: number; unit: string; qty: number };

/** The item data that lines need. Cost and floor are per base unit. */
export type ItemFacts = {
  id: number;
  product_id: number | null;
  class_id: number | null;
  item_number: string;
  description: string;
  base_unit: string;
  status: string;
  visible: boolean;
  cost: Decimal | null;
  floor_price: Decimal | null;
  /** Base unit first. */
  units: { unit: string; factor: Decimal }[];
};
/** An item with its promotions and every price that could apply to it, in a context. */
export type PricedItem = ItemFacts & {
  list: PriceRow[];
  account: AccountPriceRow[];
  contracts: ContractOffer[];
  /** See PriceFacts. */
  ifMember?: ContractOffer[];
  /** The contract lines at the tiers that the quote's eligibility requests are for. */
  requested: RequestedOffer[];
  promotions: (DatedPromotion & { itemId: number })[];
};

/** The facts that determine the price of a line, from items read for the same context. Undefined if the item does not exist. */
export function priceFactsOf(
  item: PricedItem | undefined,
  { currnIdx, priceDate, places }: PriceTerms,
  { itemId, unit, qty }: ItemQuantity,
): PriceFacts {
  return {
    itemNumber: item?.item_number ?? String(itemId),
    baseUnit: item?.base_unit ?? '',
    units: item?.units ?? [],
    unit,
    qty,
    currnIdx,
    priceDate,
    places,
    list: item?.list ?? [],
    account: item?.account ?? [],
    contracts: item?.contracts ?? [],
    ...(item?.ifMember ? { ifMember: item.ifMember } : {}),
  };
}
