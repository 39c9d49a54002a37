// Tests that item numbers are stored as typed, that a GTIN on two items is reported, and that a dozen contains twelve.
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { figures, importText, refusals } from '#testing/import-text.server.ts';
import type { ImportOptions } from './running/import-file.server.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
});
afterAll(() => database.close());

const load = (kind: string, text: string | Buffer, options?: ImportOptions) =>
  importText(database, kind, text, options);
const notesOf = async (kind: string, ...rows: string[]) => (await load(kind, rows.join('\n'))).view.report?.notes;

describe('numbers that look like powers of ten', () => {
  const NUMBERS = ['3E10', '7E6', 'B3E10'];

  test('are taken from a CSV file as they stand', async () => {
    const report = await load('items', ['Item,Desc', ...NUMBERS.map((number) => `${number},Clip`)].join('\n'));
    expect([figures(report), refusals(report)]).toEqual([{ rows: 3, fresh: 3 }, []]);
  });

  test('are taken from text cells of a workbook, while a number that it shortened is refused', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Items');
    sheet.addRow(['Item', 'Desc']);
    for (const number of NUMBERS) sheet.addRow([number.replace('3', '4').replace('7', '8'), 'Clip']);
    sheet.addRow([30_000_000_000, 'Clip']).getCell(1).numFmt = '0.00E+00';
    const report = await load('items', Buffer.from(await book.xlsx.writeBuffer()));
    expect(figures(report)).toEqual({ rows: 4, fresh: 3, refused: 1 });
    expect(refusals(report)).toEqual([
      "5 Item: '3E+10' was shortened by a spreadsheet (1.23E+12): its digits are lost",
    ]);
    const stored = db.selectFrom('item').select('item_number').where('item_number', 'like', '%E%');
    expect((await stored.execute()).map((row) => row.item_number)).toEqual(
      expect.arrayContaining(['4E10', '8E6', 'B4E10']),
    );
  });
});

describe('GTINs', () => {
  const GTIN = '00817169021476';
  const SHARED = '1 GTIN is on two items, so that a scan finds both';

  test('on two items of a file are reported, and so is an invalid GTIN, each with its line', async () => {
    const rows = [`GT-1,Kit,${GTIN}`, `GT-2,Kit,${Number(GTIN)}`, 'GT-3,Kit,00817169021477'];
    expect(await notesOf('items', 'Item,Desc,GTIN', ...rows)).toEqual([
      `${SHARED}: ${GTIN} on GT-1 (line 2) and GT-2 (line 3).`,
      "Corrected: 1 barcode left out that is no GTIN: line 4 '00817169021477' is not a GTIN: its last digit, the check digit, is wrong.",
    ]);
  });

  test.each([
    ['items', 'Item,Desc,GTIN', `GT-5,Kit,${GTIN}`],
    ['units', 'Item,Unit,Factor,GTIN', `GT-4,CS,10,${GTIN}`],
    ['item-numbers', 'Item,GTIN', `GT-4,${GTIN}`],
  ])('of another stored item are reported in a file of %s', async (kind, heading, row) => {
    await anItem(db, { number: `GT-4`, prices: [] }).catch(() => {});
    expect(await notesOf(kind, heading, row)).toContain(
      `${SHARED}: ${GTIN} on GT-1 and ${row.split(',')[0]} (line 2).`,
    );
  });

  test('on two units of one item are reported, in a file and beside a stored one', async () => {
    await anItem(db, { number: 'GT-7', units: { EA: 1, BX: 50, CS: 500 }, prices: [] });
    const note = (gtin: string, other: string, line: number) =>
      `1 GTIN is on two units of its item and stays with the first: 05901234123457 on GT-7 ${gtin} and ${other} (line ${line}).`;
    const head = 'Item,Unit,Factor,GTIN';
    const both = ['GT-7,BX,50,05901234123457', 'GT-7,CS,500,05901234123457'];
    expect(await notesOf('units', head, ...both)).toEqual([note('BX', 'CS', 3)]);
    expect(await notesOf('units', head, both[1] ?? '')).toEqual([note('BX', 'CS', 2)]);
  });

  test('of several units of one item are nothing to say', async () => {
    expect(await notesOf('items', 'Item,Desc,GTIN', 'GT-9,Kit,00812345678901')).toEqual([]);
    expect(await notesOf('item-numbers', 'Item,GTIN', 'GT-9,00812345678901')).toEqual([]);
  });
});

describe('units whose names say what they hold', () => {
  beforeAll(async () => {
    for (const at of [1, 2, 3, 4, 5]) await anItem(db, { number: `DZ-${at}`, prices: [] });
  });

  test('are refused with another size', async () => {
    const rows = ['DZ-1,DZ,10', 'DZ-2,Dozen,12', 'DZ-3,PR,2', 'DZ-4,PR,10', 'DZ-5,dz of 10,'];
    const report = await load('units', ['Item,Unit,Factor', ...rows].join('\n'));
    expect(figures(report)).toEqual({ rows: 5, fresh: 2, refused: 3 });
    expect(refusals(report)).toEqual([
      "2 Factor: '10' is not the 12 of a dozen (DZ): write the unit that is meant",
      "5 Factor: '10' is not the 2 of a pair (PR): write the unit that is meant",
      "6 Factor: '10' is not the 12 of a dozen (DZ): write the unit that is meant",
    ]);
  });

  test('are not made with another size by files of prices and items', async () => {
    const make: ImportOptions = { answers: ['packs=make'] };
    const prices = await load('prices', 'Item,Price,UOM\nDZ-1,5,10/dz\n', make);
    expect(refusals(prices)).toEqual([
      expect.stringContaining('is not the 12 of a dozen (DZ): write the unit that is meant'),
    ]);
    const items = await load('items', 'Item,Desc,UOM\nDZ-9,Needle,10/dz\n', make);
    expect(refusals(items)).toEqual(["2 UOM: 'DZ of 10' is not the 12 of a dozen (DZ): write the unit that is meant"]);
  });
});
