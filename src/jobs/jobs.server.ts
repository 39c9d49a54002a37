// The job queue: work that is written with the change that causes it and done after it (design 1), on pg-boss in the same database.
import type { Logger } from 'pino';
import { fromKysely, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Database, Db } from '#db/database.server.ts';

/** One kind of background work. `run` may be called again after a failure or a kill, so it must find out what is already done. */
export type JobKind<P extends z.ZodType, Context> = {
  name: string;
  payload: P;
  /** Tries after the first; with back-off from 5 seconds to 15 minutes. */
  retryLimit?: number;
  // A method, because kinds with different payloads stand in one list.
  run(context: Context, payload: z.output<P>): Promise<void>;
};

export type Jobs = {
  /** Queues a job in the transaction `db`: it exists exactly when the transaction commits. */
  send: <P extends z.ZodType>(db: Db, kind: { name: string; payload: P }, payload: z.input<P>) => Promise<void>;
  /** Wakes this process's workers; called after a commit. */
  nudge: () => void;
  /** Starts the workers, which ask for work every second. */
  work: () => Promise<void>;
  /** Runs what is waiting, one by one, until nothing is; answers how many ran. Retries due later are left. */
  drain: () => Promise<number>;
  list: (state?: JobState) => Promise<JobRow[]>;
  /** Puts failed jobs back in line; answers how many. */
  retry: (id?: string) => Promise<number>;
  /** Lets running jobs end (at most 20 s), hands the rest back. */
  stop: () => Promise<void>;
};

export type JobState = 'created' | 'retry' | 'active' | 'completed' | 'failed' | 'cancelled';
export type JobRow = {
  id: string;
  name: string;
  state: JobState;
  tries: number;
  createdAt: string;
  error: string;
  payload: unknown;
};

const SCHEMA = 'pgboss';
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** A pg-boss on a database. Statements come one text at a time; a text of several answers several results, of which it wants the rows. */
function bossOn(database: Database, supervise: boolean): PgBoss {
  return new PgBoss({
    schema: SCHEMA,
    ...(database.embedded ? { backend: 'pglite' as const } : {}),
    supervise,
    schedule: false,
    useListenNotify: false,
    db: {
      executeSql: async (text, values) => {
        const result = (await database.pool.query(text, values)) as { rows: unknown[] } | { rows: unknown[] }[];
        return { rows: Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows };
      },
    },
  });
}

/** Creates the queue's tables; part of bringing a database up. */
export async function migrateJobs(database: Database): Promise<void> {
  const boss = bossOn(database, false);
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Opens the queue for the given kinds of work. Jobs run only after `work()` or in `drain()`. */
export async function openJobs<Context>(
  database: Database,
  kinds: readonly JobKind<z.ZodType, Context>[],
  context: () => Context,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  options: { supervise?: boolean } = {},
): Promise<Jobs> {
  const boss = bossOn(database, options.supervise ?? true);
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  await boss.start();
  const workers: string[] = [];
  for (const kind of kinds) {
    await boss.createQueue(kind.name, {
      retryLimit: kind.retryLimit ?? 12,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 900,
      expireInSeconds: 600,
      heartbeatSeconds: 30,
    });
    // pg-boss reads the queue at its first use and remembers it. That must not happen inside a transaction: the embedded database
    // has no second connection to read it by.
    await boss.findJobs(kind.name, { id: NO_JOB });
  }

  const run = async (kind: JobKind<z.ZodType, Context>, job: { id: string; data: unknown }) => {
    const start = performance.now();
    try {
      await kind.run(context(), kind.payload.parse(job.data));
      log.info({ job: kind.name, id: job.id, ms: Math.round(performance.now() - start) }, 'job done');
    } catch (error) {
      log.warn({ job: kind.name, id: job.id, err: error }, 'job failed, will be tried again');
      throw error;
    }
  };

  return {
    send: async (db, kind, payload) => {
      await boss.send(kind.name, kind.payload.parse(payload) as object, { db: fromKysely(db) });
    },
    nudge: () => {
      for (const worker of workers) boss.notifyWorker(worker);
    },
    work: async () => {
      for (const kind of kinds) {
        workers.push(
          await boss.work(kind.name, { pollingIntervalSeconds: 1, batchSize: 1 }, async (batch) => {
            for (const job of batch) await run(kind, job);
          }),
        );
      }
    },
    drain: async () => {
      let count = 0;
      for (let found = true; found; ) {
        found = false;
        for (const kind of kinds) {
          for (const job of await boss.fetch(kind.name)) {
            found = true;
            count++;
            try {
              await run(kind, job);
              await boss.complete(kind.name, job.id);
            } catch (error) {
              await boss.fail(kind.name, job.id, { message: (error as Error).message });
            }
          }
        }
      }
      return count;
    },
    list: async (state) => {
      const jobs = (await Promise.all(kinds.map((kind) => boss.findJobs(kind.name)))).flat();
      return jobs
        .filter((job) => !state || job.state === state)
        .map((job) => ({
          id: job.id,
          name: job.name,
          state: job.state,
          tries: job.retryCount,
          createdAt: new Date(job.createdOn).toISOString(),
          error: messageOf(job.output),
          payload: job.data,
        }));
    },
    retry: async (id) => {
      let count = 0;
      for (const kind of kinds) {
        const failed = (await boss.findJobs(kind.name)).filter(
          (job) => job.state === 'failed' && (!id || job.id === id),
        );
        if (failed.length > 0)
          await boss.retry(
            kind.name,
            failed.map((job) => job.id),
          );
        count += failed.length;
      }
      return count;
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  };
}

function messageOf(output: unknown): string {
  return output && typeof output === 'object' && 'message' in output ? String(output.message) : '';
}
