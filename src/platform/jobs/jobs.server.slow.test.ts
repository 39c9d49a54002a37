// Tests the jobs of a process that dies: another process takes them over, and a command lists and retries them.
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '#platform/db/database.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { killProcesses, type ServerProcess, startProcess, until } from '#testing/server-process.server.ts';
import { type JobKind, type Jobs, openJobs } from './jobs.server.ts';

const NODE = ['--disable-warning=ExperimentalWarning'];
const log = pino({ level: 'silent' });
const Payload = z.object({ n: z.number() });
type Kind = JobKind<typeof Payload, object>;

const open = (database: Database, kind: Kind, superviseSeconds = 0): Promise<Jobs> =>
  openJobs(database, [kind], () => ({}), log, { superviseSeconds });

afterEach(killProcesses);

/** Starts a process that runs a job and never ends it. */
async function startStuckWorker(databaseUrl: string): Promise<ServerProcess> {
  const program = `
    import pino from 'pino';
    import { z } from 'zod';
    import { openPostgres } from '#platform/db/database.server.ts';
    import { openJobs } from '#platform/jobs/jobs.server.ts';
    const database = openPostgres(process.env.DATABASE_URL, 3);
    const run = () => { console.log('running'); return new Promise(() => {}); };
    const kind = { name: 'taken-over', payload: z.object({ n: z.number() }), run };
    const jobs = await openJobs(database, [kind], () => ({}), pino({ level: 'silent' }));
    await jobs.work();`;
  const run = startProcess([...NODE, '--input-type=module', '-e', program], { DATABASE_URL: databaseUrl });
  await until(() => run.output.includes('running'), 180);
  return run;
}

it('another process takes over the job of a killed one', { timeout: 300_000 }, async () => {
  const database = await freshDatabase();
  const ran: number[] = [];
  const kind: Kind = { name: 'taken-over', payload: Payload, run: async (_context, { n }) => void ran.push(n) };
  const sender = await open(database, kind);
  await sender.send(database.db, kind, { n: 4 });
  await sender.stop();

  const run = await startStuckWorker(addressOf(database));
  run.child.kill('SIGKILL');
  await run.ended;

  const jobs = await open(database, kind, 1);
  expect(await jobs.list()).toMatchObject([{ state: 'active' }]);
  await jobs.work();
  await database.pool.query(
    `update pgboss.job set heartbeat_on = heartbeat_on - interval '31 seconds' where state = 'active'`,
  );
  await until(async () => (await jobs.count()).completed, 60);
  expect(ran).toEqual([4]);
  await jobs.stop();
  await database.close();
});

it('jobs are listed and retried from the command line', { timeout: 300_000 }, async () => {
  const database = await freshDatabase();
  const mail = { name: 'mail', payload: z.object({ mailId: z.number() }), retryLimit: 0 };
  const refused = { ...mail, run: () => Promise.reject(new Error('the mail server refused')) };
  const jobs = await openJobs(database, [refused], () => ({}), log, { superviseSeconds: 0 });
  await jobs.send(database.db, mail, { mailId: 12 });
  await jobs.drain();
  const id = (await jobs.list({ state: 'failed' }))[0]?.id ?? '';
  await jobs.stop();

  const command = async (...args: string[]) => {
    const run = startProcess([...NODE, 'src/platform/jobs/jobs.main.server.ts', ...args], {
      DATABASE_URL: addressOf(database),
    });
    return { code: await run.ended, output: run.output };
  };
  const listed = await command('list', 'failed');
  expect(listed.output).toContain(`${id}  failed    mail `);
  expect(listed.output).toMatch(/the mail server refused\n1 failed\n$/);
  expect(await command('retry', id)).toEqual({ code: 0, output: '1 queued again\n' });
  await database.close();
});
