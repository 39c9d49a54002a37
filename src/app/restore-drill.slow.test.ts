// Tests the restore drill of docs/operations.md to its end: backup, restore, start, mail held, decided, released.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import {
  aProcessHome,
  freePort,
  killProcesses,
  metricsOf,
  type ProcessHome,
  startProcess,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';

const TOOL = ['--disable-warning=ExperimentalWarning'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'restore-drill-'));
/** pg_dump refuses a server that is newer than itself. */
const major = (command: string) => Number(/(\d+)/.exec(String(spawnSync(command, ['--version']).stdout))?.[1] ?? 0);
const hasTools = Math.min(major('pg_dump'), major('pg_restore')) >= (await serverMajor());
if (!hasTools) console.log('No pg_dump here is as new as the database server, so a backup by it is not tried.');

async function serverMajor(): Promise<number> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  const { rows } = await client.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  await client.end();
  return rows[0]?.major ?? 0;
}

let home: ProcessHome;
let smtp: TestSmtp;
let userId = 0;
const quotes: number[] = [];
beforeAll(async () => {
  if (!hasTools) return;
  smtp = await startSmtp();
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['csrep'] })).id;
    for (let n = 0; n < 3; n++) {
      quotes.push((await aPricedQuote(db, { ownerId: userId, statusId: 'Processing' })).id);
    }
  });
});
afterAll(async () => {
  killProcesses();
  fs.rmSync(folder, { recursive: true });
  if (!hasTools) return;
  await smtp.goAway();
  await home.remove();
});

it.skipIf(!hasTools)(
  'a restored copy shows what was sent, sends nothing twice, and goes on when it is released',
  {
    timeout: 600_000,
  },
  async () => {
    const environment: Record<string, string> = {
      ...home.environment,
      SMTP_URL: smtp.url,
      MAIL: '',
      DRAIN_SECONDS: '0',
    };
    const { token } = await tokensOf(home, environment, { token: { id: userId } });
    const call = async (address: string, url: string, body: unknown) => {
      const response = await fetch(address + url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([url, response.status]).toEqual([url, 200]);
      return response;
    };
    const send = (address: string, quoteId: number | undefined) => {
      const mail = { quoteId, version: 1, to: [`buyer-${quoteId}@example.org`], subject: 'Your quote', body: 'Hello' };
      return call(address, QuoteWorkflow.SendEmail.path, mail);
    };
    const pdfOf = async (address: string, id: number | undefined) =>
      (await call(address, `${QuoteWorkflow.GenerateQuotePdf.path}?id=${id}`, {})).bytes();
    const tool = async (file: string, args: string[], variables: Record<string, string>) => {
      const run = startProcess([...TOOL, file, ...args], variables);
      expect([await run.ended, run.output]).toEqual([0, expect.any(String)]);
      return run.output;
    };

    // Production: one mail has arrived, and one is in progress when the backup is made.
    const production = await startServerProcess(environment);
    await send(home.address, quotes[0]);
    await until(() => smtp.taken.length === 1, 180);
    const pdf = await pdfOf(home.address, quotes[0]);
    smtp.become('refuse');
    await send(home.address, quotes[1]);
    const backup = path.join(folder, 'backup');
    expect(await tool('src/app/backup.main.server.ts', [backup], environment)).toContain('The backup is complete');
    expect(fs.existsSync(path.join(backup, 'complete'))).toBe(true);
    const second = startProcess([...TOOL, 'src/app/backup.main.server.ts', backup], environment);
    expect([await second.ended, second.output]).toEqual([1, expect.stringContaining('already exists')]);
    production.child.kill('SIGTERM');
    expect(await production.ended).toBe(0);
    smtp.become('take');

    // Restores into another database.
    const admin = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await admin.connect();
    const name = `quoteboard_drill_${process.pid}`;
    await admin.query(`create database ${name}`);
    try {
      const url = new URL(String(environment['DATABASE_URL']));
      url.pathname = `/${name}`;
      const restored = spawnSync('pg_restore', [
        '--no-owner',
        '--dbname',
        url.href,
        path.join(backup, 'database.dump'),
      ]);
      expect([restored.status, restored.stderr.toString()]).toEqual([0, '']);
      const port = String(await freePort());
      const address = `http://127.0.0.1:${port}`;
      const drill = {
        ...environment,
        DATABASE_URL: url.href,
        STORAGE_URL: `file:${path.join(backup, 'files')}`,
        PORT: port,
      };
      const copy = await startServerProcess(drill);
      const metrics = () => metricsOf(address);
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
      expect(await metrics()).toContain('mail_held 1');
      expect(copy.output).toContain('its mail is held');
      expect(Buffer.from(await pdfOf(address, quotes[0])).equals(Buffer.from(pdf))).toBe(true);

      // Mail written in the copy waits, and the mail that was in progress is uncertain.
      await send(address, quotes[2]);
      const uncertain = await tool('src/platform/jobs/jobs.main.server.ts', ['uncertain'], drill);
      expect(uncertain).toContain(`to buyer-${quotes[1]}@example.org`);
      expect(uncertain).toContain('1 uncertain');
      expect(await tool('src/platform/jobs/jobs.main.server.ts', ['arrived', 'all'], drill)).toContain('1 decided');
      expect(smtp.taken).toHaveLength(1);
      expect(await tool('src/platform/jobs/jobs.main.server.ts', ['release-mail'], drill)).toMatch(
        /Mail is released; \d go out/,
      );
      await until(() => smtp.taken.length === 2, 180);
      expect(smtp.taken[1]?.to).toEqual([`buyer-${quotes[2]}@example.org`]);
      expect(await metrics()).toContain('mail_held 0');
      copy.child.kill('SIGTERM');
      expect(await copy.ended).toBe(0);
      expect(smtp.taken).toHaveLength(2);
    } finally {
      killProcesses();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    }
  },
);
