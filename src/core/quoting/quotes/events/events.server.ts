// The history of a quote. Each change writes an event in its transaction, and events never change afterwards (design 2).
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { ACTIONS } from '../actions.ts';

/**
 * A changed field, with its values as text for users. `internal` hides it from users without access to the internal figures. `promotion` is the
 * promotion of a removed line, so that restoring the line restores it. It is never shown.
 */
export type FieldChange = {
  field: string;
  before: string;
  after: string;
  internal?: boolean;
  promotion?: { itemId: number; promotionId: number };
};

/** The event of a mail that failed, or may have failed, to reach its recipients. */
export const MAIL_PROBLEM = 'MailProblem';

export type NewEvent = {
  quoteId: number;
  /** Null when the customer acts on the public page. */
  userId: number | null;
  /** The actor's name at that time. */
  actor: string;
  /** An action of the workflow, or Create, Edit, Upload, RemoveFile, Question, … */
  action: string;
  from?: string | null;
  to?: string | null;
  revision: number;
  comment?: string;
  changes?: FieldChange[];
};

export function recordEvent(db: Db, event: NewEvent): Promise<void> {
  return recordEvents(db, [event]);
}

/** The events of a change to many quotes. */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await eventsStatement(events).execute(db);
}

/** The statement that records events, for use inside a statement that also writes the change. */
export function eventsStatement(events: readonly NewEvent[]) {
  const records = events.map((event) => ({
    quote_id: event.quoteId,
    user_id: event.userId,
    actor: event.actor,
    action: event.action,
    from_status: event.from ?? null,
    to_status: event.to ?? null,
    revision: event.revision,
    comment: event.comment ?? '',
    changes: event.changes ?? [],
  }));
  return sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, comment, changes)
    select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(quote_id int, user_id int, actor text, action text,
      from_status text, to_status text, revision int, comment text, changes jsonb)`;
}

export type PastEvent = {
  id: number;
  at: string;
  actor: string;
  action: string;
  from: string | null;
  to: string | null;
  revision: number;
  comment: string;
  /** The first changes (`SHOWN_CHANGES`). */
  changes: { field: string; before: string; after: string }[];
  changeCount: number;
};

/** A paste of a thousand lines is one event, so only its first changes are shown. The quote's own fields come before its lines. */
export const SHOWN_CHANGES = 60;

/** A stored event, including changes of internal fields. */
export type StoredEvent = Omit<PastEvent, 'changes'> & { changes: FieldChange[] };

/** Returns events as users may see them. Without `internal`, leaves out changes of internal fields, and events that have no other changes. */
export function shownEvents(events: readonly StoredEvent[], internal: boolean): PastEvent[] {
  return events.flatMap((event) => {
    const visible = event.changes.filter((change) => internal || !change.internal);
    if (visible.length < event.changes.length && visible.length === 0 && event.from === event.to && !event.comment)
      return [];
    const changes = visible.slice(0, SHOWN_CHANGES).map(({ field, before, after }) => ({ field, before, after }));
    return [{ ...event, changes, changeCount: event.changeCount - (event.changes.length - visible.length) }];
  });
}

/** Events that do not raise the quote's version. */
const VERSION_STAYS = [
  'Upload',
  'EditFile',
  'RemoveFile',
  'Question',
  'AnswerQuestion',
  'WriteToCustomer',
  'SendMailAgain',
  'SettleMail',
  'RevokeLink',
  'ApprovalReminder',
  'ApprovalEscalation',
  'SetReminder',
  'ChangeReminder',
  'StopReminder',
  'SendReminder',
  'JoinEligibility',
  'StopWaiting',
  'EligibilityStep',
  'TellPrices',
  'Credit',
  'PushToCrm',
  'PushContactToCrm',
  'PickCrmRecord',
  'DiscardConfigured',
  'AcknowledgeOrder',
  'AnswerOrderLines',
  'RejectOrder',
  'ResendOrder',
  MAIL_PROBLEM,
];

/** Selects the events, newest first, that brought a quote from one version to another. Each change raises the version by one and writes one event. */
export function eventsBetween<E extends { action: string }>(
  events: readonly E[],
  { now, after, upTo }: { now: number; after: number; upTo: number },
): E[] {
  return events.filter(({ action }) => !VERSION_STAYS.includes(action)).slice(now - upTo, Math.max(0, now - after));
}

/** Who did what and when, for a 409 error. */
export type Doing = Pick<PastEvent, 'actor' | 'action' | 'at'>;

/** Finds who changed the quote last. With `field`, finds who last changed the field of that name in the history, if known. */
export async function lastChangeOf(
  db: Db,
  quoteId: number,
  field?: string,
): Promise<(Doing & { userId: number | null; changes: FieldChange[] }) | undefined> {
  const newest = await db
    .selectFrom('quote_event')
    .select(['user_id as userId', 'actor', 'action', 'at', 'to_status as to', 'changes'])
    .where('quote_id', '=', quoteId)
    .where('action', 'not in', VERSION_STAYS)
    .orderBy('id', 'desc')
    .limit(field === undefined ? 1 : 50)
    .execute();
  const events = newest.map((event) => ({ ...event, changes: event.changes as FieldChange[] }));
  const touches = (name: string) => name === field || name.startsWith(`${field}:`);
  return events.find(({ changes }) => changes.some((change) => touches(change.field))) ?? events[0];
}

/** Finds who moved the quote to its current status. Edits do not move it. Approvals happen within Processing. */
export async function lastMoveOf(db: Db, quoteId: number): Promise<Doing | undefined> {
  return db
    .selectFrom('quote_event')
    .select(['actor', 'action', 'at', 'to_status as to'])
    .where('quote_id', '=', quoteId)
    .where((eb) => eb.or([eb('action', 'in', ACTIONS), eb('from_status', 'is distinct from', eb.ref('to_status'))]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
