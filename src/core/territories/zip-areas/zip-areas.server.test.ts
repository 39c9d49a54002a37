// Tests the territory of each ZIP on the map: references and GeoJSON, on days and under a saved map, access, and size limits.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { adjacencyOf } from './adjacency.server.ts';
import { builtInAreas } from './area-set.server.ts';
import { ZipAreas, ZipFeatures, ZipRefs } from './zip-areas.contract.ts';

let server: TestServer;
let cs: { id: number };
let admin: { id: number };
let day: string;
beforeAll(async () => {
  server = await startTestServer();
  cs = await aUser(server.db, { roles: ['csrep'] });
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  day = today(server.services, await loadCompany(server.db));
  await server.db
    .insertInto('zip')
    .values([
      { zip5: '02802', city: 'Albion', state: 'RI', lat: 41.9521, lon: -71.458 },
      { zip5: '02801', city: 'Adamsville', state: 'RI', lat: 41.55839, lon: -71.12958 },
      { zip5: '02901', city: 'Providence', state: 'RI', lat: 41.8238, lon: -71.4133 },
      { zip5: '02940', city: 'Providence', state: 'RI' },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});
afterAll(() => server.close());

type Input = Parameters<typeof server.ok<typeof ZipAreas.getTerrZipGeoJson>>[1];
const ask = (input: Input, as = cs) => server.ok(ZipAreas.getTerrZipGeoJson, input, { as });
const refs = async (input: Input, as = cs) => ZipRefs.parse(await ask({ ...input, format: 'refs' }, as));
const features = async (input: Input, as = cs) => ZipFeatures.parse(await ask(input, as)).features;
const refused = (input: Input, as = cs) => server.call(ZipAreas.getTerrZipGeoJson, input, { as });

it('lists the ZIPs of each territory, unassigned ZIPs, points, and the files of the country or of some states', async () => {
  const territory = await aTerritory(server.db, { zips: ['02804', '02901', '02806'] });
  const all = await refs({});
  const { sha } = await builtInAreas();
  expect(all.geoVersion).toBe(sha);
  expect(all.files).toHaveLength(56);
  expect(all.background).toBe(`/geo/${sha}/us.json`);
  expect(all.territories).toContainEqual({ id: territory.id, zips: '02804 02806 02901' });
  const nobody = new Set(all.unassigned.split(' '));
  expect([nobody.has('02802'), nobody.has('02804'), nobody.has('02901')]).toEqual([true, false, false]);
  expect(nobody.size).toBeGreaterThan(33_000);
  // 02802 has an area; 02940 has no known place.
  const points = all.points.split(' ');
  expect(points.slice(points.indexOf('02901'), points.indexOf('02901') + 3)).toEqual(['02901', '41.8238', '-71.4133']);
  expect([points.includes('02802'), points.includes('02940')]).toEqual([false, false]);
  const subset = await refs({ states: ['RI'], territoryIds: [territory.id] });
  expect(subset.files).toEqual([
    { state: 'RI', url: `/geo/${sha}/RI.json`, areas: expect.any(Number) as number, approximate: true },
  ]);
  expect(subset.territories).toEqual([{ id: territory.id, zips: '02804 02806 02901' }]);
  expect(subset.unassigned.split(' ').every((zip) => zip.startsWith('028') || zip.startsWith('029'))).toBe(true);
  expect((await server.inject({ method: 'GET', url: subset.files[0]?.url ?? '' })).status).toBe(200);
});

it('answers a known etag with "unchanged" until something changes', async () => {
  const { etag } = await refs({ states: ['DE'] });
  expect(await ask({ states: ['DE'], format: 'refs', known: etag })).toEqual({ unchanged: true });
  await aTerritory(server.db, { zips: ['19701'] });
  const now = await refs({ states: ['DE'], known: etag });
  expect(now.etag).not.toBe(etag);
  await server.db.insertInto('zip').values({ zip5: '19850', city: 'Wilmington', lat: 39.8, lon: -75.6 }).execute();
  expect((await refs({ states: ['DE'], known: now.etag })).points).toContain('19850 39.8000 -75.6000');
  await server.db.updateTable('zip').set({ lat: 39.9 }).where('zip5', '=', '19850').execute();
  expect((await refs({ states: ['DE'], known: now.etag })).points).toContain('19850 39.9000 -75.6000');
});

it('gives a territory one look on every map, unlike its neighbors on any day', async () => {
  const [first, next] = [await aTerritory(server.db, { zips: ['03031'] }), await aTerritory(server.db)];
  const neighbor = (await adjacencyOf(await builtInAreas())).get('03031')?.[0] ?? '';
  await server.db
    .insertInto('zip_assignment')
    .values({ zip5: neighbor, territory_id: next.id, valid_from: addDays(day, -10), valid_to: addDays(day, -1) })
    .execute();
  const lookIn = async (input: Input, { id }: { id: number }) =>
    new RegExp(`(?:^| )${id} (\\d+)`).exec((await refs(input)).looks)?.[1];
  const look = await lookIn({}, first);
  expect(await lookIn({ states: ['NH'], territoryIds: [first.id] }, first)).toBe(look);
  expect(await lookIn({ date: addDays(day, -5) }, first)).toBe(look);
  expect(await lookIn({}, next)).not.toBe(look);
});

it('answers GeoJSON with ZIP, city, territory, and the approximate flag', async () => {
  const territory = await aTerritory(server.db, { zips: ['02807', '05001'] });
  const results = await features({ territoryIds: [territory.id] });
  expect(results.map(({ id }) => id)).toEqual(['02807', '05001']);
  expect(results[0]).toMatchObject({
    type: 'Feature',
    properties: { zip: '02807', city: '', territoryId: territory.id, approximate: true },
  });
  const ring = (results[0]?.geometry.coordinates[0] ?? []) as number[][];
  expect(ring[0]).toEqual(ring.at(-1));
  expect(ring.flat().every((candidate) => candidate === Math.round(candidate * 10_000) / 10_000)).toBe(true);
  expect((await features({ territoryIds: [territory.id], states: ['VT'] })).map(({ id }) => id)).toEqual(['05001']);
  const state = await features({ states: ['RI'] });
  expect(state).toHaveLength((await refs({ states: ['RI'] })).files[0]?.areas ?? 0);
  expect(state.find(({ id }) => id === '02802')?.properties).toMatchObject({ city: 'Albion', territoryId: null });
});

it('refuses too many areas, a state without areas, and malformed input', async () => {
  const { status, body } = await refused({});
  expect([status, body]).toMatchObject([
    422,
    { detail: 'That is 33,787 areas. Request at most 5,000 at a time, by state or territory.' },
  ]);
  const { zips } = await builtInAreas();
  const many = ['CA', 'TX', 'NY'].flatMap((state) => zips.get(state)?.split(' ') ?? []);
  const large = await aTerritory(server.db);
  await server.db
    .insertInto('zip_assignment')
    .values(many.map((zip5) => ({ zip5, territory_id: large.id, valid_from: day })))
    .execute();
  expect((await refused({ territoryIds: [large.id] })).status).toBe(422);
  expect(await features({ territoryIds: [large.id], states: ['NY'] })).not.toHaveLength(0);
  expect((await refused({ states: ['RI', 'FM'] })).body).toMatchObject({ detail: 'There are no ZIP areas in FM.' });
  expect((await refused({ states: ['Texas'] })).status).toBe(422);
  expect((await refused({ date: '2026-02-30' })).status).toBe(422);
});

it('answers for another day, also one before a territory was switched off', async () => {
  const territory = await aTerritory(server.db, { zips: ['02812'] });
  await server.db
    .insertInto('zip_assignment')
    .values({ zip5: '02814', territory_id: territory.id, valid_from: addDays(day, 10) })
    .execute();
  const zipsOn = async (date: string) =>
    (await refs({ territoryIds: [territory.id], states: ['RI'], date })).territories.map(({ zips }) => zips);
  expect([await zipsOn(day), await zipsOn(addDays(day, 10))]).toEqual([['02812'], ['02812 02814']]);
  expect(await zipsOn('2019-12-31')).toEqual([]);
});

it('shows a saved map to users who may see it, and 404 to others', async () => {
  const [from, to] = [await aTerritory(server.db, { zips: ['02815', '02816'] }), await aTerritory(server.db)];
  const { id } = await server.db
    .insertInto('territory_plan')
    .values({ name: 'Next year', owner_id: admin.id, base_day: day, effective_day: addDays(day, 30) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.db
    .insertInto('territory_plan_move')
    .values([
      { plan_id: id, zip5: '02815', from_territory_id: from.id, to_territory_id: to.id, version: 1 },
      { plan_id: id, zip5: '02816', from_territory_id: from.id, to_territory_id: null, version: 1 },
    ])
    .execute();
  const planned = await refs({ mapId: id, territoryIds: [from.id, to.id], states: ['RI'] }, admin);
  expect(planned.territories).toEqual([{ id: to.id, zips: '02815' }]);
  expect(planned.unassigned.split(' ')).toContain('02816');
  const drawn = await features({ mapId: id, states: ['RI'] }, admin);
  expect(drawn.find((candidate) => candidate.id === '02816')?.properties.territoryId).toBeNull();
  expect(drawn.find((candidate) => candidate.id === '02815')?.properties.territoryId).toBe(to.id);
  expect((await refused({ mapId: id, format: 'refs' }, cs)).status).toBe(404);
  expect((await refused({ mapId: 2_000_000_000, format: 'refs' }, admin)).status).toBe(404);
});

it('is open to sales support on the internal site only', async () => {
  const support = await aUser(server.db, { roles: ['salessupport'] });
  expect((await refused({ states: ['RI'] }, support)).status).toBe(403);
  const internal = await startTestServer({ config: { internalSite: true } });
  try {
    const first = await aUser(internal.db, { roles: ['salessupport'] });
    expect((await internal.call(ZipAreas.getTerrZipGeoJson, { states: ['RI'] }, { as: first })).status).toBe(200);
  } finally {
    await internal.close();
  }
});
