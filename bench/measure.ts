// Measures the main calls over HTTP on a scratch database of known volume, prints a table, and can write it to bench/RESULTS.md.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { openLog } from '#app/log.server.ts';
import { openDatabase, start } from '#app/start.server.ts';
import type { Database } from '#platform/db/database.server.ts';
import { openOwnPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { catchUp } from '#addons/reports/facts/catch-up.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { bareCalls, type Statement } from './bare.ts';
import { freePort } from './free-port.ts';
import { mapFigures } from './map.ts';
import { useRealPlaces } from './map-places.ts';
import { Backends, memoryOfTree, processorOfTree } from './processor.ts';
import { type Measured, type Row, writeResults } from './results.ts';
import { personOf, type Scenario, scenarios } from './scenarios.ts';
import { coldLoads } from './screens.ts';
import { ADMINISTRATOR, fill, SCALES } from './volume.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'own' },
    scale: { type: 'string', default: 'small' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    clients: { type: 'string', default: '1,16' },
    profile: { type: 'boolean', default: false },
    screens: { type: 'boolean', default: false },
    map: { type: 'boolean', default: false },
    keep: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const CLIENTS = options.clients.split(',').map(Number);
/** Milliseconds between the load and reading the memory, so that unused memory is returned first. */
const REST = 15_000;
/** Seconds of calls before each measured round: a server that has just started reads 200,000 items into memory in the first seconds. */
const WARM_UP_S = 10;
const seconds = Number(options.seconds);
const scale = SCALES[options.scale as keyof typeof SCALES];
if (!scale) throw new Error(`--scale is one of ${Object.keys(SCALES).join(', ')}`);
const scratch = options.keep || `quoteboard_bench_${process.pid}`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-bench-'));
fs.chmodSync(folder, 0o711);
/** The PostgreSQL that npm brings, unless the command names another. */
const ownPostgres = options.database === 'own' ? await openOwnPostgres(folder) : undefined;
const postgres = ownPostgres?.url ?? options.database;

async function main(): Promise<void> {
  console.log(`yardstick: ${yardstick} ms`);
  const environment = await prepare();
  const config = readConfig(environment, 'production');
  const chosen = scenarios(scale).filter(({ name }) => new RegExp(options.only).test(name));
  const { tokens, recorded } = await atTheDatabase(config, chosen);
  const server = await startServer(environment);
  const pid = server.pid ?? 0;
  const url = environment['DATABASE_URL'] ?? '';
  const backends = await Backends.of(url);
  const target = { pid, port: config.port, backends };
  const measured: Measured = { rows: [], screens: [], map: [], memory: 0 };
  console.log(aligned(HEAD));
  try {
    const idle = memoryOfTree(pid);
    const bare = await bareStatements(url, recorded);
    for (const clients of CLIENTS) {
      const empty = await overHttp(target, { clients, patience: 1, request: () => EMPTY });
      for (const scenario of chosen) {
        const { name, aim, patience = 1 } = scenario;
        const statements = bare(name);
        const floor =
          backends && statements
            ? empty.server + (await floorOf(url, backends, { statements, clients, patience }))
            : null;
        const request = (n: number) => {
          const { url: path, body } = scenario.call(n);
          return { method: 'POST' as const, path, headers: headersOf(scenario, n, tokens), body };
        };
        const row: Row = { name, aim, clients, floor, ...(await overHttp(target, { clients, patience, request })) };
        measured.rows.push(row);
        console.log(aligned(cellsOf(row)));
      }
    }
    if (options.screens) {
      measured.screens = await coldLoads(config.publicUrl, tokens[0] ?? '', [26, scale.quotes + 1]);
      console.table(measured.screens);
    }
    if (options.map) {
      measured.map = await mapFigures(config.publicUrl, tokens[ADMINISTRATOR - 1] ?? '');
      console.table(measured.map);
    }
    const busy = memoryOfTree(pid);
    await setTimeout(REST);
    measured.memory = memoryOfTree(pid);
    console.log(
      `memory of the server: ${idle} MB before, ${busy} MB at the end of the load, ${measured.memory} MB after a rest`,
    );
  } finally {
    await backends?.close();
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
    await drop();
  }
  if (options.write) {
    const place = [ownPostgres ? 'postgresql-of-npm' : 'postgresql', options.scale, options.part]
      .filter(Boolean)
      .join('-');
    writeResults(place, { command: COMMAND, machine: machine(), scale, ...measured });
  }
}

/** A call that does nothing: what a socket, a route, and an answer cost. */
const EMPTY = { method: 'GET' as const, path: '/healthz', headers: {}, body: '' };

/** The statements of each call of a scenario's floor: the least SQL for the main job, the call's own SQL for other reads, and none for other writes. */
async function bareStatements(
  url: string,
  recorded: Map<string, Statement[][]>,
): Promise<(name: string) => ((n: number) => Statement[]) | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const least = await bareCalls(client, scale);
  await client.end();
  return (name) => {
    const own = recorded.get(name);
    return least.find(([start]) => name.startsWith(start))?.[1] ?? (own && ((n) => own[n % own.length] ?? []));
  };
}

/** Milliseconds of processor time that PostgreSQL takes for the statements of one call, sent without the server. */
async function floorOf(
  url: string,
  backends: Backends,
  { statements, clients, patience }: { statements: (n: number) => Statement[]; clients: number; patience: number },
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: clients, idleTimeoutMillis: 0 });
  let n = 0;
  const forSeconds = async (duration: number) => {
    const begun = n;
    const end = performance.now() + duration * 1000;
    const worker = async () => {
      const client = await pool.connect();
      while (performance.now() < end)
        for (const { text, values } of statements(n++)) await client.query({ name: nameOf(text), text, values });
      client.release();
    };
    await Promise.all(Array.from({ length: clients }, worker));
    return n - begun;
  };
  await forSeconds(0.5);
  const watched = await backends.watch();
  const calls = await forSeconds((seconds * patience) / 2);
  const took = (await watched()) / calls;
  await pool.end();
  return took;
}

