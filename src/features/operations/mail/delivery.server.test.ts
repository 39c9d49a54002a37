// The outbox against a real mail server that refuses, hangs, goes away and comes back: every mail goes out once in the end.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openMail } from '#outside/mail.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { queueMail } from './outbox.server.ts';

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

/** Lets the wait for the next try pass, then runs it. */
async function tryAgain() {
  await server.services.database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  return server.drain();
}

it('is out once after refusals, hanging and absence', async () => {
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

it('arrives a second time under the same Message-ID if the server accepted it without saying so', async () => {
  const id = await queue(['anna@example.org']);
  smtp.become('break off after taking');
  await server.drain();
  smtp.become('take');
  await tryAgain();
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 2 });
  const ids = smtp.taken.map(({ mail }) => /^Message-ID: (.+)\r$/m.exec(mail)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

it('remembers who was refused while the others got it', async () => {
  const id = await queue(['anna@example.org', 'nobody@example.org']);
  await server.drain();
  expect(await rowOf(id)).toEqual({
    state: 'Sent',
    tries: 1,
    last_error: 'The mail server refused nobody@example.org.',
  });
  expect(smtp.taken.map(({ to }) => to)).toEqual([['anna@example.org']]);
});
