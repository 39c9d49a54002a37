// Tests the ZIPs that a plan may move: typed, of a state, of a territory, and permissions.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputOf } from '#platform/api/endpoint.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { PlanZips } from './plan-zips.contract.ts';

const DAY = '2026-11-11';
let server: TestServer;
let admin: { id: number };
let east: { id: number };
let west: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  const region = await aRegion(server.db);
  // 70199 is assigned, but is not in the list of ZIPs.
  east = await aTerritory(server.db, { name: 'East', regionId: region.id, zips: ['70101', '70199'] });
  west = await aTerritory(server.db, { name: 'West', regionId: region.id });
  await server.db
    .insertInto('zip')
    .values([
      { zip5: '70101', city: 'Arabi', state: 'LA', county: 'St. Bernard' },
      { zip5: '70102', city: 'Algiers', state: 'LA', county: 'Orleans' },
      { zip5: '70103', city: 'Biloxi', state: 'MS', county: 'Harrison' },
    ])
    .onConflict((conflict) => conflict.column('zip5').doUpdateSet((eb) => ({ state: eb.ref('excluded.state') })))
    .execute();
  // From tomorrow on, West has it.
  await server.db
    .insertInto('zip_assignment')
    .values({ zip5: '70103', territory_id: west.id, valid_from: DAY })
    .execute();
});
afterAll(() => server.close());

type Input = InputOf<typeof PlanZips.findZipsToPlan>;
const find = (input: Input) => server.ok(PlanZips.findZipsToPlan, input, { as: admin });

it('reads typed ZIPs, names unknown ones, and says who has each on the day', async () => {
  const match = await find({ text: '70101-1234, 70103\n70199 99999 7010 70101', date: DAY });
  expect(match.zips.map(({ zip, state, territory }) => [zip, state, territory?.name ?? null])).toEqual([
    ['70101', 'LA', 'East'],
    ['70103', 'MS', 'West'],
    ['70199', '', 'East'],
  ]);
  expect([match.unknown, match.bad]).toEqual([['99999'], ['7010']]);
  // A ZIP with an area on the map is accepted, even if it is not in the list of ZIPs.
  expect(await find({ text: '70999 77002', date: DAY })).toEqual({
    zips: [{ zip: '77002', city: '', state: '', county: '', territory: null }],
    unknown: ['70999'],
    bad: [],
  });
  const before = await find({ text: '70103', date: '2026-11-10' });
  expect(before.zips[0]?.territory).toBeNull();
});

it('lists the ZIPs of a state with their counties, and those of a territory', async () => {
  const louisiana = await find({ state: 'LA', date: DAY });
  expect(louisiana.zips.map(({ zip, county }) => [zip, county])).toEqual(
    expect.arrayContaining([
      ['70101', 'St. Bernard'],
      ['70102', 'Orleans'],
    ]),
  );
  expect(louisiana.zips.every(({ state }) => state === 'LA')).toBe(true);
  const { zips } = await find({ territoryId: east.id, date: DAY });
  expect(zips.map(({ zip }) => zip)).toEqual(['70101', '70199']);
  expect((await find({ territoryId: west.id, date: '2026-11-10' })).zips).toEqual([]);
});

it('refuses an empty search, two searches at once, and an invalid state or day', async () => {
  const refused = async (input: Input) => (await server.call(PlanZips.findZipsToPlan, input, { as: admin })).status;
  expect(await refused({ date: DAY })).toBe(422);
  expect(await refused({ text: '70101', state: 'LA', date: DAY })).toBe(422);
  expect(await refused({ state: 'Louisiana', date: DAY })).toBe(422);
  expect(await refused({ text: '70101', date: '11/31/2026' })).toBe(422);
});

it('refuses sales support outside the internal site, and reps', async () => {
  for (const role of ['salessupport', 'salesrep'] as const) {
    const as = await aUser(server.db, { roles: [role] });
    expect((await server.call(PlanZips.findZipsToPlan, { text: '70101', date: DAY }, { as })).status).toBe(403);
  }
});
