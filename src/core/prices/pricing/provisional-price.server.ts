// Prices a line that depends on an eligibility request (docs/decisions/0017), with and without the request.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { compare, type Decimal, formatPrice } from '#platform/shared/money.ts';
import { asIfInTier, type OfferInTier } from './as-if.server.ts';
import type { PriceFacts } from './price-facts.server.ts';
import type { ResolvedPrice } from './price-proof.ts';
import { resolvePrice } from './resolve-price.server.ts';

/** A contract line at the tier that a request of the quote is for, or that was granted from a later day on. */
export type RequestedOffer = OfferInTier & {
  requestId: number;
  /** The day from which the tier is approved. Null means not decided yet. */
  firmFrom: IsoDate | null;
};

export type ProvisionalPrice = {
  /** The price to show. */
  price: ResolvedPrice;
  /** Null means the price is firm. */
  provisional: {
    requestId: number;
    tierId: number;
    /** Per the contract line's unit. */
    tierPrice: Decimal;
    /** The price without the request. */
    without: ResolvedPrice;
  } | null;
};

/**
 * The price of a line with the quote's eligibility requests. It is provisional if the requested tier determines the price and the price is lower than
 * the one without the request. Otherwise it is firm.
 */
export function resolveRequested(facts: PriceFacts, requested: readonly RequestedOffer[]): ProvisionalPrice {
  const without = resolvePrice(facts);
  const offers = requested.filter(({ tier }) => tier.price !== null);
  if (offers.length === 0) return { price: without, provisional: null };
  const contracts = Map.groupBy(offers, ({ contractId }) => contractId);
  let granted = facts;
  for (const [id, group] of contracts) granted = asIfInTier(granted, { id, gpoName: group[0]?.gpoName ?? null }, group);
  const price = resolvePrice(granted);
  const taken = offers.find(({ lineId }) => lineId === price.contractLineId);
  const isLess =
    price.systemPrice !== null && (without.systemPrice === null || compare(price.systemPrice, without.systemPrice) < 0);
  if (!taken || taken.tier.price === null || price.priceSource !== 'Contract' || !isLess)
    return { price: without, provisional: null };
  const otherwise =
    without.systemPrice === null
      ? 'Without it there is no price'
      : `Without it ${formatPrice(without.systemPrice, facts.currnIdx)} (${without.proof.find(({ step }) => step === 'Resolved')?.source})`;
  const step = {
    step: 'Provisional',
    source: `Eligibility request ${taken.requestId}`,
    ref: `eligibility_request ${taken.requestId}`,
    amount: price.systemPrice,
    note: `${taken.firmFrom ? `Approved from ${formatDate(taken.firmFrom)}` : `Tier ${taken.tier.no} is not approved yet`}. ${otherwise}`,
  };
  return {
    price: { ...price, proof: [...price.proof, step] },
    provisional: { requestId: taken.requestId, tierId: taken.tier.id, tierPrice: taken.tier.price, without },
  };
}
