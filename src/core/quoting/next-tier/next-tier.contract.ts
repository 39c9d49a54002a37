// The API call that returns what a quote would save at another tier of its contracts.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id } from '#platform/shared/wire.ts';

/** One tier of a contract that would lower the quote's total. */
export const NextTier = z.object({
  contractId: z.number().int(),
  /** The contract's number. */
  number: z.string(),
  tierId: z.number().int(),
  tierNo: z.number().int(),
  tierName: z.string(),
  /** How a facility qualifies for the tier, in words. Empty when the contract does not say. */
  requirement: z.string(),
  needsLoc: z.boolean(),
  /** The number of lines whose price would change. */
  lines: z.number().int(),
  /** The quote's subtotal at that tier, before freight and tax. */
  total: z.number(),
  /** The saving. Always more than zero. */
  saving: z.number(),
});
export type NextTier = z.infer<typeof NextTier>;

/** 'tier 3 (Commitment 85%)', or 'tier 3' when the name adds nothing. */
export function tierLabel(no: number, name: string): string {
  return !name || name.toLowerCase() === `tier ${no}` ? `tier ${no}` : `tier ${no} (${name})`;
}

export const ContractWhatIf = {
  WhatIf: post('/api/Contract/WhatIf', z.object({ quoteId: Id }), z.array(NextTier), {
    access: QUOTING_ROLES,
    summary:
      'For each contract that prices a line: the tiers that would lower the quote total, smallest saving first. Lines with a typed price do not change; a typed discount applies to the new price.',
  }),
};
