// Takes photographs of 12 megapixels from the inbox to their products, kills the server three times, and compares with sharp alone.
// npm run bench -- pictures --database postgres://… [--count 1000]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import sharp from 'sharp';
import type { Services } from '#platform/api/services.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { DECODERS, renderPicture } from '#core/catalog/pictures/renditions/renditions.server.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { memoryOfTree, processorOfTree } from './processor.ts';

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, count: { type: 'string', default: '1000' } },
});
if (!options.database) throw new Error('Say where a scratch database may be made: --database postgres://…');
const COUNT = Number(options.count);
/** The number of different photographs. Each file is one of them with its own comment, so that no two files are identical. */
const PHOTOGRAPHS = 12;
/** The number of renderings with sharp alone, both before the server starts and after it ends. */
const ALONE = Math.min(120, COUNT);
const PORT = 3921;

const scratch = `quoteboard_pictures_${process.pid}`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-pictures-'));
const inbox = path.join(folder, 'inbox');
const address = `http://127.0.0.1:${PORT}`;
const url = new URL(options.database);
url.pathname = `/${scratch}`;
const environment: Record<string, string> = {
  DATABASE_URL: url.href,
  PORT: String(PORT),
  HOST: '127.0.0.1',
  PUBLIC_URL: address,
  TOKEN_SECRET: 'a secret of the measurement, used nowhere else',
  MAIL: 'disk',
  DATA_DIR: folder,
  IMAGE_INBOX: inbox,
  TMPDIR: path.join(folder, 'tmp'),
  LOG_LEVEL: 'warn',
};
fs.mkdirSync(environment['TMPDIR'] ?? '');

const files = await makePhotographs();
const before = await sharpAlone();
const admin = new pg.Client({ connectionString: options.database });
await admin.connect();
await admin.query(`create database ${scratch}`);
const config = readConfig(environment, 'production');
const database = await openDatabase(config, { tool: true });
const { db } = database;
const token = await fillDatabase();
let peak = 0;
let server: ChildProcess | null = null;
try {
  server = await startServer();
  const began = performance.now();
  let kills = 0;
  const killAt = async (reached: () => Promise<number>, wanted: number) => {
    await until(async () => (await reached()) >= wanted);
    await end('SIGKILL');
    kills++;
    console.log(`killed after ${wanted} at ${Math.round((performance.now() - began) / 1000)} s`);
    server = await startServer();
  };
  // The first tenth warms up the server. Measures from there to the first kill.
  await until(async () => (await checked()) >= COUNT / 10);
  const pid = server.pid ?? 0;
  const [warmAt, warm, warmTime] = [performance.now(), await checked(), processorOfTree(pid)];
  await until(async () => (await checked()) >= (COUNT * 4) / 10);
  const measured = (await checked()) - warm;
  const rate = measured / ((performance.now() - warmAt) / 1000);
  const time = (processorOfTree(pid) - warmTime) / measured;
  await killAt(checked, (COUNT * 4) / 10);
  await killAt(checked, (COUNT * 7) / 10);
  await until(async () => (await checked()) === COUNT);
  const checkedAll = performance.now() - began;
  await call('UploadImagesToCloud', {});
  await until(async () => (await inState('Uploaded')) === COUNT);
  const { rows } = await sql<{ id: number }>`select id from picture order by id`.execute(db);
  for (let at = 0; at < rows.length; at += 500)
    await call('FileOperation', { operation: 'file', ids: rows.slice(at, at + 500).map(({ id }) => id) });
  await killAt(() => inState('Filed'), COUNT / 4);
  await until(async () => (await inState('Filed')) === COUNT);
  const all = performance.now() - began;
  const counted = await sql<Record<string, number>>`select (select count(*)::int from picture) as pictures,
    (select count(*)::int from product_image) as places, (select count(*)::int from file) as files,
    (select count(*)::int from picture_source where moved_to <> '') as moved`.execute(db);
  await end('SIGTERM');
  const after = await sharpAlone();
  const result = {
    ...counted.rows[0],
    'left in the inbox': fs.readdirSync(inbox).filter((name) => name.endsWith('.jpg')).length,
    'in filed/': fs.readdirSync(path.join(inbox, 'filed')).length,
  };
  console.log(result);
  const alone = { rate: (before.rate + after.rate) / 2, time: (before.time + after.time) / 2 };
  console.log(
    `${COUNT} photographs of 12 megapixels, ${kills} kills: ${rate.toFixed(2)} a second, ${time.toFixed(0)} ms of processor time each; ` +
      `sharp alone in ${DECODERS} processes ${before.rate.toFixed(2)} before and ${after.rate.toFixed(2)} after, ` +
      `${before.time.toFixed(0)} and ${after.time.toFixed(0)} ms: ${(rate / alone.rate).toFixed(2)} of its speed, ` +
      `${(alone.time / time).toFixed(2)} by processor time. All sizes after ${Math.round(checkedAll / 1000)} s, ` +
      `all filed after ${Math.round(all / 1000)} s, kills included. Peak memory of the server with its decoders ${peak} MB.`,
  );
} finally {
  await end('SIGKILL');
  await database.close();
  await admin.query(`drop database ${scratch} with (force)`);
  await admin.end();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

/** Fills the inbox, with ten files per product. */
async function makePhotographs(): Promise<string[]> {
  fs.mkdirSync(inbox);
  const created: string[] = [];
  const photographs: Buffer[] = [];
  for (let n = 0; n < PHOTOGRAPHS; n++) {
    const noise = { type: 'gaussian' as const, mean: 90 + 6 * n, sigma: 40 };
    const grain = await sharp({ create: { width: 1000, height: 750, channels: 3, background: '#777', noise } })
      .png()
      .toBuffer();
    photographs.push(await sharp(grain).resize(4000, 3000, { kernel: 'cubic' }).jpeg({ quality: 88 }).toBuffer());
  }
  for (let n = 0; n < COUNT; n++) {
    const bytes = photographs[n % PHOTOGRAPHS] ?? Buffer.alloc(0);
    const comment = Buffer.from(`photograph ${n}`);
    const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    const file = path.join(inbox, `P-${Math.floor(n / 10)}_${n % 10}.jpg`);
    fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, 2), head, comment, bytes.subarray(2)]));
    created.push(file);
  }
  const size = fs.statSync(created[0] ?? '').size;
  console.log(`${COUNT} photographs of 4000 × 3000, ${(size / 1_000_000).toFixed(1)} MB each`);
  return created;
}

