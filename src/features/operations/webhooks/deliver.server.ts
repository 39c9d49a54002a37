// Delivers what was announced: each endpoint by one process at a time, all endpoints beside each other, for three days (docs/decisions/0214).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Services } from '#api/services.server.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { mailHeldSince } from '#features/operations/mail/outbox.server.ts';
import type { JobKind } from '#jobs/jobs.server.ts';
import type { Reach } from '#outside/reachable-address.server.ts';
import { type Posted, postWebhook } from '#outside/webhook.server.ts';
import { noteEnded, tellFailing } from './failing.server.ts';
import { secretsOf } from './secrets.server.ts';
import { TEST_EVENT } from './webhook-events.ts';

export type EndpointRow = Selectable<WebhookEndpoint>;
type DeliveryRow = Selectable<WebhookDelivery>;
export type Due = Pick<DeliveryRow, 'id' | 'asks' | 'tries'> & { key: string; type: string; body: string };

/** A process that died gives an endpoint up after this long; each try renews it, and takes a quarter of it at most. */
const LEASE_MS = 60_000;
/** A job ends before the queue takes it for stuck; the next one goes on. */
const RUN_MS = 300_000;
const LOOK_MS = 500;
/** Until the next try, after the first, the second, …: ten tries in 75 hours. */
const WAITS_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MOST_TRIES = WAITS_S.length + 1;
/** So many percent later at most, so that what failed together is not tried together again. */
const JITTER = 0.1;
/** Longer an endpoint cannot ask to wait. */
const LONGEST_RETRY_AFTER_S = 6 * 3600;
const UNSEALED_PAUSE_S = 900;
const BROKEN_PAUSE_S = 60;
export const BROKEN_SEAL =
  'The secret was sealed under another TOKEN_SECRET. Rotate it, and give the new one to the endpoint.';

const Empty = z.object({});

export const webhookJob = {
  name: 'webhooks',
  payload: Empty,
  // The second takes over while the first waits for its last answers.
  concurrency: 2,
  due: async (services) => {
    const [first] = await dueEndpoints(services, []);
    return first !== undefined && (await mailHeldSince(services.database.db)) === null;
  },
  run: (services) => runEndpoints(services),
} satisfies JobKind<typeof Empty, Services>;

/** Runs until nothing is due. An endpoint that hangs keeps only itself waiting: others are looked for all the while. */
async function runEndpoints(services: Services): Promise<void> {
  const until = performance.now() + RUN_MS;
  const running = new Map<number, Promise<void>>();
  for (;;) {
    if (performance.now() > until) {
      // Before the last answers are waited for, so that nobody waits for those.
      await services.jobs.send(services.database.db, webhookJob, {});
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

/** Endpoints that something waits for and nobody serves. */
async function dueEndpoints(services: Services, except: number[]): Promise<number[]> {
  const now = services.clock.now();
  const { rows } = await sql<{ id: number }>`
    select e.id from webhook_endpoint e
    where e.active and (e.paused_until is null or e.paused_until <= ${now}) and (e.leased_until is null or e.leased_until <= ${now})
      and e.id <> all (${except}::int[])
      and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'Waiting' and d.next_at <= ${now})
    order by e.id`.execute(services.database.db);
  return rows.map(({ id }) => id);
}

async function runEndpoint(services: Services, id: number, until: number): Promise<void> {
  const { db } = services.database;
  const lease = randomUUID();
  try {
    while (performance.now() < until) {
      const endpoint = await holdEndpoint(services, id, lease);
      const delivery = endpoint && (await nextDelivery(services, id));
      if (!endpoint || !delivery) return;
      const secrets = secretsOf(services, endpoint);
      if (!secrets) {
        await pauseUnsealed(services, id);
        return;
      }
      const posted = await postWebhook(postingOf(services, endpoint, secrets, delivery));
      if (!(await notePosted(services, { endpointId: id, lease }, delivery, posted))) return;
    }
  } finally {
    await db
      .updateTable('webhook_endpoint')
      .set({ lease: '', leased_until: null })
      .where('lease', '=', lease)
      .execute();
  }
}

/** Takes or renews the right to send to an endpoint; undefined when another process has it, or it is off by now. */
function holdEndpoint(services: Services, id: number, lease: string): Promise<EndpointRow | undefined> {
  const now = services.clock.now();
  return services.database.db
    .updateTable('webhook_endpoint')
    .set({ lease, leased_until: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', id)
    .where('active', '=', true)
    .where((eb) => eb.or([eb('paused_until', 'is', null), eb('paused_until', '<=', now.toISOString())]))
    .where((eb) =>
      eb.or([
        eb('lease', 'in', ['', lease]),
        eb('leased_until', 'is', null),
        eb('leased_until', '<=', now.toISOString()),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
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

export function reachOfConfig({ config }: Pick<Services, 'config'>): Reach {
  return { networks: config.webhookNetworks, loopback: config.outsideLoopback };
}

export function postingOf(services: Services, { address }: EndpointRow, secrets: string[], { key, body }: Due) {
  return { address, secrets, id: key, body, now: services.clock.now(), reach: reachOfConfig(services) };
}

/** `lease`: only while this process still has the endpoint; a test of a person has none. Answers whether it was noted. */
export async function notePosted(
  services: Services,
  { endpointId, lease }: { endpointId: number; lease?: string },
  { id, asks, tries: before, type }: Due,
  { ok, status, answer, error, retryAfter, ms }: Posted,
): Promise<boolean> {
  const now = services.clock.now();
  const tries = before + 1;
  const gone = status === 410;
  const last = gone || tries >= MOST_TRIES || type === TEST_EVENT;
  const state = ok ? 'Delivered' : last ? 'Failed' : 'Waiting';
  const asked = Math.min(retryAfter, LONGEST_RETRY_AFTER_S);
  const wait = Math.max((WAITS_S[before] ?? 0) * (1 + Math.random() * JITTER), asked);
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
        // Asked for again meanwhile: that try is still to come.
        state: sql<string>`case when asks = ${asks} then ${state} else 'Waiting' end`,
        next_at: sql<string>`case when asks = ${asks} then ${new Date(now.getTime() + wait * 1000)}::timestamptz else next_at end`,
        tries: sql<number>`case when asks = ${asks} then ${tries}::int else tries end`,
        ...(ok ? { delivered_at: now } : {}),
        last_at: now,
        status,
        answer,
        error,
        ms,
      })
      .where('id', '=', id)
      .execute();
    // A test that a person sends says nothing of the days before.
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
        // What it asks for holds for all that waits for it.
        ...(asked > 0 ? { paused_until: new Date(now.getTime() + asked * 1000) } : {}),
      }))
      .where('id', '=', endpointId)
      .execute();
    if (gone) await noteEnded(trx, services, endpoint);
    else await tellFailing(trx, services, endpointId);
    return true;
  });
}

/** Nothing can be signed: said on the screen, and after a day by mail. */
function pauseUnsealed(services: Services, id: number): Promise<void> {
  return pause(services, id, UNSEALED_PAUSE_S, BROKEN_SEAL);
}

/** What nobody foresaw stops this endpoint for a while, and no other. */
async function pauseBroken(services: Services, id: number, error: unknown): Promise<void> {
  services.log.warn({ err: error, endpoint: id }, 'webhooks');
  await pause(
    services,
    id,
    BROKEN_PAUSE_S,
    'Something went wrong here while it was sent. The log of the server says more.',
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
