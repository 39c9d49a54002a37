// Tests a facility's contracts over HTTP: how it gets each one, on which day, with which letter, and who sees it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aContract, aGpo, aLetter, aMembership, aRosterRow, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityContracts } from './facility-contracts.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
});
afterAll(() => server.close());

it('lists contracts by its own row, a parent or a membership, and those that exclude it', async () => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const system = await aFacility(db, { name: 'Bayview Health' });
  const facility = await aFacility(db, { parentId: system.id, zip: office.zip });
  const gpo = await aGpo(db, { name: 'Northern Buyers' });
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
  const own = await aContract(db, { number: 'FC-1', needsLoc: true });
  await aRosterRow(db, { contractId: own.id, facilityId: facility.id, tierId: own.tierId, to: '2026-12-31' });
  await aLetter(db, { contractId: own.id, tierId: own.tierId, facilityId: facility.id, state: 'Signed' });
  const group = await aContract(db, { number: 'FC-2' });
  const { id: second } = await aTier(db, { contractId: group.id, no: 2 });
  await aRosterRow(db, { contractId: group.id, facilityId: system.id, tierId: second, coversChildren: true });
  await aContract(db, { number: 'FC-3', gpoId: gpo.id, openTo: 'members' });
  const out = await aContract(db, { number: 'FC-4' });
  await aRosterRow(db, { contractId: out.id, facilityId: facility.id, tierId: null });
  await aContract(db, { number: 'FC-5', state: 'Draft', facilityIds: [facility.id] });
  const get = (day: string, as: { id: number }) =>
    server.call(FacilityContracts.GetFacilityContracts, { facilityId: facility.id, day }, { as });
  const { body } = await get('', office.rep);
  expect(body).toMatchObject({
    day: '2026-06-15',
    contracts: [
      { number: 'FC-1', by: 'roster', parent: '', tierNo: 1, needsLoc: true, letter: 'Signed', listedTo: '2026-12-31' },
      { number: 'FC-2', by: 'roster', parent: 'Bayview Health', tierNo: 2, needsLoc: false, letter: null },
      { number: 'FC-3', by: 'members', gpoName: 'Northern Buyers', tierNo: 1 },
      { number: 'FC-4', by: 'excluded', tierNo: null },
    ],
  });
  expect((await get('01/01/2027', office.cs)).body.contracts.map(({ number }) => number)).toEqual([
    'FC-2',
    'FC-3',
    'FC-4',
  ]);
  const stranger = await aSalesOffice(db);
  expect((await get('', stranger.rep)).status).toBe(404);
  await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', office.rep.id).execute();
  expect((await get('', office.rep)).status).toBe(403);
});
