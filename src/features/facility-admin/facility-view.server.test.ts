// What a facility's page shows, over HTTP: the figures of the quotes somebody sees; nobody reads it signed out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuoteSearch } from '#features/quotes/quotes.contract.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityView } from './facility-view.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
});
afterAll(() => server.close());

describe('GetFacilityQuoteFigures', () => {
  test('counts and adds up what is in sight, by status and currency, as the list shows it', async () => {
    const { db } = server;
    const [rep, other, inside] = [await aUser(db), await aUser(db), await aUser(db, { roles: ['insiderep'] })];
    const facility = await aFacility(db);
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 10.1, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 20.2, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 7, currnIdx: 1009, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 5 });
    await aQuote(db, { facility, ownerId: other.id, totalAmount: 1000 });
    await aQuote(db, { ownerId: rep.id, totalAmount: 9999 });
    const asked = { facilityId: facility.id };
    const figures = await server.ok(FacilityView.GetFacilityQuoteFigures, asked, { as: rep });
    expect(figures).toEqual([
      { statusId: 'Editing', currnIdx: 1007, count: 1, amount: 5 },
      { statusId: 'Won', currnIdx: 1007, count: 2, amount: 30.3 },
      { statusId: 'Won', currnIdx: 1009, count: 1, amount: 7 },
    ]);
    const list = await server.ok(QuoteSearch.SearchQuotesForSalesRep, { ...asked, remember: 'none' }, { as: rep });
    expect(list.total).toBe(4);
    const all = await server.ok(FacilityView.GetFacilityQuoteFigures, asked, { as: inside });
    expect(all[0]).toEqual({ statusId: 'Editing', currnIdx: 1007, count: 2, amount: 1005 });
    expect(await server.ok(FacilityView.GetFacilityQuoteFigures, asked, { as: await aUser(db) })).toEqual([]);
  });

  test('none of a facility that is not there, and nothing for who is signed out', async () => {
    const asked = { facilityId: 2_000_000_000 };
    const as = await aUser(server.db, { roles: ['systemadmin'] });
    expect(await server.ok(FacilityView.GetFacilityQuoteFigures, asked, { as })).toEqual([]);
    expect((await server.call(FacilityView.GetFacilityQuoteFigures, asked)).status).toBe(401);
  });
});
