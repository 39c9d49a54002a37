// A server that a test kills in the middle of its work, and the next server, which takes over the remaining work.
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Endpoint, InputOf, OutputOf } from '#api/endpoint.ts';
import type { Database } from '#db/database.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  type ServerProcess,
  startServerProcess,
  tokensOf,
} from './server-process.server.ts';
import { requestOf, type SentFile } from './test-server.server.ts';

/** Prepares a server without starting it. `fill` returns the user who makes the test's calls. The end of the test removes everything. */
export async function aServerToKill(
  fill: (database: Database) => Promise<{ id: number }>,
  variables: (home: ProcessHome) => Record<string, string> = () => ({}),
) {
  let user = { id: 0 };
  const home = await aProcessHome(async (database) => {
    user = await fill(database);
  });
  onTestFinished(async () => {
    killProcesses();
    await home.remove();
  });
  const environment = { ...home.environment, ...variables(home) };
  const { token } = await tokensOf(home, environment, { token: user });
  let server: ServerProcess | undefined;
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    server?.child.kill(signal);
    return server?.ended;
  };

  /** Calls over HTTP, whatever the status of the answer. */
  const fetchFrom = <E extends Endpoint>(endpoint: E, input: InputOf<E>, file?: SentFile) => {
    const { url, payload, type } = requestOf(endpoint, input as Record<string, unknown>, file);
    const headers = { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) };
    return fetch(home.address + url, {
      method: 'POST',
      headers,
      ...(payload === undefined ? {} : { body: typeof payload === 'string' ? payload : new Uint8Array(payload) }),
    });
  };
  return {
    environment,
    dataDir: home.dataDir,
    address: home.address,
    start: async () => {
      server = await startServerProcess(environment);
    },
    /** Ends the server as a crash does, after `wait` milliseconds. */
    kill: async (wait = 0) => {
      await sleep(wait);
      await end('SIGKILL');
    },
    /** Stops the server cleanly and returns its exit code. */
    stop: () => end('SIGTERM'),
    fetchFrom,
    /** Any status other than 200 fails the test with the server's answer. */
    ok: async <E extends Endpoint>(endpoint: E, input: InputOf<E>, file?: SentFile): Promise<OutputOf<E>> => {
      const answer = await fetchFrom(endpoint, input, file);
      if (answer.status !== 200) throw new Error(`${endpoint.path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as OutputOf<E>;
    },
    /** Reads or changes the database. */
    inDatabase: async <T>(look: (database: Database) => Promise<T>): Promise<T> => {
      const database = await home.open();
      try {
        return await look(database);
      } finally {
        await database.close();
      }
    },
  };
}

/** Acts as if the minute had passed after which the next server takes over a killed server's jobs. */
export async function aMinutePasses({ pool }: Database): Promise<void> {
  for (const statement of [
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
    "update pgboss.job set start_after = start_after - interval '1 minute' where state = 'retry'",
    "update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'",
  ])
    await pool.query(statement);
}