const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `bare${names.size}`;
  names.set(text, name);
  return name;
}

/** Milliseconds for computing a hundred million remainders, to compare runs on machines of different speed. */
const yardstick = (() => {
  const began = performance.now();
  let sum = 0;
  for (let n = 0; n < 1e8; n++) sum += n % 7;
  const took = performance.now() - began;
  if (sum < 0) throw new Error('a sum that is used is not optimized away');
  return Math.round(took);
})();

const admin = () => new pg.Client({ connectionString: postgres });

/** Fills a scratch database and returns the environment of a server that uses it. */
async function prepare(): Promise<Record<string, string>> {
  const port = await freePort();
  const environment: Record<string, string> = {
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TOKEN_SECRET: 'a secret of the measurement, used nowhere else',
    MAIL: 'disk',
    DATA_DIR: folder,
    RATE_LIMIT: '1000000000',
    LOG_LEVEL: 'info',
  };
  const client = admin();
  await client.connect();
  const there = (await client.query('select 1 from pg_database where datname = $1', [scratch])).rows.length > 0;
  if (!there) await client.query(`create database ${scratch}`);
  await client.end();
  const url = new URL(postgres);
  url.pathname = `/${scratch}`;
  environment['DATABASE_URL'] = url.href;
  const began = performance.now();
  const database = await openDatabase(readConfig(environment, 'production'), { tool: true });
  if (!there) {
    await fill(database.db, scale);
    if (options.scale === 'map') await useRealPlaces(database.db, scale);
  }
  // The server would add up what reports show beside what is measured.
  while ((await catchUp({ database, clock: systemClock })).preparing);
  if (!there) {
    await sql`vacuum analyze`.execute(database.db);
    console.log(`${options.scale} volume filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  await database.close();
  return environment;
}

async function drop(): Promise<void> {
  if (options.keep) return;
  const client = admin();
  await client.connect();
  await client.query(`drop database ${scratch} with (force)`);
  await client.end();
}

/** Signs everybody in and records the SQL of each read by calling it in this process. */
async function atTheDatabase(
  config: ReturnType<typeof readConfig>,
  chosen: Scenario[],
): Promise<{ tokens: string[]; recorded: Map<string, Statement[][]> }> {
  const sent: Statement[] = [];
  // The statements of 16 clients may take longer than the server allows.
  const opened = await openDatabase(config, { tool: true });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: opened.pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: [...query.parameters] }),
  });
  const database: Database = { ...opened, db };
  const program = await start(config, { log: openLog('silent'), database, superviseJobs: false });
  const tokens: string[] = [];
  for (let person = 1; person <= ADMINISTRATOR; person++) {
    tokens.push((await startSession(db, program.services, person, 'bench')).accessToken);
  }
  const recorded = new Map<string, Statement[][]>();
  for (const scenario of chosen.filter(({ writes }) => !writes)) {
    const calls: Statement[][] = [];
    for (let n = 0; n < 40; n++) {
      const { url, body } = scenario.call(n);
      const headers = headersOf(scenario, n, tokens);
      for (let turn = 0; turn < 2; turn++) {
        sent.length = 0;
        const answer = await program.app.inject({ method: 'POST', url, headers, payload: body });
        if (answer.statusCode !== 200) throw new Error(`${scenario.name}: ${answer.statusCode} ${answer.body}`);
      }
      // The server writes remembered searches a moment later, between calls.
      calls.push(sent.filter(({ text }) => /^\s*(select|with)\b/.test(text)));
    }
    recorded.set(scenario.name, calls);
  }
  await program.stop();
  return { tokens, recorded };
}

function headersOf(scenario: Scenario, n: number, tokens: string[]): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${tokens[personOf(scenario, n) - 1]}` };
}

/** Starts the server with the flags of `npm start`, which run.mjs gave this process. */
async function startServer(environment: Record<string, string>): Promise<ChildProcess> {
  const flags = [...process.execArgv, ...(options.profile ? ['--cpu-prof', '--cpu-prof-dir=.cache/profiles'] : [])];
  const server = spawn(process.execPath, [...flags, 'src/main.server.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) throw new Error('the server does not start');
    const ready = await fetch(`${environment['PUBLIC_URL']}/readyz`).catch(() => null);
    if (ready?.ok) return server;
    await setTimeout(100);
  }
  throw new Error('the server is not ready after 30 s');
}

type Target = { pid: number; port: number; backends: Backends | null };
type Sent = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body: string };

async function overHttp(
  { pid, port, backends }: Target,
  { clients, patience, request }: { clients: number; patience: number; request: (n: number) => Sent },
): Promise<Pick<Row, 'http' | 'server' | 'postgres' | 'failed'>> {
  let n = clients * 100_003;
  const round = (duration: number, times: number[]) =>
    new Promise<number>((resolve, reject) => {
      const instance = autocannon(
        {
          url: `http://127.0.0.1:${port}`,
          connections: clients,
          duration,
          timeout: 60,
          requests: [{ setupRequest: (empty) => ({ ...empty, ...request(n++) }) }],
        },
        (error, result) => (error ? reject(error) : resolve(result.errors + result.timeouts + result.non2xx)),
      );
      instance.on('response', (_client: unknown, _status: number, _bytes: number, time: number) => times.push(time));
    });
  await round(WARM_UP_S, []);
  const times: number[] = [];
  const watched = await backends?.watch();
  const busy = processorOfTree(pid);
  const began = performance.now();
  const failed = await round(seconds * patience, times);
  const http = figuresOf(times, performance.now() - began);
  const calls = Math.max(1, times.length);
  return {
    http,
    server: (processorOfTree(pid) - busy) / calls,
    postgres: watched ? (await watched()) / calls : null,
    failed,
  };
}

function figuresOf(times: number[], milliseconds: number): Row['http'] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { rate: times.length / (milliseconds / 1000), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const HEAD = [
  'call',
  'clients',
  'server ms',
  'PostgreSQL ms',
  'sum',
  'aim',
  'floor ms',
  '× floor',
  'req/s',
  'p50',
  'p95',
  'p99',
  'failed',
];

function cellsOf({ name, aim, clients, http, floor, server, postgres, failed }: Row): string[] {
  const ms = (value: number) => value.toFixed(1);
  const processor = (value: number) => value.toFixed(value < 10 ? 2 : 0);
  // A dash marks an unknown value or a call that got no answer in time.
  const answered = (text: string) => (http.rate > 0 ? text : '-');
  const sum = server + (postgres ?? 0);
  return [
    name,
    String(clients),
    answered(processor(server)),
    postgres === null ? '-' : answered(processor(postgres)),
    answered(processor(sum)),
    clients === 16 && aim ? String(aim) : '',
    floor === null ? '-' : processor(floor),
    floor === null ? '-' : answered((sum / floor).toFixed(1)),
    http.rate.toFixed(http.rate < 100 ? 1 : 0),
    ...[http.p50, http.p95, http.p99].map((value) => answered(ms(value))),
    String(failed),
  ];
}

function aligned(cells: string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(58) : cell.padStart(14))).join('');
}

const COMMAND = `npm run bench -- --database ${ownPostgres ? 'own' : 'postgres://…'} ${process.argv
  .slice(2)
  .filter((word, at, all) => !/^--(database|keep)$/.test(word) && !/^--(database|keep)$/.test(all[at - 1] ?? ''))
  .map((word) => (/[^\w,-]/.test(word) ? `'${word}'` : word))
  .join(' ')}`;

function machine(): string {
  return `${os.cpus().length} cores, Node ${process.versions.node}, load average at the end ${os.loadavg()[0]?.toFixed(1)}, yardstick ${yardstick} ms`;
}

try {
  await main();
} finally {
  await ownPostgres?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
