// Tests which quotes are won and lost, and when, against figures computed by hand.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const { office, aQuoteOf, act } = aWorkflow(() => server);

const ALWAYS = { from: '2020-01-01', to: '2099-12-31' };

/** A decided quote, first sent and decided at these instants. */
async function aDecision(
  ownerId: number,
  overrides: Parameters<typeof aQuote>[1] & { sent: string; decided: string; lost?: object },
) {
  const { sent, decided, lost, ...rest } = overrides;
  const { id } = await aQuote(server.db, { ownerId, ...rest });
  if (lost) await server.db.updateTable('quote').set(lost).where('id', '=', id).execute();
  const action = overrides.statusId === 'Won' ? 'MarkWon' : 'MarkLost';
  await sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, at) values
    (${id}, ${ownerId}, 'Rep', 'Send', 'Processing', 'SentToCustomer', 1, ${sent}::timestamptz),
    (${id}, ${ownerId}, 'Rep', ${action}, 'SentToCustomer', ${overrides.statusId}, 1, ${decided}::timestamptz)`.execute(
    server.db,
  );
  return id;
}

test('a win that was reopened is no win, and a lost quote that was revised is open again', async () => {
  const people = await office();
  const won = await aQuoteOf(people, { statusId: 'SentToCustomer' });
  const lost = await aQuoteOf(people, { statusId: 'SentToCustomer' });
  const total = async () => {
    const { total: all, perMonth } = await server.ok(Report.GetWonLost, ALWAYS, { as: people.rep });
    expect(perMonth.reduce((sum, month) => sum + month.won, 0)).toBe(all.won);
    return [all.won, all.wonAmount, all.lost, all.lostAmount];
  };
  expect(await total()).toEqual([0, 0, 0, 0]);
  await act(won.id, 'MarkWon', people.rep, { poNumber: 'PO 1' });
  await act(lost.id, 'MarkLost', people.rep, { reasonCode: 'timing' });
  expect(await total()).toEqual([1, 20, 1, 20]);
  await act(won.id, 'Reopen', people.salesadmin, { comment: 'A mistake' });
  await act(lost.id, 'Revise', people.rep);
  expect(await total()).toEqual([0, 0, 0, 0]);
});

test('decisions by month, reason, competitor, class of trade and days, in the zone of the company', async () => {
  const { id: rep } = await aUser(server.db);
  await server.db.updateTable('company').set({ time_zone: 'America/New_York' }).execute();
  const clinic = await aFacility(server.db);
  await server.db.updateTable('facility').set({ class_of_trade: 'Clinic' }).where('id', '=', clinic.id).execute();
  await aDecision(rep, {
    facility: clinic,
    statusId: 'Won',
    totalAmount: 100,
    sent: '2026-03-01T15:00:00Z',
    decided: '2026-03-02T15:00:00Z',
  });
  // Still March 31st in New York.
  await aDecision(rep, {
    statusId: 'Won',
    totalAmount: 10,
    sent: '2026-03-31T15:00:00Z',
    decided: '2026-04-01T03:00:00Z',
  });
  const by = (reason: string, competitor: string, price: number | null) => ({
    lost: { lost_reason: reason, lost_competitor: competitor, lost_competitor_price: price },
  });
  const may = { statusId: 'Lost' as const, sent: '2026-05-01T15:00:00Z', decided: '2026-05-11T15:00:00Z' };
  await aDecision(rep, { ...may, ...by('price', 'Acme', 100), totalAmount: 108 });
  await aDecision(rep, { ...may, ...by('price', 'ACME', 50), totalAmount: 50 });
  await aDecision(rep, { ...may, ...by('timing', '', null), totalAmount: 7 });

  const report = await server.ok(Report.GetWonLost, ALWAYS, { as: rep });
  expect(report.perMonth.map(({ key, name, won, wonAmount, lost }) => [key, name, won, wonAmount, lost])).toEqual([
    ['2026-03', 'March 2026', 2, 110, 0],
    ['2026-04', 'April 2026', 0, 0, 0],
    ['2026-05', 'May 2026', 0, 0, 3],
  ]);
  expect(report.byReason.map(({ name, count, amount }) => [name, count, amount])).toEqual([
    ['Price', 2, 158],
    ['Bad timing or postponed', 1, 7],
  ]);
  expect(report.byCompetitor.map(({ key, count, amount }) => [key, count, amount])).toEqual([
    ['acme', 2, 158],
    ['none', 1, 7],
  ]);
  expect(report.priceGap).toMatchObject({ count: 2, amount: 158, theirAmount: 150, gapPct: 5.33 });
  expect(report.priceGap.bars.map(({ key, count }) => [key, count])).toEqual([
    ['0', 1],
    ['5', 0],
    ['10', 1],
    ['20', 0],
    ['21', 0],
  ]);
  expect(report.byClassOfTrade.map(({ name, won, lost }) => [name, won, lost])).toEqual([
    ['No class of trade', 1, 3],
    ['Clinic', 1, 0],
  ]);
  expect(
    report.daysToDecide.filter(({ won, lost }) => won + lost > 0).map(({ key, won, lost }) => [key, won, lost]),
  ).toEqual([
    ['0', 1, 0],
    ['1-3', 1, 0],
    ['8-14', 0, 3],
  ]);
  const march = await server.ok(Report.GetWonLost, { from: '2026-03-01', to: '2026-03-31' }, { as: rep });
  expect(march.total).toMatchObject({ won: 2, lost: 0 });
});
