// Defines the result of pricing: a price, its source, and every step that led to it (design 4).
import { z } from 'zod';
import { formatPrice } from '#platform/shared/money.ts';

export const PRICE_SOURCES = ['List', 'Account', 'Contract', 'Promotion', 'Manual'] as const;

/** One step of a price: what was checked, its result, and its source row. */
export const PriceStep = z.object({
  /** List, Account, Contract, Resolved, Promotion, Manual, Rounded, Quote discount, Net. */
  step: z.string(),
  /** The source in words: 'Contract V-2231, tier 2 (Vizient)'. */
  source: z.string(),
  /** The source row: 'item_price 17', 'contract_line 5 tier 2'. Empty for computed steps. */
  ref: z.string(),
  /** Unit price in the line's unit after this step. Null when the step results in no price. */
  amount: z.number().nullable(),
  /** Dates, unit arithmetic, and why the price was used or not. */
  note: z.string(),
});
export type PriceStep = z.infer<typeof PriceStep>;
/** The step from a computed unit price to the rounded one. Empty when they are the same. */
export function roundingSteps(computed: number, rounded: number, currnIdx: number): PriceStep[] {
  if (computed === rounded) return [];
  const note = `${formatPrice(computed, currnIdx)} to 2 places`;
  return [{ step: 'Rounded', source: 'Rounded unit price', ref: '', amount: rounded, note }];
}
export const PriceProof = z.array(PriceStep);
export type PriceProof = z.infer<typeof PriceProof>;

export const ResolvedPrice = z.object({
  listPrice: z.number().nullable(),
  accountPrice: z.number().nullable(),
  contractPrice: z.number().nullable(),
  /** Contract if eligible, else account, else list, in the requested unit. Null when there is no price. */
  systemPrice: z.number().nullable(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  /** Whether the contract price is higher than the account price. It is used anyway, with a warning. */
  contractAboveAccount: z.boolean(),
  contractLineId: z.number().int().nullable(),
  /** The earliest end of the prices used. It limits the quote's validity. */
  priceEnds: z.string().nullable(),
  /** Why there is no price, in a sentence. Empty when there is one. */
  problem: z.string(),
  /** What the user must choose before a contract price can apply. Empty when there is nothing to choose. */
  choice: z.string(),
  proof: PriceProof,
});
export type ResolvedPrice = z.infer<typeof ResolvedPrice>;
