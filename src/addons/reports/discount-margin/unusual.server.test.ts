// Tests which discounts are unusual: those far above the others, and none if there are too few quotes to compare.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aReportCompany, REPORT_DAYS, REPORT_NOW } from '#testing/a-report-company.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  await aReportCompany(server.db);
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  server.setNow(REPORT_NOW);
});
afterAll(() => server.close());

it('a discount far above the others is unusual, and leads to its quote', async () => {
  const { outliers: before } = await server.ok(Report.GetDiscountMargin, REPORT_DAYS, { as: admin });
  expect(before.abovePct).toBeGreaterThan(0);
  // Prices of one quote fall to almost nothing.
  const { id } = await server.db
    .selectFrom('quote')
    .select('id')
    .where('status_id', '=', 'Processing')
    .where('currn_idx', '=', 1007)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('quote_item')
    .set({ unit_price: 0.01, line_total: 0.01 })
    .where('quote_id', '=', id)
    .execute();
  await server.db.updateTable('quote').set({ subtotal: 0.01 }).where('id', '=', id).execute();
  await server.db
    .insertInto('quote_event')
    .values({ quote_id: id, actor: 'Test', action: 'Edit', revision: 1, user_id: admin.id })
    .execute();
  const { outliers } = await server.ok(Report.GetDiscountMargin, REPORT_DAYS, { as: admin });
  expect(outliers.quotes[0]).toMatchObject({ quoteId: id });
  expect(outliers.quotes[0]?.discountPct).toBeGreaterThan(outliers.abovePct ?? Infinity);
  const list = await server.ok(Report.GetReportQuotes, { ...REPORT_DAYS, slice: outliers.slice }, { as: admin });
  expect(list.count).toBe(outliers.count);
  expect(list.records.map((row) => row.id)).toContain(id);
});

it('few quotes say nothing about what is usual', async () => {
  const few = { from: '2026-06-01', to: '2026-06-03' };
  const { outliers } = await server.ok(Report.GetDiscountMargin, few, { as: admin });
  expect(outliers).toMatchObject({ abovePct: null, count: 0, quotes: [] });
});
