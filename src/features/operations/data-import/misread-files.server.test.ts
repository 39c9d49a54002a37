// Tests small files that are made to be misread: each is stored right, or stopped with the question or the reason (docs/decisions/0232).
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { importText, refusals } from '#testing/import-text.server.ts';
import type { ImportOptions } from './running/import-file.server.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
});
afterAll(() => database.close());

/** A cell of a workbook: its value and its number format. */
type Cell = string | number | boolean | Date | { v: string | number | boolean | Date; as: string };
type Book = { cells: Cell[][]; change?: (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook) => void };
type Case = {
  name: string;
  kind: string;
  /** Text, or a workbook. {1} is an item in EA, BX of 50 and CS of 500 at 1.00 per EA, {2} one in EA alone without a price, {F} an account. */
  file: string | Book;
  options?: ImportOptions;
  /** What the import says instead of reading the file. */
  asks?: string;
  /** The refused cells, the held rows and the notes, each by a part of its text. */
  refused?: string[];
  held?: string[];
  notes?: string[];
  /** What is stored afterwards: list prices, units, accounts or items, by kind. */
  stored?: string[];
};

let nth = 0;
async function run(one: Case): Promise<void> {
  const prefix = `MIS${++nth}`;
  const named = (text: string) => text.replace(/\{(\w)\}/g, (_, which: string) => `${prefix}-${which}`);
  await anItem(db, { number: named('{1}'), units: { EA: 1, BX: 50, CS: 500 }, prices: [{ unit: 'EA', price: 1 }] });
  await anItem(db, { number: named('{2}'), units: { EA: 1 }, prices: [] });
  await aFacility(db, { acctNo: named('{F}') });
  const content = typeof one.file === 'string' ? named(one.file) : await bookOf(one.file, named);
  const options = one.options?.map ? { ...one.options, map: one.options.map.map(named) } : one.options;
  const load = importText(database, one.kind, content, options);
  if (one.asks !== undefined) return expect(load).rejects.toThrow(named(one.asks));
  const done = await load;
  const parts = (found: string[], wanted: string[] = []) => {
    expect(found).toHaveLength(wanted.length);
    for (const [at, part] of wanted.entries()) expect(found[at]).toContain(named(part));
  };
  parts(refusals(done), one.refused);
  parts(
    done.held.map(({ line, key, was, now, hint }) => `${line} ${key}: ${was} → ${now}. ${hint}`),
    one.held,
  );
  const notes = done.view.report?.notes.join('\n') ?? '';
  for (const note of one.notes ?? []) expect(notes).toContain(named(note));
  if (one.stored) expect(await storedOf(one.kind, prefix)).toEqual(one.stored.map(named));
}

async function bookOf({ cells, change }: Book, named: (text: string) => string): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Prices');
  for (const [row, values] of cells.entries())
    for (const [column, cell] of values.entries()) {
      const { v, as } = typeof cell === 'object' && 'v' in cell ? cell : { v: cell, as: '' };
      const at = sheet.getCell(row + 1, column + 1);
      at.value = typeof v === 'string' ? named(v) : v;
      if (as) at.numFmt = as;
    }
  change?.(sheet, book);
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** What the import stored, as text, without the price and the records that were there before. */
async function storedOf(kind: string, prefix: string): Promise<string[]> {
  if (kind === 'facilities') {
    const rows = await db
      .selectFrom('facility')
      .selectAll()
      .where('acct_no', 'like', `${prefix}-%`)
      .where('acct_no', '!=', `${prefix}-F`)
      .orderBy('acct_no')
      .execute();
    return rows.map((row) =>
      [
        row.acct_no,
        row.active ? 'active' : 'inactive',
        row.tax_exempt ? 'exempt' : 'taxable',
        row.ship_to_line1,
        row.bill_to_line1,
      ].join(' | '),
    );
  }
  if (kind === 'items') {
    const rows = await db
      .selectFrom('item')
      .leftJoin('item_unit', 'item_unit.item_id', 'item.id')
      .select(['item_number', 'base_unit', 'status', 'unit', 'factor'])
      .where('item_number', 'like', `${prefix}-N%`)
      .orderBy('item_number')
      .execute();
    return rows.map((row) =>
      [row.item_number, row.base_unit, row.status, row.unit ? `${row.unit} of ${row.factor}` : ''].join(' | '),
    );
  }
  const table = kind === 'account-prices' ? 'account_price' : 'item_price';
  const rows = await db
    .selectFrom(table)
    .innerJoin('item', 'item.id', `${table}.item_id`)
    .select(['item_number', 'unit', 'price', 'currn_idx', 'min_qty', 'valid_from', 'valid_to'])
    .where('item_number', 'like', `${prefix}-%`)
    .orderBy('item_number')
    .orderBy('unit')
    .orderBy('min_qty')
    .orderBy(`${table}.id`)
    .execute();
  return rows
    .filter((row) => !(row.item_number.endsWith('-1') && row.unit === 'EA' && row.price === 1))
    .map((row) => {
      const days =
        row.valid_from.startsWith('2026') || row.valid_from.startsWith('2027') ? ` from ${row.valid_from}` : '';
      return `${row.item_number} ${row.unit} ${row.price}${row.currn_idx === 1009 ? ' EUR' : ''}${row.min_qty === 1 ? '' : ` from ${row.min_qty}`}${row.valid_from >= today() ? '' : days}`;
    });
}

