// Two territories in Houston for tests of the map: areas, a PO box among them, and a facility with an open quote.
import type { TestServer } from '../test-server.server.ts';
import { aFacility, aTerritory, aUser } from './people.server.ts';
import { aQuote } from './quotes.server.ts';

const companies = new WeakMap<TestServer, ReturnType<typeof makeHouston>>();

/** Created once per server. */
export function houston(server: TestServer) {
  const company = companies.get(server) ?? makeHouston(server);
  companies.set(server, company);
  return company;
}

async function makeHouston({ db }: TestServer) {
  const rep = await aUser(db, { fullName: 'Nora North' });
  const zips = ['77001', '77002', '77003', '77007', '77009', '77010'];
  const north = await aTerritory(db, { name: 'Houston North', zips, sales: rep.id });
  const south = await aTerritory(db, { name: 'Houston South', zips: ['77004', '77021', '77030', '77054'] });
  await db
    .insertInto('zip')
    .values([
      { zip5: '77001', city: 'Houston', state: 'TX', lat: 29.7604, lon: -95.3698 },
      { zip5: '77002', city: 'Houston', state: 'TX', county: 'Harris', lat: 29.7567, lon: -95.3659 },
    ])
    .execute();
  const facility = await aFacility(db, { name: 'Ben Taub Hospital', zip: '77002' });
  const quote = await aQuote(db, { facility, ownerId: rep.id, statusId: 'Processing', totalAmount: 1250 });
  return { zips, north, south, quote };
}
