// Kills the server in the middle of deliveries: afterwards each event has arrived, and none under two ids.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import type { Database } from '#db/database.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  until,
} from '#testing/server-process.server.ts';
import { aMinutePasses } from '#testing/server-to-kill.server.ts';
import { startWebhookReceiver } from '#testing/webhook-receiver.server.ts';
import { readConfig } from '#outside/config.server.ts';
import { newSecret } from '#outside/webhook.server.ts';
import { announce } from './announce.server.ts';
import { sealSecret } from './secrets.server.ts';

/** The embedded database starts slowly, and after each kill the queue waits twice as long. */
const KILLS = process.env['TEST_DATABASE_URL'] ? 3 : 2;
const EACH = 12;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

it(`after ${KILLS} kills every event has arrived`, { timeout: 240_000 }, async () => {
  const receiver = await startWebhookReceiver();
  const secret = newSecret();
  receiver.knows(secret);
  home = await aProcessHome(async ({ db }) => void (await aUser(db)));
  const { open } = home;
  const environment: Record<string, string> = { ...home.environment, OUTSIDE_LOOPBACK: 'true' };
  const withDatabase = async (work: (database: Database) => Promise<unknown>) => {
    const database = await open();
    await work(database);
    await database.close();
  };
  await withDatabase(async ({ db }) => {
    const { id } = await db
      .insertInto('webhook_endpoint')
      .values({ address: receiver.address, description: 'ERP', events: ['order_request.created'] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const services = { config: readConfig(environment, environment['DEMO'] ? 'demo' : 'production') };
    await db
      .updateTable('webhook_endpoint')
      .set({ secret: sealSecret(services, id, secret) })
      .execute();
  });

  for (let kill = 0; kill < KILLS; kill++) {
    await withDatabase(async ({ db }) => {
      for (let n = 0; n < EACH; n++) await announce(db, 'order_request.created', { id: kill * EACH + n });
    });
    const server = await startServerProcess(environment);
    const before = receiver.received.length;
    await until(() => receiver.received.length > before + 2 * kill, 60);
    await sleep(3 * kill);
    server.child.kill('SIGKILL');
    await server.ended;
    // The leases and jobs of a dead process are free after a minute.
    await withDatabase(async (database) => {
      await database.pool.query(`update webhook_endpoint set leased_until = leased_until - interval '1 minute'`);
      await aMinutePasses(database);
    });
  }
  const server = await startServerProcess(environment);
  const ids = () => new Set(receiver.received.map(({ body }) => body.data['id']));
  await until(() => ids().size === KILLS * EACH, 120);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  // Only a delivery that a kill interrupted before it was recorded may arrive twice, with the same id.
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(KILLS * EACH);
  expect(receiver.received.length).toBeLessThanOrEqual(KILLS * EACH + KILLS);
  expect(receiver.received.every(({ signedBy }) => signedBy[0] === secret)).toBe(true);
  await withDatabase(async ({ db }) => {
    const left = await db.selectFrom('webhook_delivery').select('id').where('state', '<>', 'Delivered').execute();
    expect(left).toEqual([]);
  });
  await receiver.close();
});
