// Tests files that name several facilities: one analysis for each, and the user's decision if it is unclear whose the rows are.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { Savings } from '../savings.contract.ts';

const { server, office } = await startOffice();
const { db } = server;
afterAll(() => server.close());

let east: { id: number; name: string; acctNo: string };
const hidden = { name: 'Saint Hidden' };
beforeAll(async () => {
  await anItem(db, { number: 'GL-2210', units: { EA: 1, BX: 100 }, prices: [{ unit: 'BX', price: 8 }] });
  const { ship_to_zip: zip } = await db
    .selectFrom('facility')
    .select('ship_to_zip')
    .where('id', '=', office.facility.id)
    .executeTakeFirstOrThrow();
  const created = await aFacility(db, { name: 'Saint East', zip });
  const { acct_no: acctNo } = await db
    .selectFrom('facility')
    .select('acct_no')
    .where('id', '=', created.id)
    .executeTakeFirstOrThrow();
  east = { id: created.id, name: 'Saint East', acctNo };
  // No one in the office serves this ZIP.
  const outside = await aFacility(db, hidden);
  await db.updateTable('facility').set({ ship_to_zip: '99950' }).where('id', '=', outside.id).execute();
});

const HEAD = 'Ship-to,Account No,Item #,Description,UOM,Annual Qty,Price\n';
const file = (rows: readonly string[], head = HEAD) => ({
  name: 'usage.csv',
  bytes: Buffer.from(head + rows.join('\n')),
});
const row = (name: string, number: string, qty: number) => `${name},${number},GL-2210,Glove,BX,${qty},9`;
const find = (rows: string[], as = office.rep) => server.ok(Savings.FindUsageFacilities, {}, { as, file: file(rows) });
const send = (rows: string[], overrides: Record<string, unknown> = {}) =>
  server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12, ...overrides },
    { as: office.rep, file: file(rows) },
  );
