// Measures the main calls over HTTP on a scratch database of known volume, prints a table, and can write it to bench/RESULTS.md.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openLog } from '#app/log.server.ts';
import { openDatabase, start } from '#app/start.server.ts';
import type { Database } from '#db/database.server.ts';
import { openOwnPostgres } from '#db/own-postgres/own-postgres.server.ts';
import type { Tables } from '#db/tables.ts';
import { startSession } from '#features/people/auth/sessions/session.server.ts';
import { readConfig } from '#outside/config.server.ts';
import { freePort } from './free-port.ts';
import { mapFigures } from './map.ts';
import type { MapFigure } from './map-leaflet.ts';
import { useRealPlaces } from './map-places.ts';
import { Backends, memoryOfTree, processorOfTree } from './processor.ts';
import { personOf, type Scenario, scenarios } from './scenarios.ts';
import { coldLoads, type ScreenFigures } from './screens.ts';
import { ADMINISTRATOR, fill, SCALES, type Scale } from './volume.ts';

const { values: given } = parseArgs({
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
const CLIENTS = given.clients.split(',').map(Number);
/** Milliseconds between the load and reading the memory, so that unused memory is returned first. */
const REST = 15_000;
const seconds = Number(given.seconds);
const scale = SCALES[given.scale as keyof typeof SCALES];
if (!scale) throw new Error(`--scale is one of ${Object.keys(SCALES).join(', ')}`);
const scratch = given.keep || `quoteboard_bench_${process.pid}`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-bench-'));
fs.chmodSync(folder, 0o711);
/** The PostgreSQL that npm brings, unless the command names another. */
const own = given.database === 'own' ? await openOwnPostgres(folder) : undefined;
const postgres = own?.url ?? given.database;

type Figures = { rate: number; p50: number; p95: number; p99: number };
/** `server` and `postgres` are milliseconds of processor time per call; `postgres` is null if unknown or included in the server's. */
type Row = {
  name: string;
  aim: number | null;
  clients: number;
  http: Figures;
  floor: Figures;
  server: number;
  postgres: number | null;
  failed: number;
};

async function main(): Promise<void> {
  console.log(`yardstick: ${yardstick} ms`);
  const environment = await prepare();
  const config = readConfig(environment, 'production');
  const chosen = scenarios(scale).filter(({ name }) => new RegExp(given.only).test(name));
  const floors = new Map<string, Figures>();
  const tokens = await atTheDatabase(config, chosen, floors);
  const server = await startServer(environment);
  const pid = server.pid ?? 0;
  const backends = await Backends.of(environment['DATABASE_URL'] ?? '');
  const rows: Row[] = [];
  console.log(aligned(HEAD));
  let memory = 0;
  try {
    const idle = memoryOfTree(pid);
    for (const scenario of chosen) {
      for (const clients of CLIENTS) {
        const floor = floors.get(`${scenario.name} ${clients}`);
        if (!floor) throw new Error(`no floor for ${scenario.name}`);
        const row = { ...(await overHttp({ pid, port: config.port, backends }, scenario, clients, tokens)), floor };
        rows.push(row);
        console.log(aligned(cellsOf(row)));
      }
    }
    if (given.screens) {
      const loaded = await coldLoads(config.publicUrl, tokens[0] ?? '', [26, scale.quotes + 1]);
      console.table(loaded);
      if (given.write) reportScreens(loaded);
    }
    if (given.map) {
      const figures = await mapFigures(config.publicUrl, tokens[ADMINISTRATOR - 1] ?? '');
      console.table(figures);
      if (given.write) reportMap(figures);
    }
    const busy = memoryOfTree(pid);
    await setTimeout(REST);
    memory = memoryOfTree(pid);
    console.log(
      `memory of the server: ${idle} MB before, ${busy} MB at the end of the load, ${memory} MB after a rest`,
    );
  } finally {
    await backends?.close();
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
    await drop();
  }
  if (given.write && rows.length > 0) report(rows, memory);
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
  if (there) return environment;
  const began = performance.now();
  const database = await openDatabase(readConfig(environment, 'production'), { tool: true });
  await fill(database.db, scale);
  if (given.scale === 'map') await useRealPlaces(database.db, scale);
  await database.close();
  console.log(`${given.scale} volume filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return environment;
}

async function drop(): Promise<void> {
  if (given.keep) return;
  const client = admin();
  await client.connect();
  await client.query(`drop database ${scratch} with (force)`);
  await client.end();
}

/**
 * Signs everybody in and measures the floors in this process, without a server. For a read it sends the SQL of the read again. For a
 * write, whose SQL cannot be repeated, and for a PDF it runs the call in this process without a socket.
 */
async function atTheDatabase(
  config: ReturnType<typeof readConfig>,
  chosen: Scenario[],
  floors: Map<string, Figures>,
): Promise<string[]> {
  const sent: { sql: string; parameters: unknown[] }[] = [];
  // The statements of 16 clients may take longer than the server allows.
  const opened = await openDatabase(config, { tool: true });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: opened.pool }),
    log: ({ query }) => void sent.push({ sql: query.sql, parameters: [...query.parameters] }),
  });
  const database: Database = { ...opened, db };
  const program = await start(config, { log: openLog('silent'), database, superviseJobs: false });
  const tokens: string[] = [];
  for (let person = 1; person <= ADMINISTRATOR; person++) {
    tokens.push((await startSession(db, program.services, person, 'bench')).accessToken);
  }
  const ask = async (scenario: Scenario, n: number) => {
    const { url, body } = scenario.call(n);
    const answer = await program.app.inject({
      method: 'POST',
      url,
      headers: headersOf(scenario, n, tokens),
      payload: body,
    });
    if (answer.statusCode !== 200) throw new Error(`${scenario.name}: ${answer.statusCode} ${answer.body}`);
  };
  for (const scenario of chosen) {
    const statements: (typeof sent)[] = [];
    for (let n = 0; n < 40; n++) {
      await ask(scenario, n);
      sent.length = 0;
      await ask(scenario, n);
      if (scenario.writes) break;
      // The server writes remembered searches a moment later, between calls.
      statements.push(sent.filter(({ sql }) => /^\s*(select|with)\b/.test(sql)));
    }
    const replay = async (n: number) => {
      const client = await opened.pool.connect();
      try {
        for (const { sql, parameters } of statements[n % statements.length] ?? []) await client.query(sql, parameters);
      } finally {
        client.release();
      }
    };
    for (const clients of CLIENTS) {
      const work = scenario.writes ? (n: number) => ask(scenario, n + 1000 * clients) : replay;
      floors.set(`${scenario.name} ${clients}`, await repeat(work, clients, scenario.patience));
    }
  }
  await program.stop();
  return tokens;
}

/** Repeats the work for some seconds with this many clients. */
async function repeat(work: (n: number) => Promise<void>, clients: number, patience = 1): Promise<Figures> {
  const times: number[] = [];
  let n = 0;
  const began = performance.now();
  const end = began + (seconds * patience * 1000) / 2;
  const one = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      await work(n++);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return figuresOf(times, performance.now() - began);
}

function headersOf(scenario: Scenario, n: number, tokens: string[]): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${tokens[personOf(scenario, n) - 1]}` };
}

/** Starts the server with the flags of `npm start`, which run.mjs gave this process. */
async function startServer(environment: Record<string, string>): Promise<ChildProcess> {
  const flags = [...process.execArgv, ...(given.profile ? ['--cpu-prof', '--cpu-prof-dir=.cache/profiles'] : [])];
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

async function overHttp(
  { pid, port, backends }: { pid: number; port: number; backends: Backends | null },
  scenario: Scenario,
  clients: number,
  tokens: string[],
): Promise<Omit<Row, 'floor'>> {
  let n = clients * 100_003;
  const round = (duration: number, times: number[]) =>
    new Promise<number>((resolve, reject) => {
      const instance = autocannon(
        {
          url: `http://127.0.0.1:${port}`,
          connections: clients,
          duration,
          timeout: 60,
          requests: [
            {
              setupRequest: (request) => {
                const { url, body } = scenario.call(n);
                return { ...request, method: 'POST', path: url, headers: headersOf(scenario, n++, tokens), body };
              },
            },
          ],
        },
        (error, result) => (error ? reject(error) : resolve(result.errors + result.timeouts + result.non2xx)),
      );
      instance.on('response', (_client: unknown, _status: number, _bytes: number, time: number) => times.push(time));
    });
  await round(1, []);
  const times: number[] = [];
  const watched = await backends?.watch();
  const busy = processorOfTree(pid);
  const began = performance.now();
  const failed = await round(seconds * (scenario.patience ?? 1), times);
  const http = figuresOf(times, performance.now() - began);
  const calls = Math.max(1, times.length);
  return {
    name: scenario.name,
    aim: scenario.aim,
    clients,
    http,
    server: (processorOfTree(pid) - busy) / calls,
    postgres: watched ? (await watched()) / calls : null,
    failed,
  };
}

function figuresOf(times: number[], milliseconds: number): Figures {
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
  'req/s',
  'p50',
  'p95',
  'p99',
  'floor req/s',
  'floor p95',
  'p95 × floor',
  'failed',
];

function cellsOf({ name, aim, clients, http, floor, server, postgres, failed }: Row): string[] {
  const ms = (value: number) => value.toFixed(1);
  const processor = (value: number) => value.toFixed(value < 10 ? 2 : 0);
  const rate = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  // A dash marks an unknown value or a call that got no answer in time.
  const answered = (text: string) => (http.rate > 0 ? text : '-');
  return [
    name,
    String(clients),
    answered(processor(server)),
    postgres === null ? '-' : answered(processor(postgres)),
    answered(processor(server + (postgres ?? 0))),
    clients === 16 && aim ? String(aim) : '',
    rate(http.rate),
    ...[http.p50, http.p95, http.p99].map((value) => answered(ms(value))),
    rate(floor.rate),
    ms(floor.p95),
    answered((http.p95 / floor.p95).toFixed(1)),
    String(failed),
  ];
}

function aligned(cells: string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(58) : cell.padStart(14))).join('');
}

const IN_WORDS: Record<string, string> = { contractLines: 'lines in the longest contracts', rosterRows: 'roster rows' };

/** '20,000 items, …' */
function inWords({ events, log, ...sizes }: Scale): string {
  const counted = Object.entries(sizes).filter(([what]) => what !== 'long');
  const parts = counted.map(([what, count]) => `${count.toLocaleString('en-US')} ${IN_WORDS[what] ?? what}`);
  return `${parts.join(', ')}, ${events} events a quote, ${log.toLocaleString('en-US')} mails`;
}

/** Replaces the section of this database and scale in RESULTS.md. */
function report(rows: Row[], memory: number): void {
  replaceSection(
    PLACE,
    [
      `${inWords(scale)}; ${machine()}. Memory of the server after load: ${memory} MB.`,
      '',
      `| ${HEAD.join(' | ')} |`,
      `|${HEAD.map((_, index) => (index === 0 ? '---' : '--:')).join('|')}|`,
      ...rows.map((row) => `| ${cellsOf(row).join(' | ')} |`),
    ],
    given.only ? ` --only '${given.only}'` : '',
  );
}

function reportScreens(screens: ScreenFigures[]): void {
  replaceSection(
    `Screens, ${PLACE}`,
    [
      `Each screen 15 times in a browser with nothing in its cache, on the machine of the server; ${machine()}.`,
      '',
      '| screen | files | JavaScript, gzip, kB | usable, median of 15, ms | slowest, ms |',
      '|---|--:|--:|--:|--:|',
      ...screens.map(
        ({ name, files, kilobytes, median, slowest }) =>
          `| ${name} | ${files} | ${kilobytes.toFixed(0)} | ${median.toFixed(0)} | ${slowest.toFixed(0)} |`,
      ),
    ],
    " --screens --only 'nothing else'",
  );
}

function reportMap(figures: MapFigure[]): void {
  replaceSection(
    `The map in a browser, ${PLACE}`,
    [
      `In the browser of the tests, on the machine of the server; ${machine()}.`,
      '',
      '| what | aim | measured | slowest or p95 | Leaflet, canvas | Leaflet, SVG |',
      '|---|--:|--:|--:|--:|--:|',
      ...figures.map(
        ({ what, aim, measured, worst, canvas, svg }) => `| ${[what, aim, measured, worst, canvas, svg].join(' | ')} |`,
      ),
    ],
    ` --only '${given.only}' --map`,
  );
}

/** `--part contracts` writes a separate section beside the main one. */
const PLACE = `${own ? 'PostgreSQL of npm' : 'PostgreSQL'}, ${given.scale}${given.part ? `, ${given.part}` : ''}`;

function machine(): string {
  return `${os.cpus().length} cores, Node ${process.versions.node}, load average of the machine at the end ${os.loadavg()[0]?.toFixed(1)}, its yardstick ${yardstick} ms`;
}

function replaceSection(name: string, lines: string[], chosen: string): void {
  const file = path.join(import.meta.dirname, 'RESULTS.md');
  const command = `npm run bench -- --database ${own ? 'own' : 'postgres://…'} --scale ${given.scale} --seconds ${given.seconds}${chosen}${given.part ? ` --part ${given.part}` : ''} --write`;
  const section = [`## ${name}`, '', `\`${command}\``, '', ...lines, ''].join('\n');
  const [head = '', ...old] = fs.readFileSync(file, 'utf8').split(/^(?=## )/m);
  const at = old.findIndex((one) => one.startsWith(`## ${name}\n`));
  if (at < 0) old.push(section);
  else old[at] = section;
  fs.writeFileSync(file, [head, ...old].map((part) => part.trimEnd()).join('\n\n') + '\n');
}

try {
  await main();
} finally {
  await own?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
