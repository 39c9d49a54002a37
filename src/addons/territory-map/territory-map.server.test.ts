// Tests the calls of the map: figures by territory, facilities, details of a ZIP, search, and the report; on a day and under a saved map.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { TerritoryMapCalls as Calls } from './territory-map.contract.ts';

let server: TestServer;
let admin: { id: number };
let rep: { id: number };
let day: string;
/** North has two areas and a PO box in Houston, South has one area, and 77005 has no territory. */
let north: { id: number; name: string; regionId: number };
let south: { id: number; name: string };
let planId: number;
beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  admin = await aUser(db, { roles: ['systemadmin'] });
  rep = await aUser(db, { fullName: 'Nora North' });
  day = today(server.services, await loadCompany(db));
  north = await aTerritory(db, { name: 'Houston North', zips: ['77002', '77003', '77001'], sales: rep.id });
  south = await aTerritory(db, { name: 'Houston South', zips: ['77004'] });
  const places = [
    ['77001', 29.8131, -95.3098],
    ['77002', 29.7567, -95.3659],
    ['77003', 29.7491, -95.3458],
    ['77004', 29.7247, -95.3629],
    ['77005', 29.7176, -95.4236],
  ] as const;
  for (const [zip5, lat, lon] of places)
    await db.insertInto('zip').values({ zip5, city: 'Houston', state: 'TX', county: 'Harris', lat, lon }).execute();
  const { id } = await db
    .insertInto('territory_plan')
    .values({ name: 'Next year', owner_id: admin.id, base_day: day, effective_day: addDays(day, 30) })
    .returning('id')
    .executeTakeFirstOrThrow();
  planId = id;
  await db
    .insertInto('territory_plan_move')
    .values([
      { plan_id: id, zip5: '77003', from_territory_id: north.id, to_territory_id: south.id, version: 1 },
      { plan_id: id, zip5: '77001', from_territory_id: north.id, to_territory_id: null, version: 1 },
      { plan_id: id, zip5: '77002', from_territory_id: north.id, to_territory_id: south.id, gone: true, version: 1 },
    ])
    .execute();
});
afterAll(() => server.close());

const figures = async (input: object = {}, as = admin) => {
  const rows = await server.ok(Calls.getAllTerritories, input, { as });
  const figuresOf = (id: number) => rows.find((row) => row.id === id);
  return { north: figuresOf(north.id), south: figuresOf(south.id) };
};

it('counts ZIPs, ZIPs without an area, facilities by override or ZIP, and the open quotes that the caller sees', async () => {
  const { db } = server;
  const here = await aFacility(db, { name: 'Ben Taub', zip: '77003-1234' });
  const moved = await aFacility(db, { name: 'Key Account', zip: '77004' });
  await aFacility(db, { zip: '77002', active: false });
  await db
    .insertInto('account_override')
    .values({ facility_id: moved.id, territory_id: north.id, reason: 'Key', valid_from: '2020-01-01' })
    .execute();
  await aQuote(db, { facility: here, ownerId: rep.id, statusId: 'Processing', totalAmount: 100, currnIdx: 1007 });
  await aQuote(db, { facility: moved, ownerId: admin.id, statusId: 'Processing', totalAmount: 250.5, currnIdx: 1009 });
  await aQuote(db, { facility: here, ownerId: rep.id, statusId: 'Lost', totalAmount: 999 });
  const live = await figures();
  expect(live.north).toMatchObject({
    name: 'Houston North',
    active: true,
    color: null,
    reps: [{ role: 'sales', id: rep.id, name: 'Nora North' }],
    zips: 3,
    pointZips: 1,
    facilities: 2,
    openQuotes: 2,
    openValue: [
      { currnIdx: 1007, amount: 100 },
      { currnIdx: 1009, amount: 250.5 },
    ],
    bbox: [-95.3659, 29.7491, -95.3098, 29.8131],
  });
  expect(live.south).toMatchObject({ zips: 1, pointZips: 0, facilities: 0, openQuotes: 0, openValue: [] });

  // A plan moves the facilities of its ZIPs, except those with an override.
  const planned = await figures({ mapId: planId });
  expect(planned.north).toMatchObject({ zips: 1, pointZips: 0, facilities: 1, openQuotes: 1 });
  expect(planned.south).toMatchObject({ zips: 2, facilities: 1, openValue: [{ currnIdx: 1007, amount: 100 }] });

  const before = await figures({ date: '2019-12-31' });
  expect(before.north).toMatchObject({ zips: 0, facilities: 0, reps: [], bbox: null });

  // A caller who sees fewer quotes gets lower counts.
  const manager = await aUser(db, { roles: ['salesQuoteManager'] });
  expect((await figures({}, manager)).north).toMatchObject({ facilities: 2, openQuotes: 0, openValue: [] });
});

