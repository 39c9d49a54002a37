// Tests what a file of each kind changes: new, changed, unchanged, and refused rows. A second import changes nothing.
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { figures, importText, refusals } from '#testing/import-text.server.ts';
import type { ImportOptions } from '#platform/data-import/running/import-file.server.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
});
afterAll(() => database.close());

const load = (kind: string, text: string | Buffer, options?: ImportOptions) =>
  importText(database, kind, text, options);

const facility = (acctNo: string) =>
  db.selectFrom('facility').selectAll().where('acct_no', '=', acctNo).executeTakeFirst();
const item = (number: string) =>
  db
    .selectFrom('item')
    .leftJoin('item_class', 'item_class.id', 'item.class_id')
    .selectAll('item')
    .select('item_class.name as class')
    .where('item_number', '=', number)
    .executeTakeFirst();

describe('facilities', () => {
  const first = [
    'Facility ID,Facility Name,Address,City/Town,State,ZIP Code,Telephone Number,Hospital Type',
    '010001,SOUTHEAST HEALTH,1108 ROSS CLARK CIRCLE,DOTHAN,AL,36301,3347938701,Acute Care',
    '010002,SECOND HOSPITAL,1 MAIN ST,HARTFORD,Connecticut,6106,NOT AVAILABLE,Acute Care',
    '010003,THIRD HOSPITAL,2 MAIN ST,BOAZ,AL,35957,(256) 593-8310,',
  ].join('\n');

  test('new, then unchanged, then changed rows; a single address is both addresses; each change makes a version', async () => {
    const dry = await load('facilities', first, { dryRun: true });
    expect(figures(dry)).toEqual({ rows: 3, fresh: 3 });
    expect(dry.view.state).toBe('Checked');
    expect(await facility('010001')).toBeUndefined();

    const done = await load('facilities', first);
    expect(figures(done)).toEqual({ rows: 3, fresh: 3 });
    expect(done.view.report?.notes).toEqual(['Corrected: 1 ZIP code that had lost its leading zero.']);
    expect(await facility('010002')).toMatchObject({
      name: 'SECOND HOSPITAL',
      ship_to_state: 'CT',
      ship_to_zip: '06106',
      bill_to_line1: '1 MAIN ST',
      bill_to_zip: '06106',
      phone: '',
      currn_idx: 1007,
      payment_terms: 'Net 30',
      version: 1,
    });

    expect(figures(await load('facilities', first))).toEqual({ rows: 3, same: 3 });
    expect((await facility('010001'))?.version).toBe(1);

    const later = first.replace('SOUTHEAST HEALTH,1108 ROSS CLARK CIRCLE', 'SOUTHEAST MEDICAL,1109 ROSS CLARK CIRCLE');
    const changed = await load('facilities', later);
    expect(figures(changed)).toEqual({ rows: 3, changed: 1, same: 2 });
    const [example] = changed.view.report?.lists[0]?.rows ?? [];
    expect(example).toEqual(['2', '010001', expect.stringContaining('SOUTHEAST HEALTH → SOUTHEAST MEDICAL')]);
    expect(await facility('010001')).toMatchObject({ bill_to_line1: '1109 ROSS CLARK CIRCLE', version: 2 });
  });

  test('missing columns and empty cells keep the stored values; a separate bill-to stays', async () => {
    const { acctNo } = await aFacility(db, { acctNo: 'F-KEEP', name: 'Kept' });
    const report = await load('facilities', `Account #\tName\tStreet\tZip\n${acctNo}\t\t5 New Road\t60602`);
    expect(figures(report)).toEqual({ rows: 1, changed: 1 });
    const after = await facility(acctNo);
    expect(after).toMatchObject({
      name: 'Kept',
      ship_to_line1: '5 New Road',
      ship_to_zip: '60602',
      ship_to_city: 'Chicago',
    });
    expect(after?.bill_to_line1).toMatch(/Billing Street/);
  });

  test('headings of other programs; two addresses in a file stay separate', async () => {
    const text = [
      'Account Number,Account Name,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Shipping Street,Shipping City,Shipping State/Province,Shipping Zip/Postal Code',
      'SF-1,Both,1 Bill St,Boaz,AL,35957,1 Ship St,Hartford,CT,06106',
      'SF-2,Only ship,,,,,2 Ship St,Hartford,CT,06106',
      'SF-3,Only bill,3 Bill St,Boaz,AL,35957,,,,',
    ].join('\n');
    expect(figures(await load('facilities', text))).toEqual({ rows: 3, fresh: 3 });
    const sides = async (acctNo: string) => {
      const result = await facility(acctNo);
      return [
        `${result?.bill_to_line1} ${result?.bill_to_city} ${result?.bill_to_state} ${result?.bill_to_zip}`.trim(),
        `${result?.ship_to_line1} ${result?.ship_to_city} ${result?.ship_to_state} ${result?.ship_to_zip}`.trim(),
      ];
    };
    expect(await sides('SF-1')).toEqual(['1 Bill St Boaz AL 35957', '1 Ship St Hartford CT 06106']);
    expect(await sides('SF-2')).toEqual(['', '2 Ship St Hartford CT 06106']);
    expect(await sides('SF-3')).toEqual(['3 Bill St Boaz AL 35957', '']);
    const plain = 'Account Number,Account Name,Street,State/Province,Zip/Postal Code\nSF-4,One,4 St,CT,06106\n';
    expect(figures(await load('facilities', plain))).toEqual({ rows: 1, fresh: 1 });
    expect(await sides('SF-4')).toEqual(['4 St  CT 06106', '4 St  CT 06106']);
  });

  test('parents that come back to the facility itself are refused, in the file and with those stored', async () => {
    const rows = ['Account,Name,Parent', 'Z-1,One,Z-2', 'Z-2,Two,Z-1', 'Z-3,Three,Z-4', 'Z-4,Four,'];
    const report = await load('facilities', rows.join('\n'));
    expect(figures(report)).toEqual({ rows: 4, fresh: 2, refused: 2 });
    expect(refusals(report)).toEqual([
      "2 Parent: 'Z-2' is below this facility itself: Z-1, whose parent is Z-2, whose parent is Z-1",
      "3 Parent: 'Z-1' is below this facility itself: Z-2, whose parent is Z-1, whose parent is Z-2",
    ]);
    const stored = await load('facilities', 'Account,Name,Parent\nZ-5,Five,Z-3\nZ-4,Four,Z-5\n');
    expect(refusals(stored)).toEqual([
      "2 Parent: 'Z-3' is below this facility itself: Z-5, whose parent is Z-3, whose parent is Z-4, whose parent is Z-5",
      "3 Parent: 'Z-5' is below this facility itself: Z-4, whose parent is Z-5, whose parent is Z-3, whose parent is Z-4",
    ]);
    // A file may reverse a stored chain.
    expect(figures(await load('facilities', 'Account,Name,Parent\nZ-4,Four,Z-6\nZ-6,Six,\n'))).toMatchObject({
      fresh: 1,
      changed: 1,
    });
  });

  test('a parent in the same file, a contact, and refused values', async () => {
    const text = [
      'Account,Name,Parent,Contact,Email,Contact Phone,Tax Rate,Tax Exempt,Currency',
      'P-2,Child,P-1,Ann Lee,Ann.Lee@Example.org,312-555-0100,8.25%,no,EUR',
      'P-1,Parent,,,,,,yes,',
      'P-3,Orphan,P-9,,,,,,',
      'P-4,Own parent,P-4,,,,,,',
      'P-5,,,,,,,,',
      ',Nameless,,,,,,,',
      'P-6,Bad mail,,X,not an email,,200%,perhaps,GBP',
    ].join('\r\n');
    const report = await load('facilities', text);
    expect(figures(report)).toEqual({ rows: 7, fresh: 2, refused: 5 });
    expect(refusals(report)).toEqual([
      "4 Parent: 'P-9' is not a known account, nor one in the file",
      "5 Parent: 'P-4' is the facility itself",
      "6 Name: '' is empty: a new facility needs a name",
      "7 Account: '' is empty",
      "8 Currency: 'GBP' is not a currency quoted here (USD or EUR)",
      "8 Email: 'not an email' is not an email address",
      "8 Tax Exempt: 'perhaps' is neither yes nor no",
      "8 Tax Rate: '200%' is more than 100 percent",
    ]);
    const child = await facility('P-2');
    expect(child).toMatchObject({
      parent_id: (await facility('P-1'))?.id,
      tax_rate: 8.25,
      tax_exempt: false,
      currn_idx: 1009,
    });
    const contacts = () =>
      db
        .selectFrom('contact')
        .selectAll()
        .where('facility_id', '=', child?.id ?? 0)
        .execute();
    expect(await contacts()).toMatchObject([
      { name: 'Ann Lee', email: 'ann.lee@example.org', phone: '(312) 555-0100' },
    ]);

    expect(figures(await load('facilities', text))).toEqual({ rows: 7, same: 2, refused: 5 });
    const moved = await load('facilities', text.replace('555-0100', '555-0199'));
    expect(figures(moved)).toEqual({ rows: 7, changed: 1, same: 1, refused: 5 });
    expect(await contacts()).toMatchObject([{ name: 'Ann Lee', phone: '(312) 555-0199' }]);
  });
});

