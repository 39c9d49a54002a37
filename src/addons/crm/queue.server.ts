// Sends the queue of pushes. The database stores the queue. One process at a time sends in order and retries (docs/decisions/0038).
import { type Selectable, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { CrmPush } from '#platform/db/tables.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import { administrators, notify } from '#platform/notifications/notify.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { isFree, pauseAfter, RUN_MS, serveSender, unlessAskedAgain } from '#platform/jobs/leased-queue.server.ts';
import { type CrmOptions, soqlText, fieldText } from '#platform/outside/crm.server.ts';
import { CrmError } from '#platform/outside/crm-error.server.ts';
import { contentKey, readContent } from './build-push.server.ts';
import {
  type Connection,
  connectionOf,
  forgetFormerOrg,
  openConnection,
  readConnection,
  readMapping,
} from './connection.server.ts';
import { type Pushed, type PushSettings, pushContact, pushOpportunity } from './push.server.ts';

export type PushRow = Selectable<CrmPush>;
export type PushWhat = 'Opportunity' | 'Contact';

const MAX_PAUSE_S = 900;
/** The number of tries of a push while the CRM is busy. */
const BUSY_TRIES = 8;
/** From this try on, a push without any answer lets other pushes go first. */
const LETS_PASS = 4;
const NIGHT = 'T00:00:00.000Z';
const DAY_MS = 86_400_000;

/** Queues a push, which takes effect when the transaction `db` commits. */
export async function askPush(
  db: Db,
  services: Services,
  ask: { quoteId: number; what: PushWhat; by: number },
): Promise<number> {
  const now = services.clock.now();
  const { id } = await db
    .insertInto('crm_push')
    .values({ quote_id: ask.quoteId, what: ask.what, asked_at: now, asked_by: ask.by })
    .onConflict((conflict) =>
      conflict.columns(['quote_id', 'what']).doUpdateSet((eb) => ({
        ...AGAIN,
        asks: eb('crm_push.asks', '+', 1),
        asked_by: ask.by,
        asked_at: sql<string>`case crm_push.state when 'Waiting' then crm_push.asked_at else ${now}::timestamptz end`,
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The values that restart a push. */
export const AGAIN = {
  state: 'Waiting',
  tries: 0,
  next_at: sql<string>`'epoch'::timestamptz`,
  error: '',
  error_data: '[]',
  choices: '[]',
} as const;

/** Users are notified at this failure, not after a brief outage. The wait doubles with every try. */
const NOTIFY_AT_FAILURE = 5;

export const crmPushJob = {
  name: 'crm-push',
  due: async (services) => {
    const now = services.clock.now();
    const { rows } = await sql<{ due: boolean }>`
      select exists (select from crm_push where state = 'Waiting' and next_at <= ${now})
        and exists (select from crm_connection where ${isFree(now)}) as due`.execute(services.database.db);
    return rows[0]?.due === true && isReady(services, await readConnection(services.database.db, services));
  },
  run: async (services) => void (await runPushes(services, {})),
} satisfies PlainJob<Services>;

/** Reads the stages of the opportunities of open quotes once a day. */
export const crmLookJob = {
  name: 'crm-look',
  daily: true,
  retryLimit: 3,
  run: async (services) => {
    const connection = await readConnection(services.database.db, services);
    if (await isReady(services, connection)) await lookAtStages(services, connection);
  },
} satisfies PlainJob<Services>;

/** Whether a CRM is connected and this is not a restored copy, which must not write into the original's CRM. */
async function isReady({ database }: Services, { login }: Connection): Promise<boolean> {
  return login !== null && (await mailHeldSince(database.db)) === null;
}

type Only = {
  /** Sends only this push. */
  pushId?: number;
  /** Aborts all calls. */
  signal?: AbortSignal;
};

/**
 * Sends due pushes, oldest first, until none are left or the CRM accepts no more. Does nothing while another process sends. Returns the error of the
 * last push.
 */
export async function runPushes(services: Services, { pushId, signal }: Only): Promise<CrmError | null> {
  let failure: CrmError | null = null;
  const { db } = services.database;
  const run = { id: 1, until: performance.now() + RUN_MS };
  await serveSender(services, 'crm_connection', run, async ({ sender, renew }) => {
    const connection = connectionOf(services, sender);
    if (!(await isReady(services, connection)) || (await pauseAtLimit(services, connection))) return false;
    await forgetFormerOrg(db, connection);
    const push = await db
      .selectFrom('crm_push')
      .selectAll()
      .where('state', '=', 'Waiting')
      .where('next_at', '<=', services.clock.now().toISOString())
      .$if(pushId !== undefined, (query) => query.where('id', '=', pushId ?? 0))
      .orderBy('asked_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!push) return false;
    failure = await sendOne(services, connection, push, { before: renew, signal });
    return pushId === undefined;
  });
  return failure;
}

async function sendOne(
  services: Services,
  { login, row }: Connection,
  push: PushRow,
  options: Pick<CrmOptions, 'before' | 'signal'>,
): Promise<CrmError | null> {
  if (!login) throw new Error('a ready connection has a login');
  const { db } = services.database;
  let usage: { used: number; limit: number } | null = null;
  const crm = openConnection(services, login, {
    ...options,
    onUsage: (used, limit) => (usage = { used, limit }),
  });
  try {
    const mapping = await readMapping(db);
    const settings: PushSettings = { ...mapping, priceBook: row.price_book, customItem: row.custom_item };
    const content = await readContent(db, services, push.quote_id, mapping.stages);
    if (!content) return null;
    const what = push.what as PushWhat;
    const key = contentKey(content, mapping, what);
    const picked = push.picked as Record<string, string>;
    const automatic = push.asked_by === null;
    const known = { picked, crmId: push.crm_id, stageSent: push.stage_sent, automatic };
    let pushed: Pushed = { crmId: push.crm_id, stageSent: push.stage_sent, stageSeen: push.stage_seen };
    // Skip a change of status that does not change any value in the CRM.
    if (!automatic || key !== push.pushed_key) {
      const other = await otherIdOf(db, push);
      pushed = await (what === 'Opportunity' ? pushOpportunity : pushContact)(crm, content, settings, known, other);
    }
    await notePushed(services, push, pushed, { key, revision: content.revision });
    return null;
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    if (options.signal?.aborted && error.kind === 'stuck') await noteLater(services, push);
    else await noteFailure(services, row, push, error);
    return error;
  } finally {
    if (usage) await noteUsage(services, usage);
  }
}

/** The CRM id of the same quote's other push: the opportunity for a contact, the contact for an opportunity. */
async function otherIdOf(db: Db, { quote_id, what }: PushRow): Promise<string> {
  const other = await db
    .selectFrom('crm_push')
    .select('crm_id')
    .where('quote_id', '=', quote_id)
    .where('what', '<>', what)
    .executeTakeFirst();
  return other?.crm_id ?? '';
}

async function notePushed(
  services: Services,
  push: PushRow,
  pushed: Pushed,
  { key, revision }: { key: string; revision: number },
): Promise<void> {
  const now = services.clock.now();
  const { db } = services.database;
  await db
    .updateTable('crm_push')
    .set({
      // If a user requested another push in the meantime, the sent content may be old, so the push waits again.
      state: unlessAskedAgain(push.asks, sql.val('Pushed'), sql.val('Waiting')),
      tries: 0,
      crm_id: pushed.crmId,
      revision,
      pushed_key: key,
      pushed_at: now,
      stage_sent: pushed.stageSent,
      stage_seen: pushed.stageSeen,
      seen_at: now,
      error: '',
      error_data: '[]',
      choices: '[]',
    })
    .where('id', '=', push.id)
    .execute();
  await db.updateTable('crm_connection').set({ failures: 0, paused_until: null, pause: '' }).execute();
}

const FAILURE_STATES = { refused: 'Failed', choose: 'Blocked' } as const;

/** Records the error, and the time when the push or the whole queue continues. */
async function noteFailure(
  services: Services,
  connection: Connection['row'],
  push: PushRow,
  error: CrmError,
): Promise<void> {
  const { kind, message, faults, choices } = error;
  const now = services.clock.now();
  const tries = push.tries + 1;
  const gaveUp = kind === 'busy' && tries >= BUSY_TRIES;
  const isWhole = kind === 'down' || kind === 'stuck' || kind === 'auth' || kind === 'limit';
  const failures = connection.failures + 1;
  const pause =
    kind === 'limit'
      ? nextDay(now)
      : new Date(now.getTime() + 1000 * (kind === 'auth' ? MAX_PAUSE_S : pauseAfter(failures, MAX_PAUSE_S)));
  const wait =
    kind === 'busy' ? pauseAfter(tries, MAX_PAUSE_S) : kind === 'stuck' && tries >= LETS_PASS ? MAX_PAUSE_S : 0;
  const state = gaveUp ? 'Failed' : kind === 'refused' || kind === 'choose' ? FAILURE_STATES[kind] : 'Waiting';
  await inTransaction(services.database.db, async (db) => {
    await db
      .updateTable('crm_push')
      .set({
        state: unlessAskedAgain(push.asks, sql.val(state), sql.val('Waiting')),
        tries,
        next_at: new Date(now.getTime() + wait * 1000),
        error: message,
        error_data: JSON.stringify(faults),
        choices: JSON.stringify(choices),
      })
      .where('id', '=', push.id)
      .execute();
    if (isWhole)
      await db.updateTable('crm_connection').set({ failures, paused_until: pause, pause: message }).execute();
    if (state !== 'Waiting') await tellFailed(db, services, push, message);
    if (isWhole && failures === (kind === 'auth' ? 1 : NOTIFY_AT_FAILURE)) await tellPaused(db, services, message);
  });
}

/** Notifies the user who requested the push. */
async function tellFailed(db: Db, services: Services, push: PushRow, message: string): Promise<void> {
  const mail = { what: 'the push to the CRM failed', paragraphs: () => [message] };
  const concerns = [{ userId: push.asked_by, quoteId: push.quote_id }];
  await notify(db, services, { kind: 'crmFailing', by: { id: null, name: '' }, mail }, concerns);
}

/** Notifies the administrators, once until the CRM accepts a push again. */
async function tellPaused(db: Db, services: Services, message: string): Promise<void> {
  const mail = {
    what: 'Pushes to the CRM are paused',
    paragraphs: () => [message, 'Waiting pushes will be retried automatically.'],
  };
  const concerns = (await administrators(db)).map((userId) => ({ userId }));
  await notify(db, services, { kind: 'crmFailing', by: { id: null, name: '' }, mail }, concerns);
}

/** The call stops waiting for the push. The job continues in a moment. */
async function noteLater(services: Services, push: PushRow): Promise<void> {
  const next = new Date(services.clock.now().getTime() + 5000);
  await services.database.db.updateTable('crm_push').set({ next_at: next }).where('id', '=', push.id).execute();
}

function nextDay(now: Date): Date {
  return new Date(`${new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10)}${NIGHT}`);
}

async function noteUsage(services: Services, { used, limit }: { used: number; limit: number }): Promise<void> {
  await services.database.db
    .updateTable('crm_connection')
    .set({ calls_used: used, calls_limit: limit, calls_at: services.clock.now() })
    .execute();
}

/** Pauses until the next day before the last calls of the day are used, because other programs need some, too. */
async function pauseAtLimit(services: Services, { row }: Connection): Promise<boolean> {
  const now = services.clock.now();
  const isToday =
    row.calls_at !== null && new Date(row.calls_at).toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  const mostUsed = row.calls_limit * (1 - row.keep_calls / 100);
  if (!isToday || row.calls_limit === 0 || row.calls_used < mostUsed) return false;
  await services.database.db
    .updateTable('crm_connection')
    .set({
      paused_until: nextDay(now),
      pause: `${row.calls_used} of ${row.calls_limit} daily Salesforce API calls are used. The rest is reserved for other apps.`,
    })
    .execute();
  return true;
}

/** Reads the stages of the opportunities of open quotes, 200 per call. */
async function lookAtStages(services: Services, { login }: Connection): Promise<void> {
  if (!login) return;
  const { db } = services.database;
  const pushes = await db
    .selectFrom('crm_push')
    .innerJoin('quote', 'quote.id', 'crm_push.quote_id')
    .select(['crm_push.id', 'crm_push.crm_id'])
    .where('what', '=', 'Opportunity')
    .where('crm_id', '<>', '')
    .where('quote.status_id', 'not in', ['Won', 'Lost', 'Cancelled'])
    .execute();
  const crm = openConnection(services, login);
  for (let at = 0; at < pushes.length; at += 200) {
    const batch = pushes.slice(at, at + 200);
    const list = batch.map(({ crm_id }) => soqlText(crm_id)).join(', ');
    const results = await crm.query(`select Id, StageName from Opportunity where Id in (${list})`);
    const stages = batch.map(({ id, crm_id }) => ({
      id,
      stage: fieldText(
        results.find((result) => result['Id'] === crm_id),
        'StageName',
      ),
    }));
    await sql`update crm_push p set stage_seen = r.stage, seen_at = ${services.clock.now()}
      from jsonb_to_recordset(${JSON.stringify(stages)}::jsonb) as r(id int, stage text)
      where p.id = r.id and p.state <> 'Waiting'`.execute(db);
  }
}
