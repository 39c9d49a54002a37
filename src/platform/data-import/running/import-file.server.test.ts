// Tests importing any file: repeated, shifted, and empty rows; all or nothing; and the report.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { figures, importText, refusals } from '#testing/import-text.server.ts';
import type { ImportOptions } from './import-file.server.ts';
import { reportText } from './import-report.ts';

let database: Database;
let db: Db;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'import-file-'));
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  // Adds rows to every table, none of which may disappear.
  const { id } = await aFacility(db);
  await db.insertInto('contact').values({ facility_id: id, name: 'Pat Buyer' }).execute();
  await anItem(db, { units: { EA: 1, BX: 50 } });
  await db.insertInto('zip').values({ zip5: '00501', city: 'Holtsville' }).execute();
  await aUser(db);
});
afterAll(async () => {
  await database.close();
  fs.rmSync(folder, { recursive: true });
});

const load = (kind: string, text: string | Buffer, options?: ImportOptions) =>
  importText(database, kind, text, options);

/** Everything that imports could change, to prove that nothing changed. */
async function everything(): Promise<string> {
  const tables = [
    'facility',
    'contact',
    'item',
    'item_class',
    'item_unit',
    'item_price',
    'zip',
    'app_user',
    'user_role',
  ];
  const contents = await Promise.all(
    tables.map((table) => sql`select * from ${sql.table(table)} order by 1, 2`.execute(db)),
  );
  return JSON.stringify(contents.map(({ rows }) => rows));
}

describe('rows', () => {
  test('a repeated row is passed over; one with other values is refused, and the first line is named', async () => {
    const text = 'Item #,Desc\nD-1,Glove\nD-2,Mask\nD-1,Glove\nD-1,Other glove\nD-2,Mask\n';
    const report = await load('items', text);
    expect(figures(report)).toEqual({ rows: 5, fresh: 2, repeated: 2, refused: 1 });
    expect(refusals(report)).toEqual(["5 Item #: 'D-1' is in line 2 already with other values (same item number)"]);
    const first = await db.selectFrom('item').selectAll().where('item_number', '=', 'D-1').executeTakeFirst();
    expect(first?.description).toBe('Glove');
  });

  test('a row with shifted values is refused', async () => {
    const report = await load('items', 'Item #,Desc\nS-1,Tape, 3 inch\nS-2,"Tape, 3 inch"\n');
    expect(figures(report)).toEqual({ rows: 2, fresh: 1, refused: 1 });
    expect(refusals(report)).toEqual(["2 : '' The row has 3 cells, the header 2."]);
  });

  test('repeated headers, blank rows, and title rows are skipped', async () => {
    const text = 'CENTRAL SERVICES\n\nItem #,Desc\nH-1,Glove\n,\nItem #,Desc\nH-2,Mask\n';
    expect(figures(await load('items', text))).toEqual({ rows: 4, fresh: 2, skipped: 2 });
  });
});

describe('all or nothing', () => {
  test('a dry run changes nothing, whatever it finds', async () => {
    const before = await everything();
    const report = await load('items', 'Item #,Desc,Class\nDRY-1,New one,New class\nD-1,Changed glove,New class\n', {
      dryRun: true,
    });
    expect(figures(report)).toEqual({ rows: 2, fresh: 1, changed: 1 });
    expect(reportText(report)).toContain('Dry run: nothing was changed.');
    expect(await everything()).toBe(before);
  });

  test('nothing of the file stays if the database refuses a row in the middle', async () => {
    const before = await everything();
    await sql`alter table item add constraint only_for_this_test check (item_number <> 'FAIL-2')`.execute(db);
    try {
      await expect(
        load('items', 'Item #,Desc,Class\nFAIL-1,One,Failing class\nFAIL-2,Two,\nD-1,Changed,\n'),
      ).rejects.toThrow(/only_for_this_test/);
    } finally {
      await sql`alter table item drop constraint only_for_this_test`.execute(db);
    }
    expect(await everything()).toBe(before);
  });

  test('nothing stays of a file that breaks off after thousands of rows', async () => {
    const before = await everything();
    const rows = Array.from({ length: 9000 }, (_, index) => `CUT-${index},Item ${index}`);
    await expect(load('items', `Item #,Desc\n${rows.join('\n')}\n"CUT-X,never closed`)).rejects.toThrow(/never closed/);
    expect(await everything()).toBe(before);
    expect(figures(await load('items', `Item #,Desc\n${rows.join('\n')}\n`))).toEqual({ rows: 9000, fresh: 9000 });
  });

  test('a file without a usable header is refused before the database is touched', async () => {
    await expect(load('items', 'Color,Size\nred,L\n')).rejects.toThrow(
      /^Choose which column is the item number\.\nLine 1 has: 'Color', 'Size'\.\nMatch the headings with --map/,
    );
    await expect(load('items', 'Item #,Desc\nX,Y\n', { sheet: 'Other' })).rejects.toThrow(/no sheet 'Other'/);
  });

  test('the header line can be given', async () => {
    const text = 'Item #,Desc,Class\nItem #,Name\nT-1,Tape\n';
    const report = await load('items', text, { headerLine: 2 });
    expect(report.view.headerLine).toBe(2);
    expect(figures(report)).toEqual({ rows: 1, fresh: 1 });
  });
});