describe('a workbook', () => {
  test('percentages, formulas without a result, and item numbers that became a date or were shortened', async () => {
    await aFacility(db, { acctNo: 'X-1' });
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('A');
    sheet.addRow(['Account', 'Tax Rate', 'Price Level']);
    sheet.addRow(['X-1', 0.0825, 'A']);
    sheet.getCell('B2').numFmt = '0.00%';
    sheet.addRow(['X-2', { formula: 'B2*2' }, 'A']);
    const report = await load('facilities', Buffer.from(await book.xlsx.writeBuffer()));
    expect(figures(report)).toEqual({ rows: 2, changed: 1, refused: 1 });
    expect(refusals(report)).toEqual([
      "3 Tax Rate: '=B2*2' is a formula without a stored result: open the file in Excel, save it, and upload it again",
    ]);
    expect((await facility('X-1'))?.tax_rate).toBe(8.25);

    const items = new ExcelJS.Workbook();
    const list = items.addWorksheet('A');
    list.addRow(['Item #', 'Desc']);
    list.addRow([new Date(Date.UTC(2026, 2, 10)), 'Was 3-10']);
    list.addRow([100_000, 'Was 1E5']);
    list.addRow([1.2345678901234568e17, 'Lost its digits']);
    list.addRow([27201347, 'Good']);
    list.getCell('A2').numFmt = 'd-mmm';
    list.getCell('A3').numFmt = '0.00E+00';
    const read = await load('items', Buffer.from(await items.xlsx.writeBuffer()));
    expect(figures(read)).toEqual({ rows: 4, fresh: 1, refused: 3 });
    expect(refusals(read).map((text) => text.slice(0, 60))).toEqual([
      "2 Item #: '2026-03-10' is a date that a spreadsheet made of ",
      "3 Item #: '1E+5' was shortened by a spreadsheet (1.23E+12): ",
      "4 Item #: '1.23456789012346E+17' was shortened by a spreadsh",
    ]);
  });

  test('rows of merged cells are refused; a merged title, and cells merged in columns that are not read, are not', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('A');
    sheet.addRow(['Facilities of 2026']);
    sheet.addRow(['Account', 'Facility Name', 'Currency', 'Our note']);
    for (const account of ['ME-1', 'ME-2', 'ME-3', 'ME-4', 'ME-5']) sheet.addRow([account, 'Merged', '', 'x']);
    sheet.getCell('C4').value = 'EUR';
    for (const cells of ['A1:D1', 'C4:C6', 'C7:D7', 'D3:D5']) sheet.mergeCells(cells);
    const report = await load('facilities', Buffer.from(await book.xlsx.writeBuffer()));
    expect(figures(report)).toEqual({ rows: 5, fresh: 2, refused: 3 });
    expect(refusals(report)).toEqual(
      [4, 5, 6].map((line) => `${line} : '' Cells C4:C6 are merged. Unmerge them and fill in each row.`),
    );
  });
});

