// The job queue: stores work in the transaction of the change that causes it, and runs it later (design 1). Uses pg-boss in the same database.

import { setTimeout as sleep } from 'node:timers/promises';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Database, Db } from '#platform/db/database.server.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import { inSpan } from '#platform/outside/trace.server.ts';

/** The settings that every kind may have. */
type Limits = {
  name: string;
  /** The number of tries after the first, with back-off from 5 seconds to 15 minutes. */
  retryLimit?: number;
  /** After this many seconds a running job is treated as stuck, and a second try starts beside it. 600 by default. */
  expireInSeconds?: number;
  /** How many jobs of this kind one process runs at a time. 1 by default. */
  concurrency?: number;
};

/** One kind of background work. `run` may be called again after a failure or a kill, so it must check what is already done. */
export type JobKind<P extends z.ZodType, Context> = Limits & {
  payload: P;
  // This is a method, because kinds with different payloads share one list.
  run(context: Context, payload: z.output<P>): Promise<typeof IDLE | void>;
};

/** A kind without a payload. Each run determines what there is to do. */
export type PlainJob<Context> = Limits & {
  /** Runs once a day, in any one process. */
  daily?: boolean;
  /** The queue calls this every eight seconds. While it returns true, one job is queued. */
  due?(context: Context): Promise<boolean>;
  /** For work that is due at a certain day or hour, so that a delay does not matter. The queue calls `due` once a minute. */
  patient?: boolean;
  run(context: Context): Promise<typeof IDLE | void>;
};

export type AnyJob<Context> = JobKind<z.ZodType, Context> | PlainJob<Context>;

/** The result of a `run` that looked for work and found none. Such a run is kept for a day and hidden from the lists. */
export const IDLE = { idle: true };

/** Thrown by `run` if another try cannot help. The job moves to the dead letter at once. */
export class GivenUp extends Error {}

export type Jobs = {
  /**
   * Queues a job in the transaction `db`. The job exists only if the transaction commits; then a worker of this process runs it. With `inSeconds`, a
   * worker of any process runs it after that time. With `quietly`, a worker runs it at its next check, at most two seconds later, so that its work
   * never coincides with the answer to the caller.
   */
  send: {
    <P extends z.ZodType>(
      db: Db,
      kind: { name: string; payload: P },
      payload: z.input<P>,
      options?: { inSeconds?: number; quietly?: boolean },
    ): Promise<void>;
    (db: Db, kind: { name: string; payload?: never }): Promise<void>;
  };
  /**
   * Starts the workers. They check for work after each job, when this process queues a job, and every two seconds. Retries until the database has
   * answered or the queue stops, and never throws.
   */
  work: () => Promise<void>;
  /** If workers run here, checks at once whether a kind is `due`, after a change that may have created work. */
  look: (kind: string) => Promise<void>;
  /** Whether `work` has been called and has not finished starting. */
  isStarting: () => boolean;
  /** Whether the queue is stopping. A job of many steps then throws, which puts it back in the queue, instead of being cut off. */
  isStopping: () => boolean;
  /** Runs waiting jobs one by one until none are left, and returns how many it ran. Skips retries that are due later. */
  drain: () => Promise<number>;
  /** The newest jobs, at most 200, without those due later; with `idle`, also runs that found nothing to do. `failed` is the dead letter: nothing retries these jobs automatically. */
  list: (which?: { state?: JobState | undefined; idle?: boolean }) => Promise<JobRow[]>;
  /** The number of jobs in each state, without those due later. */
  count: (which?: { idle?: boolean }) => Promise<Partial<Record<JobState, number>>>;
  /**
   * For each kind, the number of jobs in each state, without those due later, and how many seconds the oldest due job has waited for a worker (0 if
   * none waits).
   */
  figures: () => Promise<{ kind: string; counts: Partial<Record<JobState, number>>; waiting: number }[]>;
  /**
   * Puts all or the selected failed jobs back in the queue and returns how many. `payload` selects jobs with at least these fields. Jobs that `stays`
   * selects stay failed.
   */
  retry: (which?: {
    id?: string;
    kind?: string;
    payload?: object;
    stays?: (job: { name: string; payload: unknown }) => boolean;
  }) => Promise<number>;
  /** Lets running jobs finish (for `stopSeconds`, 20 by default) and puts the rest back in the queue. */
  stop: () => Promise<void>;
};

export const JOB_STATES = ['created', 'retry', 'active', 'completed', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];
export type JobRow = {
  id: string;
  name: string;
  state: JobState;
  /** The number of tries after the first. */
  retries: number;
  createdAt: string;
  error: string;
  payload: unknown;
};

type StoredJob = {
  id: string;
  name: string;
  state: JobState;
  retry_count: number;
  created_on: string;
  output: Parameters<typeof outcomeText>[0];
  data: unknown;
};