it('filters facilities by serving territory, place, keyword, and open quotes', async () => {
  const { db } = server;
  const find = (input: object) =>
    server.ok(Calls.getFacilitiesForMap, { withOpenQuotes: false, ...input }, { as: admin });
  await aFacility(db, { name: 'Nowhere Clinic', zip: '00000' });
  const all = await find({ territoryIds: [north.id] });
  expect(all.records.map(({ name, why }) => [name, why])).toEqual([
    ['Key Account', 'override'],
    ['Ben Taub', 'zip'],
  ]);
  expect(all).toMatchObject({ total: 2, truncated: false, position: 'zip' });
  expect(all.records[1]).toMatchObject({ zip: '77003', lat: 29.7491, lon: -95.3458, openQuotes: 1 });
  const names = async (input: object) => (await find(input)).records.map(({ name }) => name);
  expect(await names({ territoryIds: [south.id], mapId: planId })).toEqual(['Ben Taub']);
  expect(await names({ bbox: [-95.37, 29.72, -95.36, 29.73] })).toEqual(['Key Account']);
  expect(await names({ keyword: 'ben tau' })).toEqual(['Ben Taub']);
  expect(await names({ withOpenQuotes: true })).toEqual(['Key Account', 'Ben Taub']);
  expect(await find({ keyword: 'Nowhere' })).toMatchObject({ records: [], total: 0, unplaced: 1 });

  // Facilities with open value that the caller sees come first, then the others by name.
  const manager = await aUser(db, { roles: ['salesQuoteManager'] });
  const seen = async (input: object) =>
    (await server.ok(Calls.getFacilitiesForMap, { territoryIds: [north.id], ...input }, { as: manager })).records.map(
      ({ name, openQuotes, openValue }) => [name, openQuotes, openValue],
    );
  expect(await seen({})).toEqual([
    ['Ben Taub', 0, []],
    ['Key Account', 0, []],
  ]);
  expect(await seen({ withOpenQuotes: true })).toEqual([]);
  await aQuote(db, { facility: all.records[0], ownerId: manager.id, statusId: 'Processing', totalAmount: 0 });
  expect(await seen({ withOpenQuotes: true })).toEqual([['Key Account', 1, []]]);
  await aQuote(db, { facility: all.records[0], ownerId: manager.id, statusId: 'Processing', totalAmount: 7 });
  expect(await seen({})).toEqual([
    ['Key Account', 2, [{ currnIdx: 1007, amount: 7 }]],
    ['Ben Taub', 0, []],
  ]);
});

it('describes a ZIP, also after the moves of a plan', async () => {
  const at = (zip: string, input: object = {}) => server.ok(Calls.getMapPlace, { zip, ...input }, { as: admin });
  expect(await at('77003')).toMatchObject({
    city: 'Houston',
    county: 'Harris',
    territory: { id: north.id },
    why: 'zip',
    from: '2020-01-01',
    reps: [{ role: 'sales', name: 'Nora North', email: expect.stringContaining('@') }],
    facilities: [{ name: 'Ben Taub', override: null, openQuotes: 1 }],
    quotes: [{ facilityName: 'Ben Taub', totalAmount: 100 }],
    quoteCount: 1,
  });
  expect(await at('77003', { mapId: planId })).toMatchObject({ territory: { id: south.id }, why: 'move', from: null });
  expect(await at('77002', { mapId: planId })).toMatchObject({ territory: { id: north.id }, why: 'zip' });
  expect(await at('77004')).toMatchObject({ facilities: [{ name: 'Key Account', override: { id: north.id } }] });
  expect(await at('99999')).toMatchObject({ city: '', territory: null, why: 'none', reps: [], facilityCount: 0 });
});

