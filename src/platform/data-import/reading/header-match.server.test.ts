// Tests that the headers of real exports are recognized, and distinguished from titles and data.
import { describe, expect, test } from 'vitest';
import type { RowKind } from '../kinds/kind-description.server.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';
import { matchHeadings, findHeader, mappingOf, normalHeading } from './header-match.server.ts';

const kindOf = (name: string): RowKind => {
  const kind = IMPORT_KINDS_OF_SCREEN.find((candidate) => candidate.kind === name)?.rows;
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
};

/** Returns field → heading of the header row. */
function matched(kind: string, rows: string[][], map: string[] = []): Record<string, string> | null {
  const wanted = kindOf(kind);
  const lines = rows.map((cells, index) => ({ line: index + 1, cells }));
  const mappings = map.map((text) => mappingOf(text, wanted));
  const header = findHeader(lines, wanted, (cells) => matchHeadings(cells, wanted, mappings));
  return header && Object.fromEntries([...header.columns].map(([field, at]) => [field, header.headings[at] ?? '']));
}

test.each([
  ['Item #', 'item number'],
  ['ITEM_NO', 'item number'],
  ['itemNumber', 'item number'],
  ['gmdnPTName', 'gmdn pt name'],
  ['primaryDI', 'primary di'],
  ['ZIP Code', 'zip'],
  ['Zipcode', 'zip'],
  ['City/Town', 'city town'],
  ['  Acct.  No. ', 'account number'],
  ['Qty', 'quantity'],
  ['Café', 'cafe'],
])('%s is %s', (heading, expected) => {
  expect(normalHeading(heading)).toBe(expected);
});

test.each(IMPORT_KINDS_OF_SCREEN.map(({ rows }) => rows))(
  'the known headings of $kind are in the normal spelling',
  ({ fields }) => {
    for (const { names } of Object.values(fields)) for (const name of names) expect(normalHeading(name)).toBe(name);
  },
);