const SCHEMA = 'pgboss';
const DAY = 24 * 3600;
const HOUR_MS = 3_600_000;
/** How often a server checks for work that another server queued, or that has become due. */
const LOOK_MS = 2000;
/** How often it calls `due` of the kinds that have it. */
const DUE_MS = 8000;
const PATIENT_MS = 60_000;
/** Workers wait to be woken. On their own they check only this often. */
const WORKER_SECONDS = 600;
/** Selects jobs that are due later, which are not backlog. */
const LATER = `(state = 'created' and start_after > now())`;
const IDLE_RUN = `(state = 'completed' and coalesce(output @> '${JSON.stringify(IDLE)}', false))`;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/**
 * Opens pg-boss on the pool that `pool` returns. With `migrate` it migrates its tables, and continues with that in the background. A text with
 * several statements yields several results, and pg-boss expects their rows in one list.
 */
function bossOn(
  { superviseSeconds, migrate }: { superviseSeconds: number; migrate: boolean },
  pool: () => Database['pool'],
): PgBoss {
  return new PgBoss({
    schema: SCHEMA,
    migrate,
    supervise: superviseSeconds > 0,
    ...(superviseSeconds > 0
      ? {
          superviseIntervalSeconds: superviseSeconds,
          monitorIntervalSeconds: superviseSeconds,
          // Our jobs never wait for other jobs, which pg-boss would otherwise check every five seconds.
          flowIntervalSeconds: DAY,
        }
      : {}),
    schedule: false,
    useListenNotify: false,
    db: {
      executeSql: async (text, values) => {
        const result = (await pool().query(text, values)) as { rows: unknown[] } | { rows: unknown[] }[];
        return { rows: Array.isArray(result) ? result.flatMap((entry) => entry.rows) : result.rows };
      },
    },
  });
}

/** Creates the tables of the queue. Part of migrating a database. */
export async function migrateJobs(database: Database): Promise<void> {
  const boss = bossOn({ superviseSeconds: 0, migrate: true }, () => database.longPool);
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
}

/**
 * Opens the queue for the given kinds of work. Jobs run only after `work()` or in `drain()`. A running job sends a heartbeat every 15 seconds. Every
 * `superviseSeconds` (0: never) the queue puts back jobs without a heartbeat for 30 seconds, because their process died.
 */
