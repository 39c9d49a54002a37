// Tests who serves a ZIP or a facility: by override, by ZIP, or no one; today and on past days.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aFacility, aRegion, aSalesOffice, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { TerritoryAdmin } from '../territory-admin.contract.ts';
import { TazApi } from './find-rep.contract.ts';

let server: TestServer;
let cs: { id: number };
let day: string;
beforeAll(async () => {
  server = await startTestServer();
  cs = await aUser(server.db, { roles: ['csrep'] });
  day = today(server.services, await loadCompany(server.db));
});
afterAll(() => server.close());

const find = (input: Parameters<typeof server.ok<typeof TazApi.searchRepsForWebQuote>>[1]) =>
  server.ok(TazApi.searchRepsForWebQuote, input, { as: cs });

it('names the people with phone and mail, and why: the ZIP, or an override and its reason', async () => {
  const { db } = server;
  const office = await aSalesOffice(db);
  await db.insertInto('zip').values({ zip5: office.zip, city: 'Fargo', state: 'ND' }).execute();
  const byZip = await find({ zip: `${office.zip}-1234` });
  expect(byZip).toMatchObject({
    date: day,
    zip: office.zip,
    city: 'Fargo',
    state: 'ND',
    facility: null,
    why: 'zip',
    from: '2020-01-01',
    territory: { id: office.territory.id },
    region: office.region,
    reps: [
      { role: 'sales', id: office.rep.id, email: office.rep.userName, phone: expect.stringMatching(/^555-01/) },
      { role: 'cs', id: office.cs.id },
      { role: 'is', id: office.inside.id },
    ],
    call: [],
  });
  const { facility } = office;
  expect(await find({ facilityId: facility.id })).toMatchObject({ facility, why: 'zip', zip: office.zip });
  const manager = await aUser(db, { roles: ['salesQuoteManager'] });
  const special = await aTerritory(db, { name: 'Special', manager: manager.id });
  await db
    .insertInto('account_override')
    .values({ facility_id: facility.id, territory_id: special.id, reason: 'Key account', valid_from: day })
    .execute();
  expect(await find({ facilityId: facility.id })).toMatchObject({
    why: 'override',
    reason: 'Key account',
    from: day,
    territory: { name: 'Special' },
    reps: [{ role: 'manager', id: manager.id }],
  });
  expect((await find({ facilityId: facility.id, date: addDays(day, -1) })).why).toBe('zip');
  expect((await find({ zip: office.zip })).why).toBe('zip');
});

it('says whom to call: the manager of the region, else the sales administrators', async () => {
  const { db } = server;
  const region = await aRegion(db, { name: 'Gulf' });
  await aTerritory(db, { regionId: region.id, zips: ['57001'] });
  const keeper = await aUser(db, { roles: ['salesadmin'], fullName: 'AAA Keeper' });
  expect(await find({ zip: '57001' })).toMatchObject({ why: 'zip', reps: [] });
  expect((await find({ zip: '57001' })).call[0]).toMatchObject({ id: keeper.id, as: 'Sales administrator' });
  const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] });
  expect((await find({ zip: '57001' })).call).toMatchObject([{ id: manager.id, as: 'Manager of Gulf' }]);
  const none = await find({ zip: '57999' });
  expect(none).toMatchObject({ why: 'none', territory: null, region: null, reps: [] });
  expect(none.call[0]).toMatchObject({ id: keeper.id });
});

it('answers for a past day, including people who left and a territory deactivated since', async () => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const [gone, fresh] = [await aUser(db, { fullName: 'Gone By' }), await aUser(db, { fullName: 'Fresh Face' })];
  const territory = await aTerritory(db, { zips: ['58001'] });
  const rep = (user_id: number, valid_from: string, valid_to: string | null) =>
    db
      .insertInto('territory_rep')
      .values({ territory_id: territory.id, role: 'sales', user_id, valid_from, valid_to })
      .execute();
  await rep(gone.id, '2020-01-01', '2026-06-30');
  await rep(fresh.id, '2026-07-01', null);
  await db.updateTable('app_user').set({ active: false }).where('id', '=', gone.id).execute();
  const sales = async (date: string) => (await find({ zip: '58001', date })).reps.map(({ name }) => name);
  expect(await sales('06/30/2026')).toEqual(['Gone By']);
  expect(await sales('2026-07-01')).toEqual(['Fresh Face']);
  expect(await sales('2019-12-31')).toEqual([]);

  await server.ok(
    TerritoryAdmin.InactiveOrActiveTerritory,
    { id: territory.id, active: false, version: 1 },
    { as: admin },
  );
  expect((await find({ zip: '58001' })).why).toBe('none');
  expect(await sales(addDays(day, -1))).toEqual(['Fresh Face']);
});