describe('real headers', () => {
  const cases: [string, string, string, Record<string, string>][] = [
    [
      'prices with days',
      'prices',
      'Item,Price,Effective,Expires',
      { item_number: 'Item', price: 'Price', valid_from: 'Effective', valid_to: 'Expires' },
    ],
    [
      'memberships with days',
      'memberships',
      'Account,GPO,Start,Expiration',
      { acct_no: 'Account', gpo: 'GPO', valid_from: 'Start', valid_to: 'Expiration' },
    ],
    [
      'hospitals of 2018',
      'facilities',
      'Provider ID,Hospital Name,Address,City,State,ZIP Code,County Name,Phone Number,Hospital Type,Hospital Ownership,Emergency Services',
      {
        acct_no: 'Provider ID',
        name: 'Hospital Name',
        ship_to_line1: 'Address',
        ship_to_city: 'City',
        ship_to_state: 'State',
        ship_to_zip: 'ZIP Code',
        phone: 'Phone Number',
        class_of_trade: 'Hospital Type',
      },
    ],
    [
      'hospitals of 2026',
      'facilities',
      'Facility ID,Facility Name,Address,City/Town,State,ZIP Code,County/Parish,Telephone Number,Hospital Type',
      {
        acct_no: 'Facility ID',
        name: 'Facility Name',
        ship_to_line1: 'Address',
        ship_to_city: 'City/Town',
        ship_to_state: 'State',
        ship_to_zip: 'ZIP Code',
        phone: 'Telephone Number',
        class_of_trade: 'Hospital Type',
      },
    ],
    [
      'hospitals of HIFLD',
      'facilities',
      'X,Y,OBJECTID,ID,NAME,ADDRESS,CITY,STATE,ZIP,TELEPHONE,TYPE,STATUS,POPULATION,COUNTY,COUNTYFIPS,COUNTRY,LATITUDE,LONGITUDE,NAICS_CODE,STATE_ID,OWNER',
      {
        acct_no: 'ID',
        name: 'NAME',
        ship_to_line1: 'ADDRESS',
        ship_to_city: 'CITY',
        ship_to_state: 'STATE',
        ship_to_zip: 'ZIP',
        ship_to_country: 'COUNTRY',
        phone: 'TELEPHONE',
        class_of_trade: 'TYPE',
        active: 'STATUS',
      },
    ],
    [
      'nursing homes',
      'facilities',
      ',Federal Provider Number,Provider Name,Provider Address,Provider City,Provider State,Provider Zip Code,Provider Phone Number,Provider Type',
      {
        acct_no: 'Federal Provider Number',
        name: 'Provider Name',
        ship_to_line1: 'Provider Address',
        ship_to_city: 'Provider City',
        ship_to_state: 'Provider State',
        ship_to_zip: 'Provider Zip Code',
        phone: 'Provider Phone Number',
        class_of_trade: 'Provider Type',
      },
    ],
    [
      'devices',
      'items',
      'primaryDI,brandName,versionModelNumber,catalogNumber,companyName,deviceDescription,deviceCount,gmdnPTName,productCodes,productCodeName,rx,status,packages',
      {
        item_number: 'primaryDI',
        description: 'deviceDescription',
        brand: 'brandName',
        model: 'versionModelNumber',
        class: 'gmdnPTName',
        status: 'status',
        manufacturer: 'companyName',
        manufacturer_no: 'catalogNumber',
      },
    ],
    [
      'packages of devices',
      'units',
      'primaryDI,brandName,packages',
      { item_number: 'primaryDI', packages: 'packages' },
    ],
    [
      'price list with a service area',
      'prices',
      'Service Area,Px Code,Procedure Description,Supply #,Unit Price',
      { item_number: 'Supply #', price: 'Unit Price', description: 'Procedure Description' },
    ],
    [
      'price list with ranges',
      'prices',
      'Charge Code,Charge Code Description,Lowest Price,Highest Price,**Price Data is effective as of 12/28/2018',
      {
        item_number: 'Charge Code',
        price_low: 'Lowest Price',
        price_high: 'Highest Price',
        description: 'Charge Code Description',
      },
    ],
    [
      'price list without spaces',
      'prices',
      'ChargeCode,ChargeCode Description,Charge',
      { item_number: 'ChargeCode', price: 'Charge', description: 'ChargeCode Description' },
    ],
    [
      'fee schedule',
      'prices',
      'HCPCS,Mod,Mod2,JURIS,CATG,Ceiling,Floor,AL (NR),AL (R),Description',
      { item_number: 'HCPCS', modifier: 'Mod', modifier2: 'Mod2', price: 'Ceiling', description: 'Description' },
    ],
    [
      'ZIP table',
      'zips',
      'code,city,state,county,area_code,lat,lon',
      { zip5: 'code', city: 'city', state: 'state', county: 'county', lat: 'lat', lon: 'lon' },
    ],
    [
      'ZIP table with names of states',
      'zips',
      'country_code,zipcode,place,state,state_code,province,province_code,community,community_code,latitude,longitude',
      { zip5: 'zipcode', city: 'place', state: 'state_code', county: 'province', lat: 'latitude', lon: 'longitude' },
    ],
    [
      'users',
      'users',
      'Email,First Name,Last Name,Mobile,Role',
      { user_name: 'Email', first_name: 'First Name', last_name: 'Last Name', phone: 'Mobile', roles: 'Role' },
    ],
    ['sales', 'sales', 'Item #,Invoice Date,Qty', { item_number: 'Item #', sold_on: 'Invoice Date', qty: 'Qty' }],
  ];
  test.each(cases)('%s', (_name, kind, heading, expected) => {
    expect(matched(kind, [heading.split(',')])).toEqual(expected);
  });
});

test('title rows and data rows are not the header', () => {
  const rows = [
    ['CENTRAL SERVICES/CARTS'],
    [],
    ['as of', '12/28/2018'],
    ['ChargeCode', 'ChargeCode Description', 'Charge'],
    ['405', 'GAUZE', '$5.00'],
  ];
  expect(matched('items', rows)).toEqual({ item_number: 'ChargeCode', description: 'ChargeCode Description' });
});

test('of two possible rows, the one with more of our fields wins', () => {
  expect(
    matched('zips', [
      ['code', 'city'],
      ['zip', 'city', 'state'],
    ]),
  ).toEqual({ zip5: 'zip', city: 'city', state: 'state' });
});

describe('--map', () => {
  const heading = ['HCPCS', 'Ceiling', 'TX (NR)', 'Description = long'];
  test('overrides a guess', () => {
    expect(matched('prices', [heading], ['TX (NR)=price'])).toEqual({ item_number: 'HCPCS', price: 'TX (NR)' });
  });
  test('leaves a column out if no field follows it', () => {
    expect(matched('prices', [heading], ['Ceiling='])).toBeNull();
    expect(matched('prices', [heading], ['Ceiling'])).toBeNull();
  });
  test('takes a heading with an equals sign, in upper or lower case', () => {
    expect(matched('items', [heading], ['description = LONG=description'])).toMatchObject({
      description: 'Description = long',
    });
  });
  test('lists our fields if it gets an unknown one', () => {
    expect(() => matched('prices', [heading], ['Ceiling=cost'])).toThrow(
      /maps to 'cost', but prices have these fields: item_number, /,
    );
  });
});
