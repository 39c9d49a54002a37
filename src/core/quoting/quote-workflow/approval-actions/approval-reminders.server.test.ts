// Tests reminders of pending approvals: to whom, when, only once however often the job runs, and according to the settings.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApprovalRules } from '#core/quoting/approvals/rule-settings/approval-rules.contract.ts';
import { aWorkflow, DISCOUNTED, type Office } from '#testing/a-workflow.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { lastChangeOf } from '#core/quoting/quotes/events/events.server.ts';
import { approvalReminderJob } from './approval-reminders.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

const { office, aQuoteOf, act, mailsSince, lastEvent } = aWorkflow(() => server);

async function aWaitingQuote(people: Office) {
  const quote = await aQuoteOf(people, DISCOUNTED);
  const request = await act(quote.id, 'RequestApproval', people.cs, { comment: 'Large order' });
  await server.drain();
  return { ...quote, requestId: request.body.approval?.id ?? 0 };
}

/** Makes the next job in the queue due. */
async function wakeQueue(): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = 'approval-reminder' and state = 'created'`.execute(
    server.db,
  );
}

/** The mails about one quote that go out at a given time. */
async function mailsAt(instant: string, num: number) {
  server.setNow(instant);
  await wakeQueue();
  const before = server.mails.length;
  return (await mailsSince(before)).filter(({ subject }) => subject.includes(String(num)));
}

const queued = async (requestId: number) => {
  const { rows } = await sql`select from pgboss.job where name = 'approval-reminder' and state = 'created'
    and data ->> 'requestId' = ${String(requestId)}`.execute(server.db);
  return rows.length;
};

test('after a day the deciders get a reminder, after three those above them get an email and the requester learns who', async () => {
  const people = await office();
  const quote = await aWaitingQuote(people);
  expect(await mailsAt('2026-11-11T14:59:00Z', quote.num)).toEqual([]);

  const reminded = await mailsAt('2026-11-11T15:00:01Z', quote.num);
  expect(reminded.map(({ to }) => to)).toEqual([[people.manager.userName]]);
  expect(reminded[0]?.subject).toContain('still awaits discount approval');
  expect(reminded[0]?.text).toContain(`${people.cs.fullName} requested this approval on 11/10/2026.`);
  expect(reminded[0]?.text).toContain('Large order');
  expect(await lastEvent(quote.id)).toMatchObject({
    action: 'ApprovalReminder',
    actor: 'Quoteboard',
    comment: people.manager.fullName,
  });
  expect(await mailsAt('2026-11-13T14:59:00Z', quote.num)).toEqual([]);

  const escalated = await mailsAt('2026-11-13T15:00:01Z', quote.num);
  const readers = escalated.flatMap(({ to }) => to);
  expect(readers).toContain(people.salesadmin.userName);
  expect(readers).not.toContain(people.manager.userName);
  const toRequester = escalated.find(({ to }) => to.includes(people.cs.userName));
  expect(toRequester?.subject).toContain('approval escalated');
  expect(toRequester?.text).toMatch(
    /We have now asked these colleagues, who can also decide: Person \d+ \(person\d+@example\.com, 555-\d+\)/,
  );
  expect(await queued(quote.requestId)).toBe(0);
  expect(await mailsAt('2026-12-24T15:00:00Z', quote.num)).toEqual([]);
});

test('a reminder does not make a save stale, and the panel says when it went', async () => {
  const people = await office();
  const quote = await aWaitingQuote(people);
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  await mailsAt('2026-11-11T16:00:00Z', quote.num);
  const approved = await act(quote.id, 'ApproveDiscount', people.manager, { version });
  expect(approved.body.approval).toMatchObject({
    state: 'Approved',
    remindedAt: '2026-11-11T16:00:00.000Z',
    escalatedAt: null,
  });
});

test('decided, recalled or revised requests get no reminder; undecided rules remind only their people', async () => {
  const people = await office();
  const decided = await aWaitingQuote(people);
  await act(decided.id, 'ApproveDiscount', people.manager);
  const recalled = await aWaitingQuote(people);
  await act(recalled.id, 'RecallApproval', people.cs);
  await server.drain();
  expect(await mailsAt('2026-11-20T15:00:00Z', decided.num)).toEqual([]);
  expect(await mailsAt('2026-11-20T15:00:00Z', recalled.num)).toEqual([]);

  server.setNow('2026-11-10T15:00:00Z');
  await server.db
    .insertInto('approval_rule')
    .values({ name: 'Any total', metric: 'quoteTotal', operator: '>', threshold: 0, role: 'contractdept' })
    .execute();
  const half = await aWaitingQuote(people);
  await act(half.id, 'ApproveDiscount', people.manager);
  await server.drain();
  const readers = (await mailsAt('2026-11-11T15:00:01Z', half.num)).flatMap(({ to }) => to);
  expect(readers).toContain(people.contracts.userName);
  expect(readers).not.toContain(people.manager.userName);
  await server.db.updateTable('approval_rule').set({ active: false }).where('name', '=', 'Any total').execute();
});

test('several servers at once, and a rerun after a crash, remind only once', async () => {
  const people = await office();
  const quote = await aWaitingQuote(people);
  server.setNow('2026-11-11T15:00:01Z');
  const run = () => approvalReminderJob.run(server.services, { requestId: quote.requestId });
  // The database rejects the mail in the middle of the job, as if a process died there.
  await sql`create function refuse_mail() returns trigger language plpgsql as $$
    begin raise exception 'the server dies here'; end $$`.execute(server.db);
  await sql`create trigger refuse_mail before insert on mail for each row execute function refuse_mail()`.execute(
    server.db,
  );
  await expect(run()).rejects.toThrow('the server dies here');
  await sql`drop trigger refuse_mail on mail`.execute(server.db);
  const before = server.mails.length;
  await Promise.all([run(), run(), run()]);
  const mails = (await mailsSince(before)).filter(({ subject }) => subject.includes(String(quote.num)));
  expect(mails.map(({ to }) => to)).toEqual([[people.manager.userName]]);
  const events = await server.db.selectFrom('quote_event').select('action').where('quote_id', '=', quote.id).execute();
  expect(events.filter(({ action }) => action === 'ApprovalReminder')).toHaveLength(1);
  // It did not raise the version, so it conflicts with no save.
  expect((await lastChangeOf(server.db, quote.id))?.action).not.toBe('ApprovalReminder');
});

test('the hours are a setting, which also applies to waiting requests; 0 turns a step off', async () => {
  const people = await office();
  const { admin } = people;
  const quote = await aWaitingQuote(people);
  const { reminders } = await server.ok(ApprovalRules.GetApprovalRules, {}, { as: admin });
  expect(reminders).toMatchObject({ remindAfterHours: 24, escalateAfterHours: 72 });
  const save = (remindAfterHours: number, escalateAfterHours: number, version: number) =>
    server.call(ApprovalRules.SaveApprovalReminders, { remindAfterHours, escalateAfterHours, version }, { as: admin });
  const quick = await save(1, 0, reminders.version);
  expect(quick.status).toBe(200);
  expect((await save(2, 2, reminders.version)).status).toBe(409);
  expect((await save(-1, 2, quick.body.version)).status).toBe(422);
  const reminded = await mailsAt('2026-11-10T16:00:01Z', quote.num);
  expect(reminded.map(({ to }) => to)).toEqual([[people.manager.userName]]);
  expect(await mailsAt('2026-12-24T15:00:00Z', quote.num)).toEqual([]);

  server.setNow('2026-11-10T15:00:00Z');
  const off = await save(0, 0, quick.body.version);
  const silent = await aWaitingQuote(people);
  expect(await queued(silent.requestId)).toBe(0);
  expect(await mailsAt('2026-12-24T15:00:00Z', silent.num)).toEqual([]);
  server.setNow('2026-11-10T15:00:00Z');
  await save(24, 72, off.body.version);
  expect(await queued(silent.requestId)).toBe(1);
  const contracts = await aUser(server.db, { roles: ['contractdept'] });
  expect((await server.call(ApprovalRules.SaveApprovalReminders, reminders, { as: contracts })).status).toBe(403);
});