type Made = { id: number; others: { id: number; facility: { id: number } }[] };
async function quantitiesOf(id: number) {
  const { records } = await server.ok(Savings.SearchAnalysisRows, { id, pageSize: 50 }, { as: office.rep });
  return records.map(({ rowNo, qtyPerYear }) => [rowNo, qtyPerYear]);
}
const count = async () =>
  Number(
    (
      await db
        .selectFrom('savings_analysis')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

it('makes one analysis for each facility, by number and by name', async () => {
  const mine = office.facility.name;
  const rows = [
    row(mine, '', 1),
    row('Somewhere', east.acctNo, 2),
    row(mine.toUpperCase(), '', 3),
    row('saint east', '', 4),
  ];
  expect((await find(rows)).facilities.map(({ rows: n, facility }) => [n, facility?.id])).toEqual([
    [2, office.facility.id],
    [1, east.id],
    [1, east.id],
  ]);
  const { status, body } = await send(rows);
  expect(status).toBe(200);
  const { id, others } = body as unknown as Made;
  await server.drain();
  expect(others.map(({ facility }) => facility.id)).toEqual([east.id]);
  expect(await quantitiesOf(id)).toEqual([
    [2, 1],
    [4, 3],
  ]);
  expect(await quantitiesOf(others[0]?.id ?? 0)).toEqual([
    [3, 2],
    [5, 4],
  ]);
  const analysis = await server.ok(Savings.GetAnalysis, { id }, { as: office.rep });
  expect(analysis).toMatchObject({
    name: `${mine}: usage`,
    facility: { id: office.facility.id },
    notes: [expect.stringContaining('(2 rows)')],
  });
  // The rows stay with their facility when the file is read again.
  await server.ok(
    Savings.SetUsageColumns,
    { id, version: analysis.version, fields: [null, null, 'itemNo', 'description', 'unit', 'qtyPerYear', 'price'] },
    { as: office.rep },
  );
  await server.drain();
  expect((await quantitiesOf(id)).length).toBe(2);
  const other = await server.call(
    Savings.SetUsageColumns,
    { id, version: analysis.version + 1, headerLine: 2 },
    { as: office.rep },
  );
  expect(other.status).toBe(409);
  // Each has a copy of the file.
  const { version } = await server.ok(Savings.GetAnalysis, { id }, { as: office.rep });
  await server.ok(Savings.DeleteAnalysis, { id, version }, { as: office.rep });
  expect((await server.ok(Savings.GetAnalysis, { id: others[0]?.id ?? 0 }, { as: office.rep })).rowCount).toBe(2);
});

it('makes nothing before a person says whose unknown rows are', async () => {
  const rows = [row(office.facility.name, '', 1), row(hidden.name, '', 2), row('', '', 3)];
  const { facilities } = await find(rows);
  // A facility that the user does not see is treated like one that does not exist.
  expect(facilities.map(({ name, facility }) => [name, facility?.id ?? null])).toEqual([
    [office.facility.name, office.facility.id],
    [hidden.name, null],
    ['', null],
  ]);
  const before = await count();
  const request = await send(rows);
  expect(request.status).toBe(422);
  expect(request.body).toMatchObject({
    errors: [
      { path: 'facilities', message: `Choose a facility for these rows: ${hidden.name} (1 row); no facility (1 row).` },
    ],
  });
  expect((await send(rows, { facilities: JSON.stringify([office.facility.id]) })).status).toBe(422);
  expect((await send(rows, { facilities: JSON.stringify([null, null, null]) })).status).toBe(422);
  expect((await send(rows, { facilities: JSON.stringify([office.facility.id, 99_999_999, null]) })).status).toBe(422);
  expect((await send(rows, { facilities: 'no list' })).status).toBe(422);
  expect(await count()).toBe(before);

  const { body } = await send(rows, { facilities: JSON.stringify([office.facility.id, office.facility.id, null]) });
  await server.drain();
  const { id, others } = body as unknown as Made;
  expect(others).toEqual([]);
  expect(await quantitiesOf(id)).toEqual([
    [2, 1],
    [3, 2],
  ]);
  const { notes } = await server.ok(Savings.GetAnalysis, { id }, { as: office.rep });
  expect(notes).toContain('Left out: no facility (1 row).');
});

it('takes all rows for one facility when a person says so, or when the file names one that nobody knows', async () => {
  for (const [rows, input] of [
    [[row('Alpha', '', 1), row('Alpha', '', 2)], { facilities: '' }],
    [[row('Alpha', '', 1), row('Beta', '', 2)], { divide: 'none' }],
    [[row('Alpha', '77', 1), row('Alpha', '77', 2)], {}],
  ] as const) {
    const { status, body } = await send([...rows], input);
    expect(status).toBe(200);
    await server.drain();
    expect((await quantitiesOf((body as unknown as Made).id)).map(([, qty]) => qty)).toEqual([1, 2]);
  }
});

it('asks when the file names another facility than the chosen one, and when number and name differ', async () => {
  expect((await send([row('Saint East', '', 1)])).status).toBe(422);
  const { facilities } = await find([row(office.facility.name, east.acctNo, 1)]);
  expect(facilities).toMatchObject([{ facility: null }]);
});

it('refuses columns that would put several facilities into one analysis', async () => {
  const head = 'Alpha,Beta,Gamma,Delta\n';
  const { body } = await server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep, file: file(['East,GL-2210,BX,5', 'West,GL-2210,BX,6'], head) },
  );
  const { id } = body as unknown as Made;
  const { version } = await server.ok(Savings.GetAnalysis, { id }, { as: office.rep });
  const set = (fields: (string | null)[]) =>
    server.call(Savings.SetUsageColumns, { id, version, fields: fields as never }, { as: office.rep });
  expect((await set(['facility', 'itemNo', 'unit', 'qty'])).status).toBe(422);
  expect((await set([null, 'itemNo', 'unit', 'qty'])).status).toBe(200);
});

it('names no more than so many facilities', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => row(`Clinic ${at}`, '', 1));
  expect(await find(rows)).toMatchObject({ more: true });
  expect((await send(rows)).status).toBe(422);
});
