// The server as a process of its own: it says why it does not start, tells how it is, and stops without breaking anything off.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEmbedded } from '#db/database.server.ts';
import { freshDataDir, freshDatabase } from '#testing/base-database.server.ts';
import { aUser } from '#testing/factories.server.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const children: ChildProcess[] = [];
/** The variables of the server that runs here: in production on PostgreSQL, else as the demo, whose company is there already. */
let environment: Record<string, string>;
let dataDir: string;
let removeDatabase = async () => {};

beforeAll(async () => {
  dataDir = await freshDataDir();
  const port = await freePort();
  environment = { DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'info' };
  if (process.env['TEST_DATABASE_URL']) {
    const database = await freshDatabase();
    removeDatabase = () => database.close();
    environment['DATABASE_URL'] = database.pool.options.connectionString ?? '';
    environment['PUBLIC_URL'] = `http://localhost:${port}`;
    environment['TOKEN_SECRET'] = 'a-secret-of-tests-that-is-long-enough';
  } else {
    environment['DEMO'] = '1';
    const database = await openEmbedded({ dataDir });
    await aUser(database.db);
    await database.close();
  }
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeDatabase();
  fs.rmSync(dataDir, { recursive: true });
});

/** What npm start runs. `said` grows while it runs, `ended` is the exit code. */
function start(variables: Record<string, string>) {
  const none = { DEMO: '', DATABASE_URL: '', PUBLIC_URL: '', TOKEN_SECRET: '' };
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, ...none, ...variables },
  });
  children.push(child);
  const run = { child, said: '', ended: once(child, 'close').then(([code]) => code as number) };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (run.said += chunk.toString()));
  }
  return run;
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function until(what: () => unknown, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen in time');
}

it.each([
  [
    {},
    'Quoteboard cannot start: DATABASE_URL, PUBLIC_URL, TOKEN_SECRET must be set (see Configuration in README.md).\n',
  ],
  [
    {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      PUBLIC_URL: 'http://localhost',
      TOKEN_SECRET: 'a-secret-of-tests-that-is-long-enough',
    },
    'The database cannot be opened. connect ECONNREFUSED 127.0.0.1:1\n',
  ],
])('says in one sentence why it does not start (%#)', { timeout: 60_000 }, async (variables, sentence) => {
  const run = start({ ...variables, DATA_DIR: dataDir });
  expect([await run.ended, run.said]).toEqual([1, sentence]);
});

it('answers a request in flight before it stops, and no new ones', { timeout: 120_000 }, async () => {
  const run = start(environment);
  await until(() => run.said.includes('"listening"'), 60);
  const address = `http://127.0.0.1:${environment['PORT']}`;
  const get = async (url: string) => {
    const response = await fetch(address + url);
    return [response.status, await response.text()] as const;
  };
  expect(await get('/healthz')).toEqual([200, '{"status":"ok"}']);
  expect(await get('/readyz')).toEqual([200, '{"status":"ready"}']);
  const [, metrics] = await get('/metrics');
  expect(metrics).toContain('http_request_duration_seconds_count{route="/healthz",status="200"} 1');
  expect(metrics).toContain('jobs{state="failed"} 0');

  const body = 'grant_type=password&UserName=nobody@example.com&Password=wrong';
  const slow = net.connect(Number(environment['PORT']), '127.0.0.1');
  let answer = '';
  slow.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  slow.write(
    `POST /Token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  slow.write(body.slice(0, 20));
  // An idle connection that is kept open does not hold the server up.
  await get('/healthz');
  run.child.kill('SIGTERM');
  await until(
    () =>
      fetch(address).then(
        () => false,
        () => true,
      ),
    10,
  );
  expect(answer).toBe('');
  slow.write(body.slice(20));
  const answered = Date.now();
  expect(await run.ended).toBe(0);
  expect(Date.now() - answered).toBeLessThan(15_000);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"error":"invalid_grant"');
  expect(run.said).toContain('"signal":"SIGTERM"');
  expect(run.said).not.toContain('nobody@');
  expect(fs.existsSync(path.join(dataDir, 'lock'))).toBe(false);
});
