// Tests imports over HTTP: upload, match, check, apply; refusals, permissions, two at the same time, failures; the history.
import ExcelJS from 'exceljs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ItemProdDb } from '#core/catalog/products/populate-products.contract.ts';
import { anImporter, figures, fileOf } from '#testing/an-importer.server.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { anItem, anItemClass, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { notifiedKinds } from '#testing/notifications-of.server.ts';
import { DataImport } from './data-import.contract.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';
import { dataImportWork } from './running/import-job.server.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

describe('a file of facilities', () => {
  test('is uploaded, matched by hand, checked, applied, and undone', async () => {
    const text =
      'Kunde,Hospital Name,City,State,ZIP\nA-1,First,Hartford,CT,6106\nA-2,Second,Boaz,AL,x1\nA-3,Third,Boaz,AL,35957\n';
    const result = await ada.upload('facilities', text);
    expect(result).toMatchObject({ state: 'Uploaded', kindLabel: 'Facilities', createdBy: 'Ada Admin', headerLine: 1 });
    expect(result.missing).toBe('Choose which column is the account number.');
    expect(result.columns[0]).toEqual({
      heading: 'Kunde',
      samples: ['A-1', 'A-2', 'A-3'],
      field: null,
      asks: '',
      unused: false,
      remembered: false,
    });
    expect(result.columns.map(({ field }) => field).slice(1)).toEqual([
      'name',
      'ship_to_city',
      'ship_to_state',
      'ship_to_zip',
    ]);

    const early = await server.call(DataImport.StartCheck, { id: result.id }, { as: ada });
    expect(early.status).toBe(422);
    const fields = result.columns.map(({ field }, at) => (at === 0 ? 'acct_no' : field));
    const matched = await server.ok(DataImport.MatchColumns, { id: result.id, fields }, { as: ada });
    expect(matched.missing).toBe('');

    const checked = await ada.check(result);
    expect(checked.state).toBe('Checked');
    expect(figures(checked)).toEqual({ New: 2, Changed: 0, Same: 0, Refused: 1 });
    expect(checked.report?.refusedCells).toEqual([
      { line: 3, column: 'ZIP', value: 'x1', reason: 'is not a US ZIP code' },
    ]);
    expect(checked.report?.notes).toEqual(['Corrected: 1 ZIP code that had lost its leading zero.']);
    expect(await accounts('A-%')).toEqual([]);
    expect(await notifiedKinds(server.db, ada)).toEqual(['importEnded']);
    const refused = await server.call(DataImport.GetRefusedRows, { id: result.id }, { as: ada });
    expect(refused.bytes.toString()).toContain("A-2,Second,Boaz,AL,x1,3,ZIP 'x1' is not a US ZIP code\r\n");

    const applied = await ada.apply(result);
    expect(applied).toMatchObject({ state: 'Applied', appliedBy: 'Ada Admin', mayUndo: true, error: '' });
    expect(await accounts('A-%')).toEqual(['A-1', 'A-3']);

    // The columns are matched the same way for the next file of the kind.
    const next = await ada.upload('facilities', 'Kunde,Hospital Name\nA-1,First Hospital\nA-4,Fourth\n');
    expect(next.columns.map(({ field }) => field)).toEqual(['acct_no', 'name']);
    await ada.apply(await ada.check(next));
    expect(await accounts('A-%')).toEqual(['A-1', 'A-3', 'A-4']);
    const older = await server.call(DataImport.UndoImport, { id: result.id }, { as: ada });
    expect(older).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Only the last import') as string },
    });

    const undone = await ada.undo(next);
    expect(undone).toMatchObject({ state: 'Undone', undoneBy: 'Ada Admin', mayUndo: false });
    expect(await accounts('A-%')).toEqual(['A-1', 'A-3']);
    const first = await server.db
      .selectFrom('facility')
      .selectAll()
      .where('acct_no', '=', 'A-1')
      .executeTakeFirstOrThrow();
    expect(first).toMatchObject({ name: 'First', version: 3 });
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'changes', 'version'])
      .where('record_type', '=', 'facility')
      .where('record_id', '=', first.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { action: 'Create', version: 1, changes: [] },
      { action: 'Edit', version: 2, changes: [{ field: 'Name', before: 'First', after: 'First Hospital' }] },
      { action: 'Undo', version: 3, changes: [] },
    ]);
  });
});