test('a CSV file lists refused rows without formulas that a spreadsheet would run; it is removed if there are none', async () => {
  const refusedFile = path.join(folder, 'out.refused.csv');
  await load('items', 'Item #,Desc,Cost\nQ-1,Glove,"=cmd|calc"\nQ-2,Mask,free\n', { refusedFile });
  expect(fs.readFileSync(refusedFile, 'utf8')).toBe(
    '\ufeffItem #,Desc,Cost,Line,Why refused\r\n' +
      `Q-1,Glove,"'=cmd|calc",2,"Cost '=cmd|calc' is not an amount"\r\n` +
      `Q-2,Mask,free,3,Cost 'free' is not an amount\r\n`,
  );
  await load('items', 'Item #,Desc\nQ-1,Glove\n', { refusedFile });
  expect(fs.existsSync(refusedFile)).toBe(false);
});

test('a mapping reads a column as a field or leaves it out; a heading that does not exist is named', async () => {
  const text = 'Nummer,Desc,Class\nM-1,Glove,Mapped class\n';
  await expect(load('items', text, { map: ['Number=item_number'] })).rejects.toThrow(
    "Line 1 has no heading 'Number'; it has 'Nummer', 'Desc', 'Class'.",
  );
  expect(figures(await load('items', text, { map: ['nummer=item_number', 'Class='] }))).toEqual({ rows: 1, fresh: 1 });
  const stored = await db.selectFrom('item').selectAll().where('item_number', '=', 'M-1').executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ description: 'Glove', class_id: null });
});

test('a hidden sheet is read only when it is named', async () => {
  const book = new ExcelJS.Workbook();
  for (const [name, number, state] of [
    ['Now', 'SHEET-1', 'visible'],
    ['Old', 'SHEET-2', 'hidden'],
  ] as const) {
    const sheet = book.addWorksheet(name, { state });
    sheet.addRow(['Item #', 'Desc', ...(state === 'hidden' ? ['Class', 'Cost', 'Manufacturer'] : [])]);
    sheet.addRow([number, 'Glove', ...(state === 'hidden' ? ['Old class', 1, 'Old'] : [])]);
  }
  const bytes = Buffer.from(await book.xlsx.writeBuffer());
  const isThere = (number: string) => db.selectFrom('item').select('id').where('item_number', '=', number).execute();
  const { view } = await load('items', bytes);
  expect(view).toMatchObject({ sheet: 'Now', notes: [expect.stringContaining("Hidden and not read: 'Old'")] });
  expect([await isThere('SHEET-1'), await isThere('SHEET-2')]).toEqual([[expect.anything()], []]);
  expect((await load('items', bytes, { sheet: 'Old' })).view.sheet).toBe('Old');
  expect(await isThere('SHEET-2')).toHaveLength(1);
});

test('a row that would turn a facility into another one is listed and left out until it is confirmed', async () => {
  const named = (name: string, city: string, state: string) =>
    `Account,Facility Name,Address,City,State\nHELD-1,${name},1 Main St,${city},${state}\n`;
  const nameNow = () => db.selectFrom('facility').select('name').where('acct_no', '=', 'HELD-1').executeTakeFirst();
  await load('facilities', named('First Hospital', 'Boaz', 'AL'));
  const other = named('Quite Another Clinic', 'Juneau', 'AK');
  const left = await load('facilities', other);
  expect(figures(left)).toEqual({ rows: 1, held: 1 });
  expect(reportText(left)).toMatch(/Held:\n {2}line 2: HELD-1 {2}First Hospital.* → Quite Another Clinic.*\nAre they/);
  expect(await nameNow()).toEqual({ name: 'First Hospital' });
  expect((await load('facilities', other, { confirmHeld: true })).view.state).toBe('Applied');
  expect(await nameNow()).toEqual({ name: 'Quite Another Clinic' });
});

