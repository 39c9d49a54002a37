// The server as a separate process, on a database of its own, for tests that stop, kill, and restart it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Services } from '#platform/api/services.server.ts';
import { type Database, openPostgres } from '#platform/db/database.server.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { addressOf, freshDatabase } from './base-database.server.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** A server process must not inherit these from the tests. It compiles the program once for all tests. */
const SURROUNDINGS = {
  NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compiled'),
  DEMO: '',
  DATABASE_URL: '',
  PUBLIC_URL: '',
  TOKEN_SECRET: '',
  TOKEN_SECRET_OTHER: '',
  METRICS_TOKEN: '',
  API_DOCS: '',
  SMTP_URL: '',
  MAIL: '',
  STORAGE_URL: '',
};

export type ServerProcess = {
  child: ChildProcess;
  /** Its output so far. */
  output: string;
  /** Its exit code, or null when a signal ended it. */
  ended: Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Starts Node, or another `command`, with these arguments and variables; `group` makes it the leader of its own process group. */
export function startProcess(
  args: string[],
  variables: Record<string, string>,
  { command = process.execPath, group = false } = {},
): ServerProcess {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...SURROUNDINGS, ...variables },
    detached: group,
  });
  running.add(child);
  const run: ServerProcess = {
    child,
    output: '',
    ended: once(child, 'close').then(([code]) => {
      running.delete(child);
      return code as number | null;
    }),
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (run.output += chunk.toString()));
  }
  return run;
}

/** Starts the server itself, without the wrapper that looks for a suitable Node. */
export async function startServerProcess(variables: Record<string, string>): Promise<ServerProcess> {
  const run = startProcess(['--disable-warning=ExperimentalWarning', 'src/main.server.ts'], variables);
  const gone = run.ended.then(() => {
    throw new Error(`The server did not start: ${run.output}`);
  });
  await Promise.race([until(() => run.output.includes('"listening"'), 180), gone]);
  gone.catch(() => {});
  return run;
}

const METRICS_TOKEN = 'a-token-of-tests';

/** The metrics of a server process, whose environment has this token. */
export async function metricsOf(address: string): Promise<string> {
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return answer.text();
}

/** Whether metrics say that no background job waits or runs. */
export const isIdle = (metrics: string): boolean =>
  /^jobs\{/m.test(metrics) && !/^jobs\{.*state="(created|retry|active)"\} [1-9]/m.test(metrics);

/** Ends all processes that still run, at the end of a test file. */
export function killProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

export type ProcessHome = {
  /** The environment of a production server on this database. */
  environment: Record<string, string>;
  dataDir: string;
  address: string;
  open: () => Promise<Database>;
  remove: () => Promise<void>;
};

/** A database and a data folder for server processes, filled by `fill`. */
export async function aProcessHome(fill: (database: Database) => Promise<void>): Promise<ProcessHome> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-data-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const database = await freshDatabase();
  await fill(database);
  const url = addressOf(database);
  return {
    environment: {
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DATABASE_URL: url,
      PUBLIC_URL: address,
      TOKEN_SECRET: 'a-secret-of-tests-that-is-long-enough',
      METRICS_TOKEN,
      MAIL: 'disk',
    },
    dataDir,
    address,
    open: async () => openPostgres(url, 4, { long: true }),
    remove: async () => {
      await database.close();
      fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Makes access tokens, before the server starts, that a server with this environment will accept. */
export async function tokensOf<Name extends string>(
  home: ProcessHome,
  environment: Record<string, string>,
  people: Record<Name, { id: number }>,
): Promise<Record<Name, string>> {
  const config = readConfig(environment, 'production');
  const database = await home.open();
  const tokens: [string, string][] = [];
  for (const [name, { id }] of Object.entries<{ id: number }>(people)) {
    const { accessToken } = await startSession(database.db, { config, clock: systemClock } as Services, id, '');
    tokens.push([name, accessToken]);
  }
  await database.close();
  return Object.fromEntries(tokens) as Record<Name, string>;
}

/** A connection to the database server of an address, by its port or by the socket in the folder `host`. */
export function connectTo(url: URL): net.Socket {
  const folder = url.searchParams.get('host');
  return folder ? net.connect(path.join(folder, '.s.PGSQL.5432')) : net.connect(Number(url.port || 5432), url.hostname);
}

export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

export async function until(what: () => unknown, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen in time');
}
