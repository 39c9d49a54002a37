// Tests the outbox with a real mail server that refuses, hangs, goes away, and comes back.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openMail } from '#platform/outside/mail.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { queueMail } from './outbox.server.ts';
import { decideMails } from './uncertain.server.ts';

let server: TestServer;
let smtp: TestSmtp;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({
    mail: openMail({ smtpUrl: smtp.url, from: 'Quotes <quotes@example.com>', mailbox: '' }),
  });
});
beforeEach(() => {
  smtp.taken.splice(0);
});
afterAll(async () => {
  await server.close();
  await smtp.goAway();
});

const queue = (to: string[]) =>
  server.db
    .transaction()
    .execute((db) => queueMail(db, server.services.jobs, { to, subject: 'A quote', body: 'Here.' }));
const rowOf = (id: number) =>
  server.db.selectFrom('mail').select(['state', 'tries', 'last_error']).where('id', '=', id).executeTakeFirstOrThrow();

/** Makes the next try due and runs it. */
async function tryAgain() {
  await server.services.database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  return server.drain();
}

it('an email goes out once after the server refused, hung, and was away', async () => {
  const id = await queue(['anna@example.org']);
  smtp.become('refuse');
  await server.drain();
  expect(await rowOf(id)).toEqual({ state: 'Waiting', tries: 1, last_error: expect.stringContaining('451') as string });
  smtp.become('hang');
  await tryAgain();
  expect(await rowOf(id)).toMatchObject({ state: 'Waiting', tries: 2 });
  await smtp.goAway();
  await tryAgain();
  expect(await rowOf(id)).toMatchObject({ state: 'Waiting', tries: 3 });
  expect(smtp.taken).toEqual([]);
  smtp.become('take');
  await smtp.comeBack();
  await tryAgain();
  expect(await rowOf(id)).toEqual({ state: 'Sent', tries: 4, last_error: '' });
  expect(await tryAgain()).toBe(0);
  expect(smtp.taken.map(({ to }) => to)).toEqual([['anna@example.org']]);
});

it('does not resend an email by itself when the server took it and disconnected before saying so', async () => {
  const id = await queue(['anna@example.org']);
  smtp.become('break off after taking');
  await server.drain();
  smtp.become('take');
  await tryAgain();
  expect(await rowOf(id)).toMatchObject({ state: 'Uncertain', tries: 1 });
  expect(smtp.taken).toHaveLength(1);
  expect(await decideMails(server.services, [id], { arrived: false, by: 'Ada' })).toBe(1);
  await server.drain();
  const ids = smtp.taken.map(({ mail }) => /^Message-ID: (.+)\r$/m.exec(mail)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

it('remembers which recipient was refused when the others got the email', async () => {
  const id = await queue(['anna@example.org', 'nobody@example.org']);
  await server.drain();
  expect(await rowOf(id)).toEqual({
    state: 'Sent',
    tries: 1,
    last_error: 'The mail server refused nobody@example.org: 550 There is no such address',
  });
  expect(smtp.taken.map(({ to }) => to)).toEqual([['anna@example.org']]);
});

it('gives up at once when the server knows none of the recipients', async () => {
  const id = await queue(['nobody@example.org']);
  await server.drain();
  expect(await rowOf(id)).toEqual({
    state: 'Failed',
    tries: 1,
    last_error: expect.stringContaining('550 There is no such address') as string,
  });
  expect(await tryAgain()).toBe(0);
});

it('tries again for the recipient alone whom the server did not take for now', async () => {
  const id = await queue(['anna@example.org', 'later@example.org', 'nobody@example.org']);
  await server.drain();
  expect(await rowOf(id)).toMatchObject({
    state: 'Sent',
    last_error: 'The mail server refused nobody@example.org: 550 There is no such address',
  });
  await tryAgain();
  expect(smtp.taken.map(({ to }) => to)).toEqual([['anna@example.org'], ['later@example.org']]);
});
