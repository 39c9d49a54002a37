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
    label: 'Price ends',
    means: 'The source of the price ends: a contract, price, roster entry, letter of commitment or promotion.',
  },
  Price: { label: 'Price change', means: 'The same source has a different price.' },
  Tier: { label: 'Tier change', means: 'The facility is in a different tier of the same contract.' },
  Eligibility: {
    label: 'Eligibility',
    means: 'The facility is no longer eligible for the contract, or is now required to use it.',
  },
  Superseded: { label: 'Superseded', means: 'A successor replaces the contract.' },
  Rejected: { label: 'Rejected', means: 'The letter of commitment was rejected or revoked.' },
  Better: { label: 'Better price', means: 'Another source has a lower price.' },
  Rebill: { label: 'Credit and rebill', means: 'An approval applies to a date before the quote was won.' },
};
