// Tests that each figure of every report is the sum of the list behind it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReportCompany, REPORT_DAYS, REPORT_NOW } from '#testing/a-report-company.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { checkList, figuresOf, FILTERS, MORE, REPORTS } from '#testing/reports/figures-and-lists.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let company: Awaited<ReturnType<typeof aReportCompany>>;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  company = await aReportCompany(server.db);
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  server.setNow(REPORT_NOW);
});
afterAll(() => server.close());

describe.each(REPORTS)('%s', (name, endpoint) => {
  it.each(FILTERS)('each figure is the sum of its list: %s', { timeout: 180_000 }, async (_filter, narrowed) => {
    const filters = { ...REPORT_DAYS, ...narrowed(company) };
    const figures = figuresOf(await server.ok(endpoint, { ...filters, ...MORE[name] }, { as: admin }));
    expect(figures.length).toBeGreaterThan(1);
    for (const figure of figures) await checkList(server, { figure, filters, as: admin });
  });
});