describe('refused input', () => {
  test('unknown kinds, unreadable files, and invalid columns', async () => {
    const none = await server.call(
      DataImport.UploadImport,
      { kind: 'planets' },
      { as: ada, file: fileOf('a.csv', 'a,b\n') },
    );
    expect(none).toMatchObject({ status: 422, body: { errors: [{ path: 'kind' }] } });
    const noFile = await server.call(DataImport.UploadImport, { kind: 'items' }, { as: ada });
    expect(noFile.status).toBe(422);
    for (const [bytes, why] of [
      [Buffer.alloc(0), 'The file is empty.'],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old Excel file'],
      [Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'damaged'],
      [Buffer.from('\n\n'), 'The file has no rows.'],
    ] as const) {
      const refused = await server.call(
        DataImport.UploadImport,
        { kind: 'items' },
        { as: ada, file: { name: 'a.csv', bytes } },
      );
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'file', message: expect.stringContaining(why) as string }] },
      });
    }
    const { id } = await ada.upload('items', 'Item #,Desc\nR-1,Glove\n');
    for (const [fields, why] of [
      [['item_number'], 'do not match this file'],
      [['item_number', 'item_number'], 'Two columns cannot both be the item number.'],
      [['item_number', 'color'], 'Items have no field color.'],
      [['item_number', 'constructor'], 'Items have no field constructor.'],
    ] as const) {
      const refused = await server.call(DataImport.MatchColumns, { id, fields: [...fields] }, { as: ada });
      expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining(why) as string } });
    }
    const noSheet = await server.call(DataImport.MatchColumns, { id, headerLine: 9 }, { as: ada });
    expect(noSheet).toMatchObject({ status: 422, body: { detail: 'Line 9 is empty.' } });
  });

  test('a step in the wrong state', async () => {
    const result = await ada.upload('items', 'Item #,Desc\nS-1,Glove\n');
    const { id } = result;
    const refused = async (
      call: typeof DataImport.ApplyImport | typeof DataImport.UndoImport | typeof DataImport.StartCheck,
    ) => {
      const { status, body } = await server.call(call, { id }, { as: ada });
      expect(status).toBe(409);
      return (body as unknown as { detail: string }).detail;
    };
    expect(await refused(DataImport.ApplyImport)).toBe('This import has not been checked. Check it first.');
    expect(await refused(DataImport.UndoImport)).toContain('has not been checked');
    await ada.check(result);
    await ada.apply(result);
    expect(await refused(DataImport.StartCheck)).toBe('This import was already applied.');
    const again = await ada.check(await ada.upload('items', 'Item #,Desc\nS-1,Glove\n'));
    expect(figures(again)).toEqual({ New: 0, Changed: 0, Same: 1, Refused: 0 });
    expect((await server.call(DataImport.ApplyImport, { id: again.id }, { as: ada })).body).toMatchObject({
      detail: expect.stringContaining('nothing to import') as string,
    });
    for (const call of [DataImport.GetImport, DataImport.GetRefusedRows, DataImport.ApplyImport])
      expect((await server.call(call, { id: 999_999 }, { as: ada })).status).toBe(404);
    expect((await server.call(DataImport.GetRefusedRows, { id: again.id }, { as: ada })).status).toBe(404);
  });

  test('a kind that a person may not import, even by the id of an import', async () => {
    const sales = await aUser(server.db, { roles: ['salesadmin'] });
    expect(await server.ok(DataImport.ListImportKinds, {}, { as: sales })).not.toContainEqual(
      expect.objectContaining({ kind: 'facilities' }),
    );
    const { id } = await ada.upload('zips', 'zip,city\n00501,Holtsville\n');
    expect(
      (await server.call(DataImport.UploadImport, { kind: 'zips' }, { as: sales, file: fileOf('z.csv', 'zip,city\n') }))
        .status,
    ).toBe(403);
    for (const call of [
      DataImport.GetImport,
      DataImport.GetRefusedRows,
      DataImport.StartCheck,
      DataImport.ApplyImport,
      DataImport.UndoImport,
    ])
      expect((await server.call(call, { id }, { as: sales })).status).toBe(403);
    const listed = await server.ok(DataImport.ListImports, {}, { as: sales });
    expect(listed.records.map(({ kind }) => kind)).not.toContain('zips');
    const all = await server.ok(DataImport.ListImports, { kinds: ['zips'], pageSize: 1 }, { as: ada });
    expect(all).toMatchObject({
      total: 1,
      records: [{ id, kindLabel: 'ZIP codes', state: 'Uploaded', mayUndo: false }],
    });
  });
});