const today = (): string => new Date().toISOString().slice(0, 10);

const PRICE_OF_100: Cell = { v: 30, as: '0.00' };

const headings: Case[] = [
  { name: 'UoM is the unit', kind: 'prices', file: 'Item,Price,UoM\n{1},30.00,BX\n', stored: ['{1} BX 30'] },
  { name: 'U/M is the unit', kind: 'prices', file: 'Item,Price,U/M\n{1},30.00,BX\n', stored: ['{1} BX 30'] },
  {
    name: 'Selling Unit of Measure Code may be the unit',
    kind: 'prices',
    file: 'Item,Price,Selling Unit Code\n{1},30.00,BX\n',
    asks: "'Selling Unit Code' may be the unit",
  },
  { name: 'Unit Charge is the price', kind: 'prices', file: 'List ID,Unit Charge\n{2},7.00\n', stored: ['{2} EA 7'] },
  {
    name: 'Per 100 beside the price',
    kind: 'prices',
    file: 'Item,Price,Per 100\n{2},150.00,Y\n',
    asks: "'Per 100' may be how many the price is for",
  },
  {
    name: 'Price per 100 read as the price',
    kind: 'prices',
    file: 'Item,Price per 100\n{2},150.00\n',
    options: { map: ['Price per 100=price'] },
    refused: ['is the price of 100 by its heading'],
    stored: [],
  },
  {
    name: 'New Price beside Price',
    kind: 'prices',
    file: 'Item,Price,New Price\n{2},5.00,6.00\n',
    asks: "'New Price' may be a price",
  },
  {
    name: 'New Price said to be the price, and Price not used',
    kind: 'prices',
    file: 'Item,Price,New Price\n{2},5.00,6.00\n',
    options: { map: ['New Price=price', 'Price='] },
    stored: ['{2} EA 6'],
  },
  {
    name: 'two columns called Price',
    kind: 'prices',
    file: 'Item,Price,Price\n{2},5.00,6.00\n',
    asks: "'Price' may be a price",
  },
  {
    name: 'the second of two columns called Price',
    kind: 'prices',
    file: 'Item,Price,Price\n{2},5.00,6.00\n',
    options: { map: ['#3=price', '#2='] },
    stored: ['{2} EA 6'],
  },
  {
    name: 'a pack size that is not that of the unit',
    kind: 'prices',
    file: 'Item,Price,UOM,Pack Size\n{1},60.00,BX,100\n',
    refused: ['may be BX, which holds 50 EA here, or 100 EA'],
    stored: [],
  },
  {
    name: 'a pack size that is that of the unit',
    kind: 'prices',
    file: 'Item,Price,UOM,Pack Size\n{1},60.00,BX,50\n',
    stored: ['{1} BX 60'],
  },
  {
    name: 'a pack size without a unit',
    kind: 'prices',
    file: 'Item,Price,Pack Size\n{1},60.00,50\n',
    refused: ['may be EA, which holds 1 EA here, or 50 EA'],
    stored: [],
  },
  {
    name: 'values without a heading',
    kind: 'prices',
    file: 'Item,Price,\n{1},30.00,BX\n',
    asks: 'column 3 may be anything, because it has no heading',
  },
  {
    name: 'Inactive',
    kind: 'facilities',
    file: 'Account,Name,Inactive\n{A},North,Yes\n{B},South,No\n',
    asks: "'Inactive' may be whether it is active",
  },
  {
    name: 'Inactive read as active: Yes means no',
    kind: 'facilities',
    file: 'Account,Name,Inactive\n{A},North,Yes\n{B},South,No\n',
    options: { map: ['Inactive=active'] },
    stored: ['{A} | inactive | taxable |  | ', '{B} | active | taxable |  | '],
  },
  {
    name: 'Address beside Ship To',
    kind: 'facilities',
    file: 'Account,Name,Address,Ship To Address\n{A},North,1 Bill St,2 Ship St\n',
    asks: "'Address' may be an address",
  },
  {
    name: 'Address said to be the bill-to address',
    kind: 'facilities',
    file: 'Account,Name,Address,Ship To Address\n{A},North,1 Bill St,2 Ship St\n',
    options: { map: ['Address=bill_to_line1'] },
    stored: ['{A} | active | taxable | 2 Ship St | 1 Bill St'],
  },
  {
    name: 'Taxable read as tax exempt: Yes means no',
    kind: 'facilities',
    file: 'Account,Name,Taxable\n{A},North,Yes\n{B},South,No\n',
    options: { map: ['Taxable=tax_exempt'] },
    stored: ['{A} | active | taxable |  | ', '{B} | active | exempt |  | '],
  },
  {
    name: 'Discontinued read as the status',
    kind: 'items',
    file: 'Item,Desc,Discontinued\n{N1},Glove,Yes\n{N2},Mask,N\n'
      .replaceAll('{N1}', '{1}-N')
      .replaceAll('{N2}', '{2}-N'),
    options: { map: ['Discontinued=status'] },
  },
  {
    name: 'Status of a roster',
    kind: 'rosters',
    file: 'Contract,Member ID,Facility Name,Tier,Status\nX-1,1,North,1,Terminated\n',
    asks: "'Status' may be whether it is active",
  },
  {
    name: 'Pack of a contract',
    kind: 'contract-prices',
    file: 'Contract,Item,UOM,Tier,Price,Per\nX-1,{1},BX,1,5.00,100\n',
    asks: "'Per' may be how many the price is for",
  },
];

