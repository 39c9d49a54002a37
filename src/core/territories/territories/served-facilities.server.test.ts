// Tests that a user serves exactly the facilities whose serving representatives include the user.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { servedFacilities } from './served-facilities.server.ts';
import { servingReps } from './serving-reps.server.ts';

const DAY = '2026-06-15';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const repIs = ({ id }: { id: number }) => ({ id, roles: ['salesrep' as const], regionIds: [], supportedRepIds: [] });

it('finds the facilities that a rep serves, as servingReps does for each facility', async () => {
  const { db } = server;
  const reps = [await aUser(db), await aUser(db)];
  const zips = ['81001', '81002', '81003'];
  const [first, two] = [
    await aTerritory(db, { zips: zips.slice(0, 2), sales: reps[0]?.id ?? 0 }),
    await aTerritory(db, { zips: zips.slice(1), sales: reps[1]?.id ?? 0 }),
  ];
  const closed = await aTerritory(db, { active: false, sales: reps[0]?.id ?? 0, zips: ['81003'] });
  // The second territory took over 81002 later.
  await db.updateTable('zip_assignment').set({ valid_from: '2021-01-01' }).where('territory_id', '=', two.id).execute();
  const facilities: { id: number }[] = [];
  for (const zip of [...zips, ...zips, '81004']) facilities.push(await aFacility(db, { zip }));
  const override = (index: number, territoryId: number, from: string, to: string | null = null) =>
    db
      .insertInto('account_override')
      .values({
        facility_id: facilities[index]?.id ?? 0,
        territory_id: territoryId,
        reason: 'r',
        valid_from: from,
        valid_to: to,
      })
      .execute();
  await override(3, two.id, '2026-01-01');
  await override(4, first.id, '2026-01-01', '2026-06-14');
  await override(5, closed.id, '2026-01-01');
  await override(6, first.id, '2026-01-01');
  await override(6, two.id, '2026-02-01');
  for (const rep of reps) {
    const { rows } = await sql<{ id: number }>`${servedFacilities(repIs(rep), DAY)}`.execute(db);
    const expected: number[] = [];
    for (const { id } of facilities) if ((await servingReps(db, id, DAY)).salesRep?.id === rep.id) expected.push(id);
    expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(expected);
  }
});
