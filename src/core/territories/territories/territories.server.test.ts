// Tests territories and regions over HTTP, and who serves a facility on a day.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { servingReps } from './serving-reps.server.ts';
import { Territory } from './territories.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('simple lists have the active ones in order of name', async () => {
  const { db } = server;
  const as = await aUser(db);
  const [b, a] = [await aRegion(db, { name: 'ZZ b' }), await aRegion(db, { name: 'ZZ a' })];
  await aRegion(db, { name: 'ZZ closed', active: false });
  const territory = await aTerritory(db, { name: 'ZZ one', regionId: a.id });
  await aTerritory(db, { name: 'ZZ shut', regionId: a.id, active: false });
  const ours = <T extends { name: string }>(list: T[]) => list.filter(({ name }) => name.startsWith('ZZ'));
  expect(ours(await server.ok(Region.GetActiveRegionsSimpleData, {}, { as }))).toEqual([a, b]);
  expect(ours(await server.ok(Territory.GetActiveTerritoriesSimpleData, {}, { as }))).toEqual([territory]);
  expect((await server.call(Region.GetActiveRegionsSimpleData, null)).status).toBe(401);
  expect((await server.call(Territory.GetActiveTerritoriesSimpleData, null)).status).toBe(401);
});

describe('who serves a facility', () => {
  const DAY = '2026-05-10';

  test('the account override decides, else the ship-to ZIP, else nobody serves it', async () => {
    const { db } = server;
    const [zipRep, overrideRep] = [await aUser(db), await aUser(db)];
    const byZip = await aTerritory(db, { zips: ['30301'], sales: zipRep.id });
    const byOverride = await aTerritory(db, { sales: overrideRep.id });
    const facility = await aFacility(db, { zip: '30301-4444' });
    expect(await servingReps(db, facility.id, DAY)).toMatchObject({
      why: 'zip',
      territory: { id: byZip.id },
      region: { id: byZip.regionId },
      salesRep: { id: zipRep.id },
      csRep: null,
    });
    await db
      .insertInto('account_override')
      .values({ facility_id: facility.id, territory_id: byOverride.id, valid_from: DAY, valid_to: DAY })
      .execute();
    expect(await servingReps(db, facility.id, DAY)).toMatchObject({
      why: 'override',
      salesRep: { id: overrideRep.id },
    });
    expect((await servingReps(db, facility.id, '2026-05-09')).why).toBe('zip');
    expect((await servingReps(db, facility.id, '2026-05-11')).why).toBe('zip');
    const nowhere = await aFacility(db, { zip: '00000' });
    expect(await servingReps(db, nowhere.id, DAY)).toEqual({
      why: 'none',
      territory: null,
      region: null,
      salesRep: null,
      csRep: null,
      isRep: null,
    });
  });

  test('the assignment that began last counts; people who left and inactive territories do not', async () => {
    const { db } = server;
    const [old, left, fresh] = [await aUser(db), await aUser(db, { active: false }), await aUser(db)];
    const territory = await aTerritory(db, { zips: ['40401'], is: old.id });
    const facility = await aFacility(db, { zip: '40401' });
    const rep = (user_id: number, valid_from: string) =>
      db.insertInto('territory_rep').values({ territory_id: territory.id, role: 'is', user_id, valid_from }).execute();
    await rep(left.id, '2026-01-01');
    expect((await servingReps(db, facility.id, DAY)).isRep?.id).toBe(old.id);
    await rep(fresh.id, '2026-05-10');
    expect((await servingReps(db, facility.id, '2026-05-09')).isRep?.id).toBe(old.id);
    expect((await servingReps(db, facility.id, DAY)).isRep?.id).toBe(fresh.id);
    await db.updateTable('territory').set({ active: false }).where('id', '=', territory.id).execute();
    expect((await servingReps(db, facility.id, DAY)).why).toBe('none');
  });
});
