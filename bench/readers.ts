// Measures what ten people who look at reports cost those who write quotes, on the database that `npm run bench -- reports` filled.
// npm run bench -- readers --database postgres://…/<filled by reports> [--readers 10] [--looks 10] [--rounds 4] [--seconds 30]
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { contract } from '#app/contract.ts';
import { openDatabase } from '#app/start.server.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { freePort } from './free-port.ts';
import { call, scenarios } from './scenarios.ts';
import { ADMINISTRATOR, SCALES } from './volume.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    readers: { type: 'string', default: '10' },
    looks: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '30' },
  },
});
/** People at the main job, the pause of each between calls, and for how many milliseconds each reader looks at a report. */
const [WRITERS, PAUSE, LOOKS] = [6, 100, Number(options.looks) * 1000];

const port = await freePort();
const environment = {
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TOKEN_SECRET: 'a secret of the measurement, used nowhere else',
  MAIL: 'disk',
  DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-readers-')),
  DATABASE_URL: options.database,
  RATE_LIMIT: '1000000000',
};
const config = readConfig(environment, 'production');
const database = await openDatabase(config, { tool: true });
const services = { database, clock: { now: () => new Date() }, config } as unknown as Services;
const tokenOf = async (person: number) => (await startSession(database.db, services, person, 'bench')).accessToken;
const [writer, reader] = [await tokenOf(ADMINISTRATOR), await tokenOf(ADMINISTRATOR)];
const { rows: edited } = await sql<{ id: number }>`
  select id from quote where status_id = 'Editing' and id > 1000 order by id desc limit 5000`.execute(database.db);
await database.close();

const server = spawn(process.execPath, [...process.execArgv, 'src/main.server.ts'], {
  env: { ...process.env, ...environment },
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (let tries = 0; !(await fetch(`${environment.PUBLIC_URL}/readyz`).catch(() => null))?.ok; tries++) {
  if (tries > 300 || server.exitCode !== null) throw new Error('the server does not start');
  await setTimeout(100);
}

async function ask(token: string, url: string, body: string): Promise<void> {
  const answer = await fetch(environment.PUBLIC_URL + url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

const all = scenarios({ ...SCALES.tiny, quotes: 20, long: 0, facilities: 5_000, items: 20_000 });
const job = ['item search', 'quote list', 'new quote'].map((begins) => {
  const scenario = all.find(({ name }) => name.startsWith(begins));
  if (!scenario) throw new Error(`no call ${begins}`);
  return scenario.call;
});
/** Those of `scenarios` are for another database. */
const quoteAt = (n: number) => edited[(n * 7919) % edited.length]?.id ?? 0;
job.push(
  (n) => call(contract.QuoteEdit, 'PopulateQuoteEditDataForInternalRep', quoteAt(n)),
  (n) =>
    call(contract.QuoteEdit, 'SaveQuoteItem', {
      id: 0,
      quoteId: quoteAt(n),
      itemId: (n % 20_000) + 1,
      qty: 1,
      unit: 'EA',
    }),
);
const day = new Date().toISOString().slice(0, 10);
const year = JSON.stringify({ from: addDays(day, -365), to: day });
const reports = [
  'GetPipeline',
  'GetWonLost',
  'GetDiscountMargin',
  'GetSpeed',
  'GetContractUse',
  'GetTerritorySales',
] as const;

let count = 0;
/** Milliseconds of every call of the main job. Writers begin each call at a pause after the last one, whatever it took. */
async function round(readers: number): Promise<{ calls: number[]; reports: number[] }> {
  const times = { calls: [] as number[], reports: [] as number[] };
  const end = performance.now() + Number(options.seconds) * 1000;
  const timed = async (list: number[], work: Promise<void>) => {
    const began = performance.now();
    await work;
    list.push(performance.now() - began);
  };
  const write = async () => {
    while (performance.now() < end) {
      const n = count++;
      const { url, body } = (job[n % job.length] as (typeof job)[number])(n);
      await timed(times.calls, ask(writer, url, body));
      await setTimeout(PAUSE * (0.5 + Math.random()));
    }
  };
  const read = async (at: number) => {
    await setTimeout((LOOKS * at) / readers);
    for (let n = at; performance.now() < end; n++) {
      const name = reports[n % reports.length] ?? 'GetPipeline';
      await timed(times.reports, ask(reader, contract.Report[name].path, year));
      await setTimeout(LOOKS * (0.5 + Math.random()));
    }
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, write),
    ...Array.from({ length: readers }, (_, at) => read(at)),
  ]);
  return times;
}

const at = (times: number[], share: number) =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1);
try {
  await round(1);
  const sums = { alone: [] as number[], read: [] as number[] };
  for (let n = 0; n < Number(options.rounds); n++) {
    const alone = await round(0);
    const read = await round(Number(options.readers));
    sums.alone.push(...alone.calls);
    sums.read.push(...read.calls);
    console.log(
      `main job p50 ${at(alone.calls, 0.5)} p95 ${at(alone.calls, 0.95)} ms alone; with ${options.readers} readers p50 ${at(read.calls, 0.5)} p95 ${at(read.calls, 0.95)} ms (${read.reports.length} reports, median ${at(read.reports, 0.5)} ms, p95 ${at(read.reports, 0.95)})`,
    );
  }
  console.log(
    `all rounds: p95 ${at(sums.alone, 0.95)} ms of ${sums.alone.length} calls alone, ${at(sums.read, 0.95)} ms of ${sums.read.length} with readers`,
  );
} finally {
  server.kill('SIGTERM');
}
