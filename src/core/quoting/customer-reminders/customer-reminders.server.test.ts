// Tests the reminder to the customer over HTTP: its day in every time zone, what stops it, who may change it, and that it goes out once.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { holdMailOfCopy } from '#platform/mail/restored-copy.server.ts';
import { Mailbox } from '#platform/mail/mailbox.contract.ts';
import { QuoteFollowUp } from '#core/quoting/follow-up/follow-up.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { addDays, instantOf } from '#platform/shared/dates.ts';
import { aWorkflow, type Office } from '#testing/a-workflow.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { customerReminderJob, dueReminders } from './customer-reminders.server.ts';

const SENT_AT = '2026-11-10T15:00:00Z';
const REMINDER = { days: 3, text: 'Until [valid until]: [quote link]' };
/** 7 AM in Chicago, three days before 01/01/2027. */
const DUE = '2026-12-29T13:00:00Z';

let server: TestServer;
let people: Office;
const { office, aQuoteOf, act, send, mailsSince, rowOf } = aWorkflow(() => server);
beforeAll(async () => {
  server = await startTestServer();
  people = await office();
  await server.db.updateTable('company').set({ time_zone: 'America/Chicago', name: 'Acme' }).execute();
});
beforeEach(async () => {
  server.setNow(SENT_AT);
  await server.db.deleteFrom('quote_reminder').execute();
});
afterAll(() => server.close());

async function aSentQuote(more: { reminder?: typeof REMINDER | null | undefined } = { reminder: REMINDER }) {
  const quote = await aQuoteOf(people, { statusId: 'Processing' });
  const { status, body } = await send(quote.id, people.cs, { cc: ['copy@example.org'], ...more });
  expect(status).toBe(200);
  await server.drain();
  return { ...quote, docId: body.quote.docId ?? '' };
}
const reminderOf = async (quoteId: number, as: { id: number } = people.cs) =>
  (await server.ok(QuoteFollowUp.GetFollowUp, { quoteId }, { as })).reminder;
/** The events about reminders in the history, oldest first. */
const eventsOf = async (quoteId: number) =>
  (
    await server.db
      .selectFrom('quote_event')
      .select(['actor', 'action', 'comment'])
      .where('quote_id', '=', quoteId)
      .where('action', 'like', '%Reminder')
      .orderBy('id')
      .execute()
  ).map(({ actor, action, comment }) => `${actor} ${action}: ${comment}`);
/** The mails to the customer that go out at a given time. */
const mailsAt = async (instant: string) => {
  server.setNow(instant);
  return customersMails(server.mails.length);
};
const customersMails = async (before: number) =>
  (await mailsSince(before)).filter(({ to }) => to.includes('buyer@example.org'));

test('goes out once on its day at 7 AM to the recipients, with the link of the page and without the PDF', async () => {
  const quote = await aSentQuote();
  expect(await reminderOf(quote.id)).toMatchObject({
    ...REMINDER,
    day: '2026-12-29',
    to: ['buyer@example.org'],
    setBy: people.cs.fullName,
    mayChange: true,
  });
  expect(await mailsAt('2026-12-29T12:59:59Z')).toEqual([]);
  const mails = await mailsAt(DUE);
  expect(mails).toMatchObject([{ to: ['buyer@example.org'], cc: [], attachments: [] }]);
  expect(mails[0]?.subject).toBe(`Quote ${quote.num} from Acme expires on 01/01/2027`);
  expect(mails[0]?.text).toMatch(new RegExp(`^Until 01/01/2027: http\\S+/quote-doc/${quote.docId}$`));
  expect(await mailsAt('2026-12-30T13:00:00Z')).toEqual([]);
  expect(await reminderOf(quote.id)).toBe(null);
  expect(await eventsOf(quote.id)).toEqual([
    `${people.cs.fullName} SetReminder: On 12/29/2026, 3 days before the quote expires`,
    'Quoteboard SendReminder: To buyer@example.org',
  ]);
});

test('without one, or with null, nothing is reminded', async () => {
  const quotes = [await aSentQuote({}), await aSentQuote({ reminder: null })];
  for (const { id } of quotes) expect([await reminderOf(id), await eventsOf(id)]).toEqual([null, []]);
});