it('finds ZIPs, cities, counties, states, territories, people and facilities', async () => {
  const find = async (keyword: string) =>
    (await server.ok(Calls.searchMap, { keyword }, { as: admin })).map(({ kind, label }) => [kind, label]);
  expect((await find('7700')).filter(([kind]) => kind === 'zip')).toEqual(
    ['1', '2', '3', '4', '5'].map((end) => ['zip', `7700${end}`]),
  );
  expect(await find('houston, tx')).toEqual([['city', 'Houston, TX']]);
  expect(await find('houston')).toEqual([
    ['city', 'Houston, TX'],
    ['territory', 'Houston North'],
    ['territory', 'Houston South'],
  ]);
  expect(await find('Harris')).toEqual([['county', 'Harris (county), TX']]);
  expect(await find('TX')).toEqual([['state', 'Texas']]);
  expect(await find('ben taub')).toEqual([['facility', 'Ben Taub']]);
  expect(await find('%')).toEqual([]);
  const [person] = await server.ok(Calls.searchMap, { keyword: 'nora' }, { as: admin });
  expect(person).toMatchObject({ kind: 'rep', hint: 'Houston North', territoryIds: [north.id] });
});

it('reports ZIPs by prefix, region, and territory, on a day, under a plan, and those that nobody has', async () => {
  const report = async (input: object) => {
    const { records } = await server.ok(Calls.getRepListByZipCodeReport, { page: 1, ...input }, { as: admin });
    return records.map(({ zip, territory }) => [zip, territory?.name ?? null]);
  };
  expect(await report({ zip: '770' })).toEqual([
    ['77001', 'Houston North'],
    ['77002', 'Houston North'],
    ['77003', 'Houston North'],
    ['77004', 'Houston South'],
  ]);
  expect(await report({ zip: '770', date: '2019-12-31' })).toEqual([]);
  expect(await report({ regionId: north.regionId, zip: '77002' })).toEqual([['77002', 'Houston North']]);
  expect(await report({ territoryId: south.id, mapId: planId })).toEqual([
    ['77003', 'Houston South'],
    ['77004', 'Houston South'],
  ]);
  expect(await report({ zip: '7700', mapId: planId, unassigned: 'only' })).toEqual(
    ['77001', '77005', '77006', '77007', '77008', '77009'].map((zip) => [zip, null]),
  );
  const { records } = await server.ok(Calls.getRepListByZipCodeReport, { page: 1, zip: '77001' }, { as: admin });
  expect(records).toMatchObject([
    { city: 'Houston', county: 'Harris', point: true, from: '2020-01-01', to: null, salesRep: { name: 'Nora North' } },
  ]);
  const { bytes } = await server.call(Calls.exportRepListByZipCodeReport, { zip: '77001' }, { as: admin });
  expect(bytes.toString()).toContain('77001,Houston,TX,Harris,no,Houston North');

  // If two assignments are valid on a day, the later start applies. An inactive territory still applies to the days before it was deactivated.
  const { db } = server;
  const [early, late] = [await aTerritory(db, { zips: ['59001', '59002'] }), await aTerritory(db)];
  await db
    .insertInto('zip_assignment')
    .values({ zip5: '59002', territory_id: late.id, valid_from: '2026-01-01' })
    .execute();
  const both = [
    ['59001', early.name],
    ['59002', late.name],
  ];
  expect(await report({ zip: '590' })).toEqual(both);
  expect(await report({ zip: '590', date: '2025-01-01' })).toEqual([both[0], ['59002', early.name]]);
  await server.ok(TerritoryAdmin.InactiveOrActiveTerritory, { id: late.id, active: false, version: 1 }, { as: admin });
  expect(await report({ zip: '59002' })).toEqual([['59002', early.name]]);
  expect(await report({ zip: '59002', date: addDays(day, -1) })).toEqual([['59002', late.name]]);
});

