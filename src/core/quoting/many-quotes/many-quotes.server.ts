// Applies one step to many quotes, each in its own transaction, with the functions of the single-quote steps (docs/decisions/0018).
import { databaseRefusal } from '#platform/api/database-refusal.server.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import { isUnreachable } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { MAX_AT_ONCE } from '#platform/notifications/notify.server.ts';
import { saveFields } from '#core/quoting/quote-edit/save-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { performAction } from '#core/quoting/quote-workflow/perform.server.ts';
import { lastChangeOf } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import type { ManyQuotes, Outcome, QuoteChange, Was } from './many-quotes.contract.ts';

type Read = { id: number; version: number };
type Taken = Pick<Outcome, 'version' | 'message' | 'was'>;
type Step = {
  take: (context: ReadContext) => Promise<Taken>;
  /** Returns whether the quote is already in the state that the step would produce. */
  isTaken: (quote: QuoteRecord) => boolean;
};

export const manyQuotesAnswers: Answers<typeof ManyQuotes> = {
  ChangeQuotes: (context, { change, quotes, inAll, check }) =>
    eachAlone(context, quotes, { inAll, check }, (quote) => stepToTake(change, quote)),
  PutQuotesBack: (context, { quotes, inAll }) =>
    eachAlone(context, quotes, { inAll, check: false }, ({ was, ...quote }) => putBack(quote, was)),
};

/** Runs one quote after the other, because a user waits for each batch and other users work on the same quotes. */
async function eachAlone<Q extends Read>(
  { db, services, user }: ReadContext,
  quotes: readonly Q[],
  { inAll = quotes.length, check }: { inAll: number | undefined; check: boolean },
  stepFor: (quote: Q) => Step,
): Promise<{ outcomes: Outcome[] }> {
  const context = { db, services, user, isOneOfMany: inAll > MAX_AT_ONCE };
  const outcomes: Outcome[] = [];
  for (const quote of quotes) outcomes.push(await outcomeOf(context, quote, stepFor(quote), check));
  return { outcomes };
}

async function outcomeOf(context: ReadContext, read: Read, step: Step, check: boolean): Promise<Outcome> {
  const { db, services, user } = context;
  try {
    const taken = await inTransaction(db, async (transaction) => {
      await actByKey(transaction, user.keyId);
      const result = await step.take({ ...context, db: transaction });
      // A check runs the real step and then rolls it back.
      if (check) throw new Checked(result);
      return result;
    });
    return { id: read.id, done: true, ...taken };
  } catch (error) {
    if (error instanceof Checked) return { id: read.id, done: true, ...error.taken, version: null };
    const again = check ? null : await takenBefore(context, read, step, error);
    return again ?? { id: read.id, done: false, version: null, message: refusalOf(services, error), was: null };
  }
}

class Checked extends Error {
  readonly taken: Taken;
  constructor(taken: Taken) {
    super();
    this.taken = taken;
  }
}

/** Returns why this quote was refused. Rethrows errors that affect the whole call: an ended session, an unreachable database. */
function refusalOf(services: Services, error: unknown): string {
  if (error instanceof HttpError && error.status !== 401) return error.message;
  if (error instanceof HttpError || isUnreachable(error)) throw error;
  const known = databaseRefusal(error);
  if (known) return known[1];
  services.log.warn({ err: error }, 'a step with one of many quotes failed');
  return 'Something went wrong on the server. Nothing was saved.';
}

/**
 * The outcome of a step that was already applied when its response was lost and the client sends it again. This applies when the only change since
 * the client's version is by this user, and the quote is in the state that the step produces.
 */
async function takenBefore(
  { db, user }: ReadContext,
  { id, version }: Read,
  { isTaken }: Step,
  error: unknown,
): Promise<Outcome | null> {
  if (!(error instanceof HttpError) || error.status !== 409) return null;
  const quote = await db.selectFrom('quote').selectAll().where('id', '=', id).where(inSight(user)).executeTakeFirst();
  if (quote?.version !== version + 1 || !isTaken(quote)) return null;
  const last = await lastChangeOf(db, id);
  if (last?.userId !== user.id) return null;
  return { id, done: true, version: quote.version, message: 'Already done.', was: null };
}

function stepToTake(change: QuoteChange, { id, version }: Read): Step {
  switch (change.kind) {
    case 'assign': {
      const { kind: _kind, ...reps } = change;
      return {
        take: async (context) => {
          const { before, after } = await saveFields(context, { id, version, ...reps });
          if (after.version === before.version) throw notNeeded('The quote already has these representatives.');
          return { version: after.version, message: '', was: repsOf(before, reps) };
        },
        isTaken: (quote) => hasReps(quote, reps),
      };
    }
    case 'extend':
      return {
        take: (context) => extend(context, { id, version }, change.validUntil),
        // A price in use may end before the requested day.
        isTaken: (quote) => quote.valid_until_typed && quote.valid_until <= change.validUntil,
      };
    case 'cancel':
      return {
        take: async (context) => {
          const { user } = context;
          await performAction(context, { user }, { quoteId: id, version, action: 'Cancel', comment: change.reason });
          return { version: version + 1, message: '', was: null };
        },
        isTaken: (quote) => quote.status_id === 'Cancelled',
      };
  }
}

function putBack({ id, version }: Read, was: Was): Step {
  return {
    take: async (context) => {
      const { after } = await saveFields(context, { id, version, ...was });
      return { version: after.version, message: '', was: null };
    },
    isTaken: (quote) => hasReps(quote, was) && (was.validUntil === undefined || quote.valid_until === was.validUntil),
  };
}

/** Extends the validity and never shortens it. The message says when a price in use ends before the requested day. */
async function extend(context: ReadContext, { id, version }: Read, validUntil: IsoDate): Promise<Taken> {
  const { before, after } = await saveFields(context, { id, version, validUntil });
  const until = formatDate(after.valid_until);
  if (before.valid_until >= validUntil) {
    throw notNeeded(`The quote is already valid until ${formatDate(before.valid_until)}.`);
  }
  if (after.valid_until <= before.valid_until) {
    throw notNeeded(`The quote stays valid until ${formatDate(before.valid_until)}: a price it uses ends then.`);
  }
  return {
    version: after.version,
    message: after.valid_until < validUntil ? `Valid until ${until}: a price it uses ends then.` : '',
    was: { validUntil: before.valid_until },
  };
}

/** Rolls back a step that would change nothing. */
const notNeeded = (message: string) => invalid([{ path: '', message }]);

const REPS = [
  ['salesRepId', 'sales_rep_id'],
  ['csRepId', 'cs_rep_id'],
  ['isRepId', 'is_rep_id'],
] as const;

/** The earlier values of the representatives that the step names. */
function repsOf(before: QuoteRecord, named: Was): Was {
  return Object.fromEntries(
    REPS.flatMap(([field, column]) => (named[field] === undefined ? [] : [[field, before[column]]])),
  );
}

function hasReps(quote: QuoteRecord, named: Was): boolean {
  return REPS.every(([field, column]) => named[field] === undefined || named[field] === quote[column]);
}
