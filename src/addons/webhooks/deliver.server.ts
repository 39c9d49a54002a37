// Delivers announced events for up to three days. One process serves each endpoint, all endpoints in parallel (docs/decisions/0038).
import { setTimeout as sleep } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#platform/db/tables.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { isFree, RUN_MS, serveSender, unlessAskedAgain } from '#platform/jobs/leased-queue.server.ts';
import { type Posted, postWebhook } from '#platform/outside/sign-and-post-webhook.server.ts';
import { noteEnded, tellFailing } from './failing.server.ts';
import { secretsOf } from './secrets.server.ts';
import { TEST_EVENT } from './webhook-events.ts';

export type EndpointRow = Selectable<WebhookEndpoint>;
type DeliveryRow = Selectable<WebhookDelivery>;
export type Due = Pick<DeliveryRow, 'id' | 'asks' | 'tries'> & { key: string; type: string; body: string };

const LOOK_MS = 500;
/** The wait before each further try, in seconds: ten tries in 75 hours. */
const WAITS_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_ATTEMPTS = WAITS_S.length + 1;
/** Each wait grows by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest wait that an endpoint can request. */
const MAX_RETRY_AFTER_S = 6 * 3600;
const UNSEALED_PAUSE_S = 900;
const BROKEN_PAUSE_S = 60;
export const BROKEN_SEAL =
  'The secret was encrypted with another TOKEN_SECRET. Rotate it and give the new one to the receiver.';

export const webhookJob = {
  name: 'webhooks',
  // The second job takes over while the first one waits for its last answers.
  concurrency: 2,
  due: async (services) => {
    const [first] = await dueEndpoints(services, []);
    return first !== undefined && (await mailHeldSince(services.database.db)) === null;
  },
  run: (services) => runEndpoints(services),
} satisfies PlainJob<Services>;

/** Runs until nothing is due. An endpoint that hangs delays only itself, because the loop keeps looking for others. */
async function runEndpoints(services: Services): Promise<void> {
  const until = performance.now() + RUN_MS;
  const running = new Map<number, Promise<void>>();
  for (;;) {
    if (performance.now() > until) {
      // Queue the next job before waiting for the last answers, so that other endpoints do not wait for them.
      await services.jobs.send(services.database.db, webhookJob);
      break;
    }
    if ((await mailHeldSince(services.database.db)) !== null) break;
    for (const id of await dueEndpoints(services, [...running.keys()])) {
      const lane = runEndpoint(services, id, until)
        .catch((error: unknown) => pauseBroken(services, id, error))
        .finally(() => running.delete(id));
      running.set(id, lane);
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), sleep(LOOK_MS)]);
  }
  await Promise.all(running.values());
}

/** Endpoints with due deliveries that no process is serving. */
async function dueEndpoints(services: Services, except: number[]): Promise<number[]> {
  const now = services.clock.now();
  const { rows } = await sql<{ id: number }>`
    select e.id from webhook_endpoint e
    where e.active and ${isFree(now)} and e.id <> all (${except}::int[])
      and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'Waiting' and d.next_at <= ${now})
    order by e.id`.execute(services.database.db);
  return rows.map(({ id }) => id);
}

/** Serves one endpoint. A try takes at most a quarter of the lease. */
function runEndpoint(services: Services, id: number, until: number): Promise<void> {
  return serveSender(services, 'webhook_endpoint', { id, until }, async ({ sender: endpoint, lease }) => {
    const delivery = endpoint.active && (await nextDelivery(services, id));
    if (!delivery) return false;
    const secrets = secretsOf(services, endpoint);
    if (!secrets) {
      // The screen shows this error, and a mail follows after a day.
      await pause(services, id, UNSEALED_PAUSE_S, BROKEN_SEAL);
      return false;
    }
    const posted = await postWebhook(postingOf(services, endpoint, secrets, delivery));
    return notePosted(services, { endpointId: id, lease }, delivery, posted);
  });
}

