// Fills the demo company's users and places: regions, territories on real ZIP codes, representatives, facilities with contacts.
import type { Db } from '#platform/db/database.server.ts';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { demoAccounts } from './demo-accounts.server.ts';
import { fillZipList, type ListedZip, listedZips } from '#core/territories/zip-list/zip-list.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.server.ts';

/** Region → territory → states. The first territory belongs to the demo sales rep. */
const TERRITORIES: [region: string, territory: string, states: string][] = [
  ['Midwest', 'Great Lakes', 'IL WI'],
  ['Midwest', 'Ohio Valley', 'OH IN KY'],
  ['Midwest', 'Michigan', 'MI'],
  ['Midwest', 'Plains', 'MN IA MO KS NE ND SD'],
  ['Northeast', 'New England', 'CT MA ME NH RI VT'],
  ['Northeast', 'New York', 'NY'],
  ['Northeast', 'Keystone', 'PA NJ'],
  ['Northeast', 'Chesapeake', 'MD DE DC VA WV'],
  ['South', 'Carolinas', 'NC SC'],
  ['South', 'Florida', 'FL PR VI'],
  ['South', 'Deep South', 'GA AL MS TN'],
  ['South', 'Texas', 'TX OK AR LA'],
  ['West', 'Mountain', 'CO UT WY MT ID NM'],
  ['West', 'Desert', 'AZ NV'],
  ['West', 'California', 'CA HI GU AS MP'],
  ['West', 'Pacific Northwest', 'WA OR AK'],
];

export type DemoFacility = {
  id: number;
  acctNo: string;
  name: string;
  parentId: number | null;
  place: ListedZip;
  street: string;
  taxRate: number;
  taxExempt: boolean;
  currnIdx: number;
  territoryId: number;
  contacts: { name: string; title: string; email: string; phone: string }[];
};
export type DemoTerritory = { id: number; regionId: number; salesRepId: number; csRepId: number; isRepId: number };
export type DemoPlaces = {
  facilities: DemoFacility[];
  territories: DemoTerritory[];
  users: Map<string, number>;
  /** The quote manager of each region. */
  managers: Map<number, number>;
};

const KINDS = [
  'General Hospital',
  'Medical Center',
  'Regional Hospital',
  'Community Hospital',
  'Surgery Center',
  'Rehabilitation Center',
  'Nursing & Care Center',
  'Childrens Hospital',
  'Clinic',
];
const SAINTS = [
  'St. Anne',
  'St. Luke',
  'Mercy',
  'Good Samaritan',
  'Holy Cross',
  'Providence',
  'Sacred Heart',
  'Trinity',
];
const STREETS = [
  'Hospital Drive',
  'Medical Center Blvd',
  'Main Street',
  'Park Avenue',
  'College Road',
  'Lakeview Drive',
  'Highway 20 West',
];
const OFFICES = [
  ['Materials Management', 'Buyer'],
  ['Purchasing Office', 'Purchasing manager'],
  ['Supply Chain', 'Supply chain director'],
  ['Central Supply', 'Lead technician'],
];

export async function fillPlaces(
  db: Db,
  random: Random,
  options: { facilities: number; password: string },
): Promise<DemoPlaces> {
  const regionNames = [...new Set(TERRITORIES.map(([region]) => region))];
  await insertRows(
    db,
    'region',
    regionNames.map((name, index) => ({ id: index + 1, name, active: true, version: 1 })),
  );
  await insertRows(
    db,
    'territory',
    TERRITORIES.map(([region, name], index) => ({
      id: index + 1,
      name,
      region_id: regionNames.indexOf(region) + 1,
      active: true,
      version: 1,
    })),
  );
  const { users, managers, territories } = await fillPeople(db, regionNames, options.password);
  const territoryOf = new Map(
    TERRITORIES.flatMap(([, , states], index) => states.split(' ').map((state) => [state, index + 1] as const)),
  );
  const places = await listedZips();
  await fillZipList(db);
  await insertRows(
    db,
    'zip_assignment',
    places.flatMap((place) => {
      const territory_id = territoryOf.get(place.state);
      return territory_id ? [{ zip5: place.zip, territory_id, valid_from: '2020-01-01', valid_to: null }] : [];
    }),
  );
  const homes = places.filter((place) => territoryOf.has(place.state) && place.latitude);
  const great = homes.filter((place) => territoryOf.get(place.state) === 1);
  const facilities = [...Array(options.facilities).keys()].map((index) => {
    // A sixth of the facilities are in the demo sales rep's territory, so that this rep has customers.
    const place = random.pick(index % 6 === 0 ? great : homes);
    return aFacility(index, place, territoryOf.get(place.state) ?? 1, random);
  });
  await insertFacilities(db, facilities);
  for (const table of ['region', 'territory', 'facility', 'app_user']) await followIds(db, table);
  return { facilities, territories, users, managers };
}

