// Tests background work: written with its transaction, done once, retried, taken over from dead processes, never lost.
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Database, openPostgres } from '#platform/db/database.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { until } from '#testing/server-process.server.ts';
import { type AnyJob, GivenUp, IDLE, type JobKind, type Jobs, openJobs, type PlainJob } from './jobs.server.ts';

const log = pino({ level: 'silent' });
const Payload = z.object({ n: z.number() });
type Kind = JobKind<typeof Payload, object>;

const open = (database: Database, kind: AnyJob<object>, superviseSeconds = 0): Promise<Jobs> =>
  openJobs(database, [kind], () => ({}), log, { superviseSeconds });

describe('on a database of its own', () => {
  let database: Database;
  const opened: Jobs[] = [];
  const track = (jobs: Jobs) => {
    opened.push(jobs);
    return jobs;
  };
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterEach(() => Promise.all(opened.splice(0).map((jobs) => jobs.stop())));
  afterAll(() => database.close());

  it('runs committed jobs and no rolled-back ones', async () => {
    const ran: number[] = [];
    const kind: Kind = { name: 'count', payload: Payload, run: async (_context, { n }) => void ran.push(n) };
    const jobs = track(await open(database, kind));
    await database.db.transaction().execute((db) => jobs.send(db, kind, { n: 1 }));
    const rolledBack = database.db.transaction().execute(async (db) => {
      await jobs.send(db, kind, { n: 2 });
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(await jobs.drain()).toBe(1);
    expect(ran).toEqual([1]);
    expect(await jobs.count()).toEqual({ completed: 1 });
  });

  it('leaves runs that found nothing out of the lists, unless asked for', async () => {
    const run = (_context: unknown, { n }: { n: number }) => Promise.resolve(n > 0 ? undefined : IDLE);
    const kind: Kind = { name: 'look', payload: Payload, run };
    const jobs = track(await open(database, kind));
    for (const n of [0, 0, 1]) await jobs.send(database.db, kind, { n });
    await jobs.drain();
    const looks = async (idle: boolean) =>
      (await jobs.list({ state: 'completed', idle })).map(({ payload }) => payload);
    expect(await looks(false)).toEqual([{ n: 1 }]);
    expect(await looks(true)).toHaveLength(3);
    expect(await jobs.count()).toEqual({ completed: 1 });
    expect(await jobs.count({ idle: true })).toEqual({ completed: 3 });
    // The workers store the result of a run as `drain` does.
    await jobs.send(database.db, kind, { n: 0 });
    await jobs.work();
    await until(async () => (await jobs.count({ idle: true })).completed === 4, 20);
    expect(await jobs.count()).toEqual({ completed: 1 });
  });

  it('queues due work at once on request', async () => {
    let due = false;
    const ran: object[] = [];
    const kind: PlainJob<object> = {
      name: 'due-now',
      due: () => Promise.resolve(due),
      run: async () => void ran.push({}),
    };
    const jobs = track(await open(database, kind));
    await jobs.work();
    expect(await jobs.list()).toEqual([]);
    due = true;
    await jobs.look('due-now');
    expect(await jobs.list()).toMatchObject([{ name: 'due-now' }]);
    due = false;
    await until(() => ran.length === 1, 20);
  });

  it('queues due work of a patient kind when it starts to work', async () => {
    const ran: object[] = [];
    const kind: PlainJob<object> = {
      name: 'due-some-day',
      patient: true,
      due: () => Promise.resolve(ran.length === 0),
      run: async () => void ran.push({}),
    };
    await track(await open(database, kind)).work();
    await until(() => ran.length > 0, 20);
    expect(ran).toHaveLength(1);
  });

  it('refuses a payload of the wrong shape when it is sent', async () => {
    const kind: Kind = { name: 'refuse', payload: Payload, run: async () => {} };
    const jobs = track(await open(database, kind));
    await expect(jobs.send(database.db, kind, { n: 'x' } as unknown as { n: number })).rejects.toThrow(z.ZodError);
    expect(await jobs.count()).toEqual({});
  });

  it('runs each job once when two processes work on one queue', async () => {
    const ran: [who: string, n: number][] = [];
    const by = (who: string): Kind => ({
      name: 'shared',
      payload: Payload,
      run: async (_context, { n }) => {
        ran.push([who, n]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const other = openPostgres(addressOf(database), 4);
    const [a, b] = [track(await open(database, by('a'))), track(await open(other, by('b')))];
    for (let n = 0; n < 40; n++) await a.send(database.db, by('a'), { n });
    await Promise.all([a.work(), b.work()]);
    await until(() => ran.length >= 40, 20);
    await Promise.all(opened.splice(0).map((jobs) => jobs.stop()));
    await other.close();
    expect(ran.map(([, n]) => n).toSorted((x, y) => x - y)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(new Set(ran.map(([who]) => who))).toEqual(new Set(['a', 'b']));
  });

  it('tries again at growing intervals, then stays in the dead letter until somebody retries it', async () => {
    let works = false;
    let tries = 0;
    const kind: Kind = {
      name: 'fragile',
      payload: Payload,
      retryLimit: 2,
      run: async () => {
        tries++;
        if (!works) throw new Error('the mail server hangs');
      },
    };
    const jobs = track(await open(database, kind));
    await jobs.send(database.db, kind, { n: 1 });
    const waits: number[] = [];
    for (let retry = 0; retry < 2; retry++) {
      expect(await jobs.drain()).toBe(1);
      expect(await jobs.drain()).toBe(0);
      const { rows } = await database.pool.query<{ wait: number }>(
        `update pgboss.job set start_after = now() where state = 'retry'
         returning extract(epoch from (select old.start_after from pgboss.job old where old.id = job.id) - now())::float8 wait`,
      );
      waits.push(...rows.map((row) => row.wait));
    }
    expect(waits[0]).toBeGreaterThan(4);
    expect(waits[0]).toBeLessThanOrEqual(10);
    expect(waits[1]).toBeGreaterThan(9);
    expect(waits[1]).toBeLessThanOrEqual(20);
    expect(await jobs.drain()).toBe(1);
    expect(await jobs.list({ state: 'failed' })).toMatchObject([
      { name: 'fragile', state: 'failed', retries: 2, error: 'the mail server hangs', payload: { n: 1 } },
    ]);
    expect([await jobs.drain(), tries]).toEqual([0, 3]);

    works = true;
    expect(await jobs.retry({ id: '00000000-0000-0000-0000-000000000000' })).toBe(0);
    expect(await jobs.retry()).toBe(1);
    expect(await jobs.drain()).toBe(1);
    expect(await jobs.list({ state: 'failed' })).toEqual([]);
    expect(await jobs.count()).toEqual({ completed: 1 });
  });

  it('lets a job that hangs stop neither other kinds nor, where a kind allows several at once, its own', async () => {
    const ran: number[] = [];
    const ends: (() => void)[] = [];
    const run: Kind['run'] = async (_context, { n }) => {
      if (n === 0) await new Promise<void>((resolve) => ends.push(resolve));
      ran.push(n);
    };
    const [hanging, several, other]: Kind[] = [
      { name: 'hanging', payload: Payload, run },
      { name: 'several', payload: Payload, run, concurrency: 2 },
      { name: 'other', payload: Payload, run },
    ] as const;
    const kinds = [hanging, several, other].filter((kind) => kind !== undefined);
    const jobs = track(await openJobs(database, kinds, () => ({}), log, { superviseSeconds: 0 }));
    for (const [index, kind] of kinds.entries()) {
      if (index < 2) await jobs.send(database.db, kind, { n: 0 });
      await jobs.send(database.db, kind, { n: index + 1 });
    }
    await jobs.work();
    await until(() => ran.length === 2, 20);
    expect(new Set(ran)).toEqual(new Set([2, 3]));
    for (const end of ends) end();
  });

  it('puts a job that gives up into the dead letter at once, until somebody retries it', async () => {
    let gaveUp = false;
    const run = async () => {
      if (gaveUp) return;
      gaveUp = true;
      throw new GivenUp('nobody knows');
    };
    const kind: Kind = { name: 'gives-up', payload: Payload, run };
    const jobs = track(await open(database, kind));
    await jobs.send(database.db, kind, { n: 1 });
    await jobs.work();
    await until(async () => (await jobs.count()).failed, 20);
    expect(await jobs.list()).toMatchObject([{ state: 'failed', retries: 0, error: 'nobody knows' }]);
    expect(await jobs.retry()).toBe(1);
    await until(async () => (await jobs.count()).completed, 20);
  });

  it('hands a job back when it stops in the middle', async () => {
    let started = false;
    let end = () => {};
    const kind: Kind = {
      name: 'long',
      payload: Payload,
      run: () => {
        started = true;
        return new Promise((resolve) => (end = resolve));
      },
    };
    const jobs = await openJobs(database, [kind], () => ({}), log, { superviseSeconds: 0, stopSeconds: 1 });
    await jobs.send(database.db, kind, { n: 1 });
    await jobs.work();
    await until(() => started, 20);
    await jobs.stop();
    end();
    const next = track(await open(database, kind));
    expect(await next.list()).toMatchObject([{ state: 'retry', error: 'pg-boss shut down while active' }]);
  });

  it('finds jobs of an older version and gives their queue its own settings', async () => {
    const old: Kind = { name: 'kept', payload: Payload, retryLimit: 1, run: async () => {} };
    await (await open(database, old)).stop();
    const jobs = track(await open(database, { ...old, retryLimit: 7 }));
    await jobs.send(database.db, old, { n: 1 });
    const { rows } = await database.pool.query("select retry_limit, retry_backoff from pgboss.job where name = 'kept'");
    expect(rows).toEqual([{ retry_limit: 7, retry_backoff: true }]);
  });
});