test('is refused with the sending when its day is past, today, or not before the end', async () => {
  const quote = await aQuoteOf(people, { statusId: 'Processing', validUntil: '2026-11-13' });
  const days = async (input: number) =>
    (await send(quote.id, people.cs, { reminder: { ...REMINDER, days: input } })).body;
  expect(await days(3)).toMatchObject({
    errors: [
      { path: 'reminder.days', message: 'It would be sent on 11/10/2026, which is today. At most 2 days before.' },
    ],
  });
  for (const input of [0, -1, 1.5, 366])
    expect(await days(input)).toMatchObject({ errors: [{ path: 'reminder.days' }] });
  expect((await rowOf(quote.id)).status_id).toBe('Processing');
  expect((await send(quote.id, people.cs, { reminder: { ...REMINDER, days: 2 } })).status).toBe(200);
});

type Stops = { by: (quote: { id: number; docId: string }) => Promise<unknown>; why: RegExp };
const answer = { name: 'Jane Doe', title: 'Buyer', poNumber: 'PO 1', acceptTerms: true as const };
const STOPS: Record<string, Stops> = {
  'the customer accepts': {
    by: ({ docId }) => server.ok(QuoteDoc.AcceptQuote, { docId, ...answer }),
    why: /^Quoteboard StopReminder: Jane Doe \(customer\) accepted the quote$/,
  },
  'the customer declines': {
    by: ({ docId }) => server.ok(QuoteDoc.DeclineQuote, { docId, name: 'Jane Doe', reasonCode: 'price', comment: '' }),
    why: /^Quoteboard StopReminder: Jane Doe \(customer\) declined the quote$/,
  },
  'the customer asks': {
    by: ({ docId }) =>
      server.ok(QuoteDoc.AskQuestion, { docId, name: 'Jane Doe', email: 'jane@example.org', question: 'Latex free?' }),
    why: /^Quoteboard StopReminder: Jane Doe \(customer\) asked a question$/,
  },
  'a colleague marks it won': {
    by: ({ id }) => act(id, 'MarkWon', people.cs, { poNumber: 'PO 1' }),
    why: /marked the quote won$/,
  },
  'a colleague marks it lost': {
    by: ({ id }) => act(id, 'MarkLost', people.cs, { reasonCode: 'price' }),
    why: /marked the quote lost$/,
  },
  'a colleague revises it': { by: ({ id }) => act(id, 'Revise', people.cs), why: /started a revision$/ },
  'a colleague closes the link': {
    by: ({ id }) =>
      server.ok(QuoteWorkflow.RevokePublicLink, { quoteId: id, revision: 1, comment: 'Wrong' }, { as: people.cs }),
    why: /closed the customer’s link$/,
  },
};
test.each(Object.entries(STOPS))('stops when %s', async (_name, { by, why }) => {
  const quote = await aSentQuote();
  await by(quote);
  const [, stopped, ...more] = await eventsOf(quote.id);
  expect(more).toEqual([]);
  expect(stopped).toMatch(/^Quoteboard StopReminder: \S/);
  expect(stopped).toMatch(why);
  expect(await reminderOf(quote.id)).toBe(null);
  await server.drain();
  expect(await mailsAt(DUE)).toEqual([]);
});

test('opening the page stops nothing', async () => {
  const quote = await aSentQuote();
  await server.ok(QuoteDoc.GetQuoteDoc, { id: quote.docId });
  await server.drain();
  expect(await mailsAt(DUE)).toHaveLength(1);
});