test('the history is filtered by kind, state, file, and person, sorted, and exported as it is shown', async () => {
  const zoe = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Zoe History' });
  const take = (kind: string, name: string, text: string, as: { id: number }) =>
    server.ok(DataImport.UploadImport, { kind }, { as, file: fileOf(name, text) });
  const beta = await take('zips', '=history beta.csv', 'zip,city\n60888,Oldtown\n', zoe);
  const alpha = await take('contacts', 'history Alpha.csv', 'Account,Name\nA-1,Ann\n', zoe);
  const other = await take('zips', 'history gamma_.csv', 'zip,city\n60887,Oldtown\n', ada);
  await ada.apply(await ada.check(beta));
  const list = async (input: object) => (await server.ok(DataImport.ListImports, input, { as: ada })).records;
  const ids = async (input: object) => (await list(input)).map(({ id }) => id);

  // The last applied import comes first: `other` was uploaded before `beta` was applied.
  expect(await ids({ keyword: 'history' })).toEqual([beta.id, other.id, alpha.id]);
  expect(await ids({ keyword: 'zoe h' })).toEqual([beta.id, alpha.id]);
  expect(await ids({ keyword: 'gamma_' })).toEqual([other.id]);
  expect(await ids({ keyword: '%' })).toEqual([]);
  expect(await ids({ keyword: 'history', state: 'Applied' })).toEqual([beta.id]);
  expect(await ids({ keyword: 'history', kinds: ['contacts'] })).toEqual([alpha.id]);
  const sorted = (field: string, dir: 'asc' | 'desc') => ids({ keyword: 'history', sort: { field, dir } });
  expect(await sorted('fileName', 'desc')).toEqual([other.id, alpha.id, beta.id]);
  // Kinds are sorted by their labels: Contacts, ZIP codes.
  expect(await sorted('kind', 'asc')).toEqual([alpha.id, beta.id, other.id]);
  expect(await sorted('state', 'asc')).toEqual([beta.id, alpha.id, other.id]);
  // Zoe uploaded `beta`, but Ada applied it.
  expect(await sorted('by', 'desc')).toEqual([alpha.id, other.id, beta.id]);
  const second = { keyword: 'history', pageSize: 1, page: 2, sort: { field: 'fileName', dir: 'asc' as const } };
  expect(await server.ok(DataImport.ListImports, second, { as: ada })).toMatchObject({
    total: 3,
    pageCount: 3,
    records: [{ id: alpha.id }],
  });

  const exported = await server.call(DataImport.ExportImports, { keyword: 'history', kinds: ['zips'] }, { as: ada });
  const [header, first, next, ...rest] = exported.bytes.toString().trimEnd().split('\r\n');
  expect(header).toContain('File,Kind,State,Outcome,When,By');
  // A name that looks like a formula stays text.
  expect(first).toMatch(/^'=history beta.csv,ZIP codes,Applied,New 1,.*,Ada Admin,/);
  expect(next).toMatch(/^history gamma_.csv,ZIP codes,Uploaded,,/);
  expect(rest).toEqual([]);

  const sales = await aUser(server.db, { roles: ['salesadmin'] });
  const none = await server.call(DataImport.ExportImports, { keyword: 'history' }, { as: sales });
  expect(none.bytes.toString().trimEnd().split('\r\n')).toHaveLength(1);
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(DataImport.ExportImports, {}, { as: rep })).status).toBe(403);
});

test('the sheet of a workbook and the line of the headings can be chosen', async () => {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Notes').addRows([['Read me'], ['x']]);
  book.addWorksheet('Old').addRows([['Prices of 2020'], ['Item #', 'Desc'], ['W-1', 'Old glove']]);
  book.addWorksheet('New').addRows([
    ['Item #', 'Desc', 'Cost'],
    ['W-1', 'New glove', 2.5],
  ]);
  const bytes = Buffer.from(await book.xlsx.writeBuffer());
  const result = await server.ok(
    DataImport.UploadImport,
    { kind: 'items' },
    { as: ada, file: { name: 'C:\\my\\book.xlsx', bytes } },
  );
  expect(result).toMatchObject({ fileName: 'book.xlsx', sheets: ['Notes', 'Old', 'New'], sheet: 'New', headerLine: 1 });
  const old = await server.ok(DataImport.MatchColumns, { id: result.id, sheet: 'Old' }, { as: ada });
  expect(old).toMatchObject({ sheet: 'Old', headerLine: 2, missing: '' });
  const wrong = await server.ok(DataImport.MatchColumns, { id: result.id, headerLine: 1 }, { as: ada });
  expect(wrong.missing).toContain('Choose which column is the item number.');
  await server.ok(DataImport.MatchColumns, { id: result.id, headerLine: 2 }, { as: ada });
  expect(figures(await ada.apply(await ada.check(result)))).toMatchObject({ New: 1 });
  const item = await server.db
    .selectFrom('item')
    .select('description')
    .where('item_number', '=', 'W-1')
    .executeTakeFirst();
  expect(item?.description).toBe('Old glove');
});

