// Tests how a row of a usage file is read: sizes, quantities per year and prices, and doubts with both readings.
import { expect, it } from 'vitest';
import { matchHeadings } from '#platform/data-import/reading/header-match.server.ts';
import { USAGE } from './usage-columns.server.ts';
import { usageReader } from './usage-row.server.ts';

function read(headings: string, cells: string, months = 12) {
  const names = headings.split('|');
  const header = { line: 1, headings: names, columns: matchHeadings(names, USAGE, []) };
  return usageReader({ header, months, isBook: false, currnIdx: 1007 })({ line: 2, cells: cells.split('|') });
}

it('knows many names of the columns', () => {
  const names =
    'MMIS #|Vendor|Vendor Item #|Mfr|Mfr Cat #|Item Description|UOM|QOE|Annual Usage|Unit Price|UDI-DI'.split('|');
  expect([...matchHeadings(names, USAGE, [])].toSorted((a, b) => a[1] - b[1]).map(([field]) => field)).toEqual([
    'itemNo',
    'distributor',
    'catalogNo',
    'maker',
    'makerNo',
    'description',
    'unit',
    'eachesPerUnit',
    'qtyPerYear',
    'price',
    'gtin',
  ]);
});

it.each([
  ['Net Price', 'price'],
  ['Last Price Paid', 'price'],
  ['12M Usage', 'qtyPerYear'],
  ['Annual Vol', 'qtyPerYear'],
  ['YTD Qty', 'qty'],
  ['EA Qty', 'qty'],
])('%s is the field %s', (heading, field) => {
  expect([...matchHeadings([heading], USAGE, []).keys()]).toEqual([field]);
});

it.each([
  ['UOM|Pack', 'CS|100 EA/CS', 100],
  ['UOM', 'BX (50 EA)', 50],
  ['UOM|Each per unit', 'CS|1000', 1000],
  ['UOM', 'EA', 1],
  // The item decides what the pack contains ten of.
  ['UOM|Pack', 'CS|10/CS', null],
])('%s %s has %s eaches', (headings, cells, eaches) => {
  expect(read(`Description|${headings}`, `Glove|${cells}`)).toMatchObject({
    eaches,
    sizes_differ: false,
    read_doubts: [],
  });
});

it('passes over the headings of groups and the totals of a report, and doubts those with a quantity', () => {
  const headings = 'Store|Item no|Description|UOM|Qty';
  for (const cells of [
    'COST CENTER:|02850600|NORTH CLINIC||',
    'Midwest Total||Gloves||',
    'Department: 4010|4010|SURGERY||',
  ])
    expect(read(headings, cells)).toBeNull();
  expect(read(headings, 'Midwest Total|4711|Gloves|BX|12')).toMatchObject({
    qty_year: 12,
    read_doubts: ["'Midwest Total' is the name of a row of totals: leave the row out."],
  });
  expect(read(headings, 'STORE 1|4711|Gloves, total|BX|12')).toMatchObject({ qty_year: 12, read_doubts: [] });
});

it('takes quantities and money to a year', () => {
  expect(read('Description|UOM|Qty|Price', 'Glove|BX|30|2.5', 3)).toMatchObject({ qty_year: 120, price: 2.5 });
  expect(read('Description|UOM|Monthly usage|Price', 'Glove|BX|30|2.5', 3)).toMatchObject({ qty_year: 360 });
  expect(read('Description|UOM|Annual usage|Annual spend', 'Glove|BX|10|250', 3)).toMatchObject({
    qty_year: 10,
    price: 25,
  });
  expect(read('Description|UOM|Qty|Price per each', 'Glove|BX (100 EA)|12|0.09')).toMatchObject({
    price: 9,
    price_each: 0.09,
  });
});