it('is for internal users and sales administrators; requires a ZIP or a facility', async () => {
  const { db } = server;
  const call = (input: object, as?: { id: number }) =>
    server.call(TazApi.searchRepsForWebQuote, input, as ? { as } : {});
  expect((await call({ zip: '60601' }, await aUser(db))).status).toBe(403);
  expect((await call({ zip: '60601' })).status).toBe(401);
  expect((await call({ zip: '60601' }, await aUser(db, { roles: ['salesadmin'] }))).status).toBe(200);
  for (const input of [{}, { zip: '' }, { zip: '123' }, { zip: '60601', date: '02/30/2026' }])
    expect((await call(input, cs)).status).toBe(422);
  expect((await call({ facilityId: 999_999 }, cs)).status).toBe(404);
  const closed = await aFacility(db, { active: false, zip: '00001' });
  expect((await call({ facilityId: closed.id }, cs)).status).toBe(200);
});

it('finds the ZIP at a position: the area that contains it, else the nearest center; explains when none fits', async () => {
  const near = (lat: number, lon: number, as = cs) => server.call(TazApi.findNearestZip, { lat, lon }, { as });
  await server.db.deleteFrom('zip').execute();
  expect((await near(41.6, -71.45)).body).toMatchObject({
    detail: expect.stringContaining('place on the map') as string,
  });
  await server.db
    .insertInto('zip')
    .values([
      { zip5: '02818', city: 'East Greenwich', state: 'RI', lat: 41.6374, lon: -71.4865 },
      { zip5: '02816', city: 'Coventry', state: 'RI', lat: 41.6932, lon: -71.6087 },
      { zip5: '96799', city: 'Pago Pago', state: 'AS', lat: -14.3, lon: -170.7 },
      { zip5: '02940', city: 'Providence', state: 'RI' },
    ])
    .execute();
  expect(await server.ok(TazApi.findNearestZip, { lat: 41.637, lon: -71.487 }, { as: cs })).toEqual({
    zip: '02818',
    city: 'East Greenwich',
    state: 'RI',
  });
  expect(await server.ok(TazApi.findNearestZip, { lat: -14.301, lon: -170.701 }, { as: cs })).toMatchObject({
    zip: '96799',
  });
  // London, and a place far from every ZIP.
  for (const [lat, lon] of [
    [51.5, -0.1],
    [39, -98],
  ] as const)
    expect([(await near(lat, lon)).status, (await near(lat, lon)).body]).toMatchObject([
      422,
      { detail: 'Your location is outside the country. Enter a ZIP.' },
    ]);
  for (const input of [{ lat: 91, lon: 0 }, { lat: 'x', lon: 0 }, { lat: 41 }, {}])
    expect((await server.call(TazApi.findNearestZip, input as never, { as: cs })).status).toBe(422);
  for (const role of ['salesrep', 'contractdept', 'salessupport'] as const)
    expect((await near(41.6, -71.4, await aUser(server.db, { roles: [role] }))).status).toBe(403);
});

it('names the states of the map: that of the ZIP, then those with most ZIPs of the territory', async () => {
  const territory = await aTerritory(server.db, { zips: ['02804', '06001', '06002', '19701'] });
  const match = await find({ zip: '02804' });
  expect([match.territory?.id, match.mapStates]).toEqual([territory.id, ['RI', 'CT', 'DE']]);
  expect((await find({ zip: '05001' })).mapStates).toEqual(['VT']);
  expect((await find({ zip: '00001' })).mapStates).toEqual([]);
});
