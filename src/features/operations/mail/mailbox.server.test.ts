// Tests the mailbox over HTTP: find, read, attachments, resend, only for system administrators.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMail } from '#outside/mail.server.ts';
import { aFile } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Mailbox } from './mailbox.contract.ts';
import { queueMail } from './outbox.server.ts';

let smtp: TestSmtp;
let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ mail: openMail({ smtpUrl: smtp.url, from: 'quotes@example.com', mailbox: '' }) });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(async () => {
  await server.close();
  await smtp.goAway();
});

const queue = (mail: { to: string; subject: string; fileId?: number; forgetBody?: boolean }) =>
  server.db.transaction().execute((db) =>
    queueMail(db, server.services.jobs, {
      to: [mail.to],
      subject: mail.subject,
      body: 'Good day.',
      ...(mail.fileId ? { attachments: [{ fileId: mail.fileId, name: 'list.txt' }] } : {}),
      forgetBody: mail.forgetBody ?? false,
    }),
  );

it('mail is found by address and subject and read with its attachments; a secret is not kept', async () => {
  const file = await aFile(server.db, server.services.files, { bytes: Buffer.from('one, two') });
  const id = await queue({ to: 'pat@example.org', subject: 'Prices of beds', fileId: file.id });
  const secret = await queue({ to: 'pat@example.org', subject: 'Your password', forgetBody: true });
  await server.drain();
  const found = await server.ok(Mailbox.SearchMail, { keyword: 'PAT@example', state: 'Sent' }, { as: admin });
  expect(found).toMatchObject({ total: 2, records: [{ id: secret }, { id, state: 'Sent', attachments: 1 }] });
  expect(await server.ok(Mailbox.SearchMail, { keyword: 'of beds' }, { as: admin })).toMatchObject({ total: 1 });
  expect(await server.ok(Mailbox.GetMail, { id }, { as: admin })).toMatchObject({
    body: 'Good day.',
    erased: false,
    files: [{ name: 'list.txt' }],
    embedded: false,
  });
  expect(await server.ok(Mailbox.GetMail, { id: secret }, { as: admin })).toMatchObject({ body: '', erased: true });
  const { bytes } = await server.call(Mailbox.GetMailAttachment, { id, index: 0 }, { as: admin });
  expect(bytes.toString()).toBe('one, two');
  expect((await server.call(Mailbox.GetMailAttachment, { id, index: 1 }, { as: admin })).status).toBe(404);
});

it('a mail that failed for good is sent again on request; one that still waits is not', async () => {
  const id = await queue({ to: 'nobody@example.org', subject: 'Refused' });
  await server.drain();
  expect((await server.call(Mailbox.SendMailAgain, { id }, { as: admin })).status).toBe(409);
  // The state after the last try.
  await server.services.database.pool.query(
    "update pgboss.job set state = 'failed', retry_count = retry_limit, start_after = now() where data @> $1::jsonb",
    [JSON.stringify({ mailId: id })],
  );
  await server.db
    .updateTable('mail')
    .set({ state: 'Failed', recipients: ['sam@example.org'] })
    .where('id', '=', id)
    .execute();
  expect(await server.ok(Mailbox.SendMailAgain, { id }, { as: admin })).toMatchObject({ id, state: 'Waiting' });
  await server.drain();
  expect(await server.ok(Mailbox.GetMail, { id }, { as: admin })).toMatchObject({ state: 'Sent' });
  expect(smtp.taken.filter(({ to }) => to.includes('sam@example.org'))).toHaveLength(1);
});

it('without a mail server, even a secret can be read from the mailbox on disk', async () => {
  const mailbox = await fs.mkdtemp(path.join(os.tmpdir(), 'quoteboard-mailbox-'));
  const embedded = await startTestServer({
    mail: openMail({ smtpUrl: undefined, from: 'quotes@example.com', mailbox }),
  });
  const boss = await aUser(embedded.db, { roles: ['systemadmin'] });
  const id = await embedded.db.transaction().execute((db) =>
    queueMail(db, embedded.services.jobs, {
      to: ['pat@example.org'],
      subject: 'Hush',
      body: 'Öffne dich: é=1',
      forgetBody: true,
    }),
  );
  await embedded.drain();
  const { body } = await embedded.db.selectFrom('mail').select('body').where('id', '=', id).executeTakeFirstOrThrow();
  expect(body).toBe('');
  expect(await embedded.ok(Mailbox.GetMail, { id }, { as: boss })).toMatchObject({
    body: 'Öffne dich: é=1',
    erased: false,
    embedded: true,
  });
  await embedded.close();
  await fs.rm(mailbox, { recursive: true });
});

it('is for system administrators', async () => {
  const other = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(Mailbox.SearchMail, {}, { as: other })).status).toBe(403);
  expect((await server.call(Mailbox.GetMail, { id: 1 })).status).toBe(401);
  expect((await server.call(Mailbox.GetMail, { id: 999_999 }, { as: admin })).status).toBe(404);
});

it('a mail that the server took without answering is uncertain; a person decides about one or several', async () => {
  smtp.become('fall silent after taking');
  const ids = [
    await queue({ to: 'ann@example.org', subject: 'Silent' }),
    await queue({ to: 'bob@example.org', subject: 'Silent' }),
  ];
  await server.drain();
  smtp.become('take');
  const found = await server.ok(Mailbox.SearchMail, { keyword: 'Silent', state: 'Uncertain' }, { as: admin });
  expect(new Set(found.records.map(({ id }) => id))).toEqual(new Set(ids));
  expect(found.records[0]?.messageId).toMatch(/^<.+@.+>$/);
  const before = smtp.taken.length;
  // Only a decision sends them.
  expect((await server.call(Mailbox.SendMailAgain, { id: ids[0] ?? 0 }, { as: admin })).status).toBe(409);
  await server.services.jobs.retry();
  await server.drain();
  expect(smtp.taken).toHaveLength(before);
  expect(await server.ok(Mailbox.DecideMails, { ids: ids.slice(0, 1), arrived: true }, { as: admin })).toEqual({
    decided: 1,
  });
  expect(await server.ok(Mailbox.DecideMails, { ids, arrived: false }, { as: admin })).toEqual({ decided: 1 });
  expect((await server.call(Mailbox.DecideMails, { ids, arrived: false }, { as: admin })).status).toBe(409);
  await server.drain();
  expect(smtp.taken.slice(before).map(({ to }) => to)).toEqual([['bob@example.org']]);
  const other = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(Mailbox.DecideMails, { ids, arrived: true }, { as: other })).status).toBe(403);
});