const notations: Case[] = [
  {
    name: 'the euro sign is the currency',
    kind: 'prices',
    file: 'Item,Price\n{2},€12.50\n',
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'EUR after the amount is the currency',
    kind: 'prices',
    file: 'Item,Price\n{2},12.50 EUR\n',
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'a currency in the cell against the column of currencies',
    kind: 'prices',
    file: 'Item,Price,Currency\n{2},€12.50,USD\n',
    refused: ['is in EUR, but Currency says USD'],
    stored: [],
  },
  {
    name: 'a currency in the heading',
    kind: 'prices',
    file: 'Item,Price (EUR)\n{2},12.50\n',
    options: { map: ['Price (EUR)=price'] },
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'a currency that is not quoted here',
    kind: 'prices',
    file: 'Item,Price\n{2},£12.50\n',
    refused: ['is not an amount'],
    stored: [],
  },
  {
    name: 'a cost in euros',
    kind: 'costs',
    file: 'Item,Cost\n{2},€12.50\n',
    refused: ['is in EUR: costs are kept in USD'],
  },
  {
    name: 'an amount of money as a quantity',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},5,$12.50\n',
    refused: ['is an amount of money'],
    stored: [],
  },
  {
    name: 'days with the day first',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From\n{2},5,1,13/02/2026\n{2},4,10,05/02/2026\n',
    notes: ["Valid From is read as dd/mm/yyyy, because of '13/02/2026' (line 2)."],
    stored: ['{2} EA 5 from 2026-02-13', '{2} EA 4 from 10 from 2026-02-05'],
  },
  {
    name: 'days in two notations',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From\n{2},5,1,13/02/2026\n{2},4,10,05/02/2026\n{2},3,100,02/14/2026\n',
    refused: ['may have its day or its month first'],
    stored: ['{2} EA 5 from 2026-02-13', '{2} EA 3 from 100 from 2026-02-14'],
  },
  {
    name: 'one amount with a decimal comma among others with a point',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},"70,50",1\n{2},60.25,10\n{2},50.10,100\n',
    refused: ["'70,50' is written with a decimal comma"],
    stored: ['{2} EA 60.25 from 10', '{2} EA 50.1 from 100'],
  },
  {
    name: 'a file of amounts with decimal commas',
    kind: 'prices',
    file: 'Item;Price;Min Qty\n{2};1.070,50;1\n{2};60,25;10\n',
    options: { answers: ['decimals=comma'] },
    stored: ['{2} EA 1070.5', '{2} EA 60.25 from 10'],
  },
  {
    name: 'swapped columns',
    kind: 'prices',
    file: 'Item,Price\n12.50,{2}\n',
    refused: ["Price: '{2}' is "],
    stored: [],
  },
  {
    name: 'a row of totals',
    kind: 'prices',
    file: 'Item,Price\n{2},5\nTotal,5\n,5\n',
    refused: ["'Total' is no item here", 'is empty'],
    stored: ['{2} EA 5'],
  },
  {
    name: 'two prices of one item',
    kind: 'prices',
    file: 'Item,Price\n{2},5\n{2},6\n',
    refused: ['is in line 2 already with other values'],
    stored: ['{2} EA 5'],
  },
];

