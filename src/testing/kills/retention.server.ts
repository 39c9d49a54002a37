// A server killed while it clears what is old: all of it goes, what is kept stays, and the history tells it once, with the right count.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

const OLD = 60_000;
const YOUNG = 10;

export async function retention(): Promise<KillCase> {
  const left = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { count } = await db
        .selectFrom('mail')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    });
  /** Some is gone; how much is left differs. */
  const amid = (most: number): Point => ({ work: (server) => until(async () => (await left(server)) < most, 120) });
  return {
    fill: async ({ db }) => {
      const user = await aUser(db, { roles: ['systemadmin'] });
      for (const [count, days] of [
        [OLD, 400],
        [YOUNG, 10],
      ])
        await sql`insert into mail (recipients, subject, body, state, message_id, created_at, sent_at)
          select array['pat@example.org'], 'Offer', 'Hello', 'Sent', gen_random_uuid()::text, at, at
          from generate_series(1, ${count}::int) n,
            lateral (select now() - ${days}::int * interval '1 day' - n * interval '1 second' as at) t`.execute(db);
      await db.updateTable('retention').set({ mail: 3 }).execute();
      return user;
    },
    points: [amid(OLD + YOUNG), amid(OLD / 2)],
    rest: (server) => until(async () => (await left(server)) === YOUNG && (await lines(server)).length > 0, 120),
    proof: async (server) => {
      expect(await left(server)).toBe(YOUNG);
      expect(await lines(server)).toEqual([expect.stringContaining('Sent mail: 60,000 emails from before ')]);
    },
  };
}

const lines = (server: KilledServer) =>
  server.inDatabase(async ({ db }) => {
    const events = await db
      .selectFrom('record_event')
      .select('comment')
      .where('record_type', '=', 'retention')
      .where('action', '=', 'Clear')
      .execute();
    return events.map(({ comment }) => comment);
  });