export async function openJobs<Context>(
  database: Database,
  kinds: readonly AnyJob<Context>[],
  context: () => Context,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  options: { superviseSeconds?: number; stopSeconds?: number } = {},
): Promise<Jobs> {
  const superviseSeconds = options.superviseSeconds ?? 30;
  // Setup may take long on a busy database, but no user waits for it.
  let pool = database.longPool;
  // A process that does not supervise, such as a tool, leaves the background part of migrations to the server.
  const boss = bossOn({ superviseSeconds, migrate: superviseSeconds > 0 }, () => pool);
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  await boss.start();
  /** The ids of each kind's workers, once they run. */
  const workers = new Map<string, string[]>();
  const wake = (kind: string) => {
    for (const id of workers.get(kind) ?? []) boss.notifyWorker(id);
  };
  const names = kinds.map((kind) => kind.name);
  await makeQueues(boss, kinds);
  pool = database.pool;

  const { queueDaily, queueDue, dueKinds } = dueWork(boss, database, kinds, { context, wake });
  let daily: NodeJS.Timeout | undefined;
  const wakeDue = async () => {
    for (const name of await dueKinds()) wake(name);
  };
  let stopped = false;
  let starting = false;
  /** Repeats a step until it succeeds, so that a running server does not end because the database is temporarily unavailable. */
  const insist = async (step: () => Promise<unknown>) => {
    for (let wait = 200; ; wait = Math.min(wait * 2, 5000)) {
      try {
        await step();
        return;
      } catch (error) {
        if (stopped) return;
        log.error({ err: error }, 'job queue');
        await sleep(wait, undefined, { ref: false });
      }
    }
  };
  /** Repeats `look` with a pause after each call, until the queue stops. A failed call is logged and repeated. */
  const repeat = (look: () => Promise<void>, pause: number) => {
    const again = () => {
      void look()
        .catch((error: unknown) => (stopped ? undefined : log.error({ err: error }, 'job queue')))
        .finally(() => (stopped ? undefined : setTimeout(again, pause).unref()));
    };
    again();
  };

  const run = (kind: AnyJob<Context>, job: { id: string; data: unknown }) =>
    runJob(kind, job, { database, context, log });
  const startWorker = async (kind: AnyJob<Context>) => {
    const id = await boss.work(kind.name, { pollingIntervalSeconds: WORKER_SECONDS, batchSize: 1 }, async (batch) => {
      // After one waiting job there may be more.
      boss.notifyWorker(id);
      const [job] = batch;
      return job && run(kind, job);
    });
    return id;
  };

  return {
    send: async (
      db: Db,
      kind: { name: string; payload?: z.ZodType },
      payload?: unknown,
      { inSeconds = 0, quietly = false } = {},
    ) => {
      const options = { db: fromKysely(db), ...(inSeconds > 0 ? { startAfter: inSeconds } : {}) };
      await boss.send(kind.name, kind.payload?.parse(payload) ?? {}, options);
      if (inSeconds === 0 && !quietly) afterCommit(db, () => wake(kind.name));
    },
    work: async () => {
      starting = true;
      for (const kind of kinds) {
        if (stopped) return;
        workers.set(
          kind.name,
          await Promise.all(Array.from({ length: kind.concurrency ?? 1 }, () => startWorker(kind))),
        );
      }
      // Supervises immediately, because a server that restarts often may never reach the timer's first tick.
      if (superviseSeconds > 0) await insist(() => boss.supervise());
      await insist(queueDaily);
      starting = false;
      if (stopped) return;
      const again = () => queueDaily().catch((error: unknown) => log.error({ err: error }, 'job queue'));
      daily = setInterval(() => void again(), HOUR_MS);
      daily.unref();
      repeat(() => queueDue(({ patient }) => patient !== true), DUE_MS);
      repeat(() => queueDue(({ patient }) => patient === true), PATIENT_MS);
      repeat(wakeDue, LOOK_MS);
    },
    look: async (kind) => {
      if (workers.size === 0 || stopped) return;
      await queueDue(({ name }) => name === kind).catch((error: unknown) => log.error({ err: error }, 'job queue'));
    },
    isStarting: () => starting,
    isStopping: () => stopped,
    drain: async () => {
      let count = 0;
      for (let isFound = true; isFound; ) {
        isFound = false;
        await queueDue();
        const due = await dueKinds();
        for (const kind of kinds.filter(({ name }) => due.has(name))) {
          for (const job of await boss.fetch(kind.name)) {
            isFound = true;
            count++;
            try {
              await boss.complete(kind.name, job.id, (await run(kind, job)) ?? null);
            } catch (error) {
              await boss.fail(kind.name, job.id, { message: (error as Error).message });
            }
          }
        }
      }
      return count;
    },
    ...storedJobs(database, names),
    retry: async ({ id, kind, payload, stays = () => false } = {}) => {
      const { rows: results } = await database.pool.query<{ id: string; name: string; data: unknown }>(
        `select id, name, data from ${SCHEMA}.job
         where name = any($1) and state = 'failed' and ($2::text is null or id::text = $2) and data @> $3::jsonb`,
        [names.filter((name) => kind === undefined || name === kind), id ?? null, JSON.stringify(payload ?? {})],
      );
      const rows = results.filter(({ name, data }) => !stays({ name, payload: data }));
      for (const [name, failed] of Map.groupBy(rows, (row) => row.name)) {
        await boss.retry(
          name,
          failed.map((row) => row.id),
        );
        wake(name);
      }
      return rows.length;
    },
    stop: () => {
      stopped = true;
      clearInterval(daily);
      return boss.stop({ graceful: true, timeout: (options.stopSeconds ?? 20) * 1000 });
    },
  };
}

