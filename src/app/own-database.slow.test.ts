// Tests a small company on the PostgreSQL server of its data folder: start, second start, backup while it runs, stop, and a restored copy.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  freePort,
  killProcesses,
  metricsOf,
  startProcess,
  startServerProcess,
  until,
} from '#testing/server-process.server.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'own-database-'));
fs.chmodSync(root, 0o755);
afterAll(() => {
  killProcesses();
  fs.rmSync(root, { recursive: true, force: true });
});

const environmentOf = async (folder: string): Promise<Record<string, string>> => {
  const port = String(await freePort());
  return {
    DATA_DIR: path.join(root, folder),
    PORT: port,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TOKEN_SECRET: 'a-secret-of-tests-that-is-long-enough',
    METRICS_TOKEN: 'a-token-of-tests',
    MAIL: 'disk',
    DRAIN_SECONDS: '0',
    FIRST_ADMIN: 'boss@example.com',
  };
};
const textOf = async ({ PUBLIC_URL }: Record<string, string>, url: string) => (await fetch(PUBLIC_URL + url)).text();

it('starts without DATABASE_URL, is backed up while it runs, and a restored copy holds its mail', {
  timeout: 600_000,
}, async () => {
  const company = await environmentOf('company');
  const server = await startServerProcess(company);
  expect(server.output).toContain('DATABASE_URL is not set, so the database is in ');
  // Printed after the server listens.
  await until(() => server.output.includes('boss@example.com chooses a password here'), 180);
  expect(await textOf(company, '/readyz')).toBe('{"status":"ready"}');

  const second = startProcess(['--disable-warning=ExperimentalWarning', 'src/main.server.ts'], company);
  expect(await second.ended).toBe(1);
  expect(second.output).toContain(`is in use by process ${server.child.pid}. Stop it first`);

  const backup = path.join(root, 'backup');
  const run = startProcess(['--disable-warning=ExperimentalWarning', 'src/app/backup.main.server.ts', backup], company);
  expect([await run.ended, run.output]).toEqual([0, `The backup is complete: ${backup}\n`]);
  expect(await metricsOf(company['PUBLIC_URL'] ?? '')).toContain('mail_held 0');

  const failed = path.join(root, 'failed backup');
  const unreachable = startProcess(['--disable-warning=ExperimentalWarning', 'src/app/backup.main.server.ts', failed], {
    ...company,
    DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  });
  expect([await unreachable.ended, fs.existsSync(failed)]).toEqual([1, false]);

  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const cluster = path.join(company['DATA_DIR'] ?? '', 'database/cluster');
  expect(fs.existsSync(path.join(cluster, 'postmaster.pid'))).toBe(false);

  const copy = await environmentOf('copy');
  fs.cpSync(backup, copy['DATA_DIR'] ?? '', { recursive: true });
  const restored = await startServerProcess(copy);
  expect(await metricsOf(copy['PUBLIC_URL'] ?? '')).toContain('mail_held 1');
  expect(restored.output).not.toContain('chooses a password here');
  restored.child.kill('SIGTERM');
  expect(await restored.ended).toBe(0);
});
