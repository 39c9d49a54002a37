// Tests which columns of a file lead to a question: all unmatched ones, except those that are empty or known to be harmless.
import { describe, expect, test } from 'vitest';
import { rowsOfKind } from '#testing/import-text.server.ts';
import { questionSentence, questionsOf } from './column-questions.server.ts';
import { matchHeadings } from './header-match.server.ts';

function askedAbout(kind: string, text: string, unused: readonly number[] = [], value = 'x'): string[] {
  const wanted = rowsOfKind(kind);
  const headings = text.split('|');
  const columns = Object.fromEntries(matchHeadings(headings, wanted, []));
  const samples = headings.map(() => [value]);
  return questionsOf({ headings, columns, unused }, wanted, samples).map(
    ({ at, about }) => `${headings[at]}: ${about}`,
  );
}
const fieldOf = (kind: string, heading: string) => [...matchHeadings([heading], rowsOfKind(kind), []).keys()][0];

/** A kind of file, one of its fields, and headings for that field. */
const HEADINGS: [kind: string, field: string, ...headings: string[]][] = [
  [
    'contracts',
    'needs_loc',
    'LOC Req.',
    'LOC Reqd',
    'Requires LOC',
    'Letter of Commitment Required',
    'Commitment Letter',
  ],
  ['rosters', 'excluded', 'Excluded', 'Opt Out', 'Declined', 'Withdrawn'],
  ['rosters', 'participating', 'Participating'],
  ['rosters', 'approved', 'Approved'],
  ['prices', 'currn_idx', 'Ccy'],
  ['prices', 'min_qty', 'Break'],
  ['account-prices', 'currn_idx', 'Ccy'],
  ['account-prices', 'acct_no', 'Customer', 'Customer No', 'Facility'],
  ['account-prices', 'reference', 'Contract'],
  [
    'facilities',
    'contact_email',
    'Buyer E-mail',
    'Buyer Email Address',
    'Purchasing E-Mail',
    'Contact Email Address',
    'Primary Email',
  ],
  [
    'contacts',
    'email',
    'Buyer E-mail',
    'Buyer Email Address',
    'Purchasing E-Mail',
    'Contact Email Address',
    'Primary Email',
  ],
  ['facilities', 'contact_name', 'Buyer Name'],
  ['contacts', 'name', 'Buyer'],
  ['contract-prices', 'currn_idx', 'Ccy'],
  ['contract-prices', 'contract', 'Contract'],
  ['contract-prices', 'tier', 'Level'],
];

describe('columns that decide money are taken or asked about', () => {
  test.each(
    HEADINGS.flatMap(([kind, field, ...headings]) => headings.map((heading) => [kind, heading, field] as const)),
  )('%s: %s is the field %s', (kind, heading, field) => {
    expect(fieldOf(kind, heading)).toBe(field);
  });

  test.each([
    [
      'prices',
      'Item|Price',
      [
        'Customer',
        'Customer No',
        'Contract',
        'Level',
        'Facility',
        'Min Order',
        'Customer Name',
        'Type',
        'Group',
        'Class',
      ],
    ],
    ['account-prices', 'Account|Item|Price', ['Level', 'Min Order']],
    ['contract-prices', 'Item|UOM|Price', ['Customer', 'Break', 'Facility', 'Min Order']],
    ['promotions', 'Item|Promo Price', ['Group', 'Class', 'Customer']],
    ['memberships', 'Account|GPO', ['Excluded', 'Opt Out', 'Participating', 'Approved']],
    ['contracts', 'Contract #|GPO', ['Not LOC', 'Facilities']],
    ['costs', 'Item|Cost', ['Ccy', 'Facility', 'Level']],
    ['items', 'Item|Description', ['Ccy', 'Zone']],
    ['units', 'Item|Unit|Factor', ['Ccy', 'Zone']],
    ['facilities', 'Account|Name', ['Zone']],
    ['sales', 'Item|Invoice Date', ['Zone']],
    ['taz', 'ZIP|Territory', ['Zone']],
    ['users', 'Email|Name', ['Zone']],
  ])('%s with %s asks about each of %j', (kind, known, headings) => {
    expect(askedAbout(kind, [known, ...headings].join('|')).map((question) => question.split(':')[0])).toEqual(
      headings,
    );
  });
});

test.each([
  [
    'prices',
    'Item|Price',
    'Description|Item Description|Manufacturer|Notes|Page|Line|Print Date|Created By|Last Updated|Weight|Image URL|Why refused',
  ],
  ['contract-prices', 'Item|UOM|Price', 'Description|Vendor Name|Brand|Category|Comments|ID|Row #|Report Date'],
  ['rosters', 'Contract|Account|Tier', 'Remarks|Fax|County|Export Date|Internal ID'],
  ['account-prices', 'Account|Item|Price', 'Customer Name|City|State|Item Description|Remark'],
])('%s with %s asks nothing about harmless columns', (kind, known, headings) => {
  expect(askedAbout(kind, `${known}|${headings}`)).toEqual([]);
});

test.each([
  ['sales', 'Item|Invoice Date', 'Type', 'Return', 'an instruction to change or delete the row'],
  ['sales', 'Item|Invoice Date', 'Type', 'CREDIT', 'an instruction to change or delete the row'],
  ['prices', 'Item|Price', 'Storage', 'EUR', 'the currency'],
])('%s with %s asks about %s because of %s', (kind, known, heading, value, about) => {
  expect(askedAbout(kind, `${known}|${heading}`, [], value)).toEqual([`${heading}: ${about}`]);
  expect(askedAbout(kind, `${known}|${heading}`)).toEqual([]);
});

test('a location and a cost center are neither letters nor prices', () => {
  expect(askedAbout('items', 'Item|Description|Supply Loc|Cost Ctr')).toEqual(
    ['Supply Loc', 'Cost Ctr'].map((heading) => `${heading}: anything, because its heading is not known`),
  );
});

test('a column is asked about once: not when it is empty, matched or marked as not used', () => {
  expect(askedAbout('prices', 'Item|Price|Zone')).toEqual(['Zone: anything, because its heading is not known']);
  expect(askedAbout('prices', 'Item|Price|Zone', [2])).toEqual([]);
  expect(askedAbout('prices', 'Item|Price|Ceiling|Currency|Ccy')).toEqual([
    'Ceiling: another price',
    'Ccy: the currency',
  ]);
  const headings = ['Item', 'Price', 'Zone', 'Discount'];
  const columns = { item_number: 0, price: 1 };
  expect(questionsOf({ headings, columns }, rowsOfKind('prices'), [['1'], ['2'], [], []])).toEqual([]);
});

test('the sentence names what may change a price before what nobody knows', () => {
  const questions = [
    { at: 0, about: 'anything, because its heading is not known' },
    { at: 1, about: 'a price' },
  ];
  expect(questionSentence(questions, ['Zone', 'Net'])).toBe(
    "Choose what each of these columns is, or mark it as not used: 'Net' may be a price, 'Zone' is not a known heading.",
  );
});
