// Tests the server as a separate process: it explains why it cannot start, reports its health, and stops without cutting anything off.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  metricsOf,
  type ProcessHome,
  startProcess,
  until,
} from '#testing/server-process.server.ts';

let home: ProcessHome;

beforeAll(async () => {
  home = await aProcessHome(async ({ db }) => void (await aUser(db)));
});
afterAll(async () => {
  killProcesses();
  await home.remove();
});

/** Starts what npm start runs. */
const start = (variables: Record<string, string>) => startProcess(['tools/start.mjs'], variables);

it.each([
  [{}, 'Quoteboard cannot start: PUBLIC_URL, TOKEN_SECRET must be set (see docs/configuration.md).\n'],
  [
    {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      PUBLIC_URL: 'http://localhost',
      TOKEN_SECRET: 'a-secret-of-tests-that-is-long-enough',
      MAIL: 'disk',
    },
    'The database cannot be opened. connect ECONNREFUSED 127.0.0.1:1\n',
  ],
])('says in one sentence why it does not start (%#)', { timeout: 180_000 }, async (variables, sentence) => {
  const run = start({ ...variables, DATA_DIR: home.dataDir });
  expect([await run.ended, run.output]).toEqual([1, sentence]);
});

it('answers a request in flight before it stops, and no new ones', { timeout: 300_000 }, async () => {
  const began = Date.now();
  const run = start(home.environment);
  await until(() => run.output.includes('"listening"'), 180);
  const startTook = Date.now() - began;
  const { address, dataDir } = home;
  const get = async (url: string) => {
    const response = await fetch(address + url);
    return [response.status, await response.text()] as const;
  };
  expect(await get('/healthz')).toEqual([200, '{"status":"ok"}']);
  expect(await get('/readyz')).toEqual([200, '{"status":"ready"}']);
  const metrics = await metricsOf(address);
  expect(metrics).toContain('http_request_duration_seconds_count{route="/healthz",status="200"} 1');
  expect(metrics).toMatch(/^jobs\{kind="\S+",state="failed"\} 0$/m);
  // Visitors may see neither the figures nor the description of the API.
  const other = { headers: { authorization: 'Bearer another-token-xx' } };
  for (const answer of [await fetch(`${address}/metrics`), await fetch(`${address}/metrics`, other)])
    expect(await answer.text()).not.toContain('jobs{');
  expect((await get('/openapi.json'))[0]).toBe(401);
  expect((await get('/api/docs'))[0]).toBe(401);

  const body = 'grant_type=password&UserName=nobody@example.com&Password=wrong';
  const slow = net.connect(Number(home.environment['PORT']), '127.0.0.1');
  let answer = '';
  slow.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  slow.write(
    `POST /Token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  slow.write(body.slice(0, 20));
  // An idle keep-alive connection does not delay the stop.
  await get('/healthz');
  run.child.kill('SIGTERM');
  await until(
    () =>
      fetch(address).then(
        () => false,
        () => true,
      ),
    60,
  );
  expect(answer).toBe('');
  slow.write(body.slice(20));
  const answered = Date.now();
  expect(await run.ended).toBe(0);
  // The start shows how busy the computer is; it takes two seconds on an idle one.
  expect(Date.now() - answered).toBeLessThan(15_000 + 2 * startTook);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"error":"invalid_grant"');
  expect(run.output).toContain('"signal":"SIGTERM"');
  expect(run.output).not.toContain('nobody@');
  expect(fs.existsSync(path.join(dataDir, 'lock'))).toBe(false);
});
