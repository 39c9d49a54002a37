// The ritual of a kill test: start a server, kill it at a point of its work, let the next server take over, and prove the outcome.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';
import type { Database } from '#platform/db/database.server.ts';
import {
  aProcessHome,
  freePort,
  killProcesses,
  isIdle,
  metricsOf,
  type ServerProcess,
  startServerProcess,
  tokensOf,
  until,
} from '../server-process.server.ts';
import { requestOf, type SentFile } from '../test-server.server.ts';

/** The name of the connections of servers that are killed. */
const TO_KILL = 'to-kill';

/** One kind of work that a kill may interrupt. */
export type KillCase = {
  /** Fills the database and returns the user who makes the case's calls. */
  fill: (database: Database) => Promise<{ id: number }>;
  variables?: (dataDir: string) => Record<string, string>;
  /** The kills, in order, each of another server on the same database. */
  points: Point[];
  /** Ends the leases of a dead process at once, which otherwise end after a minute. */
  leases?: string[];
  /** Waits until the last server has completed what the killed ones left. */
  rest: (server: KilledServer) => Promise<unknown>;
  /** Checks the outcome after the last server has stopped: nothing is lost, nothing is doubled. */
  proof: (server: KilledServer) => Promise<void>;
};

export type Point = {
  /** Starts work and returns at the moment of the kill. The returned function, if any, runs right after the kill. */
  work: (server: KilledServer) => Promise<void | (() => unknown)>;
  /** Checks what the killed server left, before the next one starts. */
  found?: (server: KilledServer) => Promise<void>;
};

export type KilledServer = Awaited<ReturnType<typeof aServerToKill>>;

/** Runs a case with all its points and returns the exit code of the last server. The end of the test removes everything. */
export async function killAndProve({
  points,
  leases = [],
  rest,
  proof,
  ...home
}: KillCase): Promise<number | null | undefined> {
  const server = await aServerToKill(home);
  for (const { work, found } of points) {
    await server.start();
    const after = await work(server);
    await server.kill();
    await after?.();
    await server.inDatabase(async (database) => {
      await until(() => isRolledBack(database), 120);
      await aMinutePasses(database);
      for (const statement of leases) await database.pool.query(statement);
    });
    await found?.(server);
  }
  await server.start();
  const resting = rest(server);
  await server.inDatabase((database) => retryAtOnce(database, resting));
  await resting;
  const code = await server.stop();
  await proof(server);
  return code;
}

/** The moment at which the work that `begin` starts, once `ready`, is about to write to `table`, in the middle of its transaction. */
export function aboutToWrite(
  table: string,
  begin: (server: KilledServer) => unknown,
  ready: (server: KilledServer) => unknown = () => {},
): Point['work'] {
  return async (server) => {
    await ready(server);
    const database = await server.open();
    const holder = await database.db.startTransaction().execute();
    await sql`lock table ${sql.table(table)} in share mode`.execute(holder);
    await begin(server);
    const waits = sql`select from pg_locks where relation = ${table}::regclass and not granted`;
    await until(async () => (await waits.execute(database.db)).rows.length > 0, 180);
    return async () => {
      await holder.rollback().execute();
      await database.close();
    };
  };
}

/** A moment so many milliseconds after `begin` has started the work. */
export function after(wait: number, begin: (server: KilledServer) => unknown = () => {}): Point['work'] {
  return async (server) => {
    await begin(server);
    await sleep(wait);
  };
}

