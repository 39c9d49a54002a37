// Tests the pipeline against figures computed by hand: the events of each week, and the bridge from a week ago to now.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // A Saturday. The last week began on the 14th.
  server.setNow('2026-11-21T15:00:00Z');
});
afterAll(() => server.close());

const YEAR = { from: '2026-01-01', to: '2026-12-31' };

type CourseEvent = {
  at: string;
  action: string;
  from?: string;
  to?: string;
  total?: [string, string];
  valid?: [string, string];
};

/** A quote of the rep with these events. The quote itself is in the state after them. */
async function aCourse(ownerId: number, input: Parameters<typeof aQuote>[1], events: CourseEvent[]) {
  const { id } = await aQuote(server.db, { ownerId, quoteDate: '2026-10-01', ...input });
  await server.db
    .updateTable('quote')
    .set({ created_at: events[0]?.at ?? '' })
    .where('id', '=', id)
    .execute();
  for (const { at, action, from, to, total, valid } of events) {
    const changes = [
      ...(total ? [{ field: 'Total', before: total[0], after: total[1] }] : []),
      ...(valid ? [{ field: 'Valid until', before: valid[0], after: valid[1] }] : []),
    ];
    await sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, at, changes)
      values (${id}, ${ownerId}, 'Rep', ${action}, ${from ?? null}, ${to ?? null}, 1, ${at}::timestamptz,
        ${JSON.stringify(changes)}::jsonb)`.execute(server.db);
  }
  return id;
}

const created = (at: string): CourseEvent => ({ at, action: 'Create', to: 'Editing' });

test('the bridge shows the outcome of each quote that was live a week ago', async () => {
  const { id: rep } = await aUser(server.db);
  const [early, late] = ['2026-11-02T10:00:00Z', '2026-11-18T10:00:00Z'];
  const sent = (at: string): CourseEvent => ({ at, action: 'Send', from: 'Processing', to: 'SentToCustomer' });
  await aCourse(rep, { totalAmount: 1 }, [created(early)]);
  // Changed before and twice since. The state at the beginning of the week applies.
  await aCourse(rep, { totalAmount: 150 }, [
    created(early),
    { at: '2026-11-05T10:00:00Z', action: 'Edit', total: ['$50.00', '$1,000.00'] },
    { at: '2026-11-15T10:00:00Z', action: 'Edit', total: ['$1,000.00', '$90.00'] },
    { at: late, action: 'Edit', total: ['$90.00', '$150.00'] },
  ]);
  await aCourse(rep, { totalAmount: 30 }, [created(early), { at: late, action: 'Edit', total: ['$10.00', '$30.00'] }]);
  await aCourse(rep, { totalAmount: 70 }, [created(late)]);
  await aCourse(rep, { totalAmount: 200, statusId: 'Won' }, [
    created(early),
    sent('2026-11-03T10:00:00Z'),
    { at: late, action: 'MarkWon', from: 'SentToCustomer', to: 'Won' },
  ]);
  await aCourse(rep, { totalAmount: 40, statusId: 'Lost' }, [
    created(early),
    sent('2026-11-03T10:00:00Z'),
    { at: late, action: 'MarkLost', from: 'SentToCustomer', to: 'Lost' },
  ]);
  await aCourse(rep, { totalAmount: 5, statusId: 'Cancelled' }, [
    created(early),
    { at: late, action: 'Cancel', from: 'Editing', to: 'Cancelled' },
  ]);
  await aCourse(rep, { totalAmount: 60, statusId: 'SentToCustomer', validUntil: '2026-11-17' }, [
    created(early),
    sent('2026-11-03T10:00:00Z'),
  ]);
  // Lost long ago, being revised now.
  await aCourse(rep, { totalAmount: 80, statusId: 'Revising' }, [
    created(early),
    sent('2026-11-03T10:00:00Z'),
    { at: '2026-11-04T10:00:00Z', action: 'MarkLost', from: 'SentToCustomer', to: 'Lost' },
    { at: late, action: 'Revise', from: 'Lost', to: 'Revising' },
  ]);
  // Its revision was cheaper and has been discarded since.
  await aCourse(rep, { totalAmount: 100, statusId: 'SentToCustomer', validUntil: '2027-01-31' }, [
    created(early),
    sent('2026-11-03T10:00:00Z'),
    { at: '2026-11-04T10:00:00Z', action: 'Revise', from: 'SentToCustomer', to: 'Revising' },
    { at: '2026-11-05T10:00:00Z', action: 'Edit', total: ['$100.00', '$90.00'] },
    { at: late, action: 'DiscardRevision', from: 'Revising', to: 'SentToCustomer' },
  ]);
  // Neither live a week ago nor now.
  await aCourse(rep, { totalAmount: 999, statusId: 'Won' }, [
    created(late),
    { at: '2026-11-19T10:00:00Z', action: 'MarkWon', from: 'SentToCustomer', to: 'Won' },
  ]);

  const { bridge } = await server.ok(Report.GetPipeline, YEAR, { as: rep });
  expect(bridge.since).toBe('2026-11-14');
  expect(bridge.steps.map(({ step, count, amount }) => [step, count, amount])).toEqual([
    ['start', 8, 1 + 1000 + 10 + 200 + 40 + 5 + 60 + 90],
    ['new', 1, 70],
    ['reopened', 1, 80],
    ['grown', 2, 20 + 10],
    ['shrunk', 1, -850],
    ['won', 1, -200],
    ['lost', 1, -40],
    ['cancelled', 1, -5],
    ['expired', 1, -60],
    ['end', 6, 1 + 150 + 30 + 70 + 80 + 100],
  ]);
  const [end = 0, ...changes] = bridge.steps.map(({ amount }) => amount).toReversed();
  expect(changes.reduce((sum, amount) => sum + amount, 0)).toBe(end);
});

test('a week begins on Monday in the zone of the company, and a quote counts in it once', async () => {
  const { id: rep } = await aUser(server.db);
  await server.db.updateTable('company').set({ time_zone: 'America/New_York' }).execute();
  await aCourse(rep, { totalAmount: 10, statusId: 'SentToCustomer' }, [
    // Still Sunday the 27th in New York.
    created('2026-09-28T02:00:00Z'),
    { at: '2026-09-28T12:00:00Z', action: 'Submit', from: 'Editing', to: 'WaitingForProcess' },
    { at: '2026-09-29T12:00:00Z', action: 'Recall', from: 'WaitingForProcess', to: 'Editing' },
    { at: '2026-10-06T12:00:00Z', action: 'Submit', from: 'Editing', to: 'WaitingForProcess' },
    { at: '2026-10-12T12:00:00Z', action: 'Send', from: 'Processing', to: 'SentToCustomer' },
  ]);
  const { perWeek } = await server.ok(Report.GetPipeline, YEAR, { as: rep });
  expect(perWeek.map(({ week, created, submitted, sent, won }) => [week, created, submitted, sent, won])).toEqual([
    ['2026-09-21', 1, 0, 0, 0],
    ['2026-09-28', 0, 1, 0, 0],
    ['2026-10-05', 0, 0, 0, 0],
    ['2026-10-12', 0, 0, 1, 0],
  ]);
  const month = await server.ok(Report.GetPipeline, { from: '2026-09-28', to: '2026-10-11' }, { as: rep });
  expect(month.perWeek.map(({ week, submitted }) => [week, submitted])).toEqual([['2026-09-28', 1]]);
});

test('open quotes by age, untouched, expiring and expired', async () => {
  const { id: rep } = await aUser(server.db);
  await aCourse(rep, { totalAmount: 1 }, [created('2026-11-20T10:00:00Z')]);
  await aCourse(rep, { totalAmount: 2 }, [
    created('2026-11-01T10:00:00Z'),
    { at: '2026-11-20T10:00:00Z', action: 'Edit' },
  ]);
  await aCourse(rep, { totalAmount: 4, statusId: 'SentToCustomer', validUntil: '2026-11-28' }, [
    created('2026-08-01T10:00:00Z'),
  ]);
  await aCourse(rep, { totalAmount: 8, statusId: 'SentToCustomer', validUntil: '2026-11-20' }, [
    created('2026-11-15T10:00:00Z'),
  ]);
  await aCourse(rep, { totalAmount: 16, statusId: 'Won' }, [created('2026-08-01T10:00:00Z')]);
  const report = await server.ok(Report.GetPipeline, YEAR, { as: rep });
  expect(report.byAge.map(({ key, count, amount }) => [key, count, amount])).toEqual([
    ['0-7', 2, 9],
    ['8-30', 1, 2],
    ['31-60', 0, 0],
    ['61-90', 0, 0],
    ['91', 1, 4],
  ]);
  expect(report.byAge[0]?.statuses.map(({ statusId, amount }) => [statusId, amount])).toEqual([
    ['Editing', 1],
    ['SentToCustomer', 8],
  ]);
  expect([report.untouched, report.expiring, report.expired]).toMatchObject([
    { count: 1, amount: 4 },
    { count: 1, amount: 4 },
    { count: 1, amount: 8 },
  ]);
  // A period that contains none of their quote dates.
  const none = await server.ok(Report.GetPipeline, { from: '2026-11-01', to: '2026-11-30' }, { as: rep });
  expect(none.byStatus.every(({ count }) => count === 0)).toBe(true);
});
