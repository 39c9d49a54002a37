// Tests what the new-quote screen says about a facility: its contracts, decided quotes and bought items, only as far as the person sees them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { NewQuote } from './new-quote.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('names decided quotes and bought items in sight, and no others', async () => {
  const { db } = server;
  const rep = await aUser(db, { roles: ['salesrep'] });
  const stranger = await aUser(db, { roles: ['salesrep'] });
  const cs = await aUser(db, { roles: ['csrep'] });
  const facility = await aFacility(db, {});
  const won = await aPricedQuote(db, { facility, statusId: 'Won', salesRepId: rep.id });
  const open = await aPricedQuote(db, { facility, statusId: 'Editing', salesRepId: rep.id });
  const glance = (as: typeof rep) => server.ok(NewQuote.GetFacilityGlance, { facilityId: facility.id }, { as });

  const item = await anItem(db, { number: 'BUY-1', price: 4 });
  const line = { line_no: 2, type: 'item', item_id: item.id, item_number: 'BUY-1', unit: 'EA' };
  await db
    .insertInto('quote_item')
    .values([
      { ...line, quote_id: won.id, qty: 3 },
      { ...line, quote_id: open.id, qty: 70 },
    ])
    .execute();
  for (const as of [rep, cs]) {
    const seen = await glance(as);
    expect(seen.decided.map(({ num }) => num)).toEqual([won.num]);
    expect(seen.decided.map(({ num }) => num)).not.toContain(open.num);
    expect(seen.bought).toMatchObject([{ itemId: item.id, itemNumber: 'BUY-1', quotes: 1, qty: 3, unit: 'EA' }]);
  }
  expect(await glance(stranger)).toMatchObject({ contracts: null, decided: [], bought: [] });
  // Everybody who reads all contracts gets them, here none.
  expect((await glance(cs)).contracts).toEqual([]);
});
