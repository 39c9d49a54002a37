// The standing of prices that depend on eligibility requests, in the shape that the API returns (docs/decisions/0017).
import { z } from 'zod';
import { formatAmount } from '#platform/shared/money.ts';

/**
 * Open: not decided. Later: approved from a future day. Refused: rejected, withdrawn, lapsed or revoked. Changed: approved in another tier
 * or at another price, so the quote has to be revised.
 */
export const STANDINGS = ['Open', 'Later', 'Refused', 'Changed'] as const;
export type Standing = (typeof STANDINGS)[number];

export const Provisional = z.object({
  standing: z.enum(STANDINGS),
  /** The total that the quote shows. */
  totalAmount: z.number(),
  /** The total without the requests. Null when a line has no other price. */
  fallbackTotal: z.number().nullable(),
  requests: z.array(z.object({ id: z.number().int(), state: z.string() })),
  /** Sentences that say what the prices depend on. */
  text: z.string(),
});
export type Provisional = z.infer<typeof Provisional>;

/** Explains why a quote cannot be won now, and what the user can do instead. */
export function notFirm({ standing, text, totalAmount, fallbackTotal }: Provisional, currnIdx: number): string {
  const money = (amount: number) => formatAmount(amount, currnIdx);
  if (standing === 'Changed')
    return `${text} The quote must be revised: the total of ${money(totalAmount)} no longer applies.`;
  const instead =
    fallbackTotal === null
      ? 'There is no price without it.'
      : `Without it the total is ${money(fallbackTotal)}, which can be accepted now.`;
  return `${text} The total of ${money(totalAmount)} ${standing === 'Refused' ? 'no longer applies' : 'applies only after approval'}. ${instead}`;
}

/** The total at which the quote can be accepted while its shown total is not firm. Null when it must first be decided or revised. */
export function acceptableTotal({ standing, fallbackTotal }: Provisional): number | null {
  return standing === 'Changed' ? null : fallbackTotal;
}
