// Tests how long statuses and approvals take, and who quotes wait for, against figures computed by hand.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
});
afterAll(() => server.close());

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const HOUR = 3600;

/** A quote created at noon of October 5th that changed status after these numbers of hours. */
async function aCourse(ownerId: number, input: Parameters<typeof aQuote>[1], moves: [hours: number, to: string][]) {
  const { id } = await aQuote(server.db, { ownerId, ...input });
  const createdAt = Date.parse('2026-10-05T12:00:00Z');
  await server.db
    .updateTable('quote')
    .set({ created_at: new Date(createdAt) })
    .where('id', '=', id)
    .execute();
  let [at, from] = [createdAt, null as string | null];
  for (const [hours, to] of [[0, 'Editing'] as const, ...moves]) {
    at += hours * HOUR * 1000;
    await sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, at)
      values (${id}, ${ownerId}, 'Rep', 'Step', ${from}, ${to}, 1, ${new Date(at).toISOString()}::timestamptz)`.execute(
      server.db,
    );
    from = to;
  }
  return id;
}

test('the time in a status adds up all stays that ended', async () => {
  const { id: rep } = await aUser(server.db);
  await aCourse(rep, { statusId: 'Processing' }, [
    [2, 'WaitingForProcess'],
    [1, 'Editing'],
    [3, 'WaitingForProcess'],
    [4, 'Processing'],
  ]);
  await aCourse(rep, { statusId: 'WaitingForProcess' }, [[50, 'WaitingForProcess']]);
  const { inStatus } = await server.ok(Report.GetSpeed, YEAR, { as: rep });
  const statusRow = (status: string) => inStatus.find(({ statusId }) => statusId === status);
  expect(statusRow('Editing')).toMatchObject({ count: 2, median: 5 * HOUR, p90: 50 * HOUR });
  expect(statusRow('WaitingForProcess')).toMatchObject({ count: 1, median: 5 * HOUR, p90: 5 * HOUR });
  expect(statusRow('Processing')).toMatchObject({ count: 0, median: 0 });
  const later = await server.ok(Report.GetSpeed, { from: '2026-10-06', to: '2026-12-31' }, { as: rep });
  expect(later.inStatus.every(({ count }) => count === 0)).toBe(true);
});

test('approvals by rule and by person; own limits wait for nobody', async () => {
  const { id: rep } = await aUser(server.db);
  const [first, second] = [await aUser(server.db), await aUser(server.db)];
  const decided = async (decisions: { ruleId: number; by: number; hours: number }[]) => {
    const { id: quoteId } = await aQuote(server.db, { ownerId: rep, statusId: 'DiscountApproved' });
    const requestedAt = '2026-10-05T12:00:00Z';
    const roles = ['salesQuoteManager', 'salesadmin'] as const;
    const { id } = await anApprovalRequest(server.db, {
      quoteId,
      requestedBy: rep,
      roles: [...roles],
      state: 'Approved',
      requestedAt,
    });
    const created = decisions.map(({ ruleId, by, hours }) => ({
      ruleId,
      by,
      state: 'Approved',
      at: new Date(Date.parse(requestedAt) + hours * HOUR * 1000).toISOString(),
    }));
    await server.db
      .updateTable('approval_request')
      .set({ decisions: JSON.stringify(created) })
      .where('id', '=', id)
      .execute();
  };
  await decided([
    { ruleId: 1, by: first.id, hours: 2 },
    { ruleId: 2, by: second.id, hours: 8 },
  ]);
  await decided([{ ruleId: 1, by: first.id, hours: 6 }]);
  await decided([{ ruleId: 1, by: rep, hours: 0 }]);
  const { approvals } = await server.ok(Report.GetSpeed, YEAR, { as: rep });
  expect(
    approvals.byRule.map(({ key, name, count, median, p90 }) => [key, name, count, median / HOUR, p90 / HOUR]),
  ).toEqual([
    ['1', 'Discount above the limit', 2, 2, 6],
    ['2', 'Discount above the limit', 1, 8, 8],
  ]);
  expect(approvals.byPerson.map(({ name, count, p90 }) => [name, count, p90 / HOUR])).toEqual([
    [first.fullName, 2, 6],
    [second.fullName, 1, 8],
  ]);
});

test('where quotes wait now, and for whom', async () => {
  const rep = await aUser(server.db);
  const processor = await aUser(server.db, { roles: ['csrep'] });
  await aCourse(rep.id, { totalAmount: 1 }, []);
  await aCourse(rep.id, { totalAmount: 2, statusId: 'WaitingForProcess' }, [[24, 'WaitingForProcess']]);
  const processed = await aCourse(rep.id, { totalAmount: 4, statusId: 'Processing' }, [[48, 'Processing']]);
  await server.db.updateTable('quote').set({ assignee_id: processor.id }).where('id', '=', processed).execute();
  const request = await aCourse(rep.id, { totalAmount: 8, statusId: 'Processing' }, [[72, 'Processing']]);
  await anApprovalRequest(server.db, {
    quoteId: request,
    requestedBy: rep.id,
    roles: ['salesQuoteManager', 'salesadmin'],
  });
  await aCourse(rep.id, { totalAmount: 16, statusId: 'SentToCustomer' }, [[96, 'SentToCustomer']]);
  await aCourse(rep.id, { totalAmount: 32, statusId: 'Won' }, [[97, 'Won']]);
  const { waiting } = await server.ok(Report.GetSpeed, YEAR, { as: rep });
  const since = (hours: number) =>
    (Date.parse('2026-11-21T15:00:00Z') - Date.parse('2026-10-05T12:00:00Z')) / 1000 - hours * HOUR;
  expect(waiting.map((row) => [row.for, row.name, row.statusId, row.amount, row.oldest])).toEqual([
    ['salesRep', rep.fullName, 'Editing', 1, since(0)],
    ['queue', '', 'WaitingForProcess', 2, since(24)],
    ['processor', processor.fullName, 'Processing', 4, since(48)],
    ['approver', 'Sales quote manager, Sales administrator', 'Processing', 8, since(72)],
    ['customer', '', 'SentToCustomer', 16, since(96)],
  ]);
});