test('a hidden sheet is not read unless it is chosen, and sheets that look alike are named', async () => {
  const book = new ExcelJS.Workbook();
  const fill = (name: string, numbers: string[], state: 'visible' | 'hidden' = 'visible') =>
    book
      .addWorksheet(name, { state })
      .addRows([
        ['Item #', 'Desc', 'Cost', 'Class'].slice(0, state === 'hidden' ? 4 : 2),
        ...numbers.map((n) => [n, n, 1, 'x']),
      ]);
  fill('Old', ['HS-0', 'HS-9'], 'hidden');
  book.addWorksheet('Notes').addRows([['Read me'], ['x']]);
  for (const month of ['Jan', 'Feb', 'Mar']) fill(month, [`HS-${month}`]);
  const bytes = Buffer.from(await book.xlsx.writeBuffer());
  const result = await server.ok(
    DataImport.UploadImport,
    { kind: 'items' },
    { as: ada, file: { name: 'months.xlsx', bytes } },
  );
  expect(result.sheet).toBe('Jan');
  expect(result.notes).toEqual([
    "Only the sheet 'Jan' is read. Import 'Feb', 'Mar', which look like it, separately.",
    "Hidden and not read: 'Old'. Choose a hidden sheet to read it.",
  ]);
  // Only the user knows which of several sheets with equally many rows is meant.
  expect(result.others.map(({ sheet }) => sheet)).toEqual(['Notes', 'Feb', 'Mar']);
  expect((await server.call(DataImport.StartCheck, { id: result.id }, { as: ada })).status).toBe(422);
  const matched = await server.ok(DataImport.MatchColumns, { id: result.id, sheet: 'Jan' }, { as: ada });
  expect(matched).toMatchObject({ missing: '', others: [] });
  const checked = await ada.check(result);
  expect(checked.report?.notes).toEqual(["Hidden and not read: 'Old'. Choose a hidden sheet to read it."]);
  expect(figures(checked)).toMatchObject({ New: 1 });
  const hidden = await server.ok(DataImport.MatchColumns, { id: result.id, sheet: 'Old' }, { as: ada });
  expect(hidden).toMatchObject({ sheet: 'Old', missing: '', notes: [] });
});

test('an import or undo of many records updates the planner’s statistics', async () => {
  const analyzed = async () => {
    const { rows } = await sql<{
      tuples: number;
    }>`select reltuples::int as tuples from pg_class where relname = 'zip'`.execute(server.db);
    return rows[0]?.tuples ?? 0;
  };
  const zips = Array.from({ length: 1500 }, (_, at) => `${20_000 + at},Analyzed`);
  const done = await ada.imported('zips', `zip,city\n${zips.join('\n')}\n`);
  expect(await analyzed()).toBeGreaterThanOrEqual(1500);
  await ada.undo(done);
  expect(await analyzed()).toBeLessThan(1500);
});