describe('items', () => {
  test('classes by name in one spelling; amounts as text; brand and model instead of a missing description', async () => {
    const text = [
      'Primary DI|Brand Name|Version Model Number|Device Description|GMDN PT Name|Cost|Status|Company Name',
      '00817169021476|Dream|DFVCM|VARNISH CARAMEL|Dental coating|$1,141.40|In Commercial Distribution|3D DENTAL',
      '00817169021477|Dream|DFVCN||DENTAL COATING||Not in Commercial Distribution|3D DENTAL',
      '00817169021478|||||||',
    ].join('\n');
    const report = await load('items', text);
    expect(figures(report)).toEqual({ rows: 3, fresh: 2, refused: 1 });
    expect(refusals(report)).toEqual(["4 Device Description: '' is empty: a new item needs a description"]);
    expect(await item('00817169021476')).toMatchObject({
      cost: 1141.4,
      class: 'Dental coating',
      status: 'Active',
      base_unit: 'EA',
    });
    expect(await item('00817169021477')).toMatchObject({
      description: 'Dream DFVCN',
      class: 'Dental coating',
      status: 'Discontinued',
      manufacturer_no: 'DFVCN',
      cost: null,
    });
    expect(figures(await load('items', text))).toEqual({ rows: 3, same: 2, refused: 1 });
  });

  test('a description that is too long for a quote line is cut between words, and counted', async () => {
    const long = `${'glove '.repeat(200)}end`;
    const solid = '🍣'.repeat(600);
    const report = await load('items', `Item #,Desc\nLONG-1,${long}\nLONG-2,${solid}\n`);
    expect(report.view.report?.notes).toEqual(['Corrected: 2 descriptions cut to 1000 characters.']);
    expect((await item('LONG-1'))?.description).toMatch(/^glove .* glove…$/);
    expect((await item('LONG-2'))?.description.length).toBe(1000);
  });

  test('modifiers are part of the item number', async () => {
    await load('items', 'HCPCS,Mod,Mod2,Description\nE0163,NU,,Commode\nE0163,RR,KF,Commode\nE0163,,,Commode\n');
    for (const number of ['E0163', 'E0163-NU', 'E0163-RR-KF']) expect(await item(number)).toBeDefined();
  });

  test('the base unit does not change if other units are counted in it', async () => {
    await anItem(db, { number: 'B-1', units: { EA: 1, BX: 50 } });
    await anItem(db, { number: 'B-2', units: { EA: 1 }, prices: [] });
    const report = await load('items', 'Item,Unit\nB-1,BX\nB-2,BX\n');
    expect(figures(report)).toEqual({ rows: 2, changed: 1, refused: 1 });
    expect(refusals(report)).toEqual([
      "2 Unit: 'BX' would change the base unit from EA, in which its other units are counted",
    ]);
    expect(
      await db
        .selectFrom('item_unit')
        .selectAll()
        .where('item_id', '=', (await item('B-2'))?.id ?? 0)
        .execute(),
    ).toEqual([]);
  });
});

