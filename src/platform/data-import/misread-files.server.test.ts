// Tests small files that are easy to misread: each is stored correctly, or stopped with the question or the reason (docs/decisions/0028).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { UnusableFile } from './reading/table-file.server.ts';
import { importText, refusals } from '#testing/import-text.server.ts';
import { BOOKS } from '#testing/misread-books.server.ts';
import { type Book, type Case, type Cell, HEADINGS, MONEY, NOTATIONS } from '#testing/misread-files.server.ts';
import { CHANGES, CUSTOMERS, SOME_ZIPS } from '#testing/misread-records.server.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  await db
    .insertInto('zip')
    .values(SOME_ZIPS.map(([zip5, state]) => ({ zip5, state, city: '', county: '' })))
    .execute();
});
afterAll(() => database.close());

let nth = 0;
/** Imports the file. The expected outcome contains a part of each message. */
async function run(misread: Case): Promise<void> {
  const prefix = `MIS${++nth}`;
  const named = (text: string) => text.replace(/\{(\w)\}/g, (_, which: string) => `${prefix}-${which}`);
  const part = (text: string): unknown => expect.stringContaining(named(text));
  const anything: unknown = expect.any(Array);
  const { asks, refused = [], held = [], note = '', stored } = misread;
  expect(await outcomeOf(misread, prefix, named)).toEqual(
    asks === undefined
      ? {
          asks: '',
          refused: refused.map(part),
          held: held.map(part),
          notes: part(note),
          stored: stored?.map(named) ?? anything,
        }
      : { asks: part(asks) },
  );
}

async function outcomeOf(misread: Case, prefix: string, named: (text: string) => string) {
  await anItem(db, { number: named('{1}'), units: { EA: 1, BX: 50, CS: 500 }, prices: [{ unit: 'EA', price: 1 }] });
  await anItem(db, { number: named('{2}'), units: { EA: 1 }, prices: [] });
  await aFacility(db, { acctNo: named('{F}') });
  const content = typeof misread.file === 'string' ? named(misread.file) : await bookOf(misread.file, named);
  const done = await importText(database, misread.kind, content, optionsOf(misread, named)).catch((error: unknown) => {
    if (error instanceof UnusableFile) return error.message;
    throw error;
  });
  if (typeof done === 'string') return { asks: done };
  return {
    asks: '',
    refused: refusals(done),
    held: done.held.map(({ line, key, was, now, hint }) => `${line} ${key}: ${was} → ${now}. ${hint}`),
    notes: done.view.report?.notes.join('\n') ?? '',
    stored: await storedOf(misread.kind, prefix),
  };
}

/** Returns the answers with the names of the case. */
const optionsOf = ({ options = {} }: Case, named: (text: string) => string): Case['options'] =>
  options.answers ? { ...options, answers: options.answers.map(named) } : options;

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

/** Returns what the import stored, as text, without the price and the records that existed before. */
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
  // Prices apply from the company's day, which differs from the UTC day for some hours.
  const { today } = await db
    .selectFrom('company')
    .select(sql<string>`(now() at time zone time_zone)::date::text`.as('today'))
    .executeTakeFirstOrThrow();
  return rows
    .filter((row) => !(row.item_number.endsWith('-1') && row.unit === 'EA' && row.price === 1))
    .map((row) => {
      const days =
        row.valid_from.startsWith('2026') || row.valid_from.startsWith('2027') ? ` from ${row.valid_from}` : '';
      return `${row.item_number} ${row.unit} ${row.price}${row.currn_idx === 1009 ? ' EUR' : ''}${row.min_qty === 1 ? '' : ` from ${row.min_qty}`}${row.valid_from >= today ? '' : days}`;
    });
}

describe('headings', () => {
  test.each(HEADINGS)('$name', run);
});
describe('notations', () => {
  test.each(NOTATIONS)('$name', run);
});
describe('money', () => {
  test.each(MONEY)('$name', run);
});
describe('customers', () => {
  test.each(CUSTOMERS)('$name', run);
});
describe('changes', () => {
  test.each(CHANGES)('$name', run);
});
describe('workbooks', () => {
  test.each(BOOKS)('$name', run);
});

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

test('a file of one customer is read with the answer which one', async () => {
  await anItem(db, { number: 'ONE-1', prices: [] });
  const { id } = await aFacility(db, { acctNo: 'ONE-F' });
  const answers = ['account=ONE-F'];
  const files = {
    'account-prices': 'Item,Price\nONE-1,1.10\n',
    contacts: 'Contact Name,Email\nAnn Ray,ann@example.org\n',
    'item-numbers': 'Item,Customer Item\nONE-1,H-1\n',
  };
  for (const [kind, file] of Object.entries(files))
    expect(refusals(await importText(database, kind, file, { answers }))).toEqual([]);
  const rowsOf = (table: 'account_price' | 'contact' | 'item_identifier') =>
    db.selectFrom(table).select('id').where('facility_id', '=', id).execute();
  expect(await rowsOf('account_price')).toHaveLength(1);
  expect(await rowsOf('item_identifier')).toHaveLength(1);
  // A facility of a test is created with one contact.
  expect(await rowsOf('contact')).toHaveLength(2);
});

