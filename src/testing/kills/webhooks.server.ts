// A server killed in the middle of deliveries: afterwards each event has arrived, and none under two ids.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { announce } from '#addons/webhooks/announce.server.ts';
import { sealSecret } from '#addons/webhooks/secrets.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { newSecret } from '#platform/outside/sign-and-post-webhook.server.ts';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import { startWebhookReceiver } from '../webhook-receiver.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

const EACH = 12;

export async function webhooks(): Promise<KillCase> {
  const receiver = await startWebhookReceiver();
  onTestFinished(receiver.close);
  const secret = newSecret();
  receiver.knows(secret);
  let announced = 0;

  const begin = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { id, secret: sealed } = await db
        .selectFrom('webhook_endpoint')
        .select(['id', 'secret'])
        .executeTakeFirstOrThrow();
      if (!sealed)
        await db
          .updateTable('webhook_endpoint')
          .set({ secret: sealSecret({ config: readConfig(server.environment, 'production') }, id, secret) })
          .execute();
      for (let n = 0; n < EACH; n++) await announce(db, 'order_request.created', { id: announced++ });
    });
  /** Around the moment at which so many deliveries have arrived. */
  const arrived = (more: number, wait: number): Point => ({
    work: async (server) => {
      const before = receiver.received.length;
      await begin(server);
      await until(() => receiver.received.length > before + more, 60);
      await sleep(wait);
    },
  });
  /** A delivery has arrived, and the server does not know it. */
  const unanswered: Point = {
    work: async (server) => {
      receiver.down('hang');
      const before = receiver.received.length;
      await begin(server);
      await until(() => receiver.received.length > before, 60);
      return () => receiver.down(null);
    },
  };
  return {
    fill: async ({ db }) => {
      await db
        .insertInto('webhook_endpoint')
        .values({ address: receiver.address, description: 'ERP', events: ['order_request.created'] })
        .execute();
      return aUser(db);
    },
    variables: () => ({ OUTSIDE_LOOPBACK: 'true' }),
    points: [unanswered, arrived(0, 0), arrived(2, 3), arrived(4, 6)],
    leases: [`update webhook_endpoint set leased_until = leased_until - interval '1 minute'`],
    rest: () => until(() => new Set(receiver.received.map(({ body }) => body.data['id'])).size === announced, 120),
    proof: async (server) => {
      // Only a delivery that a kill interrupted before it was recorded arrives twice, with the same id.
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(announced);
      expect(receiver.received.length).toBeGreaterThan(announced);
      expect(receiver.received.length).toBeLessThanOrEqual(announced + announced / EACH);
      expect(receiver.received.every(({ signedBy }) => signedBy[0] === secret)).toBe(true);
      const left = await server.inDatabase(({ db }) =>
        db.selectFrom('webhook_delivery').select('id').where('state', '<>', 'Delivered').execute(),
      );
      expect(left).toEqual([]);
    },
  };
}