describe('sales', () => {
  test('the latest day, and stars by quantity sold; the rows of an item count together', async () => {
    const numbers = ['S1', 'S2', 'S3', 'S4', 'S5'];
    for (const number of numbers) await anItem(db, { number, lastSold: '2026-03-01' });
    const text = [
      'Item #,Invoice Date,Qty',
      ...numbers.flatMap((number, index) => [`${number},1/5/2026,${index + 1}`, `${number},${index + 3}/9/2026,10`]),
      'S9,1/5/2026,1',
    ].join('\n');
    const report = await load('sales', text);
    expect(figures(report)).toEqual({ rows: 11, changed: 5, repeated: 5, refused: 1 });
    const stars = await db
      .selectFrom('item')
      .select(['item_number', 'last_sold', 'selling_rank', 'selling_rank_num'])
      .where('item_number', 'in', numbers)
      .orderBy('item_number')
      .execute();
    expect(stars).toEqual([
      { item_number: 'S1', last_sold: '2026-03-09', selling_rank: '1', selling_rank_num: 1 },
      { item_number: 'S2', last_sold: '2026-04-09', selling_rank: '2', selling_rank_num: 2 },
      { item_number: 'S3', last_sold: '2026-05-09', selling_rank: '3', selling_rank_num: 3 },
      { item_number: 'S4', last_sold: '2026-06-09', selling_rank: '4', selling_rank_num: 4 },
      { item_number: 'S5', last_sold: '2026-07-09', selling_rank: '5', selling_rank_num: 5 },
    ]);
    expect(figures(await load('sales', text))).toEqual({ rows: 11, same: 5, repeated: 5, refused: 1 });
    await load('sales', 'Item #,Date,Rank,Stars\nS1,2025-01-01,NEW,4.5\n');
    expect(await item('S1')).toMatchObject({ last_sold: '2026-03-09', selling_rank: 'NEW', selling_rank_num: 4.5 });
  });

  test('the day of a return is none of a sale, a return takes its quantity back, and an empty quantity is no sale', async () => {
    for (const number of ['SR-1', 'SR-2', 'SR-3', 'SR-4', 'SR-5']) await anItem(db, { number, lastSold: null });
    const rows = ['SR-1,1/14/2015,28', 'SR-1,2/17/2015,-28', 'SR-2,,', 'SR-3,1/10/2015,5', 'SR-4,1/11/2015,50'];
    const more = ['SR-5,3/1/2015,-4', 'SR-3,1/12/2015,', 'SR-4,1/13/2015,0'];
    const report = await load('sales', ['Item #,Invoice Date,Qty', ...rows, ...more].join('\n'));
    expect(refusals(report)).toEqual([
      "4 Qty: '' is empty, and so is the day: the row tells of no sale",
      "8 Qty: '' is empty: write how many were sold, or 0",
    ]);
    const last = async (number: string) => {
      const stored = await item(number);
      return [stored?.last_sold, stored?.selling_rank_num];
    };
    expect(await Promise.all(['SR-1', 'SR-2', 'SR-3', 'SR-4', 'SR-5'].map(last))).toEqual([
      ['2015-01-14', 2],
      [null, 0],
      ['2015-01-10', 4],
      ['2015-01-11', 5],
      [null, 1],
    ]);
  });

  test('a file without quantities has a row for each sale', async () => {
    for (const number of ['SD-1', 'SD-2']) await anItem(db, { number, lastSold: null });
    await load('sales', 'Item #,Invoice Date\nSD-1,1/14/2015\nSD-2,1/15/2015\nSD-2,1/16/2015\n');
    expect(await item('SD-1')).toMatchObject({ last_sold: '2015-01-14', selling_rank_num: 1 });
    expect(await item('SD-2')).toMatchObject({ last_sold: '2015-01-16', selling_rank_num: 5 });
  });
});