it.each([
  ['Description|UOM|Each per unit', 'Glove||', 'The row has no unit'],
  [
    'Description|UOM|Each per unit',
    'Glove|BX (100 EA)|50',
    "'Eaches per unit' says 50 eaches, 'BX (100 EA)' says 100.",
  ],
  ['Description|UOM|Annual usage|Price|Annual spend', 'Glove|BX|10|90|9', 'annual spend is $9.00'],
  ['Description|UOM|Qty', 'Glove|BX|many', "Quantity for the period: 'many'"],
  ['Description|UOM|GTIN', 'Glove|BX|00812345678909', 'check digit'],
  ['Description|UOM|Mfr #', 'Glove|BX|1.23E+12', 'shortened by a spreadsheet'],
])('%s: %s is doubted', (headings, cells, doubt) => {
  expect(read(headings, cells)?.read_doubts.join(' ')).toContain(doubt);
});

it.each(['ChargeCode|ChargeCode Description', 'Charge Code|Charge Description', 'Supply #|Procedure Description'])(
  'knows what charge lists call numbers and descriptions: %s',
  (headings) => {
    expect(read(headings, '4058|GAUZE 5X9')).toMatchObject({ item_no: '4058', description: 'GAUZE 5X9' });
  },
);

it('takes no price in another currency than the facility is quoted in', () => {
  for (const [headings, cells, cellText] of [
    ['Description|UOM|Price', 'Glove|BX|€9.00', "Price per unit: '€9.00'"],
    ['Description|UOM|Unit Price (EUR)|Annual spend', 'Glove|BX||9 EUR', "Spend for the period: '9 EUR'"],
  ] as const)
    expect(read(headings, cells)).toMatchObject({
      price: null,
      read_doubts: [`${cellText} is in EUR, but the facility is quoted in USD.`],
    });
  expect(read('Description|UOM|Price', 'Glove|BX|$9.00')).toMatchObject({ price: 9, read_doubts: [] });
});

it('doubts thousands with a point beside a decimal comma', () => {
  expect(read('Description|UOM|Annual usage|Price', 'Glove|BX|1.250|9,00')?.read_doubts).toContain(
    "Quantity per year: '1.250' may mean thousands, because the row has a decimal comma.",
  );
});

it.each([
  ['Description|UOM|Trans Type', 'Glove|BX|Credit', "'Trans Type' says 'Credit'"],
  ['Description|UOM|Type', 'Glove|BX|Credit Memo', "'Type' says 'Credit Memo'"],
  ['Description|UOM|Line Status', 'Glove|BX|CANCELLED', "'Line Status' says 'CANCELLED'"],
  ['Description|UOM|Void', 'Glove|BX|Y', "'Void' says 'Y'"],
  ['Description|UOM|', 'Glove|BX|Discontinued', "'Column 3' says 'Discontinued'"],
  ['Description|UOM|Annual usage|Qty Returned', 'Glove|BX|10|3', "'Qty Returned' says '3'"],
  ['Description|UOM|Annual usage|Credits ($)', 'Glove|BX|10|(25.50)', "'Credits ($)' says '(25.50)'"],
])('%s: %s may not count as bought', (headings, cells, cellText) => {
  expect(read(headings, cells)?.read_doubts).toEqual([`${cellText}. The row may not be a purchase.`]);
});

it('doubts no row because of a column that says nothing against it', () => {
  for (const cells of ['Invoice|N|0.00|Net 30|Y|Active', '|No||0|Returns within 30 days|Credit card'])
    expect(
      read('Description|UOM|Trans Type|Void|Credits|Credit Terms|Returnable|Status', `Glove|BX|${cells}`),
    ).toMatchObject({ read_doubts: [] });
});

it('reads a price in the unit that its own column or heading says', () => {
  const each = { price: null, price_each: 0.07, read_doubts: [] };
  expect(read('Description|UOM|Unit Price|Price UOM', 'Glove|CS|0.07|EA')).toMatchObject(each);
  expect(read('Description|UOM|Buy Mult|Unit Price|Price UOM', 'Glove|CS|1000|0.07|EA')).toMatchObject({
    ...each,
    price: 70,
  });
  for (const [headings, cells, unit] of [
    ['Description|UOM|Unit Price|Pricing U/M', 'Glove|CS|7|BX', 'BX'],
    ['Description|UOM|Unit Price|Price Unit', 'Glove|EA|7|100', '100'],
  ] as const)
    expect(read(headings, cells)?.read_doubts.join()).toContain(`The price is per '${unit}', but the row's unit is`);
  expect(read('Description|UOM|Unit Price|Price UOM', 'Glove|CS|70|Case')).toMatchObject({
    price: 70,
    read_doubts: [],
  });
});

