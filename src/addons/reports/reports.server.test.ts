// Tests what applies to every report: figures are the sums of their lists, hidden quotes change nothing, only internal users get the cost.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { aReportCompany, REPORT_DAYS, REPORT_NOW } from '#testing/a-report-company.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import {
  checkList,
  figuresOf,
  FILTERS,
  listOf,
  MORE,
  oneOfEachKind,
  REPORTS,
} from '#testing/reports/figures-and-lists.server.ts';
import { Report } from './reports.contract.ts';

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
  const DAYS = { ...REPORT_DAYS, ...MORE[name] };
  it.each(FILTERS)(
    'figures are the sums of the lists they lead to: %s',
    { timeout: 60_000 },
    async (filter, narrowed) => {
      const filters = { ...REPORT_DAYS, ...narrowed(company) };
      const figures = figuresOf(await server.ok(endpoint, { ...filters, ...MORE[name] }, { as: admin }));
      expect(figures.length).toBeGreaterThan(1);
      expect(figures.filter(({ count }) => count !== 0).length).toBeGreaterThan(0);
      // All kinds without a filter. Each filter tests others of them.
      const index = FILTERS.findIndex(([known]) => known === filter);
      const tried = oneOfEachKind(figures).filter((_figure, n) => index === 0 || n % 5 === index - 1);
      for (const figure of tried) await checkList(server, { figure, filters, as: admin });
    },
  );

  it('quotes out of sight change nothing', async () => {
    const rep = await aUser(server.db);
    await aPricedQuote(server.db, { salesRepId: rep.id });
    const before = await server.ok(endpoint, DAYS, { as: rep });
    await aPricedQuote(server.db, { statusId: 'Won' });
    await aPricedQuote(server.db, { statusId: 'SentToCustomer' });
    const after = await server.ok(endpoint, DAYS, { as: rep });
    expect({ ...(after as object), asOf: '' }).toEqual({ ...(before as object), asOf: '' });
  });

  it('refuses days in the wrong order, and people without an account', async () => {
    const wrong = await server.call(endpoint, { ...DAYS, from: '2026-03-02', to: '2026-03-01' }, { as: admin });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'to' }] } });
    expect((await server.call(endpoint, DAYS)).status).toBe(401);
  });

  it(`answers nothing of nothing: ${name}`, async () => {
    const body = await server.ok(endpoint, DAYS, { as: await aUser(server.db) });
    expect(body).toMatchObject({ preparing: null, currencies: [], currnIdx: 1007 });
    for (const { slice, count, amount } of figuresOf(body))
      expect({ slice, count, amount: amount ?? 0 }).toEqual({ slice, count: 0, amount: 0 });
  });
});

describe('the list behind a figure', () => {
  it('refuses what no report says', async () => {
    for (const slice of [
      '',
      'status',
      'status:Maybe',
      'bridge:up',
      'week:soon:sent',
      'week:2026-99-99:sent',
      'status:Won:more',
      '%',
      'constructor:x',
    ]) {
      const { status } = await server.call(Report.GetReportQuotes, { ...REPORT_DAYS, slice }, { as: admin });
      expect({ slice, status }).toEqual({ slice, status: 422 });
    }
  });

  it('sorts by every column and pages', async () => {
    const filters = { ...REPORT_DAYS, slice: 'status:Won' };
    const all = await listOf(server, { filters: REPORT_DAYS, slice: 'status:Won', as: admin });
    expect(all.count).toBeGreaterThan(5);
    for (const field of ['num', 'totalAmount', 'facilityName', 'salesRep', 'sliceAmount', 'quoteDate'] as const) {
      const sort = { field, dir: 'asc' as const };
      const { records } = await server.ok(Report.GetReportQuotes, { ...filters, pageSize: 200, sort }, { as: admin });
      expect(records.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        all.records.map(({ id }) => id).toSorted((a, b) => a - b),
      );
      if (field !== 'sliceAmount' && field !== 'totalAmount') continue;
      const amounts = records.map(({ totalAmount }) => totalAmount);
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    }
  });

  it('is exported whole', async () => {
    const { count } = await listOf(server, { filters: REPORT_DAYS, slice: 'status:Won', as: admin });
    const { bytes, status } = await server.call(
      Report.ExportReportQuotes,
      { ...REPORT_DAYS, slice: 'status:Won' },
      { as: admin },
    );
    expect(status).toBe(200);
    const rows = bytes.toString('utf8').trim().split('\r\n');
    expect(rows.length).toBe(count + 1);
    expect(rows[0]).toContain('Facility');
  });
});

test('a rep gets their own figures, and the currencies of their quotes', async () => {
  const [rep] = company.reps;
  const all = await server.ok(Report.GetPipeline, REPORT_DAYS, { as: admin });
  const own = await server.ok(Report.GetPipeline, REPORT_DAYS, { as: rep?.id ?? 0 });
  const { rows } = {
    rows: await server.db
      .selectFrom('quote')
      .select(['currn_idx'])
      .where('owner_id', '=', rep?.id ?? 0)
      .execute(),
  };
  const sum = (list: { count: number }[]) => list.reduce((total, { count }) => total + count, 0);
  expect(sum(own.currencies)).toBe(rows.length);
  expect(sum(own.byStatus)).toBe(rows.filter(({ currn_idx: index }) => index === 1007).length);
  expect(sum(all.byStatus)).toBeGreaterThan(sum(own.byStatus));
});

test('a key with Report:read reads within the sight of its owner, and no other scope does', async () => {
  const [rep] = company.reps;
  const keyOf = async (scopes: string[]) => {
    const created = await server.ok(
      ApiKey.SaveApiKey,
      { name: scopes.join(), ownerId: rep?.id ?? 0, scopes },
      { as: admin },
    );
    return { authorization: `Bearer ${created.key ?? ''}` };
  };
  const headers = await keyOf(['Report:read']);
  const { body } = await server.call(Report.GetPipeline, REPORT_DAYS, { headers });
  const own = await server.ok(Report.GetPipeline, REPORT_DAYS, { as: rep?.id ?? 0 });
  expect(body.byStatus).toEqual(own.byStatus);
  const other = await server.call(Report.GetPipeline, REPORT_DAYS, { headers: await keyOf(['QuoteSearch:read']) });
  expect(other.status).toBe(403);
});