test('held rows are decided one by one in the file that lists them', async () => {
  const numbers = ['00-7710,1 Main St', '07710,9 Side St', '7720,', '07-720,', '0-7730,', '07-730,', '7799,'];
  const facilities = numbers.map((number) => `${number},Hospital ${number.split(',')[0]},Salem,AL`);
  await load('facilities', `Account,Address,Name,City,State\n${facilities.join('\n')}\n`);
  await load('contracts', 'Contract,Title,From,To,State,Tier\nHELD-C,Gloves,01/01/2026,12/31/2099,Active,1\n');
  const text = 'Contract,Account,Tier\nHELD-C,7710,1\nHELD-C,007720,1\nHELD-C,7730,1\n';
  const heldFile = path.join(folder, 'roster.held.csv');
  const left = await load('rosters', text, { heldFile });
  expect(figures(left)).toEqual({ rows: 3, held: 3 });
  expect(reportText(left)).toMatch(
    /Held:\n {2}line 2: [^]*\nTo decide each of them, fill in the column Decision of .*roster\.held\.csv/,
  );
  const listed = fs.readFileSync(heldFile, 'utf8');
  expect(listed).toContain(
    '2,HELD-C 7710,"00-7710 Hospital 00-7710, 1 Main St, Salem, AL; 07710 Hospital 07710, 9 Side St, Salem, AL"',
  );
  expect(listed).toContain('00-7710 Hospital 00-7710 | 07710 Hospital 07710 | no",\r\n');

  const decided = (...answers: string[]) => {
    const [heading = '', ...rows] = listed.trim().split('\r\n');
    fs.writeFileSync(heldFile, [heading, ...rows.map((row, at) => row + (answers[at] ?? ''))].join('\n'));
    return load('rosters', text, { heldFile, decisions: heldFile });
  };
  await expect(decided('perhaps')).rejects.toThrow(
    "Line 2 (HELD-C 7710): 'perhaps' is not a valid decision. Enter '00-7710 Hospital 00-7710', '07710 Hospital 07710', no, or the number of another facility.",
  );
  // A spreadsheet removed the leading zero of the first decision; the second names a facility other than the two that fit.
  const done = await decided('7710', '7799', '');
  expect(figures(done)).toEqual({ rows: 3, fresh: 2, held: 1 });
  expect(fs.readFileSync(heldFile, 'utf8').trim().split('\r\n')).toHaveLength(2);
  const placed = await db
    .selectFrom('contract_roster')
    .innerJoin('gpo_contract', 'gpo_contract.id', 'contract_id')
    .innerJoin('facility', 'facility.id', 'facility_id')
    .where('number', '=', 'HELD-C')
    .select('acct_no')
    .orderBy('acct_no')
    .execute();
  expect(placed.map(({ acct_no: acctNo }) => acctNo)).toEqual(['07710', '7799']);

  fs.writeFileSync(heldFile, 'Line,Record,Decision\n4,HELD-C 9999,no\n');
  await expect(load('rosters', text, { decisions: heldFile })).rejects.toThrow(
    'The decision for line 4 is for HELD-C 9999, but that line now contains HELD-C 7730. Download the held rows again and update your decisions.',
  );
  fs.writeFileSync(heldFile, 'Line,Record\n4,HELD-C 7730\n');
  await expect(load('rosters', text, { decisions: heldFile })).rejects.toThrow(
    'needs the columns Line, Record and Decision',
  );
});

test('an import names the person, can be undone, and is an event of each record', async () => {
  const { id, userName: name } = await aUser(db, { roles: ['salesrep'], fullName: 'Rae Rep' });
  const { view } = await load('users', `Email,Name,Roles\n${name},Rae Renamed,salesrep\n`);
  expect(view).toMatchObject({ state: 'Applied', appliedBy: 'Ida Importer', mayUndo: true });
  const events = await db
    .selectFrom('record_event')
    .select(['actor', 'action'])
    .where('record_type', '=', 'user')
    .where('record_id', '=', id)
    .execute();
  expect(events).toEqual([{ actor: 'Ida Importer', action: 'Edit' }]);
});
