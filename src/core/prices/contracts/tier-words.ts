// Explains how a facility qualifies for a tier.
import type { ContractTier } from './contracts.contract.ts';

/** 'Signed letter of commitment, 85%. Until a letter of commitment is approved, the prices of tier 1 apply.' */
export function howReached(
  tier: ContractTier,
  isBase: boolean,
  openTo: 'roster' | 'members',
  tiers: ContractTier[],
): string {
  const fallback = tiers.find(({ id }) => id === tier.fallbackTierId);
  const whole = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
  return [
    tier.requirement
      ? whole(tier.requirement)
      : isBase
        ? openTo === 'members'
          ? 'Applies to every member of the GPO.'
          : 'Applies to every facility on the roster, unless its row names another tier.'
        : 'Assigned by the roster.',
    tier.needsLoc
      ? fallback
        ? `Until a letter of commitment is approved, the prices of tier ${fallback.tierNo} apply.`
        : 'Until a letter of commitment is approved, it has no prices.'
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}