it('divides a quantity of single pieces by what the unit holds', () => {
  expect(read('Description|UOM|Conv|Qty (EA)', 'Glove|CS|1000|10000')).toMatchObject({ qty_year: 10, read_doubts: [] });
  expect(read('Description|UOM|Usage in Eaches', 'Glove|EA|10000')).toMatchObject({ qty_year: 10_000 });
  expect(read('Description|UOM|Qty (EA)', 'Glove|CS|10000')).toMatchObject({
    qty_year: null,
    read_doubts: ["'Qty (EA)' counts eaches, but the size of the row's unit 'CS' is unknown."],
  });
});

it.each(['-5', '(5)'])('doubts a quantity of %s', (quantity) => {
  expect(read('Description|UOM|Annual usage', `Glove|BX|${quantity}`)).toMatchObject({
    qty_year: null,
    read_doubts: [`Quantity per year: '${quantity}' is negative.`],
  });
});

it('passes over blank rows, repeated headings and sums', () => {
  expect(read('Description|UOM', '|')).toBeNull();
  expect(read('Description|UOM', 'Description|UOM')).toBeNull();
  expect(read('Description|UOM|Price', 'Grand total||900')).toBeNull();
});

it('doubts rows below other headings', () => {
  const names = 'Vendor Catalog #|UOM|Price'.split('|');
  const header = { line: 1, headings: names, columns: matchHeadings(names, USAGE, []) };
  const reader = usageReader({ header, months: 12, isBook: false, currnIdx: 1007 });
  const doubts = ['K-1|BX|5', 'Vendor Catalog #|UOM|Total Spend', 'K-2|BX|500', names.join('|'), 'K-3|BX|5'].map(
    (row, at) => reader({ line: at + 2, cells: row.split('|') })?.read_doubts ?? null,
  );
  expect(doubts).toEqual([
    [],
    null,
    ['The row is below a second set of headings on line 3. Its columns may mean something else.'],
    null,
    [],
  ]);
});

it.each([
  ['Vendor Ctlg No', 'catalogNo'],
  ['Vendor Itm Nbr', 'catalogNo'],
  ['Mfr Ctlg No', 'makerNo'],
  ['Stock #', 'itemNo'],
  ['Issue Qty', 'qty'],
  ['Issued Qty', 'qty'],
  ['Rcv Qty', 'qty'],
  ['Qty Rcvd', 'qty'],
  ['12 Mo Usage', 'qtyPerYear'],
  ['UOM Conv', 'eachesPerUnit'],
  ['Purch UOM', 'unit'],
  ['Ext Amt', 'spend'],
  ['Line Amount', 'spend'],
])('%s is a heading of %s', (heading, field) => {
  expect([...matchHeadings(['Item Description', heading], USAGE, []).keys()]).toContain(field);
});

it('divides the spend by the price where a row has no quantity', () => {
  expect(read('Description|UOM|Price|Ext Amt', 'Glove|EA|0.4815|13.482')).toMatchObject({
    qty_year: 28,
    price: 0.4815,
  });
  expect(read('Description|UOM|Price|Ext Amt', 'Glove|EA|2|50', 6)).toMatchObject({ qty_year: 50 });
  expect(read('Description|UOM|Price per each|Spend', 'Glove|BX (100 EA)|0.05|50')).toMatchObject({ qty_year: 10 });
  expect(read('Description|UOM|Price|Annual spend', 'Glove|EA|2|50', 6)).toMatchObject({ qty_year: 25 });
  for (const [quantity, price, spend] of [
    ['some', '2', '50'],
    ['', '', '50'],
    ['', '2', ''],
  ])
    expect(read('Description|UOM|Qty|Price|Spend', `Glove|EA|${quantity}|${price}|${spend}`)).toMatchObject({
      qty_year: null,
    });
});
