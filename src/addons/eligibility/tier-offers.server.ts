// Computes a quote's total in a tier of a contract, better or worse, and its total if a request is refused.
import { asIfInTier, type OfferInTier, primaryAsIfNamed } from '#core/prices/pricing/as-if.server.ts';
import { whyNotPrimary } from '#core/prices/pricing/choose-contract.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { PrimaryGpos } from '#core/prices/pricing/price-facts.server.ts';
import { followsItsPrice, settleAsIf } from '#core/quoting/quote-edit/settle/settle-as-if.server.ts';
import type { Draft } from '#core/quoting/quote-edit/settle/settle-quote.server.ts';
import { totalled, withoutRequests } from '#core/quoting/quotes/totals/total-quote.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Decimal } from '#platform/shared/money.ts';

export type FactsOfTier = {
  id: number;
  no: number;
  name: string;
  requirement: string;
  needsLoc: boolean;
  fallbackId: number | null;
  provisionalAllowed: boolean;
  /** The letter of commitment of the facility or of a covering parent: the one approved on the day, or else the newest. */
  letter: { state: string; from: IsoDate; to: IsoDate | null } | null;
};

/** What a contract offers a facility on a day. */
export type ContractFacts = {
  id: number;
  number: string;
  title: string;
  /** Empty for a local agreement. */
  gpo: string;
  gpoId: number | null;
  currnIdx: number;
  from: IsoDate;
  /** The last day on which the contract is valid. */
  to: IsoDate;
  /** Whether the reader sees the contract itself, and not only that its GPO has one. */
  inSight: boolean;
  membership: { from: IsoDate; to: IsoDate | null } | null;
  primary: PrimaryGpos;
  /** The contracts that this one replaces, nearest first. */
  predecessorIds: number[];
  /** Null if the facility has no place in the contract. */
  place: { tierId: number | null; excluded: boolean; parent: string; from: IsoDate } | null;
  tiers: FactsOfTier[];
  /** The contract lines of the requested items, with the prices of the day. */
  lines: {
    lineId: number;
    itemId: number;
    unit: string;
    from: IsoDate | null;
    to: IsoDate | null;
    prices: { tierId: number; price: Decimal; from: IsoDate; to: IsoDate | null }[];
  }[];
};

/** The tier that applies to the facility on the day: the tier of its place, or its fallback while a letter is missing. */
export function tierNow({ place, tiers }: ContractFacts, day: IsoDate): FactsOfTier | undefined {
  let tier = tiers.find(({ id }) => id === place?.tierId);
  for (let step = 0; tier && lacksLetter(tier, day) && step < tiers.length; step++) {
    const { fallbackId } = tier;
    tier = tiers.find(({ id }) => id === fallbackId);
  }
  return tier && lacksLetter(tier, day) ? undefined : tier;
}

export function lacksLetter({ needsLoc, letter }: FactsOfTier, day: IsoDate): boolean {
  return needsLoc && !(letter?.state === 'Approved' && letter.from <= day && (letter.to === null || letter.to >= day));
}

/**
 * The GPO in which the facility must become a primary member before a price of the contract applies. That is the case if another GPO is its declared
 * primary, or if it is on the rosters of several GPOs. Empty if a place in the contract is enough, because a roster row is a membership.
 */
export function missingMembership({ gpoId, gpo, primary }: ContractFacts): string {
  return gpoId === null || whyNotPrimary(gpo, true, primaryAsIfNamed(primary, gpo)) === '' ? '' : gpo;
}

/** The lines of a quote whose items have a price in the tier and whose own price is not typed. A typed discount follows its price. */
export function linesInTier({ lines }: Pick<Draft, 'lines'>, contract: ContractFacts, tierId: number): number[] {
  const items = new Set(
    contract.lines.filter(({ prices }) => prices.some((price) => price.tierId === tierId)).map(({ itemId }) => itemId),
  );
  return lines
    .filter((line) => followsItsPrice(line) && line.item_id !== null && items.has(line.item_id))
    .map(({ id }) => id);
}

/**
 * The quote's total on its own day as if the facility were in the tier, with the letter of commitment that the tier needs. A null tier keeps the
 * facility's current status in the contract. Requests for this contract are ignored. Requests for other contracts apply to the lines whose prices
 * depend on them.
 */
export function totalInTier(draft: Draft, contract: ContractFacts, tierId: number | null): Decimal {
  const offered = new Set(contract.lines.map(({ itemId }) => itemId));
  const moved = draft.lines.filter((line) => followsItsPrice(line) && offered.has(line.item_id ?? 0));
  if (moved.length === 0) return draft.quote.total_amount;
  const tier = contract.tiers.find(({ id }) => id === tierId);
  const about = { id: contract.id, gpoName: gpoNameOf(contract) };
  const hanging = new Set(moved.flatMap(({ eligibility_request_id: id }) => (id === null ? [] : [id])));
  const asIf = (item: PricedItem): PricedItem => {
    const requested = item.requested.filter(
      ({ requestId, contractId }) => contractId !== contract.id && hanging.has(requestId),
    );
    const plain = { ...item, requested };
    return tier ? asIfInTier(plain, about, offersOf(draft, contract, tier, item.id)) : plain;
  };
  return settleAsIf(draft, new Set(moved.map(({ id }) => id)), asIf).quote.total_amount;
}

/**
 * The quote's total if the request is refused: the lines whose prices depend on it have their price without it, and the others stay. Null if such a
 * line has no other price.
 */
export function totalIfRefused({ quote, lines }: Pick<Draft, 'quote' | 'lines'>, requestId: number): Decimal | null {
  const [hanging, others] = [
    lines.filter((line) => line.eligibility_request_id === requestId),
    lines.filter((line) => line.eligibility_request_id !== requestId),
  ];
  if (hanging.length === 0) return quote.total_amount;
  if (hanging.some(({ active, optional, fallback }) => active && !optional && fallback?.unitPrice === null))
    return null;
  return totalled(quote, [...others, ...withoutRequests(hanging)]).quote.total_amount;
}

const gpoNameOf = ({ gpoId, gpo }: ContractFacts): string | null => (gpoId === null ? null : gpo);

function offersOf({ quote }: Draft, contract: ContractFacts, tier: FactsOfTier, itemId: number): OfferInTier[] {
  return contract.lines
    .filter((line) => line.itemId === itemId)
    .map(({ lineId, unit, from, to, prices }) => {
      const price = prices.find((candidate) => candidate.tierId === tier.id);
      return {
        contractId: contract.id,
        number: contract.number,
        predecessorIds: contract.predecessorIds,
        currnIdx: contract.currnIdx,
        from: contract.from,
        to: contract.to,
        day: quote.quote_date,
        gpoName: gpoNameOf(contract),
        membership: contract.membership,
        primary: contract.primary,
        listedFrom: quote.quote_date,
        listedTo: null,
        lineId,
        unit,
        lineFrom: from,
        lineTo: to,
        tier: {
          id: tier.id,
          no: tier.no,
          price: price?.price ?? null,
          from: price?.from ?? null,
          to: price?.to ?? null,
        },
      };
    });
}