function nextDelivery(services: Services, endpointId: number): Promise<Due | undefined> {
  return services.database.db
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_message as m', 'm.id', 'd.message_id')
    .select(['d.id', 'd.asks', 'd.tries', 'm.key', 'm.type', 'm.body'])
    .where('d.endpoint_id', '=', endpointId)
    .where('d.state', '=', 'Waiting')
    .where('d.next_at', '<=', services.clock.now().toISOString())
    .orderBy('d.next_at')
    .orderBy('d.id')
    .limit(1)
    .executeTakeFirst();
}

export function postingOf(services: Services, { address }: EndpointRow, secrets: string[], { key, body }: Due) {
  return { address, secrets, id: key, body, now: services.clock.now(), reach: services.config.reach };
}

/** With `lease`, records only while this process still holds the endpoint. A user's test has no lease. Returns whether it recorded the result. */
export async function notePosted(
  services: Services,
  { endpointId, lease }: { endpointId: number; lease?: string },
  { id, asks, tries: before, type }: Due,
  { ok, status, answer, error, retryAfter, ms }: Posted,
): Promise<boolean> {
  const now = services.clock.now();
  const tries = before + 1;
  const gone = status === 410;
  const last = gone || tries >= MAX_ATTEMPTS || type === TEST_EVENT;
  const state = ok ? 'Delivered' : last ? 'Failed' : 'Waiting';
  const request = Math.min(retryAfter, MAX_RETRY_AFTER_S);
  const wait = Math.max((WAITS_S[before] ?? 0) * (1 + Math.random() * JITTER), request);
  return inTransaction(services.database.db, async (trx) => {
    const endpoint = await trx
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('id', '=', endpointId)
      .$if(lease !== undefined, (query) => query.where('lease', '=', lease ?? ''))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!endpoint) return false;
    await trx
      .updateTable('webhook_delivery')
      .set({
        // If a user requested it again in the meantime, another try follows.
        state: unlessAskedAgain(asks, sql.val(state), sql.val('Waiting')),
        next_at: unlessAskedAgain(asks, sql<string>`${new Date(now.getTime() + wait * 1000)}`, sql.ref('next_at')),
        tries: unlessAskedAgain(asks, sql.val(tries), sql.ref('tries')),
        ...(ok ? { delivered_at: now } : {}),
        last_at: now,
        status,
        answer,
        error,
        ms,
      })
      .where('id', '=', id)
      .execute();
    // A user's test does not change how long the endpoint has been failing.
    if (type === TEST_EVENT && !ok) return true;
    if (ok) {
      await trx
        .updateTable('webhook_endpoint')
        .set({ failing_since: null, told_at: null, paused_until: null, last_error: '' })
        .where('id', '=', endpointId)
        .execute();
      return true;
    }
    await trx
      .updateTable('webhook_endpoint')
      .set((eb) => ({
        failing_since: eb.fn.coalesce('failing_since', sql<string>`${now}::timestamptz`),
        last_error: error,
        // The requested delay applies to all waiting deliveries of the endpoint.
        ...(request > 0 ? { paused_until: new Date(now.getTime() + request * 1000) } : {}),
      }))
      .where('id', '=', endpointId)
      .execute();
    if (gone) await noteEnded(trx, services, endpoint);
    else await tellFailing(trx, services, endpointId);
    return true;
  });
}

/** Pauses only this endpoint after an unexpected error. */
async function pauseBroken(services: Services, id: number, error: unknown): Promise<void> {
  services.log.warn({ err: error, endpoint: id }, 'webhooks');
  await pause(
    services,
    id,
    BROKEN_PAUSE_S,
    'Something went wrong while sending the event. See the server log for details.',
  );
}

async function pause(services: Services, id: number, seconds: number, why: string): Promise<void> {
  const now = services.clock.now();
  await services.database.db
    .updateTable('webhook_endpoint')
    .set((eb) => ({
      paused_until: new Date(now.getTime() + seconds * 1000),
      last_error: why,
      failing_since: eb.fn.coalesce('failing_since', sql<string>`${now}::timestamptz`),
    }))
    .where('id', '=', id)
    .execute();
}
