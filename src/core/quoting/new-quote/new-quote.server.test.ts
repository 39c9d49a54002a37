// Tests the new-quote screen's facts about a facility: its contracts, decided quotes and bought items, limited to what the user can see.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
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
  // Users who can read all contracts get them. Here there are none.
  expect((await glance(cs)).contracts).toEqual([]);
});

test('finds the facility of a sender by address, then by domain, and only in sight', async () => {
  const { db } = server;
  const { rep, facility } = await aSalesOffice(db);
  const inside = await aUser(db, { roles: ['insiderep'] });
  const contracts = await aUser(db, { roles: ['contractdept'] });
  const contact = (facilityId: number, email: string) =>
    db
      .insertInto('contact')
      .values({ facility_id: facilityId, name: `Anna ${email}`, email, phone: '555-0100' })
      .execute();
  const elsewhere = await aFacility(db, { name: 'Elsewhere' });
  await db.updateTable('facility').set({ ship_to_zip: '99950' }).where('id', '=', elsewhere.id).execute();
  await contact(facility.id, 'Anna@Mary.example');
  await contact(facility.id, 'anna.at.home@gmail.com');
  await contact(elsewhere.id, 'bob@mary.example');
  await contact(elsewhere.id, 'carl@else.example');
  const find = (email: string, as: { id: number } = rep) => server.ok(NewQuote.FindSender, { email }, { as });

  expect(await find('anna@mary.example')).toMatchObject({
    facility: { id: facility.id },
    contact: { email: 'Anna@Mary.example', phone: '555-0100' },
    by: 'address',
  });
  // The representative can see one of the two facilities with this domain.
  expect(await find('new@mary.example')).toMatchObject({ facility: { id: facility.id }, contact: null, by: 'domain' });
  expect(await find('new@mary.example', inside)).toMatchObject({
    facility: null,
    proposals: [{ id: facility.id }, { id: elsewhere.id }],
    by: 'domain',
  });
  for (const email of ['carl@else.example', 'somebody@gmail.com', 'nobody', '@', 'a@%'])
    expect(await find(email)).toEqual({ facility: null, proposals: [], contact: null, by: 'nothing' });
  expect((await server.call(NewQuote.FindSender, { email: 'a@b.c' }, { as: contracts })).status).toBe(403);
});