describe('zips', () => {
  test('places by ZIP, with states and positions', async () => {
    const text =
      'country_code,zipcode,place,state,state_code,province,latitude,longitude\nUS,501,Holtsville,New York,NY,Suffolk,40.922326,-72.637078\nUS,00502,X,Nowhere,ZZ,,99,0\n';
    const report = await load('zips', text);
    expect(figures(report)).toEqual({ rows: 2, fresh: 1, refused: 1 });
    expect(await db.selectFrom('zip').selectAll().where('zip5', '=', '00501').executeTakeFirst()).toEqual({
      zip5: '00501',
      city: 'Holtsville',
      state: 'NY',
      county: 'Suffolk',
      lat: 40.922326,
      lon: -72.637078,
    });
    expect(figures(await load('zips', text))).toEqual({ rows: 2, same: 1, refused: 1 });
  });
});

describe('users', () => {
  const rolesOf = async (name: string) => {
    const rows = await db
      .selectFrom('app_user')
      .leftJoin('user_role', 'user_id', 'app_user.id')
      .select(['full_name', 'phone', 'password_hash', 'active', 'role'])
      .where('user_name', '=', name)
      .orderBy('role')
      .execute();
    return { ...rows[0], role: rows.map(({ role }) => role) };
  };

  test('new users have no password; roles are replaced, not added', async () => {
    const text =
      'Email,First Name,Last Name,Phone,Roles\nNew.Rep@Example.com,New,Rep,3125550100,salesrep; csrep\nno-role@example.com,No,Role,,\nx@example.com,X,Y,,boss\n';
    const report = await load('users', text);
    expect(figures(report)).toEqual({ rows: 3, fresh: 1, refused: 2 });
    expect(await rolesOf('new.rep@example.com')).toEqual({
      full_name: 'New Rep',
      phone: '(312) 555-0100',
      password_hash: null,
      active: true,
      role: ['csrep', 'salesrep'],
    });
    expect(figures(await load('users', text))).toEqual({ rows: 3, same: 1, refused: 2 });
    expect(figures(await load('users', 'user_name;roles\nNEW.REP@example.com;salesrep, insiderep\n'))).toEqual({
      rows: 1,
      changed: 1,
    });
    expect((await rolesOf('new.rep@example.com')).role).toEqual(['insiderep', 'salesrep']);
  });

  test('the last system administrator keeps the role', async () => {
    const admin = await aUser(db, { roles: ['systemadmin'] });
    const text = `user_name,roles,active\n${admin.userName},salesadmin,\n`;
    const report = await load('users', text);
    expect(figures(report)).toEqual({ rows: 1, refused: 1 });
    expect(refusals(report)[0]).toMatch(/would leave no active system administrator$/);
    await aUser(db, { roles: ['systemadmin'] });
    expect(figures(await load('users', text))).toEqual({ rows: 1, changed: 1 });
  });
});
