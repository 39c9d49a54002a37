// The state of a workflow action in progress, which the effects and the mails read.
import type { Updateable } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Quote } from '#platform/db/tables.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { Decimal } from '#platform/shared/money.ts';
import type { LostReason } from './workflow.ts';
import type { QuoteState } from './workflow-facts.server.ts';

/** A user with an account, or the customer under the name they signed with. */
export type Performer = { user: Caller } | { customer: string };

/** One action in progress. */
export type Work = {
  db: Db;
  services: Services;
  state: QuoteState;
  performer: Performer;
  userId: number | null;
  /** The name of the user or customer who performs the action. */
  performedBy: string;
  /** The name that the event shows: 'Kim Lee for Pat Doe' when a deputy decides. */
  actor: string;
  action: ActionName;
  to: StatusId;
  /** The comment, or the reason for actions that require one. Empty when absent. */
  comment: string;
  lostReason: LostReason | null;
  /** For MarkLost: who got the order, and their price for the whole order in the quote's currency, if known. */
  lostCompetitor: string;
  lostCompetitorPrice: number | null;
  poNumber: string;
  signedName: string;
  /** Whether the sent page and PDF show pictures. */
  pictures: boolean;
  /** For MarkWon: accepts the prices without the requests that the quote depends on. */
  atFallbackPrice: boolean;
  /** For MarkWon: the total that the user saw. Null when the caller does not send it. */
  total: Decimal | null;
  /** The savings at other tiers that the sent page shows. */
  nextTiers: QuoteDocument['nextTiers'];
};

/** An action's effect on the quote besides moving it. */
export type Effect = { patch?: Updateable<Quote>; changes?: FieldChange[] };