/** Prepares a server without starting it. */
async function aServerToKill({ fill, variables = () => ({}) }: Pick<KillCase, 'fill' | 'variables'>) {
  let user = { id: 0 };
  const home = await aProcessHome(async (database) => {
    user = await fill(database);
  });
  onTestFinished(async () => {
    killProcesses();
    await home.remove();
  });
  const environment: Record<string, string> = { ...home.environment, ...variables(home.dataDir) };
  let token = '';
  let server: ServerProcess | undefined;
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    server?.child.kill(signal);
    return server?.ended;
  };
  const requestFor = (endpoint: Endpoint, input: object, file?: SentFile) => {
    const { url, payload, type } = requestOf(endpoint, input as Record<string, unknown>, file);
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (type) headers['content-type'] = type;
    return { url: home.address + url, headers, payload };
  };

  /** Calls over HTTP, whatever the status of the answer. */
  const fetchFrom = <E extends Endpoint>(endpoint: E, input: InputOf<E>, file?: SentFile) => {
    const { url, headers, payload } = requestFor(endpoint, input as object, file);
    return fetch(url, {
      method: 'POST',
      headers,
      ...(payload === undefined ? {} : { body: typeof payload === 'string' ? payload : new Uint8Array(payload) }),
    });
  };
  return {
    environment,
    dataDir: home.dataDir,
    address: home.address,
    open: home.open,
    start: async () => {
      // A run of many kills outlasts a token.
      ({ token } = await tokensOf(home, environment, { token: user }));
      const url = new URL(environment['DATABASE_URL'] ?? '');
      url.searchParams.set('application_name', TO_KILL);
      server = await startServerProcess({ ...environment, DATABASE_URL: url.href });
    },
    /** Starts another server on the same database, which no kill meets. */
    startAnother: async () => startServerProcess({ ...environment, PORT: String(await freePort()) }),
    /** Ends the server as a crash does. */
    kill: () => end('SIGKILL'),
    /** Stops the server cleanly and returns its exit code. */
    stop: () => end('SIGTERM'),
    output: () => server?.output ?? '',
    fetchFrom,
    /** Calls and returns the status, or 0 when the server died before it answered: then nobody knows whether the call took effect. */
    statusOf: async <E extends Endpoint>(endpoint: E, input: InputOf<E>, file?: SentFile): Promise<number> =>
      fetchFrom(endpoint, input, file).then(
        ({ status }) => status,
        () => 0,
      ),
    /** Any status other than 200 fails the test with the server's answer. */
    ok: async <E extends Endpoint>(endpoint: E, input: InputOf<E>, file?: SentFile): Promise<OutputOf<E>> => {
      const answer = await fetchFrom(endpoint, input, file);
      if (answer.status !== 200) throw new Error(`${endpoint.path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as OutputOf<E>;
    },
    /** Sends the first half of a call, and returns when the server has read most of it. */
    sendHalf: async <E extends Endpoint>(endpoint: E, input: InputOf<E>, file: SentFile): Promise<void> => {
      const { url, headers, payload = '' } = requestFor(endpoint, input as object, file);
      const bytes = Buffer.from(payload);
      const request = http.request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(bytes.length) },
      });
      // The kill breaks it off.
      request.on('error', () => {});
      await new Promise((resolve) => request.write(bytes.subarray(0, bytes.length / 2), resolve));
    },
    inDatabase: async <T>(look: (database: Database) => Promise<T>): Promise<T> => {
      const database = await home.open();
      try {
        return await look(database);
      } finally {
        await database.close();
      }
    },
    /** Whether no background work is left, as the server's metrics say. */
    hasNoJobs: async () => isIdle(await metricsOf(home.address)),
  };
}

/** Acts as if the minute had passed after which the next server takes over a killed server's jobs. */
async function aMinutePasses({ pool }: Database): Promise<void> {
  for (const statement of [
    // A long series kills one job more often than it may be tried. The limit is for jobs that fail by themselves.
    "update pgboss.job set retry_limit = retry_limit + 1 where state = 'active'",
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
    "update pgboss.job set start_after = start_after - interval '1 minute' where state = 'retry'",
    "update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'",
  ])
    await pool.query(statement);
}

/** Until `over`, makes the next try of each job due, whose pauses grow to minutes. */
async function retryAtOnce({ pool }: Database, over: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void over.then(end, end);
  await until(async () => {
    await pool.query("update pgboss.job set start_after = now() where state = 'retry' and start_after > now()");
    return isOver;
  }, 1800);
}

/** Whether the database has noticed the death: until then it may still run the last statement of each connection. */
async function isRolledBack({ db }: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${TO_KILL} and xact_start is not null`.execute(db);
  return rows.length === 0;
}