const money: Case[] = [
  { name: 'a price of 0', kind: 'prices', file: 'Item,Price\n{2},0\n', held: ['no price → $0.00 per EA'], stored: [] },
  {
    name: 'a price that rounds to 0',
    kind: 'prices',
    file: 'Item,Price\n{2},0.00004\n',
    held: ['no price → $0.00 per EA'],
    stored: [],
  },
  {
    name: 'the price of a box as that of a piece',
    kind: 'prices',
    file: 'Item,Price\n{1},50.00\n',
    held: ['$1.00 per EA → $50.00 per EA (50.00 times). About 50 times: is it the price of a BX?'],
    stored: [],
  },
  {
    name: 'the price of a piece as that of a box',
    kind: 'prices',
    file: 'Item,Price,UOM\n{1},1.00,BX\n',
    held: ['$50.00 per BX → $1.00 per BX (1/50). About 1/50: is it the price of one EA?'],
    stored: [],
  },
  {
    name: 'three times as much passes',
    kind: 'prices',
    file: 'Item,Price\n{1},3.00\n',
    held: [],
    stored: ['{1} EA 3'],
  },
  {
    name: 'more than was said to be held',
    kind: 'prices',
    file: 'Item,Price\n{1},2.00\n',
    options: { answers: ['times=1.5'] },
    held: ['$1.00 per EA → $2.00 per EA'],
    stored: [],
  },
  {
    name: 'an account price far above the list price',
    kind: 'account-prices',
    file: 'Account,Item,Price\n{F},{1},50.00\n',
    held: ['$1.00 per EA → $50.00 per EA'],
    stored: [],
  },
  {
    name: 'a larger quantity that is dearer',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},5,1\n{2},6,100\n',
    notes: ['1 price is higher from a larger quantity: {2} at 6.00 from 100 (5.00 from 1).'],
    stored: ['{2} EA 5', '{2} EA 6 from 100'],
  },
  {
    name: "'100/bx' of an item without boxes",
    kind: 'prices',
    file: 'Item,Price,UOM\n{2},6.67,100/bx\n',
    refused: ["'100/bx' is BX, which is no unit of this item"],
    stored: [],
  },
  {
    name: "'100/bx' said to be the box of 100",
    kind: 'prices',
    file: 'Item,Price,UOM\n{2},6.67,100/bx\n',
    options: { answers: ['packs=make'] },
    notes: ['1 unit is made: {2} BX of 100.'],
    stored: ['{2} BX 6.67'],
  },
  {
    name: 'two sizes of the box that is made',
    kind: 'prices',
    file: 'Item,Price,UOM,Min Qty\n{2},6.67,100/bx,1\n{2},6.00,50/bx,10\n',
    options: { answers: ['packs=make'] },
    refused: ['says 100 EA, line 3 says 50', 'says 50 EA, line 2 says 100'],
    stored: [],
  },
  {
    name: "'100/bx' against a box of 50",
    kind: 'prices',
    file: 'Item,Price,UOM\n{1},60,100/bx\n',
    options: { answers: ['packs=make'] },
    refused: ['may be BX, which holds 50 EA here, or 100 EA'],
    stored: [],
  },
];