test('moves with the end of the validity, is late rather than lost, and never goes out after the end', async () => {
  const validUntil = (id: number, day: string) =>
    server.db.updateTable('quote').set({ valid_until: day }).where('id', '=', id).execute();
  const moved = await aSentQuote();
  await validUntil(moved.id, '2027-01-11');
  expect(await reminderOf(moved.id)).toMatchObject({ day: '2027-01-08', validUntil: '2027-01-11' });
  expect(await mailsAt(DUE)).toEqual([]);
  const [mail] = await mailsAt('2027-01-08T13:00:00Z');
  expect(mail?.text).toContain('Until 01/11/2027');

  server.setNow(SENT_AT);
  const shortened = await aSentQuote();
  await validUntil(shortened.id, '2026-11-11');
  expect(await mailsAt('2026-11-10T15:01:00Z')).toHaveLength(1);
  expect((await eventsOf(shortened.id)).at(-1)).toBe(
    'Quoteboard SendReminder: To buyer@example.org, late: it was due on 11/08/2026',
  );

  server.setNow(SENT_AT);
  const expired = await aSentQuote();
  expect(await mailsAt('2027-01-02T13:00:00Z')).toEqual([]);
  expect((await eventsOf(expired.id)).at(-1)).toBe(
    'Quoteboard StopReminder: The quote expired before it could be sent',
  );
});

test('a quote that left the customer past every act is not reminded of', async () => {
  const quote = await aSentQuote();
  await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
  expect(await mailsAt(DUE)).toEqual([]);
  expect((await eventsOf(quote.id)).at(-1)).toBe(
    'Quoteboard StopReminder: The quote is no longer open for the customer',
  );
});

test('sent again, it goes to the new recipients; with another one, to that; with null, it ends', async () => {
  const { id } = await aSentQuote();
  const again = async (reminder: typeof REMINDER | null | undefined, to: string) =>
    expect((await send(id, people.cs, { to: [to], reminder })).status).toBe(200);
  await again(undefined, 'second@example.org');
  expect(await reminderOf(id)).toMatchObject({ ...REMINDER, to: ['second@example.org'] });
  await again({ days: 5, text: 'Other' }, 'third@example.org');
  expect(await reminderOf(id)).toMatchObject({ days: 5, text: 'Other', to: ['third@example.org'], version: 2 });
  const draft = await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id }, { as: people.cs });
  expect(draft.reminder).toEqual({
    today: '2026-11-10',
    validUntil: '2027-01-01',
    days: 5,
    text: 'Other',
    subject: expect.stringMatching(/ from Acme expires on 01\/01\/2027$/) as string,
  });
  await again(null, 'fourth@example.org');
  expect(await reminderOf(id)).toBe(null);
  expect((await eventsOf(id)).at(-1)).toBe(`${people.cs.fullName} StopReminder: Sent again without it`);
});

test('can be changed and stopped with its version by those who may send the quote, and each change is in the history', async () => {
  const quote = await aSentQuote();
  const { version: before } = await rowOf(quote.id);
  const reminder = await reminderOf(quote.id);
  const read = { quoteId: quote.id, reminderId: reminder?.id ?? 0, version: reminder?.version ?? 0 };
  const change = (as: { id: number }, more = {}) =>
    server.call(QuoteFollowUp.ChangeReminder, { ...read, days: 10, text: 'Another', ...more }, { as });
  expect((await change(people.stranger)).status).toBe(404);
  expect((await change(people.contracts)).status).toBe(403);
  expect((await server.call(QuoteFollowUp.StopReminder, read, { as: people.stranger })).status).toBe(404);
  expect((await server.call(QuoteFollowUp.StopReminder, read, { as: people.contracts })).status).toBe(403);
  expect((await reminderOf(quote.id, people.contracts))?.mayChange).toBe(false);
  expect((await change(people.rep, { days: 52 })).body).toMatchObject({
    errors: [{ path: 'days', message: 'It would be sent on 11/10/2026, which is today. At most 51 days before.' }],
  });
  expect((await change(people.rep)).body.reminder).toMatchObject({ days: 10, text: 'Another', day: '2026-12-22' });
  const stale = await change(people.cs);
  expect(stale.status).toBe(409);
  expect(JSON.stringify(stale.body)).toContain(`${people.rep.fullName} changed this reminder in the meantime`);
  const now = { ...read, version: 2 };
  // The quote itself is unchanged, so an open board can save over it.
  expect((await rowOf(quote.id)).version).toBe(before);
  expect((await server.ok(QuoteFollowUp.StopReminder, now, { as: people.rep })).reminder).toBe(null);
  expect((await server.call(QuoteFollowUp.StopReminder, now, { as: people.rep })).status).toBe(409);
  expect((await eventsOf(quote.id)).slice(1)).toEqual([
    `${people.rep.fullName} ChangeReminder: On 12/22/2026, 10 days before the quote expires, with different text`,
    `${people.rep.fullName} StopReminder: `,
  ]);
  // A reminder can be accessed only through its own quote.
  const other = await aSentQuote();
  const others = { ...read, reminderId: (await reminderOf(other.id))?.id ?? 0 };
  expect((await server.call(QuoteFollowUp.StopReminder, others, { as: people.cs })).status).toBe(409);
});

