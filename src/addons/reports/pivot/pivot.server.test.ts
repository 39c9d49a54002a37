// Tests pivots: what they refuse, who gets no margin, hidden quotes, and what they omit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aReportCompany, REPORT_DAYS, REPORT_NOW } from '#testing/a-report-company.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { type PivotReport, Report } from '../reports.contract.ts';
import { type Dimension, DIMENSIONS, MAX_ROWS, OF_LINES } from '../pivot-choice.ts';

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

const STANDARD = { ...REPORT_DAYS, rows: 'region', columns: 'month', measure: 'amount' } as const;
const namesOf = ({ rows }: PivotReport) => rows.map(({ name }) => name);

test('refuses a dimension twice, and what it does not know', async () => {
  const ask = (more: object) => server.call(Report.GetPivot, { ...STANDARD, ...more }, { as: admin });
  expect(await ask({ columns: 'region' })).toMatchObject({ status: 422, body: { errors: [{ path: 'columns' }] } });
  for (const more of [{ rows: 'owner_id' }, { measure: 'cost' }, { columns: '' }])
    expect({ more, status: (await ask(more)).status }).toEqual({ more, status: 422 });
});

test.each(DIMENSIONS)('%s: every row has a name, and totals are those of all quotes', async (rows) => {
  const columns: Dimension = rows === 'status' ? 'month' : 'status';
  const pivot = await server.ok(Report.GetPivot, { ...STANDARD, rows, columns, measure: 'quotes' }, { as: admin });
  expect(pivot.rows.length).toBeGreaterThan(1);
  expect(pivot.rows.filter(({ key, name }) => name === '' || (/^\d+$|^none$/.test(key) && name === key))).toEqual([]);
  // A quote may have no line that is included in its total.
  const all = await server.ok(Report.GetPivot, { ...STANDARD, measure: 'quotes' }, { as: admin });
  const whole = all.total.value ?? 0;
  expect(pivot.total.value).toSatisfy((value: number) => (OF_LINES.has(rows) ? value <= whole : value === whole));
  for (const row of pivot.rows) {
    const sum = row.cells.reduce((total, cell) => total + (cell?.value ?? 0), 0);
    expect(sum).toBe(row.total.value);
  }
});

test('months and statuses stand in their order, others the largest first', async () => {
  const pivot = await server.ok(Report.GetPivot, { ...STANDARD, rows: 'rep' }, { as: admin });
  const months = pivot.columns.map(({ key }) => key);
  expect(months).toEqual(['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11']);
  const totals = pivot.rows.map(({ total }) => total.value ?? 0);
  expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  const byStatus = await server.ok(Report.GetPivot, { ...STANDARD, rows: 'status' }, { as: admin });
  expect(namesOf(byStatus).slice(0, 3)).toEqual(['Editing', 'Waiting For Process', 'Processing']);
  expect(namesOf(byStatus)).not.toContain('Cancelled');
});

test('no margin for roles that may not know the cost, neither in the answer nor in its lists', async () => {
  const [rep] = company.reps;
  const ask = (as: { id: number }) => server.call(Report.GetPivot, { ...STANDARD, measure: 'margin' }, { as });
  expect((await ask({ id: rep?.id ?? 0 })).status).toBe(403);
  const { body } = await ask(admin);
  const [row] = body.rows;
  expect(row?.total.value).toBeGreaterThan(0);
  const list = { ...REPORT_DAYS, slice: row?.total.slice ?? '' };
  expect((await server.call(Report.GetReportQuotes, list, { as: admin })).status).toBe(200);
  expect((await server.call(Report.GetReportQuotes, list, { as: rep?.id ?? 0 })).status).toBe(403);
  expect((await server.call(Report.ExportReportQuotes, list, { as: rep?.id ?? 0 })).status).toBe(403);
});

