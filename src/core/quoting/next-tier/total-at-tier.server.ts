// Computes what a quote would total if its facility were in another tier of a contract. It prices the quote again at that tier.
import { asIfInTier } from '#core/prices/pricing/as-if.server.ts';
import type { OfferedTier } from '#core/prices/pricing/price-facts.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { followsItsPrice, settleAsIf } from '#core/quoting/quote-edit/settle/settle-as-if.server.ts';
import { type Draft, settle } from '#core/quoting/quote-edit/settle/settle-quote.server.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { compare, subtract } from '#platform/shared/money.ts';
import type { NextTier } from './next-tier.contract.ts';

/** A tier of a contract with its prices on the quote's day, by contract line. */
export type TierPrices = Pick<
  NextTier,
  'contractId' | 'number' | 'tierId' | 'tierNo' | 'tierName' | 'requirement' | 'needsLoc'
> & { prices: ReadonlyMap<number, Pick<OfferedTier, 'price' | 'from' | 'to'>> };

/**
 * The tiers that would lower the quote's subtotal, by contract, then by saving (smallest first), then by tier number. `draft` contains the prices
 * of its items. Each tier is compared with the same lines at today's prices, so that a price change since the quote was priced does not look like a
 * saving.
 */
export function nextTiers(draft: Draft, tiers: readonly TierPrices[]): NextTier[] {
  const results: NextTier[] = [];
  for (const { prices, ...tier } of tiers) {
    const repricedLineIds = new Set(
      draft.lines
        .filter((line) => followsItsPrice(line) && isOffered(draft, line, tier.contractId))
        .map(({ id }) => id),
    );
    if (repricedLineIds.size === 0) continue;
    const current = settle(draft, repricedLineIds, new Map());
    const atTier = settleAsIf(draft, repricedLineIds, (item) => priceItemAtTier(item, tier, prices));
    const saving = subtract(current.quote.subtotal, atTier.quote.subtotal);
    if (compare(saving, 0) <= 0) continue;
    const currentPrices = new Map(current.lines.map((line) => [line.id, line.unit_price]));
    const changedLines = atTier.lines.filter(
      (line) => repricedLineIds.has(line.id) && line.active && currentPrices.get(line.id) !== line.unit_price,
    );
    results.push({ ...tier, lines: changedLines.length, total: subtract(draft.quote.subtotal, saving), saving });
  }
  return results.toSorted((a, b) => a.contractId - b.contractId || compare(a.saving, b.saving) || a.tierNo - b.tierNo);
}

function isOffered({ prices }: Draft, line: Line, contractId: number): boolean {
  const item = line.item_id === null ? undefined : prices?.items.get(line.item_id);
  return item?.contracts.some((offer) => offer.contractId === contractId && offer.listedBy !== 'excluded') ?? false;
}

/** Prices the item as if the facility were in this tier, based on the contract's current offers. */
export function priceItemAtTier(
  item: PricedItem,
  tier: Omit<TierPrices, 'prices'>,
  prices: TierPrices['prices'],
): PricedItem {
  const [offer, ...others] = item.contracts.filter(
    ({ contractId, listedBy }) => contractId === tier.contractId && listedBy !== 'excluded',
  );
  if (!offer) return item;
  const offers = [offer, ...others].map(({ tiers: _tiers, ...contractOffer }) => ({
    ...contractOffer,
    tier: { id: tier.tierId, no: tier.tierNo, price: null, from: null, to: null, ...prices.get(contractOffer.lineId) },
  }));
  return asIfInTier(item, { id: tier.contractId, gpoName: offer.gpoName }, offers);
}
