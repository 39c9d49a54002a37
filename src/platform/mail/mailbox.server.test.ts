// Tests the mailbox over HTTP: find, read, attachments, resend, only for system administrators.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Audit } from '#core/company/audit/audit.contract.ts';
import { BackgroundWork } from '#platform/background-work/background-work.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { UserAccount } from '#core/people/user-admin/user-admin.contract.ts';
import { openMail } from '#platform/outside/mail.server.ts';
import { aFile } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Mailbox } from './mailbox.contract.ts';
import { queueMail } from './outbox.server.ts';
import { decideMails, uncertainMails } from './uncertain.server.ts';

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

const queue = (mail: { to: string; subject: string; fileId?: number; secret?: 'Password mail' }) =>
  server.db.transaction().execute((db) =>
    queueMail(db, server.services.jobs, {
      to: [mail.to],
      subject: mail.subject,
      body: 'Good day.',
      ...(mail.fileId ? { attachments: [{ fileId: mail.fileId, name: 'list.txt' }] } : {}),
      ...(mail.secret ? { secret: mail.secret } : {}),
    }),
  );

it('mail is found by address and subject and read with its attachments; a secret is not shown', async () => {
  const file = await aFile(server.db, server.services.files, { bytes: Buffer.from('one, two') });
  const id = await queue({ to: 'pat@example.org', subject: 'Prices of beds', fileId: file.id });
  const secret = await queue({ to: 'pat@example.org', subject: 'Your password', secret: 'Password mail' });
  await server.drain();
  const result = await server.ok(Mailbox.SearchMail, { keyword: 'PAT@example', state: 'Sent' }, { as: admin });
  expect(result).toMatchObject({ total: 2, records: [{ id: secret }, { id, state: 'Sent', attachments: 1 }] });
  expect(await server.ok(Mailbox.SearchMail, { keyword: 'of beds' }, { as: admin })).toMatchObject({ total: 1 });
  expect(await server.ok(Mailbox.GetMail, { id }, { as: admin })).toMatchObject({
    body: 'Good day.',
    secret: false,
    files: [{ name: 'list.txt' }],
  });
  expect(await server.ok(Mailbox.GetMail, { id: secret }, { as: admin })).toMatchObject({ body: '', secret: true });
  const { bytes } = await server.call(Mailbox.GetMailAttachment, { id, index: 0 }, { as: admin });
  expect(bytes.toString()).toBe('one, two');
  expect((await server.call(Mailbox.GetMailAttachment, { id, index: 1 }, { as: admin })).status).toBe(404);
});