/** Pictures per second, and milliseconds of processor time per picture, for rendering without server, database, and store. */
async function sharpAlone(): Promise<{ rate: number; time: number }> {
  const waiting = (files.every((file) => fs.existsSync(file)) ? files : filed()).slice(0, ALONE);
  const out = fs.mkdtempSync(path.join(folder, 'alone-'));
  const [began, time] = [performance.now(), processorOfTree(process.pid)];
  const work = async (n: number) => {
    const own = path.join(out, String(n));
    fs.mkdirSync(own);
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const rendered = await renderPicture({ file, folder: own, turns: 0 });
      if ('refused' in rendered) throw new Error(rendered.refused);
    }
  };
  await Promise.all(Array.from({ length: DECODERS }, (_, n) => work(n)));
  return {
    rate: ALONE / ((performance.now() - began) / 1000),
    time: (processorOfTree(process.pid) - time) / ALONE,
  };
}

function filed(): string[] {
  return fs.readdirSync(path.join(inbox, 'filed')).map((name) => path.join(inbox, 'filed', name));
}

/** Creates items with their products, and a person who manages pictures. Returns the person's token. */
async function fillDatabase(): Promise<string> {
  await sql`with made as (
      insert into product (name) select 'Product ' || n from generate_series(0, ${Math.ceil(COUNT / 10)}::int - 1) n returning id, name)
    insert into item (item_number, description, product_id)
    select 'P-' || substr(name, 9), name, id from made`.execute(db);
  const { rows } = await sql<{ id: number }>`insert into app_user (user_name, full_name, password_hash)
    values ('bench@example.org', 'Bench', '') returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`insert into user_role (user_id, role) values (${id}, 'salesadmin')`.execute(db);
  return (await startSession(db, { config, clock: systemClock } as Services, id, 'bench')).accessToken;
}

async function startServer(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...process.execArgv, 'src/main.server.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok ?? false);
  return child;
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = server;
  server = null;
  if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
  ended.kill(signal);
  await once(ended, 'exit');
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) {
    if (server?.pid) peak = Math.max(peak, memoryOfTree(server.pid));
    await setTimeout(250);
  }
}

async function count(condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from picture where ${condition}`.execute(db);
  return rows[0]?.n ?? 0;
}
function checked(): Promise<number> {
  return count(sql`print_file_id is not null and step = ''`);
}
function inState(state: string): Promise<number> {
  return count(sql`state = ${state}`);
}

async function call(name: string, body: unknown): Promise<void> {
  const answer = await fetch(`${address}/api/ItemImageProcess/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
}
