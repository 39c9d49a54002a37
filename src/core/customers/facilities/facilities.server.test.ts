// Tests finding facilities over HTTP: keyword rules, order of results, and the data that a quote needs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGpo, aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilitySearch } from './facilities.contract.ts';

let server: TestServer;
let user: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  user = await aUser(server.db);
});
afterAll(() => server.close());

const search = async (keyword: string) =>
  (await server.ok(FacilitySearch.GetFacilitiesByKeyWord, { keyword }, { as: user })).map((hit) => hit.name);

test('every word must match the name, the account number, the city or the ZIP', async () => {
  const { db } = server;
  await aFacility(db, { name: 'St. Zyx Medical Center', acctNo: '990012', zip: '99501' });
  await aFacility(db, { name: 'Zyx 100%_Care', acctNo: '880012', zip: '99502-1234' });
  await aFacility(db, { name: 'Zyx Closed', active: false });
  await aFacility(db, { name: "Qux-White Children's", acctNo: '12-34.5' });
  for (const [keyword, names] of [
    ['zyx', ['Zyx 100%_Care', 'St. Zyx Medical Center']],
    ['center  ZYX', ['St. Zyx Medical Center']],
    ['zyx chicago', ['Zyx 100%_Care', 'St. Zyx Medical Center']],
    ['zyx 99501', ['St. Zyx Medical Center']],
    ['99502', ['Zyx 100%_Care']],
    ['0012 zyx', ['St. Zyx Medical Center', 'Zyx 100%_Care']],
    ['zyx 0%_', ['Zyx 100%_Care']],
    ['zyx _%', []],
    ['st zyx', ['St. Zyx Medical Center']],
    ["st. zyx's", []],
    ['zyx \\', []],
    ['qux white childrens', ["Qux-White Children's"]],
    ['qux-white children’s', ["Qux-White Children's"]],
    ['12-34.5', ["Qux-White Children's"]],
    ['', []],
    ['   ', []],
  ] as const) {
    expect([keyword, await search(keyword)]).toEqual([keyword, names]);
  }
});

test('the best 20: the exact account number, account numbers with that prefix, names with that prefix, then by name', async () => {
  const { db } = server;
  for (let n = 0; n < 22; n++)
    await aFacility(db, { name: `Ward ${String(n).padStart(2, '0')} of 4455`, acctNo: `7-${n}-4455x` });
  await aFacility(db, { name: '4455 Main Clinic', acctNo: '71' });
  await aFacility(db, { name: 'Zeta', acctNo: '44551' });
  await aFacility(db, { name: 'Omega', acctNo: '004455' });
  const names = await search('4455');
  expect(names).toHaveLength(20);
  expect(names.slice(0, 5)).toEqual(['Omega', 'Zeta', '4455 Main Clinic', 'Ward 00 of 4455', 'Ward 01 of 4455']);
});

test('reads the facility data that a quote needs', async () => {
  const { db } = server;
  const [sales, cs] = [await aUser(db), await aUser(db, { roles: ['csrep'] })];
  const territory = await aTerritory(db, { zips: ['10001'], sales: sales.id, cs: cs.id });
  const parent = await aFacility(db, { name: 'The Group' });
  const facility = await aFacility(db, { zip: '10001-0001', parentId: parent.id, currnIdx: 1009, taxRate: 6.25 });
  const [primary, ended] = [await aGpo(db), await aGpo(db)];
  await aMembership(db, { facilityId: facility.id, gpoId: primary.id, primary: true });
  await db
    .insertInto('gpo_membership')
    .values({ facility_id: facility.id, gpo_id: ended.id, valid_from: '2020-01-01', valid_to: '2021-01-01' })
    .execute();
  const data = await server.ok(FacilitySearch.GetFacilityDataById, { id: facility.id }, { as: user });
  expect(data).toMatchObject({
    id: facility.id,
    acctNo: facility.acctNo,
    name: facility.name,
    city: 'Chicago',
    zip: '10001-0001',
    parent: { id: parent.id, name: 'The Group' },
    currnIdx: 1009,
    taxRate: 6.25,
    active: true,
    contacts: [{ title: 'Purchasing', phone: '555-0100' }],
    reps: {
      territory: { id: territory.id, name: territory.name },
      salesRep: { id: sales.id, name: sales.fullName },
      csRep: { id: cs.id, name: cs.fullName },
      isRep: null,
      why: 'zip',
    },
  });
  expect(data.memberships.map((membership) => [membership.gpo, membership.primary])).toEqual([[primary.name, true]]);
});

test('refuses unknown facilities, wrong input, and callers without a token', async () => {
  expect((await server.call(FacilitySearch.GetFacilityDataById, { id: 2_000_000_000 }, { as: user })).status).toBe(404);
  expect((await server.call(FacilitySearch.GetFacilityDataById, { id: 'one' }, { as: user })).status).toBe(422);
  expect(
    (await server.call(FacilitySearch.GetFacilitiesByKeyWord, { keyword: 'x'.repeat(201) }, { as: user })).status,
  ).toBe(422);
  for (const endpoint of Object.values(FacilitySearch))
    expect((await server.call(endpoint, { id: 1 })).status).toBe(401);
});
