// Tests the list of facilities over HTTP: filters, order, pages, export, and that only signed-in users read it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityList } from './facility-list.contract.ts';

let server: TestServer;
let user: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  user = await aUser(server.db);
  await aFacility(server.db, { name: 'Vex Alpha', acctNo: '77003', zip: '99501' });
  await aFacility(server.db, { name: 'vex beta', acctNo: '77001', zip: '99502' });
  await aFacility(server.db, { name: 'Vex Closed', acctNo: '77002', active: false });
});
afterAll(() => server.close());

const list = (criteria: object) =>
  server.ok(FacilityList.GetAllFacilities, { keyword: 'vex', page: 1, pageSize: 50, ...criteria }, { as: user });
const names = async (criteria: object) => (await list(criteria)).records.map(({ name }) => name);

test('filters by words and by state, sorts and pages', async () => {
  expect(await names({})).toEqual(['Vex Alpha', 'vex beta', 'Vex Closed']);
  expect(await names({ active: true })).toEqual(['Vex Alpha', 'vex beta']);
  expect(await names({ active: false })).toEqual(['Vex Closed']);
  expect(await names({ keyword: 'vex 99502' })).toEqual(['vex beta']);
  expect(await names({ keyword: 'vex nowhere' })).toEqual([]);
  expect(await names({ sort: { field: 'acctNo', dir: 'desc' } })).toEqual(['Vex Alpha', 'Vex Closed', 'vex beta']);
  const second = await list({ page: 2, pageSize: 2 });
  expect(second).toMatchObject({ total: 3, pageCount: 2, records: [{ name: 'Vex Closed', active: false }] });
});

test('the file has every match', async () => {
  const criteria = { keyword: 'vex', active: true };
  const { status, bytes } = await server.call(FacilityList.ExportFacilities, criteria, { as: user });
  expect(status).toBe(200);
  const text = bytes.toString('utf8');
  expect(text).toContain('Account,Facility,City,State,ZIP,Class of trade,Price level,Active');
  expect(text).toContain('77001');
  expect(text).not.toContain('77002');
});

test('refuses callers who are signed out', async () => {
  for (const call of [FacilityList.GetAllFacilities, FacilityList.ExportFacilities])
    expect((await server.call(call, {})).status).toBe(401);
});
