// Performs one workflow action in one transaction: lock, access, permission, version, conditions, effects, event, mail (design 2).
import { sql } from 'kysely';
import { forbidden, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import { openEntries } from '#platform/addons/addon.server.ts';
import { deputyForValue } from '#platform/auth/sessions/deputies.server.ts';
import { stopReminder } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { type ActionName } from '#core/quoting/quotes/actions.ts';
import { customerActor, eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { type Doing, lastChangeOf, lastMoveOf, recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { refuseKeyThatMoves, requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import type { Conflict } from '#platform/shared/conflict.ts';
import type { Decimal } from '#platform/shared/money.ts';
import { quoteMoved, quoteReopened, quoteWon, type Won } from './doors.server.ts';
import { EFFECTS } from './effects.server.ts';
import { sendNotices } from './notices.server.ts';
import type { Effect, Performer, Work } from './action-in-progress.server.ts';
import {
  asksForReason,
  destinationOf,
  LOST_REASONS,
  type LostReason,
  stateSentence,
  type Transition,
  transitionOf,
} from './workflow.ts';
import { type QuoteState, readQuoteState } from './workflow-facts.server.ts';

export type ActionInput = {
  quoteId: number;
  action: ActionName;
  /** The version that the user saw. A customer does not see it and is bound to the frozen revision instead. */
  version?: number;
  comment?: string | null | undefined;
  reasonCode?: string | null | undefined;
  /** For MarkLost, see Work. */
  lostCompetitor?: string | null | undefined;
  lostCompetitorPrice?: number | null | undefined;
  poNumber?: string | null | undefined;
  signedName?: string | null | undefined;
  /** For MarkWon: accepts the prices without the eligibility requests that the quote depends on. */
  atFallbackPrice?: boolean | undefined;
  /** For MarkWon: the total that the user saw. */
  total?: Decimal | undefined;
  /** For Send: whether the lines show pictures. */
  pictures?: boolean;
  /** For Send: the savings at other tiers that the customer's page shows. */
  nextTiers?: QuoteDocument['nextTiers'];
};

/**
 * Performs an action in the transaction `db`. Throws 404 when the user cannot see the quote, 403 when this user may never perform the action, 409 for
 * a stale version or a wrong state (the message names the state and who moved the quote), and 422 for missing input. Returns the state before the
 * action.
 */
export async function performAction(
  { db, services }: { db: Db; services: Services },
  performer: Performer,
  input: ActionInput,
): Promise<QuoteState> {
  const user = 'user' in performer ? await callerNow(db, services, performer.user) : 'customer';
  const quote =
    user === 'customer'
      ? await db.selectFrom('quote').selectAll().where('id', '=', input.quoteId).forUpdate().executeTakeFirstOrThrow()
      : await requireQuote(db, user, input.quoteId, { lock: true });
  const state = await readQuoteState(db, services, user, quote);
  const row = await requireAllowed(db, state, input.action, input.version);
  const performedBy = 'user' in performer ? performer.user.fullName : customerActor(performer.customer);
  const decides = input.action === 'ApproveDiscount' || input.action === 'RejectDiscount';
  const work: Work = {
    db,
    services,
    state,
    performer,
    userId: 'user' in performer ? performer.user.id : null,
    performedBy,
    actor: decides ? actorOf(performedBy, state.toDecide) : performedBy,
    action: input.action,
    to: destinationOf(row, state.facts),
    pictures: input.pictures ?? false,
    atFallbackPrice: input.atFallbackPrice ?? false,
    total: input.total ?? null,
    nextTiers: input.nextTiers ?? [],
    ...commentAndReason(row, state, input),
  };
  const { patch = {}, changes = [] } = (await EFFECTS[input.action]?.(work)) ?? {};
  // The restored revision may belong to another user.
  if ('user' in performer) refuseKeyThatMoves(performer.user, quote, patch);
  await db
    .updateTable('quote')
    .set({ ...patch, status_id: work.to, version: quote.version + 1, updated_at: services.clock.now() })
    .where('id', '=', quote.id)
    .execute();
  const revision = patch.revision ?? quote.revision;
  await recordEvent(db, {
    quoteId: quote.id,
    userId: work.userId,
    actor: work.actor,
    action: work.action,
    from: quote.status_id,
    to: work.to,
    revision,
    comment: work.lostReason ? [LOST_REASONS[work.lostReason], work.comment].filter(Boolean).join(': ') : work.comment,
    changes: [
      ...(revision === quote.revision
        ? []
        : [{ field: 'Revision', before: String(quote.revision), after: String(revision) }]),
      ...changes,
    ],
  });
  if (quote.status_id === 'SentToCustomer' && work.to !== quote.status_id) {
    await stopReminder({ db, services }, quote, null, `${work.actor} ${eventWords(work)}`);
  }
  if (work.to === 'Won') {
    const won = await wonNow(work, patch);
    for (const enter of await openEntries(db, quoteWon)) await enter(db, services, won);
  } else if (quote.status_id === 'Won') {
    for (const { entry } of quoteReopened.entries()) await entry(db, services, quote.id);
  }
  await sendNotices(work);
  afterCommit(db, () => {
    for (const { entry } of quoteMoved.entries()) entry(services);
  });
  return state;
}

/** The won quote, read again only if the step changed prices. */
async function wonNow({ db, state: { quote, items } }: Work, patch: Effect['patch'] = {}): Promise<Won> {
  if (!('fallback_total' in patch)) return { quote: { ...quote, ...(patch as Partial<QuoteRecord>) }, lines: items };
  const now = await db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
  return { quote: now, lines: await quoteLines(db, quote.id) };
}

/**
 * The server caches a caller's rights for half a minute. During that time, neither a deactivated user nor a deputy whose term has ended may decide
 * anything.
 */
async function callerNow(db: Db, services: Services, user: Caller): Promise<Caller> {
  const row = await db
    .selectFrom('app_user')
    .select(['active', deputyForValue(sql`app_user.id`, services.clock.now()).as('deputyFor')])
    .where('id', '=', user.id)
    .executeTakeFirst();
  if (!row?.active) throw new HttpError(401, 'Your account is no longer active.');
  // Only a person can be a deputy. A program that uses an API key cannot.
  return { ...user, deputyFor: user.keyId === undefined ? row.deputyFor : [] };
}

/** 'Kim Lee', or 'Kim Lee for Pat Doe' when Kim decides as Pat's deputy. */
function actorOf(name: string, decided: QuoteState['toDecide']): string {
  const absent = new Set(decided.flatMap(({ as }) => as.deputyFor?.fullName ?? []));
  return absent.size === 0 ? name : `${name} for ${[...absent].join(' and ')}`;
}

/** The transition for the action. Throws 403, or 409 for a stale version or a state that does not allow it. */
export async function requireAllowed(
  db: Db,
  state: QuoteState,
  action: ActionName,
  version?: number,
): Promise<Transition> {
  const row = transitionOf(action, state.facts);
  if ('refused' in row && row.refused === 'forbidden') throw forbidden();
  if (version !== undefined && version !== state.quote.version) throw await stale(db, state);
  if ('refused' in row) throw await wrongState(db, state, row.sentence);
  return row;
}

/** The comment and the reason to store. Throws 422 when a required one is missing. */
function commentAndReason(
  row: Transition,
  { facts }: QuoteState,
  input: ActionInput,
): Pick<Work, 'comment' | 'lostReason' | 'lostCompetitor' | 'lostCompetitorPrice' | 'poNumber' | 'signedName'> {
  const words = input.comment?.trim() ?? '';
  const code = input.reasonCode?.trim() ?? '';
  const rest = {
    poNumber: input.poNumber?.trim() ?? '',
    signedName: input.signedName?.trim() ?? '',
    lostCompetitor: input.lostCompetitor?.trim() ?? '',
    lostCompetitorPrice: input.lostCompetitorPrice ?? null,
  };
  if (row.needsComment && words === '') {
    throw invalid([{ path: 'comment', message: 'This field is required' }]);
  }
  if (input.action === 'MarkLost') {
    const lostReason = lostReasonOf(code);
    if (lostReason === 'other' && words === '') {
      throw invalid([{ path: 'comment', message: 'Enter a short reason.' }]);
    }
    return { comment: words, lostReason, ...rest };
  }
  // A typed reason may be in either field, or in both.
  const comment = [...new Set([code, words])].filter(Boolean).join(': ');
  if (asksForReason(row, facts) && comment === '') {
    throw invalid([{ path: 'comment', message: 'Enter a reason.' }]);
  }
  return { comment, lostReason: null, ...rest };
}

function lostReasonOf(code: string): LostReason {
  const match = Object.entries(LOST_REASONS).find(([key, label]) =>
    [key, label].some((known) => known.toLowerCase() === code.toLowerCase()),
  );
  if (!match)
    throw invalid([{ path: 'reasonCode', message: code ? 'Choose one of the reasons.' : 'Choose a reason.' }]);
  return match[0] as LostReason;
}

async function stale(db: Db, { quote, facts }: QuoteState): Promise<HttpError> {
  const last = await lastChangeOf(db, quote.id);
  const who = last
    ? `${last.actor} ${eventWords(last)} in the meantime.`
    : 'Another user changed this quote in the meantime.';
  return new HttpError(409, `${who} ${stateSentence(facts)} Review it before you continue.`, {
    conflict: conflictOf({ quote, facts }, last),
  });
}

async function wrongState(db: Db, { quote, facts }: QuoteState, sentence: string): Promise<HttpError> {
  // The customer must not see the names of staff.
  if (facts.user === 'customer') return new HttpError(409, sentence);
  const mover = await lastMoveOf(db, quote.id);
  const status = sentence === stateSentence(facts) ? '' : ` Status: ${STATUS_LABELS[facts.statusId]}.`;
  const who = mover ? ` Last step: ${mover.actor} ${eventWords(mover)}.` : '';
  return new HttpError(409, `${sentence}${status}${who}`, { conflict: conflictOf({ quote, facts }, mover) });
}

function conflictOf({ quote, facts }: Pick<QuoteState, 'quote' | 'facts'>, event: Doing | undefined): Conflict {
  return {
    changedBy: event?.actor ?? null,
    changedAt: event?.at ?? null,
    changes: [],
    current: { statusId: facts.statusId, version: quote.version },
  };
}
