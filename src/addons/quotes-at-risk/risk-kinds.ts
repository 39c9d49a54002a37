// The reasons why a line's price differs from the quoted one, each with its label and meaning.
import { z } from 'zod';

export const RISK_KINDS = [
  'Ends',
  'Price',
  'Tier',
  'Eligibility',
  'Superseded',
  'Rejected',
  'Better',
  'Rebill',
] as const;
export const RiskKind = z.enum(RISK_KINDS);
export type RiskKind = z.infer<typeof RiskKind>;

export const RISK_WORDS: Record<RiskKind, { label: string; means: string }> = {
  Ends: {
    label: 'Ends',
    means: 'The source of the price ends: contract, price, place on the roster, letter or promotion.',
  },
  Price: { label: 'Price', means: 'The same source has a different price.' },
  Tier: { label: 'Tier', means: 'The facility is in another tier of the same contract.' },
  Eligibility: { label: 'Eligibility', means: 'The facility may no longer buy under the contract, or now must.' },
  Superseded: { label: 'Superseded', means: 'A successor replaces the contract.' },
  Rejected: { label: 'Rejected', means: 'The letter of commitment was rejected or revoked.' },
  Better: { label: 'Better', means: 'Another source gives a lower price.' },
  Rebill: { label: 'Credit and rebill', means: 'The quote was won, and an approval reaches back to before that day.' },
};
