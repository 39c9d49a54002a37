// Computes the facts of an item for a hypothetical roster entry in a tier. Pure. The resulting price may be better or worse.
import type { ContractOffer, OfferedTier, PrimaryGpos } from './price-facts.server.ts';

type Facts = { contracts: ContractOffer[]; ifMember?: ContractOffer[] };

/** A contract's line at a tier that the facility may not have yet. */
export type OfferInTier = Omit<ContractOffer, 'tiers' | 'listedBy' | 'parent'> & {
  tier: Pick<OfferedTier, 'id' | 'no' | 'price' | 'from' | 'to'>;
};

/**
 * The facts as if the facility had its own entry on the contract's roster in the tier of these offers, with the letter of commitment that the tier
 * needs. It replaces everything that the contract offered the facility before, even where the tier has no price. The entry makes the facility a
 * member of the contract's GPO, so the GPO's other contracts that are open to members apply as well.
 */
export function asIfInTier<T extends Facts>(
  facts: T,
  contract: { id: number; gpoName: string | null },
  offers: readonly OfferInTier[],
): T {
  const asMember = (facts.ifMember ?? []).filter(({ gpoName }) => gpoName === contract.gpoName);
  const others = [...facts.contracts, ...asMember].filter(({ contractId }) => contractId !== contract.id);
  const granted = offers.map(
    ({ tier, ...offer }): ContractOffer => ({
      ...offer,
      membership: offer.membership ?? { from: offer.listedFrom, to: offer.listedTo },
      listedBy: 'roster',
      parent: '',
      tiers: [{ ...tier, needsLoc: false, loc: null }],
    }),
  );
  const contracts = [...others, ...granted].map((offer) => ({
    ...offer,
    primary: primaryAsIfNamed(offer.primary, contract.gpoName),
  }));
  return { ...facts, contracts };
}

/** The GPOs whose contracts would apply if a roster of this GPO also named the facility. A local agreement has no GPO and changes nothing. */
export function primaryAsIfNamed(primary: PrimaryGpos, gpoName: string | null): PrimaryGpos {
  if (gpoName === null || primary.declared || primary.gpos.includes(gpoName)) return primary;
  return { declared: false, gpos: [...primary.gpos, gpoName].toSorted((a, b) => a.localeCompare(b, 'en')) };
}
