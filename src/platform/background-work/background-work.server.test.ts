// Tests background work over HTTP: count, list, retry, only for system administrators.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inboxRound } from '#core/catalog/pictures/inbox/scan-inbox.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { BackgroundWork } from './background-work.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(() => server.close());

it('a job that failed for good is listed with its reason and can be queued again', async () => {
  await server.db.transaction().execute((db) =>
    queueMail(db, server.services.jobs, {
      to: ['pat@example.org'],
      subject: 'Lost',
      body: '',
      attachments: [{ fileId: 999_999, name: 'gone.pdf' }],
    }),
  );
  await server.drain();
  await server.services.database.pool.query(
    "update pgboss.job set state = 'failed', retry_count = retry_limit where name = 'mail'",
  );
  const failed = await server.ok(BackgroundWork.GetJobs, { state: 'failed' }, { as: admin });
  expect(failed.counts).toContainEqual({ state: 'failed', count: 1 });
  expect(failed.jobs).toMatchObject([
    { name: 'mail', state: 'failed', error: expect.stringContaining('gone.pdf') as string },
  ]);
  const id = failed.jobs[0]?.id;
  expect(await server.ok(BackgroundWork.RetryJobs, { id }, { as: admin })).toEqual({ retried: 1, undecided: 0 });
  expect((await server.call(BackgroundWork.RetryJobs, { id }, { as: admin })).status).toBe(409);
  expect(await server.ok(BackgroundWork.RetryJobs, {}, { as: admin })).toEqual({ retried: 0, undecided: 0 });
  expect((await server.ok(BackgroundWork.GetJobs, { state: 'failed' }, { as: admin })).jobs).toEqual([]);
});

it('an email that may have arrived is not retried, and is counted as undecided', async () => {
  const mailId = await server.db
    .transaction()
    .execute((db) => queueMail(db, server.services.jobs, { to: ['pat@example.org'], subject: 'Perhaps', body: '' }));
  const pool = server.services.database.pool;
  await pool.query(
    "update pgboss.job set state = 'failed', retry_count = retry_limit where state < 'completed' and name = 'mail'",
  );
  await server.db.updateTable('mail').set({ state: 'Uncertain' }).where('id', '=', mailId).execute();
  const { jobs } = await server.ok(BackgroundWork.GetJobs, { state: 'failed' }, { as: admin });
  const mails = jobs.filter(({ name }) => name === 'mail');
  expect(mails).toHaveLength(2);
  const first = await server.call(BackgroundWork.RetryJobs, { id: mails[0]?.id }, { as: admin });
  expect([first.status, first.body]).toMatchObject([
    409,
    { detail: expect.stringContaining('may have arrived') as string },
  ]);
  expect(await server.ok(BackgroundWork.RetryJobs, {}, { as: admin })).toEqual({ retried: 1, undecided: 1 });
});

it('lists no look into a watched folder that found nothing, unless asked', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'watched-'));
  const watching = await startTestServer({
    config: { imageInbox: `${folder}/images`, importInbox: `${folder}/imports` },
  });
  try {
    const as = await aUser(watching.db, { roles: ['systemadmin'] });
    await inboxRound(watching.services);
    await watching.drain();
    const looks = async (idle: boolean) => {
      const { jobs } = await watching.ok(BackgroundWork.GetJobs, { idle }, { as });
      return jobs
        .map(({ name }) => name)
        .filter((name) => name.endsWith('-inbox'))
        .toSorted();
    };
    expect(await looks(true)).toEqual(['import-inbox', 'picture-inbox']);
    expect(await looks(false)).toEqual([]);
  } finally {
    await watching.close();
    fs.rmSync(folder, { recursive: true });
  }
});

it('is for system administrators', async () => {
  const other = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(BackgroundWork.GetJobs, {}, { as: other })).status).toBe(403);
  expect((await server.call(BackgroundWork.RetryJobs, {})).status).toBe(401);
});
