// Computes a quote's total in a requested tier. It settles the quote again in memory, with the prices that an approved request would give.
import type { PricedItem } from '#features/prices/pricing/priced-item.ts';
import type { RequestedOffer } from '#features/prices/pricing/provisional-price.ts';
import { isManual, type Draft, settle } from '#features/quoting/quote-edit/settle/settle-quote.ts';
import type { IsoDate } from '#shared/dates.ts';
import { currencyOf, type Decimal } from '#shared/money.ts';

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

/** What a contract means for a facility on a day. */
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
  membership: { isPrimary: boolean; from: IsoDate; to: IsoDate | null } | null;
  /** Null when the facility has no place in the contract. */
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

/** The tier that counts for the facility on the day: the tier of its place, or its fallback while a letter is missing. */
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

/** The GPO in which the facility must become a primary member before a price of the contract counts. Empty when nothing is missing. */
export function missingMembership({ gpoId, gpo, membership }: ContractFacts): string {
  return gpoId === null || membership?.isPrimary ? '' : gpo;
}

/** The lines of a quote whose items have a price in the tier and whose own price nobody typed. */
export function linesInTier({ lines }: Pick<Draft, 'lines'>, contract: ContractFacts, tierId: number): number[] {
  const items = new Set(
    contract.lines.filter(({ prices }) => prices.some((price) => price.tierId === tierId)).map(({ itemId }) => itemId),
  );
  return lines
    .filter((line) => line.type === 'item' && !isManual(line) && line.item_id !== null && items.has(line.item_id))
    .map(({ id }) => id);
}

/** The quote's total with the contract's lines priced as if the tier were approved. A null tier means no request for the contract at all. */
export function totalInTier(draft: Draft, contract: ContractFacts, tierId: number | null): Decimal {
  const offered = new Set(contract.lines.map(({ itemId }) => itemId));
  const moved = new Set(
    draft.lines
      .filter((line) => line.type === 'item' && line.item_id !== null && offered.has(line.item_id))
      .map(({ id }) => id),
  );
  if (moved.size === 0) return draft.quote.total_amount;
  return settle(withOffers(draft, contract, tierId), moved, new Map()).quote.total_amount;
}

function withOffers(draft: Draft, contract: ContractFacts, tierId: number | null): Draft {
  const items = new Map<number, PricedItem>();
  for (const [id, item] of draft.prices?.items ?? []) {
    const others = item.requested.filter(({ contractId }) => contractId !== contract.id);
    items.set(id, { ...item, requested: [...others, ...offersOf(draft, contract, tierId, id)] });
  }
  return { ...draft, prices: { of: draft.prices?.of ?? '', items } };
}

function offersOf({ quote }: Draft, contract: ContractFacts, tierId: number | null, itemId: number): RequestedOffer[] {
  const tier = contract.tiers.find(({ id }) => id === tierId);
  if (!tier || currencyOf(contract.currnIdx) !== currencyOf(quote.currn_idx)) return [];
  return contract.lines
    .filter((line) => line.itemId === itemId)
    .flatMap(({ lineId, unit, from, to, prices }) => {
      const price = prices.find((one) => one.tierId === tier.id);
      if (!price) return [];
      return [
        {
          requestId: 0,
          firmFrom: null,
          contractId: contract.id,
          number: contract.number,
          currnIdx: contract.currnIdx,
          from: contract.from,
          to: contract.to,
          day: quote.quote_date,
          gpoName: contract.gpoId === null ? null : contract.gpo,
          membership: contract.membership,
          listedFrom: quote.quote_date,
          listedTo: null,
          lineId,
          unit,
          lineFrom: from,
          lineTo: to,
          tier: { id: tier.id, no: tier.no, price: price.price, from: price.from, to: price.to },
        },
      ];
    });
}