const books: Case[] = [
  {
    name: 'a euro format is the currency',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', { v: 12.5, as: '[$€-407] #,##0.00' }],
      ],
    },
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'TRUE, a percentage and a time are no prices',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', true],
        ['{2}', { v: 0.125, as: '0.0%' }],
        ['{2}', { v: 0.5, as: 'h:mm' }],
      ],
    },
    refused: ["'true' is not an amount", "'12.5%' is not an amount", "'12:00:00' is not an amount"],
    stored: [],
  },
  {
    name: 'TRUE and a time are no item numbers',
    kind: 'items',
    file: {
      cells: [
        ['Item', 'Desc'],
        [true, 'Glove'],
        [{ v: 0.5, as: 'h:mm:ss' }, 'Mask'],
      ],
    },
    refused: ["'true' is a truth value", "'12:00:00' is a truth value, a time"],
  },
  {
    name: 'a day of its own beside a day with the day first',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty', 'Valid From'],
        ['{2}', 5, 1, '13/02/2026'],
        ['{2}', 4, 10, { v: new Date('2026-05-02T00:00:00Z'), as: 'mm/dd/yyyy' }],
      ],
    },
    refused: ['a spreadsheet may have swapped day and month'],
    stored: ['{2} EA 5 from 2026-02-13'],
  },
  {
    name: 'a hidden row is read and named',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{2}', 5, 1],
        ['{2}', 4, 10],
      ],
      change: (sheet) => (sheet.getRow(3).hidden = true),
    },
    notes: ['1 row is hidden in the sheet and is read like the others: line 3.'],
    stored: ['{2} EA 5', '{2} EA 4 from 10'],
  },
  {
    name: 'another sheet with as many rows',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', 5],
      ],
      change: (_, book) =>
        book.addWorksheet('Prices 2027').addRows([
          ['Artikel', 'Preis'],
          ['x', 6],
        ]),
    },
    asks: "Choose the sheet: 'Prices 2027' (2 rows) has as many rows as 'Prices'",
  },
  {
    name: 'the sheet that is named',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price'],
        ['{2}', PRICE_OF_100],
      ],
      change: (_, book) =>
        book.addWorksheet('Prices 2027').addRows([
          ['Artikel', 'Preis'],
          ['x', 6],
        ]),
    },
    options: { sheet: 'Prices' },
    stored: ['{2} EA 30'],
  },
  {
    name: 'merged cells',
    kind: 'prices',
    file: {
      cells: [
        ['Item', 'Price', 'Min Qty'],
        ['{2}', 5, 1],
        ['{2}', '', 10],
      ],
      change: (sheet) => sheet.mergeCells('B2:B3'),
    },
    refused: ['are merged', 'are merged', 'gives no price'],
    stored: [],
  },
];

describe('headings', () => test.each(headings)('$name', run));
describe('notations', () => test.each(notations)('$name', run));
describe('money', () => test.each(money)('$name', run));
describe('workbooks', () => test.each(books)('$name', run));

test('item numbers keep what a workbook shows: 1.10, 7.500, 0042, 12345-6789-01', async () => {
  for (const number of ['1.10', '7.500', '0042', '12345-6789-01']) await anItem(db, { number, prices: [] });
  const cells: Cell[][] = [
    ['Item', 'Price'],
    [{ v: 1.1, as: '0.00' }, 5],
    [{ v: 7.5, as: '0.000' }, 6],
    [{ v: 42, as: '0000' }, 7],
    [{ v: 12345678901, as: '00000-0000-00' }, 8.123],
  ];
  const done = await importText(database, 'prices', await bookOf({ cells }, (text) => text));
  expect(refusals(done)).toEqual([]);
  const rows = await db
    .selectFrom('item_price')
    .innerJoin('item', 'item.id', 'item_price.item_id')
    .select(['item_number', 'price'])
    .where('item_number', 'in', ['1.10', '7.500', '0042', '12345-6789-01'])
    .orderBy('price')
    .execute();
  expect(rows.map(({ item_number, price }) => `${item_number} ${price}`)).toEqual([
    '1.10 5',
    '7.500 6',
    '0042 7',
    '12345-6789-01 8.123',
  ]);
});