function aFacility(index: number, place: ListedZip, territoryId: number, random: Random): DemoFacility {
  const kind = random.pick(KINDS);
  const name = random.chance(0.3) ? `${random.pick(SAINTS)} ${kind} ${place.city}` : `${place.city} ${kind}`;
  const area = String(200 + random.int(1, 700));
  const domain = `${place.city.toLowerCase().replace(/[^a-z]/g, '')}-health.example.org`;
  return {
    id: index + 1,
    acctNo: String(10_012 + index * 7).padStart(6, '0'),
    name,
    // Every 25th facility starts a small group. The next three are its members.
    parentId: index % 25 > 0 && index % 25 < 4 ? index - (index % 25) + 1 : null,
    place,
    street: `${random.int(1, 9900)} ${random.pick(STREETS)}`,
    taxExempt: random.chance(0.7),
    taxRate: random.pick([0, 4, 6.25, 7, 8.875]),
    currnIdx: index % 100 === 99 ? 1009 : 1007,
    territoryId,
    contacts: [...Array(random.int(1, 3)).keys()].map((n) => {
      const [office = '', title = ''] = OFFICES[(index + n) % OFFICES.length] ?? [];
      return {
        name: office,
        title,
        email: `${office.toLowerCase().replace(' ', '.')}@${domain}`,
        phone: `(${area}) 555-${String(random.int(100, 199)).padStart(4, '0')}`,
      };
    }),
  };
}

async function insertFacilities(db: Db, facilities: DemoFacility[]): Promise<void> {
  await insertRows(
    db,
    'facility',
    facilities.map(({ place, ...facility }) => ({
      id: facility.id,
      acct_no: facility.acctNo,
      name: facility.name,
      parent_id: facility.parentId,
      class_of_trade: /Nursing|Rehab/.test(facility.name)
        ? 'Long-term care'
        : /Surgery|Clinic/.test(facility.name)
          ? 'Ambulatory'
          : 'Acute care',
      phone: facility.contacts[0]?.phone ?? '',
      bill_to_line1: 'Accounts Payable',
      bill_to_line2: facility.street,
      bill_to_city: place.city,
      bill_to_state: place.state,
      bill_to_zip: place.zip,
      ship_to_line1: facility.street,
      ship_to_line2: 'Receiving dock',
      ship_to_city: place.city,
      ship_to_state: place.state,
      ship_to_zip: place.zip,
      currn_idx: facility.currnIdx,
      tax_exempt: facility.taxExempt,
      tax_rate: facility.taxRate,
      active: true,
    })),
  );
  await insertRows(
    db,
    'contact',
    facilities.flatMap((facility) => facility.contacts.map((contact) => ({ facility_id: facility.id, ...contact }))),
  );
}

/** The demo accounts, a sales rep for each other territory, and a few more internal users. Only the demo accounts have a password. */
async function fillPeople(db: Db, regionNames: string[], password: string): Promise<Omit<DemoPlaces, 'facilities'>> {
  const hash = await hashPassword(password);
  const people = [
    ...demoAccounts.map(({ userName, fullName, role }) => ({ userName, fullName, role, hash: hash as string | null })),
    ...TERRITORIES.slice(1).map(([, territory]) => ({
      userName: `rep.${territory.toLowerCase().replaceAll(' ', '-')}@example.com`,
      fullName: `${territory} Rep`,
      role: 'salesrep' as const,
      hash: null,
    })),
    ...regionNames.slice(1).flatMap((region) => [
      {
        userName: `manager.${region.toLowerCase()}@example.com`,
        fullName: `${region} Quote Manager`,
        role: 'salesQuoteManager' as const,
        hash: null,
      },
      {
        userName: `cs.${region.toLowerCase()}@example.com`,
        fullName: `${region} Customer Service`,
        role: 'csrep' as const,
        hash: null,
      },
      {
        userName: `inside.${region.toLowerCase()}@example.com`,
        fullName: `${region} Inside Rep`,
        role: 'insiderep' as const,
        hash: null,
      },
    ]),
  ].map((person, index) => ({ ...person, id: index + 1 }));
  await insertRows(
    db,
    'app_user',
    people.map((person) => ({
      id: person.id,
      user_name: person.userName,
      full_name: person.fullName,
      phone: `(312) 555-${String(100 + person.id).padStart(4, '0')}`,
      password_hash: person.hash,
      must_change_password: false,
      active: true,
      gpo_tab_hidden: false,
      version: 1,
    })),
  );
  await insertRows(
    db,
    'user_role',
    people.map((person) => ({ user_id: person.id, role: person.role })),
  );
  const users = new Map(people.map((person) => [person.userName.split('@')[0] ?? '', person.id]));
  const idOf = (key: string) => users.get(key) ?? 0;

  const territories = TERRITORIES.map(([region, territory], index) => {
    const slug = region.toLowerCase();
    const own = region === regionNames[0];
    return {
      id: index + 1,
      regionId: regionNames.indexOf(region) + 1,
      salesRepId: index === 0 ? idOf('rep') : idOf(`rep.${territory.toLowerCase().replaceAll(' ', '-')}`),
      csRepId: own ? idOf('cs') : idOf(`cs.${slug}`),
      isRepId: own ? idOf('inside') : idOf(`inside.${slug}`),
      managerId: own ? idOf('manager') : idOf(`manager.${slug}`),
    };
  });
  await insertRows(
    db,
    'territory_rep',
    territories.flatMap((territory) =>
      [
        ['sales', territory.salesRepId],
        ['cs', territory.csRepId],
        ['is', territory.isRepId],
        ['manager', territory.managerId],
      ].map(([role, user_id]) => ({
        territory_id: territory.id,
        role,
        user_id,
        valid_from: '2020-01-01',
        valid_to: null,
      })),
    ),
  );
  const managed = regionNames.map((region, index) => ({
    user_id: index === 0 ? idOf('manager') : idOf(`manager.${region.toLowerCase()}`),
    region_id: index + 1,
  }));
  await insertRows(db, 'user_region', managed);
  await insertRows(db, 'user_support', [{ support_id: idOf('support'), rep_id: idOf('rep') }]);
  return { users, managers: new Map(managed.map((entry) => [entry.region_id, entry.user_id])), territories };
}
