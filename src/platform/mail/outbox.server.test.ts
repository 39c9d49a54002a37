// Tests the outbox: a mail is sent once, after its change commits, however often its job runs and whatever the mail server does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutgoingMail } from '#platform/outside/mail.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { mailJob, queueMail } from './outbox.server.ts';
import { decideMails, uncertainMails } from './uncertain.server.ts';

let server: TestServer;
let refuses = false;
/** Runs just before the last byte of the next mail. */
let beforeHandover: (() => Promise<unknown>) | null = null;
const tried: OutgoingMail[] = [];

beforeAll(async () => {
  server = await startTestServer({
    mail: {
      send: async (mail, aboutToHandOver) => {
        await beforeHandover?.();
        await aboutToHandOver();
        tried.push(mail);
        if (refuses) throw Object.assign(new Error('421 the server is busy'), { responseCode: 421 });
      },
    },
  });
});
afterAll(() => server.close());

const rowOf = (id: number) => server.db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const run = (mailId: number) => mailJob.run(server.services, { mailId });

it('sends a committed mail with its attachments, and none of a change that was rolled back', async () => {
  const file = await server.db
    .insertInto('file')
    .values({
      storage_key: await server.services.files.put(Buffer.from('%PDF')),
      name: 'x',
      media_type: 'application/pdf',
      size: 4,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const mail = {
    to: ['a@example.org', 'b@example.org'],
    cc: ['c@example.org'],
    subject: 'Quote 104512',
    body: 'Here it is.',
    attachments: [{ fileId: file.id, name: 'quote-104512.pdf' }],
  };
  const id = await server.db.transaction().execute((db) => queueMail(db, server.services.jobs, mail));
  const undone = server.db.transaction().execute(async (db) => {
    await queueMail(db, server.services.jobs, mail);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await server.drain();
  expect(tried.splice(0)).toEqual([
    {
      messageId: expect.stringMatching(/^<[\w-]{36}@localhost>$/) as string,
      to: mail.to,
      cc: mail.cc,
      subject: mail.subject,
      text: mail.body,
      attachments: [{ name: 'quote-104512.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF') }],
    },
  ]);
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 1, last_error: '', body: 'Here it is.' });
});

it('retries under the same Message-ID until the email is out, then stops', async () => {
  refuses = true;
  const id = await queueMail(server.db, server.services.jobs, { to: ['a@example.org'], subject: 's', body: 'b' });
  await server.drain();
  expect(await rowOf(id)).toMatchObject({ state: 'Waiting', tries: 1, last_error: '421 the server is busy' });
  refuses = false;
  await run(id);
  await run(id);
  const [first, second, ...more] = tried.splice(0);
  expect(second?.messageId).toBe(first?.messageId);
  expect(more).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 2, last_error: '' });
});

it('marks an email as failed when no try is left; it can still be sent', async () => {
  const id = await queueMail(server.db, server.services.jobs, {
    to: ['a@example.org'],
    subject: 's',
    body: 'b',
    attachments: [{ fileId: 2_000_000_000, name: 'gone.pdf' }],
  });
  for (let i = 0; i < 13; i++) await expect(run(id)).rejects.toThrow('The attachment gone.pdf');
  expect(await rowOf(id)).toMatchObject({ state: 'Failed', tries: 13 });
  await server.db.updateTable('mail').set({ attachments: '[]' }).where('id', '=', id).execute();
  await run(id);
  expect((await rowOf(id)).state).toBe('Sent');
  await server.db.deleteFrom('mail').where('id', '=', id).execute();
  await run(id);
});

it('sends an email once if another server takes over its job in the middle', async () => {
  const id = await queueMail(server.db, server.services.jobs, { to: ['a@example.org'], subject: 's', body: 'b' });
  tried.splice(0);
  beforeHandover = async () => {
    beforeHandover = null;
    await run(id);
  };
  await expect(run(id)).rejects.toThrow('Another server is sending this email.');
  expect(tried.splice(0)).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 2, last_error: '' });
});

it('does not resend an email whose server died while handing it over; the history of the quote says so', async () => {
  const quote = await aQuote(server.db);
  const id = await queueMail(server.db, server.services.jobs, {
    quoteId: quote.id,
    to: ['a@example.org'],
    cc: ['b@example.org'],
    subject: 's',
    body: 'b',
  });
  // The state that a killed server leaves.
  await server.db.updateTable('mail').set({ state: 'HandingOver', tries: 1 }).where('id', '=', id).execute();
  tried.splice(0);
  await server.drain();
  expect(tried).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'Uncertain', tries: 1 });
  const failed = (await server.services.jobs.list({ state: 'failed' })).find(
    ({ payload }) => (payload as { mailId: number }).mailId === id,
  );
  expect(failed?.error).toMatch(/^The server stopped while sending this email/);
  expect(
    await server.db.selectFrom('quote_event').select(['action', 'comment']).where('quote_id', '=', quote.id).execute(),
  ).toEqual([
    {
      action: 'MailProblem',
      comment: expect.stringMatching(/^To a@example.org, b@example.org: The server stopped/) as string,
    },
  ]);
  // Retrying the job does not send it.
  expect(await server.services.jobs.retry({ id: failed?.id ?? '' })).toBe(1);
  await server.drain();
  expect(tried).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'Uncertain', tries: 1 });
  // Only the decision of a user sends it.
  expect(await uncertainMails(server.services)).toEqual([
    expect.objectContaining({ id, recipients: ['a@example.org', 'b@example.org'], quoteNum: quote.num }),
  ]);
  expect(await decideMails(server.services, [id], { arrived: false, by: 'Ada' })).toBe(1);
  expect(await decideMails(server.services, [id], { arrived: false, by: 'Ada' })).toBe(0);
  await server.drain();
  expect(tried.splice(0)).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 2, last_error: '' });
});

it('never sends an email again that a person marked as arrived', async () => {
  const id = await queueMail(server.db, server.services.jobs, { to: ['a@example.org'], subject: 's', body: 'b' });
  await server.db.updateTable('mail').set({ state: 'HandingOver', tries: 1 }).where('id', '=', id).execute();
  tried.splice(0);
  await server.drain();
  expect(await decideMails(server.services, [id], { arrived: true, by: 'Ada' })).toBe(1);
  await server.drain();
  expect(tried).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'Sent', tries: 1, last_error: 'Ada confirmed that it arrived.' });
  const failed = (await server.services.jobs.list({ state: 'failed' })).map(
    ({ payload }) => (payload as { mailId: number }).mailId,
  );
  expect(failed).not.toContain(id);
});