test('a known heading counts before what is remembered, unless the file is like the last one', async () => {
  await anItem(db, { number: 'MEM-1', prices: [] });
  const read = async (text: string, map?: string[]) => {
    const { view } = await importText(database, 'prices', text, { dryRun: true, ...(map ? { map } : {}) });
    return Object.fromEntries(
      view.columns.map(({ heading, field, unused, remembered }) => [
        heading,
        `${field ?? (unused ? 'not used' : '')}${remembered ? ', as in the last file' : ''}`,
      ]),
    );
  };
  const map = ['Net=price', 'Price='];
  expect(await read('Item,Price,Net\nMEM-1,5,4\n', map)).toEqual({
    Item: 'item_number',
    Price: 'not used',
    Net: 'price',
  });
  expect(await read('Item,Price,Net\nMEM-1,5,4\n')).toEqual({
    Item: 'item_number',
    Price: 'not used, as in the last file',
    Net: 'price, as in the last file',
  });
  // A file of refused rows is read like its original.
  expect(await read('Item,Price,Net,Line,Why refused\nMEM-1,5,4,2,x\n')).toMatchObject({
    Net: 'price, as in the last file',
  });
  expect(await read('Item,Price,Net\nMEM-1,5,4\n')).toMatchObject({ Net: 'price, as in the last file' });
  expect(await read('Item,Net\nMEM-1,4\n')).toEqual({ Item: 'item_number', Net: 'price, as in the last file' });
  await expect(read('Item,Price,Net,Note\nMEM-1,5,4,x\n')).rejects.toThrow("'Net' may be a price");
});

test('100 rows of one cause are one sentence', async () => {
  await anItem(db, { number: 'CAUSE-1', units: { EA: 1 }, prices: [] });
  const rows = Array.from({ length: 100 }, (_, at) => `CAUSE-1,5,${at + 2}/bx,${at + 1}`);
  const { view } = await importText(database, 'prices', `Item,Price,UOM,Min Qty\n${rows.join('\n')}\nCAUSE-1,x,,200\n`);
  expect(view.report?.causes).toEqual([
    {
      sentence: "UOM '2/bx' is BX, which is no unit of this item: import its units first",
      rows: 100,
      lines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    },
    { sentence: "Price 'x' is not an amount", rows: 1, lines: [102] },
  ]);
});

test('the tiers of a contract: dearer in a higher tier, equal in all tiers, under the cost', async () => {
  const { id } = await aContract(db, { number: 'TIERS-1' });
  await db.insertInto('contract_tier').values({ contract_id: id, tier_no: 2, name: 'Tier 2' }).execute();
  for (const number of ['TI-1', 'TI-2', 'TI-3']) await anItem(db, { number, cost: 3, prices: [] });
  const text =
    'Contract,Item,U/M,Tier,Price\nTIERS-1,TI-1,EA,1,5\nTIERS-1,TI-1,EA,2,6\nTIERS-1,TI-2,EA,1,5\nTIERS-1,TI-2,EA,2,5\nTIERS-1,TI-3,EA,1,4\nTIERS-1,TI-3,EA,2,2\n';
  const { view } = await importText(database, 'contract-prices', text, { dryRun: true });
  expect(view.report?.notes).toEqual([
    '1 price is higher than that of a lower tier: TIERS-1 TI-1 EA, tier 2 at 6.00 (tier 1 at 5.00).',
    '1 item has the same price in all its tiers: TIERS-1 TI-2 EA at 5.00.',
    '1 price is under the cost of its item: TIERS-1 TI-3 EA at 2.00 (cost 3.00).',
  ]);
});

test('roles as people say them', async () => {
  const text =
    'E-mail,Name,Roles\nmis1@example.org,One,Sales Rep\nmis2@example.org,Two,Inside Sales\nmis3@example.org,Three,Customer Service Rep\nmis4@example.org,Four,Boss\n';
  expect(refusals(await importText(database, 'users', text))).toEqual([
    expect.stringContaining("has no role named 'Boss'"),
  ]);
  const rows = await db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .select(['user_name', 'role'])
    .where('user_name', 'like', 'mis%')
    .orderBy('user_name')
    .execute();
  expect(rows.map(({ role }) => role)).toEqual(['salesrep', 'insiderep', 'csrep']);
});