test('several servers at once, and a try after one died, send one', async () => {
  const quote = await aSentQuote();
  server.setNow(DUE);
  const run = () => customerReminderJob.run(server.services);
  // The database rejects the mail in the middle of the job, as if the process died there.
  await sql`create function refuse_mail() returns trigger language plpgsql as $$
    begin raise exception 'the server dies here'; end $$`.execute(server.db);
  await sql`create trigger refuse_mail before insert on mail for each row execute function refuse_mail()`.execute(
    server.db,
  );
  await expect(run()).rejects.toThrow('the server dies here');
  expect(await reminderOf(quote.id)).not.toBe(null);
  await sql`drop trigger refuse_mail on mail`.execute(server.db);
  const before = server.mails.length;
  await Promise.all([run(), run(), run()]);
  expect(await customersMails(before)).toHaveLength(1);
  expect((await eventsOf(quote.id)).filter((event) => event.includes('SendReminder'))).toHaveLength(1);
});

test('the customer asks while it goes out: either it went, or it was stopped', async () => {
  for (let n = 0; n < 5; n++) {
    server.setNow(SENT_AT);
    const { id, docId } = await aSentQuote();
    server.setNow(DUE);
    const question = { docId, name: 'Jane Doe', email: 'jane@example.org', question: 'Latex free?' };
    await Promise.all([customerReminderJob.run(server.services), server.ok(QuoteDoc.AskQuestion, question)]);
    expect((await eventsOf(id)).slice(1)).toHaveLength(1);
  }
});

test('a restored copy sends none that production may have sent, and holds the others until the release', async () => {
  const before = await aSentQuote();
  server.setNow('2026-12-20T15:00:00Z');
  const after = await aSentQuote({ reminder: { ...REMINDER, days: 2 } });
  server.setNow('2026-12-30T09:00:00Z');
  await server.db.updateTable('installation').set({ place: 'another server' }).execute();
  expect(await holdMailOfCopy(server.services)).toBe(true);
  expect(await mailsAt('2026-12-30T13:00:00Z')).toEqual([]);
  expect((await eventsOf(before.id)).at(-1)).toBe(
    'Quoteboard StopReminder: The database was restored from a backup, so it is not known whether it was already sent',
  );
  expect(await reminderOf(after.id)).toMatchObject({ day: '2026-12-30' });
  await server.ok(Mailbox.ReleaseMail, {}, { as: people.admin });
  expect(await mailsAt('2026-12-31T13:00:00Z')).toHaveLength(1);
  expect((await eventsOf(after.id)).at(-1)).toContain('late: it was due on 12/30/2026');
});

test('is due from 7 AM by the clocks of the company, whatever its zone and over every clock change', async () => {
  const quote = await aSentQuote();
  const zones = [
    'America/Chicago',
    'America/Phoenix',
    'America/St_Johns',
    'Pacific/Honolulu',
    'Pacific/Kiritimati',
    'UTC',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2028-02-29', '2026-12-31'),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: 1, max: 365 }),
      async (time_zone, near, off, days) => {
        const day = addDays(near, off);
        await server.db.updateTable('company').set({ time_zone }).execute();
        await server.db.updateTable('quote_reminder').set({ days }).execute();
        await server.db
          .updateTable('quote')
          .set({ valid_until: addDays(day, days) })
          .where('id', '=', quote.id)
          .execute();
        const at = instantOf(day, '07:00', time_zone);
        expect(await dueReminders(server.db, new Date(at.getTime() - 1))).toEqual([]);
        expect(await dueReminders(server.db, at)).toEqual([quote.id]);
      },
    ),
    { numRuns: 40 },
  );
  await server.db.updateTable('company').set({ time_zone: 'America/Chicago' }).execute();
});
