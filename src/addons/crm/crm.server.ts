// Answers the QuoteCrm calls and the list of pushes.
import { type Selectable, sql } from 'kysely';
import { type FieldError, HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { CrmPush } from '#platform/db/tables.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import type { CrmChoice, CrmErrorKind, CrmFault } from '#platform/outside/crm-error.server.ts';
import { type Connection, NOT_CONNECTED, readConnection } from './connection.server.ts';
import type { Crm, PushAnswer, PushKind, PushState, QuoteCrm, QuotePush } from './crm.contract.ts';
import { AGAIN, askPush, runPushes } from './queue.server.ts';
import {
  disconnect,
  pauseOf,
  readSettings,
  resume,
  saveConnection,
  saveMapping,
  testConnection,
} from './settings.server.ts';

/** How long a call waits for the CRM. After that, the job continues in the background. */
const WAIT_MS = 8_000;
const EVENTS: Record<PushKind, string> = { Opportunity: 'PushToCrm', Contact: 'PushContactToCrm' };

type Asking = Context<readonly ['systemadmin']>;
type PushRow = Selectable<CrmPush>;

export const quoteCrmAnswers: Answers<typeof QuoteCrm> = {
  AddQuoteAsOppotunity: (context, { id }) => pushNow(context, id, 'Opportunity'),
  AddQuoteContactToSalesforce: (context, { id }) => pushNow(context, id, 'Contact'),

  GetQuoteCrm: async ({ db, services, user }, { id }) => {
    await requireQuote(db, user, id);
    const connection = await readConnection(db, services);
    const rows = await db.selectFrom('crm_push').selectAll().where('quote_id', '=', id).execute();
    const display = (what: PushKind) => {
      const push = rows.find((row) => row.what === what);
      return push ? shownPush(push, connection, pauseOf(services, connection)?.until ?? null) : null;
    };
    return {
      connected: connection.source !== 'none',
      opportunity: display('Opportunity'),
      contact: display('Contact'),
    };
  },

  /** Throws 409 unless the record is one of those that blocked the push. */
  PickCrmRecord: async (context, { quoteId, what, crmId }) => {
    const { services, user } = context;
    await requireConnected(context);
    const pushId = await inTransaction(services.database.db, async (trx) => {
      await actByKey(trx, user.keyId);
      const quote = await requireQuote(trx, user, quoteId);
      const push = await trx
        .selectFrom('crm_push')
        .selectAll()
        .where('quote_id', '=', quoteId)
        .where('what', '=', what)
        .forUpdate()
        .executeTakeFirst();
      const choice = (push?.choices as CrmChoice[] | undefined)?.find(({ id }) => id === crmId);
      if (!push || push.state !== 'Blocked' || !choice)
        throw new HttpError(409, 'This choice is no longer available. Reload the quote.');
      const picked = { ...(push.picked as Record<string, string>), [choice.object]: crmId };
      await trx
        .updateTable('crm_push')
        .set({ ...AGAIN, picked: JSON.stringify(picked), asks: push.asks + 1, asked_by: user.id })
        .where('id', '=', push.id)
        .execute();
      await recordEvent(trx, {
        quoteId,
        userId: user.id,
        actor: user.fullName,
        action: 'PickCrmRecord',
        revision: quote.revision,
        changes: [{ field: choice.object, before: '', after: choice.name || crmId }],
      });
      return push.id;
    });
    return tryNow(context, pushId);
  },
};

async function requireConnected({ db, services }: Pick<Asking, 'db' | 'services'>): Promise<void> {
  const { source, problem } = await readConnection(db, services);
  if (source === 'none') throw new HttpError(409, NOT_CONNECTED);
  if (problem) throw new HttpError(409, problem);
}

/** Queues the push in its own transaction, then tries it. The push is not lost, whatever the result of the try. */
async function pushNow(context: Asking, quoteId: number, what: PushKind): Promise<PushAnswer> {
  const { services, user } = context;
  // Check access first: users must not learn from a quote they do not see whether a CRM is connected.
  const quote = await requireQuote(context.db, user, quoteId);
  await requireConnected(context);
  const pushId = await inTransaction(services.database.db, async (trx) => {
    await actByKey(trx, user.keyId);
    const by = { quoteId, userId: user.id, actor: user.fullName };
    await recordEvent(trx, { ...by, action: EVENTS[what], revision: quote.revision });
    return askPush(trx, services, { quoteId, what, by: user.id });
  });
  return tryNow(context, pushId);
}

/**
 * Throws what the CRM answered if it refuses (specification section 8): 422 for a push that failed, 409 for one that needs the user's choice, and 409
 * for one that waits because the CRM accepts nothing from us. A push that waits without such an answer returns 202.
 */
async function tryNow({ services, request }: Asking, pushId: number): Promise<PushAnswer> {
  const { db } = services.database;
  const failure = await runPushes(services, { pushId, signal: AbortSignal.timeout(WAIT_MS) });
  const push = await db.selectFrom('crm_push').selectAll().where('id', '=', pushId).executeTakeFirst();
  if (!push) throw notFound('quote');
  const errors = errorsOf(push.error_data as CrmFault[]);
  if (push.state === 'Failed') throw new HttpError(422, push.error, { errors });
  if (push.state === 'Blocked') throw new HttpError(409, push.error, { errors });
  if (push.state === 'Waiting' && failure && TAKES_NOTHING.includes(failure.kind))
    throw new HttpError(409, `${failure.message} The push will be retried automatically.`, {
      errors: errorsOf(failure.faults),
    });
  if (push.state === 'Waiting') request.isAccepted = true;
  const connection = await readConnection(db, services);
  const { state, crmId, url, revision, ...fields } = shownPush(push, connection, null);
  const error = fields.error ?? (state === 'Waiting' ? pauseOf(services, connection)?.why : undefined);
  return { state, revision, ...(crmId ? { crmId } : {}), ...(url ? { url } : {}), ...(error ? { error } : {}) };
}

/** The CRM answered, but refuses everything we send: the sign-in failed, or no calls are left. */
const TAKES_NOTHING: readonly CrmErrorKind[] = ['auth', 'limit'];

function errorsOf(faults: readonly CrmFault[]): FieldError[] {
  return faults.map(({ code, message, fields }) => ({
    path: fields.join(', '),
    message: [code, message].filter(Boolean).join(': '),
  }));
}

function shownPush(push: PushRow, connection: Connection, pausedUntil: string | null): QuotePush {
  const waits = push.state === 'Waiting';
  const next = [pausedUntil, push.next_at]
    .filter((at) => at !== null)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
  const isMoved = push.stage_seen !== '' && push.stage_sent !== '' && push.stage_seen !== push.stage_sent;
  return {
    what: push.what as PushKind,
    state: push.state as PushState,
    ...(push.crm_id ? { crmId: push.crm_id, url: urlOf(connection, push.what, push.crm_id) } : {}),
    revision: push.revision,
    ...(push.error ? { error: push.error } : {}),
    pushedAt: push.pushed_at,
    askedAt: push.asked_at,
    nextAt: waits && next && push.error ? next : null,
    stage: isMoved && push.seen_at ? { crm: push.stage_seen, ours: push.stage_sent, seenAt: push.seen_at } : null,
    choices: (push.choices as CrmChoice[]).map((choice) => ({
      ...choice,
      url: urlOf(connection, choice.object, choice.id),
    })),
  };
}

/** The address where the user opens a record. '' while no CRM is connected. */
function urlOf({ login }: Connection, object: string, id: string): string {
  return login ? `${login.address.replace(/\/$/, '')}/lightning/r/${object}/${encodeURIComponent(id)}/view` : '';
}

const ORDER = {
  sorts: {
    askedAt: sql`crm_push.asked_at`,
    num: sql`quote.num`,
    state: sql`crm_push.state`,
    pushedAt: sql`crm_push.pushed_at`,
  },
  key: sql`crm_push.id`,
  first: { field: 'askedAt', dir: 'desc' as const },
};

export const crmAnswers: Answers<typeof Crm> = {
  GetCrmSettings: ({ db, services }) => readSettings(db, services),
  SaveCrmConnection: saveConnection,
  DisconnectCrm: (context, { version }) => disconnect(context, version),
  SaveCrmMapping: saveMapping,
  TestCrm: testConnection,
  ResumeCrm: resume,

  SearchCrmPushes: async ({ db, services }, criteria) => {
    const connection = await readConnection(db, services);
    const page = await pageFrom(pushesOf(db, criteria), criteria, ORDER);
    const { failed } = await db
      .selectFrom('crm_push')
      .select(sql<number>`count(*)::int`.as('failed'))
      .where('state', '=', 'Failed')
      .executeTakeFirstOrThrow();
    return {
      ...page,
      records: page.records.map((push) => ({
        id: push.id,
        quoteId: push.quote_id,
        num: push.num,
        facilityName: push.facility_name,
        what: push.what as PushKind,
        state: push.state as PushState,
        askedAt: push.asked_at,
        askedBy: push.asked_by_name,
        pushedAt: push.pushed_at,
        revision: push.revision,
        tries: push.tries,
        crmId: push.crm_id,
        url: push.crm_id ? urlOf(connection, push.what, push.crm_id) : '',
        error: push.error,
      })),
      connected: connection.source !== 'none',
      failed,
      pause: pauseOf(services, connection),
    };
  },

  RetryCrmPushes: async ({ db, user }, { id }) => {
    const retried = await db
      .updateTable('crm_push')
      // Retrying a failed push is a user's request, as it is on the quote.
      .set((eb) => ({ ...AGAIN, asks: eb('asks', '+', 1), ...(id ? { asked_by: user.id } : {}) }))
      .where('state', '=', 'Failed')
      .$if(Boolean(id), (query) => query.where('id', '=', id ?? 0))
      .executeTakeFirst();
    if (id && Number(retried.numUpdatedRows) === 0)
      throw new HttpError(409, 'This push has not failed or is already being retried.');
    return { retried: Number(retried.numUpdatedRows) };
  },
};

function pushesOf(
  db: Db,
  { keyword, state }: { keyword?: string | null | undefined; state?: PushState | null | undefined },
) {
  return db
    .selectFrom('crm_push')
    .innerJoin('quote', 'quote.id', 'crm_push.quote_id')
    .selectAll('crm_push')
    .select(['quote.num', 'quote.facility_name', whoDid('crm_push.asked_by').as('asked_by_name')])
    .$if(Boolean(keyword), (query) => query.where(holds(sql`quote.num || ' ' || quote.facility_name`, keyword ?? '')))
    .$if(Boolean(state), (query) => query.where('crm_push.state', '=', state ?? 'Failed'));
}
