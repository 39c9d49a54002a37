// What one action of the workflow is while it is carried out: the effects and the mails read it.
import type { Updateable } from 'kysely';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import type { Quote } from '#db/tables.ts';
import type { ActionName } from '#features/quoting/quotes/actions.ts';
import type { FieldChange } from '#features/quoting/quotes/events/events.server.ts';
import type { StatusId } from '#features/quoting/quotes/status.ts';
import type { LostReason } from './workflow.ts';
import type { QuoteState } from './workflow-facts.server.ts';

/** A person with an account, or the customer by the name they signed with. */
export type Performer = { user: Caller } | { customer: string };

/** One action being carried out. */
export type Work = {
  db: Db;
  services: Services;
  state: QuoteState;
  performer: Performer;
  userId: number | null;
  /** The name of who performs the action. */
  performedBy: string;
  /** The name the event shows: 'Kim Lee for Pat Doe' when a deputy decides. */
  actor: string;
  action: ActionName;
  to: StatusId;
  /** In words; a reason in words for actions that ask for one. Empty when none was given. */
  comment: string;
  lostReason: LostReason | null;
  poNumber: string;
  signedName: string;
};

/** What an action does to the quote besides moving it. */
export type Effect = { patch?: Updateable<Quote>; changes?: FieldChange[] };