/** Queues work that is due without a request: daily jobs, and kinds with `due`. */
function dueWork<Context>(
  boss: PgBoss,
  database: Pick<Database, 'pool'>,
  kinds: readonly AnyJob<Context>[],
  { context, wake }: { context: () => Context; wake: (kind: string) => void },
) {
  const names = kinds.map((kind) => kind.name);
  /** Queues the daily jobs. The queue accepts one a day, whichever process sends it. */
  const queueDaily = async () => {
    for (const kind of kinds)
      if ('daily' in kind && kind.daily) await boss.send(kind.name, {}, { singletonSeconds: DAY });
    await database.pool.query(
      `delete from ${SCHEMA}.job where name = any($1) and ${IDLE_RUN} and completed_on < now() - interval '1 day'`,
      [names],
    );
  };

  /** Queues jobs that are due. Two processes may queue two jobs at once; the second then finds nothing to do. */
  const queueDue = async (isAsked: (kind: PlainJob<Context>) => boolean = () => true) => {
    for (const kind of kinds) {
      if (!('due' in kind && isAsked(kind) && (await kind.due?.(context())))) continue;
      const { rows } = await database.pool.query<{ inLine: boolean }>(
        `select exists (select from ${SCHEMA}.job where name = $1 and state in ('created', 'retry', 'active')) as "inLine"`,
        [kind.name],
      );
      if (rows[0]?.inLine) continue;
      await boss.send(kind.name, {});
      wake(kind.name);
    }
  };
  /** Returns the kinds that have due jobs. One statement reads them all; otherwise each worker would send its own. */
  const dueKinds = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select distinct name from ${SCHEMA}.job where name = any($1) and state < 'active' and start_after <= now()`,
      [names],
    );
    return new Set(rows.map(({ name }) => name));
  };
  return { queueDaily, queueDue, dueKinds };
}

type Surroundings<Context> = {
  database: Pick<Database, 'pool'>;
  context: () => Context;
  log: Pick<Logger, 'info' | 'warn'>;
};

/** Runs a job and logs its result. A job that gave up is not retried. */
async function runJob<Context>(
  kind: AnyJob<Context>,
  job: { id: string; data: unknown },
  { database, context, log }: Surroundings<Context>,
) {
  const start = performance.now();
  try {
    const attributes = { 'messaging.destination.name': kind.name, 'messaging.message.id': job.id };
    const done = await inSpan(`job ${kind.name}`, 'consumer', attributes, () =>
      'payload' in kind ? kind.run(context(), kind.payload.parse(job.data)) : kind.run(context()),
    );
    if (!done) log.info({ job: kind.name, id: job.id, ms: Math.round(performance.now() - start) }, 'job done');
    return done;
  } catch (error) {
    if (error instanceof GivenUp) {
      await database.pool.query(`update ${SCHEMA}.job set retry_limit = retry_count where name = $1 and id = $2`, [
        kind.name,
        job.id,
      ]);
    }
    log.warn({ job: kind.name, id: job.id, err: error }, 'job failed');
    throw error;
  }
}

/** Creates the queue of each kind, or updates its settings. */
async function makeQueues(boss: PgBoss, kinds: readonly AnyJob<never>[]): Promise<void> {
  // One statement checks all queues that are up to date, so a server starts quickly.
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const kind of kinds) {
    const settings = {
      retryLimit: kind.retryLimit ?? 12,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 900,
      expireInSeconds: kind.expireInSeconds ?? 600,
      heartbeatSeconds: 30,
      // Waiting work is never dropped. Finished work (done or failed) stays for a month.
      retentionSeconds: 3650 * DAY,
      deleteAfterSeconds: 30 * DAY,
    };
    const stored = existing.get(kind.name) as Record<string, unknown> | undefined;
    if (stored && Object.entries(settings).every(([name, value]) => stored[name] === value)) continue;
    await boss.createQueue(kind.name, settings);
    // An older version may have created the queue with other settings.
    await boss.updateQueue(kind.name, settings);
    // pg-boss reads the settings of a queue at its first use and caches them. Inside a transaction, that would need a second connection.
    await boss.findJobs(kind.name, { id: NO_JOB });
  }
}

/** Reads the jobs of these kinds and their states. */
function storedJobs(
  database: Pick<Database, 'pool'>,
  names: readonly string[],
): Pick<Jobs, 'list' | 'count' | 'figures'> {
  return {
    list: async ({ state, idle = false } = {}) => {
      const { rows } = await database.pool.query<StoredJob>(
        `select id, name, state, retry_count, created_on, output, data from ${SCHEMA}.job
         where name = any($1) and ($2::text is null or state::text = $2) and not ${LATER} and ($3 or not ${IDLE_RUN}) order by created_on desc, id limit 200`,
        [names, state ?? null, idle],
      );
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        state: row.state,
        retries: row.retry_count,
        createdAt: row.created_on,
        error: outcomeText(row.output),
        payload: row.data,
      }));
    },
    count: async ({ idle = false } = {}) => {
      const { rows } = await database.pool.query<{ state: JobState; count: number }>(
        `select state, count(*) from ${SCHEMA}.job where name = any($1) and not ${LATER} and ($2 or not ${IDLE_RUN}) group by state`,
        [names, idle],
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
    figures: async () => {
      const { rows } = await database.pool.query<{ name: string; state: JobState; count: number; seconds: number }>(
        `select name, state, count(*), coalesce(extract(epoch from now() - min(start_after)
           filter (where state < 'active' and start_after <= now())), 0)::float8 as seconds
         from ${SCHEMA}.job where name = any($1) and not ${LATER} group by name, state`,
        [names],
      );
      return names.map((kind) => {
        const own = rows.filter(({ name }) => name === kind);
        return {
          kind,
          counts: Object.fromEntries(own.map(({ state, count }) => [state, count])),
          waiting: Math.max(0, ...own.map(({ seconds }) => seconds)),
        };
      });
    },
  };
}

/** Returns how a job ended: our error, or the queue's message about a process that died or stopped. */
function outcomeText(output: { message?: string; value?: string | { message?: string } } | null): string {
  const value = output?.value;
  return output?.message ?? (typeof value === 'string' ? value : value?.message) ?? '';
}