test('a rep learns nothing of quotes out of sight, not even the names of their facilities', async () => {
  const rep = await aUser(server.db);
  const [own, others] = [await aFacility(server.db), await aFacility(server.db)];
  await aPricedQuote(server.db, { salesRepId: rep.id, facility: own });
  await aPricedQuote(server.db, { facility: others });
  const days = { from: '2000-01-01', to: '2099-12-31' };
  const pivot = await server.ok(Report.GetPivot, { ...STANDARD, ...days, rows: 'facility' }, { as: rep });
  expect(namesOf(pivot)).toEqual([own.name]);
  expect(pivot.total).toMatchObject({ count: 1 });
  const title = async (id: number) => {
    const slice = `pivot:amount:facility:${id}::`;
    return (await server.ok(Report.GetReportQuotes, { ...days, slice, page: 1, pageSize: 20 }, { as: rep })).title;
  };
  expect(await title(own.id)).toBe(`Amount, ${own.name}`);
  expect(await title(others.id)).toBe('Amount');
});

test('competitors keep the spelling of people, and who writes None names nobody', async () => {
  const rep = await aUser(server.db);
  for (const [lost_competitor, total_amount] of [
    ['Northline', 100],
    ['none', 30],
    ['', 5],
  ] as const) {
    const { id } = await aQuote(server.db, { salesRepId: rep.id, statusId: 'Lost' });
    await server.db.updateTable('quote').set({ lost_competitor, total_amount }).where('id', '=', id).execute();
  }
  const days = { from: '2000-01-01', to: '2099-12-31' };
  const request = { ...days, rows: 'competitor', columns: null, measure: 'amount', repId: rep.id } as const;
  const { rows } = await server.ok(Report.GetPivot, request, { as: admin });
  expect(rows.map(({ name, total }) => [name, total.value])).toEqual([
    ['Northline', 100],
    ['Not lost, or no competitor named', 35],
  ]);
  for (const { total } of rows) {
    const list = { ...days, repId: rep.id, slice: total.slice, page: 1, pageSize: 20 };
    expect(await server.ok(Report.GetReportQuotes, list, { as: admin })).toMatchObject({ amount: total.amount });
  }
});

test('shows the largest rows and the number of all rows, and totals count them all', async () => {
  const rep = await aUser(server.db);
  for (let n = 0; n < MAX_ROWS + 3; n++) {
    // Each quote has a different facility.
    const quote = await aQuote(server.db, { salesRepId: rep.id });
    await server.db
      .updateTable('quote')
      .set({ total_amount: n + 1 })
      .where('id', '=', quote.id)
      .execute();
  }
  const days = { from: '2000-01-01', to: '2099-12-31' };
  const pivot = await server.ok(
    Report.GetPivot,
    { ...days, rows: 'facility', columns: null, measure: 'amount', repId: rep.id },
    { as: admin },
  );
  expect(pivot.rowCount).toBe(MAX_ROWS + 3);
  expect(pivot.rows.map(({ total }) => total.value)).toEqual(
    Array.from({ length: MAX_ROWS }, (_, at) => MAX_ROWS + 3 - at),
  );
  expect(pivot.columns).toEqual([]);
  expect(pivot.total).toMatchObject({ count: 203, value: (203 * 204) / 2 });
});

test('a key with Report:read reads within the sight of its owner', async () => {
  const [rep] = company.reps;
  const created = await server.ok(
    ApiKey.SaveApiKey,
    { name: 'pivot', ownerId: rep?.id ?? 0, scopes: ['Report:read'] },
    { as: admin },
  );
  const headers = { authorization: `Bearer ${created.key ?? ''}` };
  const { body } = await server.call(Report.GetPivot, STANDARD, { headers });
  const own = await server.ok(Report.GetPivot, STANDARD, { as: rep?.id ?? 0 });
  expect({ ...body, asOf: '' }).toEqual({ ...own, asOf: '' });
});

test('slices of no pivot are refused', async () => {
  for (const slice of [
    'pivot:amount:rep:1:rep:2',
    'pivot:amount:rep:1::2026-01',
    'pivot:cost:rep:1::',
    'pivot:amount:rep',
  ])
    expect((await server.call(Report.GetReportQuotes, { ...REPORT_DAYS, slice }, { as: admin })).status).toBe(422);
  // An impossible key selects nothing.
  for (const slice of ['pivot:amount:month:soon::', 'pivot:amount:rep:x::', 'pivot:quotes:class:99999999999::']) {
    const list = await server.ok(
      Report.GetReportQuotes,
      { ...REPORT_DAYS, slice, page: 1, pageSize: 20 },
      { as: admin },
    );
    expect(list.count).toBe(0);
  }
});