describe('two administrators', () => {
  test('apply one import of a kind at a time; the second person learns who is applying one', async () => {
    const [a, b] = [
      await ada.check(await ada.upload('zips', 'zip,city\n10001,A\n', 'a.csv')),
      await ada.check(await ada.upload('zips', 'zip,city\n10001,B\n', 'b.csv')),
    ];
    await server.ok(DataImport.ApplyImport, { id: a.id }, { as: ada });
    const second = await server.call(DataImport.ApplyImport, { id: b.id }, { as: ada });
    expect(second).toMatchObject({
      status: 409,
      body: { detail: 'Ada Admin is applying a.csv right now. Wait until it is done, then check this one again.' },
    });
    const other = await ada.check(await ada.upload('contacts', 'Account,Name\nZZ,Pat\n'));
    expect(figures(other)).toEqual({ New: 0, Changed: 0, Same: 0, Refused: 1 });
    await server.drain();
    expect((await ada.apply(b)).state).toBe('Applied');
  });

  test('apply one import at the same time, and it is done once', async () => {
    const result = await ada.check(await ada.upload('zips', 'zip,city\n10002,A\n'));
    const both = await Promise.all(
      [0, 1].map(() => server.call(DataImport.ApplyImport, { id: result.id }, { as: ada })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await server.drain();
    const events = await server.db
      .selectFrom('record_event')
      .select('action')
      .where('record_type', '=', 'dataImport')
      .where('record_id', '=', result.id)
      .execute();
    expect(events).toEqual([{ action: 'Import' }]);
  });
});

describe('failures in the middle', () => {
  test('leave nothing, and the import says so', async () => {
    await sql`create function refuse_boom() returns trigger language plpgsql as
      $$ begin if new.acct_no = 'BOOM-900' then raise exception 'boom'; end if; return new; end $$`.execute(server.db);
    await sql`create trigger boom before insert on facility for each row execute function refuse_boom()`.execute(
      server.db,
    );
    const rows = Array.from({ length: 1000 }, (_, n) => `BOOM-${n},Hospital ${n}`);
    const result = await ada.check(await ada.upload('facilities', `Account,Name\n${rows.join('\n')}\n`));
    expect(figures(result)['New']).toBe(1000);
    const failed = await ada.apply(result);
    expect(failed).toMatchObject({
      state: 'Failed',
      mayUndo: false,
      error: expect.stringContaining('nothing was changed') as string,
    });
    expect(failed.error).not.toContain('boom');
    expect(await accounts('BOOM-%')).toEqual([]);
    await sql`drop trigger boom on facility`.execute(server.db);
    expect(await ada.apply(await ada.check(failed))).toMatchObject({ state: 'Applied', error: '' });
    expect(await accounts('BOOM-%')).toHaveLength(1000);
  });

  test('an import waits while the file store is away, but fails if the server is stopped again and again', async () => {
    const result = await ada.upload('zips', 'zip,city\n20001,A\n');
    const restore = breakFileStore(server.services.config);
    await server.ok(DataImport.StartCheck, { id: result.id }, { as: ada });
    await server.drain();
    expect(await ada.get(result)).toMatchObject({ state: 'Checking', error: '' });
    restore();
    const work = dataImportWork(IMPORT_KINDS_OF_SCREEN);
    await work.run(server.services, { importId: result.id });
    expect(await ada.get(result)).toMatchObject({ state: 'Checked' });
    // A finished import does not run again.
    await work.run(server.services, { importId: result.id });
    expect(await ada.get(result)).toMatchObject({ state: 'Checked' });

    await server.ok(DataImport.ApplyImport, { id: result.id }, { as: ada });
    await server.db.updateTable('data_import').set({ tries: 5 }).where('id', '=', result.id).execute();
    await work.run(server.services, { importId: result.id });
    expect(await ada.get(result)).toMatchObject({
      state: 'Failed',
      error: expect.stringContaining('The server stopped') as string,
    });
    expect(await server.db.selectFrom('zip').select('zip5').where('zip5', '=', '20001').execute()).toEqual([]);
  });
});

test('products are made for the items of a class, once', async () => {
  const { db } = server;
  const itemClass = await anItemClass(db, { name: 'Gloves' });
  const [, , third] = await Promise.all(
    [
      ['P-1', 'Glove S', 'Active'] as const,
      ['P-2', 'Glove M', 'Discontinued'] as const,
      ['P-3', 'Glove L', 'Active'] as const,
    ].map(([number, description, status]) => anItem(db, { number, description, status, classId: itemClass.id })),
  );
  const mapped = await aProduct(db, { itemIds: [third?.id ?? 0] });
  const populate = () => server.ok(ItemProdDb.PopulateInitData, { classId: itemClass.id }, { as: ada });
  expect(await populate()).toEqual({ made: 2, items: 3, className: 'Gloves' });
  expect(await populate()).toEqual({ made: 0, items: 3, className: 'Gloves' });
  const rows = await db
    .selectFrom('item')
    .innerJoin('product', 'product.id', 'item.product_id')
    .select(['item_number', 'product.name', 'product.status', 'item.version'])
    .where('item.class_id', '=', itemClass.id)
    .where('product.id', '!=', mapped.id)
    .orderBy('item_number')
    .execute();
  expect(rows).toEqual([
    { item_number: 'P-1', name: 'Glove S', status: 'Active', version: 2 },
    { item_number: 'P-2', name: 'Glove M', status: 'Discontinued', version: 2 },
  ]);
  expect((await server.call(ItemProdDb.PopulateInitData, { classId: 999_999 }, { as: ada })).status).toBe(404);
  const sales = await aUser(db, { roles: ['salesadmin'] });
  expect((await server.call(ItemProdDb.PopulateInitData, { classId: itemClass.id }, { as: sales })).status).toBe(403);
});

async function accounts(like: string): Promise<string[]> {
  const rows = await server.db
    .selectFrom('facility')
    .select('acct_no')
    .where('acct_no', 'like', like)
    .orderBy('acct_no')
    .execute();
  return rows.map(({ acct_no }) => acct_no);
}
