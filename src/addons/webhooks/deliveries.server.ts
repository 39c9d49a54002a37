// Answers the calls about deliveries: the list, sending again, and a test whose result the user waits for.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Context } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import { postWebhook } from '#platform/outside/sign-and-post-webhook.server.ts';
import { BROKEN_SEAL, type Due, notePosted, postingOf } from './deliver.server.ts';
import { secretsOf } from './secrets.server.ts';
import { TEST_EVENT } from './webhook-events.ts';
import type { DeliveryState, Webhook } from './webhooks.contract.ts';

/** The process that receives the user's call sends the test. The job takes over only if that process dies. */
const TEST_HELD_MS = 60_000;
const HELD = 'This database was restored from a backup. Nothing is sent until mail is released in Settings → Mailbox.';

type Asking = Pick<Context, 'db' | 'services'>;

const ORDER = {
  sorts: { at: sql`webhook_delivery.id` },
  key: sql`webhook_delivery.id`,
  first: { field: 'at', dir: 'desc' as const },
};

export async function searchDeliveries(
  { db, services }: Asking,
  criteria: InputOf<typeof Webhook.SearchWebhookDeliveries>,
) {
  const now = services.clock.now().getTime();
  const page = await pageFrom(deliveriesOf(db, criteria), { page: 1, pageSize: 20, ...criteria }, ORDER);
  const webhooks = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'description as name'])
    .orderBy(sql`lower(description)`)
    .execute();
  const { failed } = await db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .select(sql<number>`count(*)::int`.as('failed'))
    .where('webhook_delivery.state', '=', 'Failed')
    .$if(Boolean(criteria.webhookId), (query) => query.where('endpoint_id', '=', criteria.webhookId ?? 0))
    .executeTakeFirstOrThrow();
  return {
    ...page,
    records: page.records.map(({ active, next_at, paused_until, ...row }) => {
      const next = Math.max(Date.parse(next_at), paused_until ? Date.parse(paused_until) : 0);
      const waits = row.state === 'Waiting';
      return {
        ...row,
        state: row.state as DeliveryState,
        off: waits && !active,
        nextAt: waits && active && next > now ? new Date(next).toISOString() : null,
      };
    }),
    webhooks,
    failed,
  };
}

function deliveriesOf(db: Db, { webhookId, state, type, keyword }: InputOf<typeof Webhook.SearchWebhookDeliveries>) {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_message as m', 'm.id', 'webhook_delivery.message_id')
    .innerJoin('webhook_endpoint as e', 'e.id', 'webhook_delivery.endpoint_id')
    .select(['webhook_delivery.id', 'endpoint_id as webhookId', 'e.description as webhook', 'm.key', 'm.type', 'm.at'])
    .select([
      'webhook_delivery.state',
      'tries',
      'last_at as lastAt',
      'next_at',
      'status',
      'answer',
      'error',
      'ms',
      'm.body',
    ])
    .select(['e.active', 'e.paused_until'])
    .$if(Boolean(webhookId), (query) => query.where('endpoint_id', '=', webhookId ?? 0))
    .$if(Boolean(state), (query) => query.where('webhook_delivery.state', '=', state ?? 'Failed'))
    .$if(Boolean(type), (query) => query.where('m.type', '=', type ?? ''))
    .$if(Boolean(keyword), (query) => query.where(holds(sql`m.key || ' ' || m.body`, keyword ?? '')));
}

/** Resends one delivery in any state, or all failed ones. Throws 404 for one that no longer exists. */
export async function replay(
  { db, services }: Asking,
  { id, webhookId }: InputOf<typeof Webhook.ReplayWebhookDeliveries>,
) {
  const replayed = await db
    .updateTable('webhook_delivery')
    .set((eb) => ({ state: 'Waiting', asks: eb('asks', '+', 1), tries: 0, next_at: services.clock.now() }))
    .where('endpoint_id', 'in', (eb) => eb.selectFrom('webhook_endpoint').select('id'))
    .$if(Boolean(id), (query) => query.where('id', '=', id ?? 0))
    .$if(!id, (query) => query.where('state', '=', 'Failed'))
    .$if(Boolean(webhookId), (query) => query.where('endpoint_id', '=', webhookId ?? 0))
    .executeTakeFirst();
  const count = Number(replayed.numUpdatedRows);
  if (id && count === 0) throw notFound('delivery');
  return { replayed: count };
}

/** Sends a test once, even to an endpoint that is off. Returns the result, which also appears in the list. */
export async function testWebhook({ services }: Asking, { id }: { id: number }) {
  const { db } = services.database;
  if ((await mailHeldSince(db)) !== null) throw new HttpError(409, HELD);
  const { endpoint, delivery } = await inTransaction(db, async (trx) => {
    const row = await trx.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('webhook');
    return { endpoint: row, delivery: await testDelivery(trx, id, services.clock.now()) };
  });
  const secrets = secretsOf(services, endpoint);
  const posted = secrets
    ? await postWebhook(postingOf(services, endpoint, secrets, delivery))
    : { ok: false, status: null, answer: '', error: BROKEN_SEAL, retryAfter: 0, ms: 0 };
  if (!(await notePosted(services, { endpointId: id }, delivery, posted))) throw notFound('webhook');
  const { ok, status, answer, error, ms } = posted;
  return { ok, sentence: ok ? `The endpoint answered with ${status}.` : error, answer, ms };
}

async function testDelivery(trx: Db, endpointId: number, now: Date): Promise<Due> {
  const key = `msg_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: now.toISOString(), data: { id: endpointId } });
  const message = await trx
    .insertInto('webhook_message')
    .values({ key, type: TEST_EVENT, at: now, body })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await trx
    .insertInto('webhook_delivery')
    .values({ message_id: message.id, endpoint_id: endpointId, next_at: new Date(now.getTime() + TEST_HELD_MS) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, asks: 1, tries: 0, key, type: TEST_EVENT, body };
}