it('answers the roles that have the map, and sales support on the internal site only', async () => {
  const { db } = server;
  const status = async (roles: Role[], input: object = {}) =>
    (await server.call(Calls.getAllTerritories, input, { as: await aUser(db, { roles }) })).status;
  for (const role of ['csrep', 'insiderep', 'salesadmin', 'salesQuoteManager'] as const)
    expect(await status([role])).toBe(200);
  expect(await status(['salesrep'])).toBe(403);
  expect(await status(['contractdept'])).toBe(403);
  expect(await status(['salessupport'])).toBe(403);
  // Another user's plan is not found.
  expect(await status(['csrep'], { mapId: planId })).toBe(404);
  expect(await status(['salesQuoteManager'], { mapId: planId })).toBe(404);
  expect(await status(['salesadmin'], { mapId: planId })).toBe(200);
  const internal = await startTestServer({ config: { internalSite: true } });
  const support = await aUser(internal.db, { roles: ['salessupport'] });
  expect((await internal.call(Calls.getAllTerritories, {}, { as: support })).status).toBe(200);
  await internal.close();
});

it('counts one ZIP and one territory in the singular', async () => {
  const { db } = server;
  const place = { state: 'NV', county: 'Elko', lat: 40.8, lon: -115.8 };
  await db
    .insertInto('zip')
    .values([
      { zip5: '89801', city: 'Elko', ...place },
      { zip5: '89822', city: 'Carlin', ...place },
    ])
    .execute();
  const alone = await aRegion(db, { name: 'Elko Alone' });
  await aTerritory(db, { name: 'Ruby', regionId: alone.id });
  const hints = async (keyword: string) =>
    (await server.ok(Calls.searchMap, { keyword }, { as: admin })).map(({ kind, hint }) => [kind, hint]);
  expect(await hints('elko')).toEqual([
    ['city', '1 ZIP'],
    ['county', '2 ZIPs'],
    ['region', '1 territory'],
  ]);
});

it('finds Saint, Sainte, Fort and Mount however they are shortened', async () => {
  const { db } = server;
  const places = [
    ['63101', 'Saint Louis', 'MO', 'St. Louis'],
    ['62201', 'East Saint Louis', 'IL', 'St. Clair'],
    ['00802', 'St Thomas', 'VI', 'St. Thomas'],
    ['63670', 'Sainte Genevieve', 'MO', 'Ste. Genevieve'],
    ['76102', 'Fort Worth', 'TX', 'Tarrant'],
    ['10550', 'Mount Vernon', 'NY', 'Westchester'],
    ['95202', 'Stockton', 'CA', 'San Joaquin'],
  ] as const;
  for (const [zip5, city, state, county] of places)
    await db.insertInto('zip').values({ zip5, city, state, county }).execute();
  const find = async (keyword: string) =>
    (await server.ok(Calls.searchMap, { keyword }, { as: admin })).map(({ label }) => label);
  const louis = ['Saint Louis, MO', 'St. Louis (county), MO'];
  for (const keyword of ['St. Louis', 'st louis', 'Saint Louis', 'St.Lou', 'ST. LOUIS, mo'])
    expect(await find(keyword)).toEqual(louis);
  expect(await find('east st. louis')).toEqual(['East Saint Louis, IL']);
  for (const keyword of ['St. Thomas', 'Saint Thomas']) {
    expect(await find(keyword)).toEqual(['St Thomas, VI', 'St. Thomas (county), VI']);
  }
  expect(await find('Ste. Gen')).toEqual(['Sainte Genevieve, MO', 'Ste. Genevieve (county), MO']);
  expect(await find('Ft. Worth')).toEqual(['Fort Worth, TX']);
  expect(await find('Ft')).toEqual(['Fort Worth, TX']);
  expect(await find('mt vernon')).toEqual(['Mount Vernon, NY']);
  expect(await find('Saint')).not.toContain('Stockton, CA');
  expect(await find('Stock')).toEqual(['Stockton, CA']);
});
