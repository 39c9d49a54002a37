// Tests the list of facilities with several GPOs over HTTP, and that choosing a GPO there applies its contract price.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FacilityContracts } from '#core/prices/letters-and-rosters/facility-contracts/facility-contracts.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aMembership, aRosterRow } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityAdmin } from '../facility-admin.contract.ts';
import { GposToChoose } from './gpos-to-choose.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
});
afterAll(() => server.close());

test('a facility on the rosters of two GPOs is listed, its line says so, and a choice prices it', async () => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const keeper = await aUser(db, { roles: ['contractdept'] });
  const item = await anItem(db, { units: { EA: 1 }, prices: [{ unit: 'EA', price: 10 }] });
  const system = await aFacility(db, { name: 'Alder System', zip: office.zip });
  const child = await aFacility(db, { name: 'Alder Clinic', zip: office.zip, parentId: system.id });
  const single = await aFacility(db, { name: 'Birch Clinic', zip: office.zip });
  const decided = await aFacility(db, { name: 'Cedar Clinic', zip: office.zip });
  const [premier, vizient] = [await aGpo(db, { name: 'Premier' }), await aGpo(db, { name: 'Vizient' })];
  const deal = (number: string, gpoId: number, price: number, facilityIds: number[] = []) =>
    aContract(db, { number, gpoId, facilityIds, lines: [{ itemId: item.id, price, unit: 'EA' }] });
  const first = await deal('PP-1', premier.id, 8, [single.id, decided.id]);
  await aRosterRow(db, { contractId: first.id, facilityId: system.id, tierId: first.tierId, coversChildren: true });
  const second = await deal('VZ-1', vizient.id, 7, [decided.id]);
  await aRosterRow(db, { contractId: second.id, facilityId: child.id, tierId: second.tierId, from: '2026-06-01' });
  await aMembership(db, { facilityId: decided.id, gpoId: vizient.id });

  const search = (as: { id: number }, keyword = '') =>
    server.call(GposToChoose.SearchGposToChoose, { keyword }, { as });
  const { body } = await search(keeper);
  expect(body).toMatchObject({ total: 1, pageCount: 1 });
  expect(body.records).toMatchObject([
    {
      name: 'Alder Clinic',
      since: '2026-06-01',
      gpos: [
        { name: 'Premier', contracts: ['PP-1'], membership: null },
        { name: 'Vizient', contracts: ['VZ-1'], membership: null },
      ],
    },
  ]);
  expect((await search(keeper, 'birch')).body.total).toBe(0);
  // Sales representatives see the facilities they serve.
  expect((await search(office.rep)).body.total).toBe(1);
  expect((await search((await aSalesOffice(db)).rep)).body.total).toBe(0);
  await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', office.rep.id).execute();
  expect((await search(office.rep)).status).toBe(403);

  const quote = { facilityId: child.id, quoteDate: '06/10/2026' };
  const created = await server.call(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: 0, ...quote }, items: [{ itemId: item.id, qty: 1, unit: 'EA' }] },
    { as: office.cs },
  );
  expect(created.status).toBe(200);
  const sentence =
    'Two GPOs: choose. The rosters of Premier and Vizient name the facility, and none of them is its primary GPO';
  expect(created.body.items).toMatchObject([
    { unitPrice: 10, priceSource: 'List', priceChoice: sentence, priceProblem: '' },
  ]);
  const contracts = () =>
    server.call(FacilityContracts.GetFacilityContracts, { facilityId: child.id, day: '' }, { as: keeper });
  expect((await contracts()).body.contracts.map(({ notPrimary }) => notPrimary)).toEqual([sentence, sentence]);

  const [row] = body.records;
  const saved = await server.call(
    FacilityAdmin.SaveGpoMembership,
    {
      facilityId: child.id,
      gpoId: vizient.id,
      primary: true,
      from: row?.since ?? '',
      version: row?.version ?? 0,
    },
    { as: keeper },
  );
  expect(saved.status).toBe(200);
  expect((await search(keeper)).body.total).toBe(0);
  expect((await contracts()).body.contracts.map(({ notPrimary }) => notPrimary)).toEqual([
    'Offered, not used: Premier is not the declared primary GPO',
    '',
  ]);
  const { quote: stored } = created.body;
  const repriced = await server.call(
    QuoteEdit.RepriceQuote,
    { quoteId: stored.id, version: stored.version },
    { as: office.cs },
  );
  expect(repriced.body.items).toMatchObject([{ unitPrice: 7, priceSource: 'Contract', priceChoice: '' }]);
});
