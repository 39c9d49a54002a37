// The doors of the workflow: what add-ons do in the transaction of a step (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';

/** A won quote and its lines, in order. */
export type Won = { quote: QuoteRecord; lines: readonly Line[] };

/** Runs in the transaction that wins a quote. */
export const quoteWon = door<(db: Db, services: Services, won: Won) => Promise<void>>();
/**
 * Runs in the transaction that reopens a won quote, even while the add-on is switched off, because its stored data about the quote is no longer true.
 */
export const quoteReopened = door<(db: Db, services: Services, quoteId: number) => Promise<void>>();
/** Runs after each step is saved. */
export const quoteMoved = door<(services: Services) => void>();
