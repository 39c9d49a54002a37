// What the platform asks about quotes, which it otherwise knows nothing of: who sees one, and its number in words. The core answers it
// (src/core/quoting/quotes/quote-sight.server.ts).
import type { Expression, SqlBool } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';

type Viewer = Pick<Caller, 'id' | 'roles' | 'regionIds' | 'supportedRepIds' | 'deputyFor'>;
type SeenQuote = {
  owner_id: number;
  sales_rep_id: number | null;
  region_id: number | null;
  wasAsked: boolean;
};

export type QuoteSight = {
  seesQuote: (user: Viewer, quote: SeenQuote) => boolean;
  /** The condition on `quote` for the quotes that a user sees. */
  inSight: (user: Viewer) => Expression<SqlBool>;
  quoteNumber: (num: number, revision: number) => string;
};

let sight: QuoteSight | null = null;

/** For the core, once, when the program is put together. */
export function setQuoteSight(rule: QuoteSight): void {
  sight = rule;
}

export function quoteSight(): QuoteSight {
  if (!sight) throw new Error('setQuoteSight has not been called.');
  return sight;
}
