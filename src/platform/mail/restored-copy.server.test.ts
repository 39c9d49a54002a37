// Tests a restored copy of the database: it holds its mail until it is released, and never sends what production may have sent.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { holdMailOfCopy } from './restored-copy.server.ts';
import { Mailbox } from './mailbox.contract.ts';
import { queueMail } from './outbox.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const queue = (subject: string) =>
  server.db
    .transaction()
    .execute((db) => queueMail(db, server.services.jobs, { to: ['a@example.org'], subject, body: 'b' }));

it('sends nothing until it is released, and does not automatically send what was queued before the restore', async () => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const old = await queue('on its way');
  expect(await holdMailOfCopy(server.services)).toBe(false);
  // The state that the next start finds after a restore.
  await server.db.updateTable('installation').set({ place: 'another server' }).execute();
  expect(await holdMailOfCopy(server.services)).toBe(true);
  expect(await holdMailOfCopy(server.services)).toBe(true);
  const fresh = await queue('written since');
  await server.drain();
  expect(server.mails).toEqual([]);
  expect((await server.ok(Mailbox.GetMailHeld, {}, { as: admin })).since).not.toBe(null);
  expect((await server.inject({ method: 'GET', url: '/metrics' })).text).toContain('mail_held 1');

  expect(await server.ok(Mailbox.ReleaseMail, {}, { as: admin })).toEqual({ released: 1 });
  await server.drain();
  expect(server.mails.map(({ subject }) => subject)).toEqual(['written since']);
  expect(await server.ok(Mailbox.GetMail, { id: old }, { as: admin })).toMatchObject({ state: 'Uncertain' });
  expect(await server.ok(Mailbox.GetMail, { id: fresh }, { as: admin })).toMatchObject({ state: 'Sent' });
  const { text } = await server.inject({ method: 'GET', url: '/metrics' });
  for (const line of [
    'mail_held 0',
    'mails{state="Uncertain"} 1',
    'database_up 1',
    'storage_up 1',
    'database_pool_waiting{pool="short"} 0',
    'webhook_deliveries{state="Waiting"} 0',
    'imports_refused 0',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/^jobs_oldest_waiting_seconds\{kind="\S+"\} \d/m);
});