test('a correction counts in rows that are taken, not in refused ones', async () => {
  const text = 'Account,Name,State,Zip,Tax Rate\nMEND-1,North,MA,2115,\nMEND-2,South,MA,2115,x\n';
  const { view } = await importText(database, 'facilities', text);
  expect(view.report).toMatchObject({ refused: 1 });
  expect(view.report?.notes).toContain('Corrected: 1 ZIP code that had lost its leading zero.');
});

test('what is struck out counts no more when the refused rows come again as they are', async () => {
  const book = BOOKS.find(({ name }) => name === 'what is struck out');
  if (!book || typeof book.file === 'string') throw new Error('There is no such case.');
  const named = (text: string) => text.replaceAll(/[{}]/g, (brace) => (brace === '{' ? 'STRUCK-' : ''));
  await anItem(db, { number: 'STRUCK-2', units: { EA: 1 }, prices: [] });
  const refusedFile = path.join(mkdtempSync(path.join(tmpdir(), 'import-')), 'refused.csv');
  await importText(database, book.kind, await bookOf(book.file, named), { refusedFile });
  const text = readFileSync(refusedFile, 'utf8');
  rmSync(path.dirname(refusedFile), { recursive: true });
  expect(text).toContain(`STRUCK-2,,1,2,"Price '5' is struck out`);
  const again = await importText(database, book.kind, text);
  expect(refusals(again)).toHaveLength(2);
  expect(await storedOf(book.kind, 'STRUCK')).toEqual(['STRUCK-2 EA 3 from 100']);
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

test('amounts under a heading that nobody knows may be prices, unless the user has chosen the price column', async () => {
  await anItem(db, { number: 'AMT-1', prices: [] });
  const read = async (head: string, cells: string, map: string[] = []) => {
    const { view } = await importText(database, 'prices', `${head}\nAMT-1,${cells}\n`, { dryRun: true, map });
    expect(view.columns.filter(({ asks }) => asks)).toEqual([]);
  };
  for (const [head, cell] of [
    ['Committed', '4.10'],
    ['Acme Health', '$4'],
    ['Best', '"1,204.5"'],
    ['Access', 'N/A\nAMT-1,5,4.10'],
  ]) {
    await expect(read(`Item,Price,${head}`, `5,${cell}`)).rejects.toThrow(`'${head}' may be a price`);
    await read(`Item,Price,${head}`, `5,${cell}`, [`${head}=price`, 'Price=']);
    await read(`Item,Price,${head}`, `5,${cell}`, ['Price=price', `${head}=`]);
  }
  // Whole numbers may be anything, and measurements are not money.
  await expect(read('Item,Price,Shelf', '5,12')).rejects.toThrow("'Shelf' is not a known heading");
  for (const [head, cell] of [
    ['Weight', '0.45'],
    ['Gauge', '18.5'],
    ['Remark', 'see 4.10'],
  ])
    await read(`Item,Price,${head}`, `5,${cell}`);
  const states = Array.from({ length: 20 }, (_, at) => `S${at}`);
  await expect(read(`Item,Price,${states.join(',')}`, `5,${states.map(() => '1.25').join(',')}`)).rejects.toThrow(
    "'S11' may be a price, and 8 more.",
  );
});

test('100 rows of one cause are one sentence', async () => {
  await anItem(db, { number: 'CAUSE-1', units: { EA: 1 }, prices: [] });
  const rows = Array.from({ length: 100 }, (_, at) => `CAUSE-1,5,${at + 2}/bx,${at + 1}`);
  const { view } = await importText(database, 'prices', `Item,Price,UOM,Min Qty\n${rows.join('\n')}\nCAUSE-1,x,,200\n`);
  const causes = view.report?.causes ?? [];
  expect(causes.map(({ cells = [] }) => [cells.length, cells[0]])).toEqual([
    [10, expect.objectContaining({ line: 2, column: 'UOM', value: '2/bx' })],
    [1, { line: 102, column: 'Price', value: 'x', reason: 'is not an amount' }],
  ]);
  expect(causes).toMatchObject([
    {
      sentence:
        "UOM '2/bx' is BX, which is no unit of this item: import its units first, or answer for the whole file: A unit such as '100/bx'",
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
    'Email,Name,Roles\nmis1@example.org,One,Sales Rep\nmis2@example.org,Two,Inside Sales\nmis3@example.org,Three,Customer Service Rep\nmis4@example.org,Four,Boss\n';
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