it('an email that failed for good is sent again on request; one that still waits is not', async () => {
  const id = await queue({ to: 'later@example.org', subject: 'Refused' });
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

/** Returns everything that an administrator or operator can read about mail and background work. */
async function allThatIsShown(target: TestServer, who: { id: number }, id: number): Promise<string> {
  const as = { as: who };
  const result = await Promise.all([
    target.ok(Mailbox.GetMail, { id }, as),
    target.ok(Mailbox.SearchMail, { pageSize: 100 }, as),
    target.ok(BackgroundWork.GetJobs, {}, as),
    target.ok(Audit.SearchAudit, {}, as),
    target.services.jobs.list(),
    uncertainMails(target.services),
  ]);
  return JSON.stringify(result);
}

it('an email with a secret shows what it is and to whom, never its subject or text, in no state', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const mail = openMail({ smtpUrl: smtp.url, from: 'quotes@example.com', mailbox: '' });
  const own = await startTestServer({ mail, log });
  const boss = await aUser(own.db, { roles: ['systemadmin'] });
  const id = await own.db.transaction().execute((db) =>
    queueMail(db, own.services.jobs, {
      to: ['pat@example.org'],
      subject: 'Code HUSH-0001',
      body: 'Your password is HUSH-0002.',
      secret: 'Password mail',
    }),
  );
  const states: string[] = [];
  const look = async () => {
    const result = await own.ok(Mailbox.GetMail, { id }, { as: boss });
    states.push(result.state);
    expect(result).toMatchObject({ subject: 'Password mail', recipients: ['pat@example.org'], secret: true, body: '' });
    expect(await allThatIsShown(own, boss, id)).not.toContain('HUSH');
    expect((await own.ok(Mailbox.SearchMail, { keyword: 'HUSH' }, { as: boss })).total).toBe(0);
  };
  await look();
  // The server's reply repeats the mail, and the mail waits for its next try.
  smtp.become('refuse and repeat it');
  await own.drain();
  expect((await own.ok(Mailbox.GetMail, { id }, { as: boss })).lastError).toBe(
    'The mail server refused the email (554).',
  );
  await look();
  for (const state of ['HandingOver', 'Failed', 'Uncertain']) {
    await own.db.updateTable('mail').set({ state }).where('id', '=', id).execute();
    await look();
  }
  smtp.become('take');
  await decideMails(own.services, [id], { arrived: false, by: 'Ada' });
  await own.drain();
  await look();
  expect(states).toEqual(['Waiting', 'Waiting', 'HandingOver', 'Failed', 'Uncertain', 'Sent']);
  expect(smtp.taken.at(-1)?.mail).toContain('HUSH-0002');
  expect(lines.join('')).not.toContain('HUSH');
  const { body } = await own.db.selectFrom('mail').select('body').where('id', '=', id).executeTakeFirstOrThrow();
  expect(body).toBe('');
  await own.close();
});

it('passwords and invitations stay unseen long after they were put on disk, where the demo reads them', async () => {
  const mailbox = await fs.mkdtemp(path.join(os.tmpdir(), 'quoteboard-mailbox-'));
  const embedded = await startTestServer({
    mail: openMail({ smtpUrl: undefined, from: 'quotes@example.com', mailbox }),
  });
  const boss = await aUser(embedded.db, { roles: ['systemadmin'] });
  await embedded.ok(Auth.ResetPassword, { email: boss.userName }, {});
  await embedded.ok(
    UserAccount.AddNewUser,
    { userName: 'new@example.org', fullName: 'Nell New', roles: ['salesrep'] },
    { as: boss },
  );
  await embedded.drain();
  const texts = await fs.readdir(mailbox).then((names) => names.filter((name) => name.endsWith('.txt')));
  const onDisk = await Promise.all(texts.map((name) => fs.readFile(path.join(mailbox, name), 'utf8')));
  const secrets = onDisk.flatMap((text) => text.match(/[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}|[\w-]{43}/g) ?? []);
  expect(secrets).toHaveLength(2);
  const { records } = await embedded.ok(Mailbox.SearchMail, {}, { as: boss });
  expect(records.map(({ subject }) => subject).toSorted()).toEqual(['Invitation', 'Password mail']);
  for (const { id } of records) {
    expect(await embedded.ok(Mailbox.GetMail, { id }, { as: boss })).toMatchObject({ body: '', embedded: true });
    const result = await allThatIsShown(embedded, boss, id);
    for (const secret of secrets) expect(result).not.toContain(secret);
  }
  await embedded.close();
  await fs.rm(mailbox, { recursive: true });
});

it('is for system administrators', async () => {
  const other = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(Mailbox.SearchMail, {}, { as: other })).status).toBe(403);
  expect((await server.call(Mailbox.GetMail, { id: 1 })).status).toBe(401);
  expect((await server.call(Mailbox.GetMail, { id: 999_999 }, { as: admin })).status).toBe(404);
});

it('an email that the server took without answering is uncertain; a person decides about one or several', async () => {
  smtp.become('fall silent after taking');
  const ids = [
    await queue({ to: 'ann@example.org', subject: 'Silent' }),
    await queue({ to: 'bob@example.org', subject: 'Silent' }),
  ];
  await server.drain();
  smtp.become('take');
  const result = await server.ok(Mailbox.SearchMail, { keyword: 'Silent', state: 'Uncertain' }, { as: admin });
  expect(new Set(result.records.map(({ id }) => id))).toEqual(new Set(ids));
  expect(result.records[0]?.messageId).toMatch(/^<.+@.+>$/);
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
