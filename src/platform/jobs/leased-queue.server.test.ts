// Tests the leased queue: one process at a time serves a sender, until there is nothing more to send, a pause, or the loss of its lease.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { serveSender } from './leased-queue.server.ts';

let database: Database;
let now = new Date('2026-01-05T12:00:00Z');
beforeAll(async () => {
  database = await freshDatabase();
});
beforeEach(() => change({ lease: '', leased_until: null, paused_until: null }));
afterAll(() => database.close());

type Send = Parameters<typeof serveSender<'crm_connection'>>[3];
type Columns = { lease?: string; leased_until?: Date | null; paused_until?: Date | null };

const serve = (sendNext: Send) => {
  const run = { id: 1, until: performance.now() + 60_000 };
  return serveSender({ database, clock: { now: () => now } }, 'crm_connection', run, sendNext);
};
const change = async (to: Columns) => void (await database.db.updateTable('crm_connection').set(to).execute());
const leaseNow = async () =>
  (await database.db.selectFrom('crm_connection').select('lease').executeTakeFirstOrThrow()).lease;
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

it('serves until there is no more to send, alone, and then frees the sender', async () => {
  let sent = 0;
  await serve(async ({ sender, lease }) => {
    expect([sender.lease, await leaseNow()]).toEqual([lease, lease]);
    await serve(() => expect.unreachable('another process has it'));
    sent++;
    return sent < 3;
  });
  expect([sent, await leaseNow()]).toEqual([3, '']);
});

it('takes over a minute after the last renewal, and then the first one stops without a trace', async () => {
  const done: string[] = [];
  await serve(async ({ renew }) => {
    now = inSeconds(50);
    await renew();
    now = inSeconds(59);
    await serve(() => expect.unreachable('the first one may still live'));
    now = inSeconds(1);
    await serve(async () => {
      done.push('the second one');
      await expect(renew()).rejects.toThrow('Another process');
      return false;
    });
    await change({ lease: 'of a third one', leased_until: inSeconds(60) });
    await renew();
    done.push('the first one');
    return true;
  });
  expect(done).toEqual(['the second one']);
  expect(await leaseNow()).toBe('of a third one');
});

it('stops between two rows when the sender is paused, and goes on when the pause is over', async () => {
  let sent = 0;
  const pausing: Send = async () => {
    sent++;
    await change({ paused_until: inSeconds(60) });
    return true;
  };
  await serve(pausing);
  await serve(pausing);
  expect([sent, await leaseNow()]).toEqual([1, '']);
  now = inSeconds(60);
  await serve(pausing);
  expect(sent).toBe(2);
});

it('passes on an error, and frees the sender at once', async () => {
  await expect(serve(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await leaseNow()).toBe('');
});
