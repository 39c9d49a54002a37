// What the platform needs to know about quotes: who may see one, and its number in words. The platform has no other knowledge of quotes. The core
// provides the rule (src/core/quoting/quotes/quote-sight.server.ts).
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
  /** Returns the condition on `quote` for the quotes that a user may see. */
  inSight: (user: Viewer) => Expression<SqlBool>;
  quoteNumber: (num: number, revision: number) => string;
};

let sight: QuoteSight | null = null;

/** The core calls this once, when the program is assembled. */
export function setQuoteSight(rule: QuoteSight): void {
  sight = rule;
}

export function quoteSight(): QuoteSight {
  if (!sight) throw new Error('setQuoteSight has not been called.');
  return sight;
}
