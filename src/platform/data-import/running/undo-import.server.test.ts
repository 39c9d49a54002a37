// Tests undo over HTTP: it leaves nothing of an import; refused if something depends on it; in progress, failing, requested twice.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImporter, figures } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport, type ImportView } from '../data-import.contract.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';
import { dataImportWork } from './import-job.server.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

describe('undone imports leave no trace', () => {
  const everything = async () => {
    const tables = [
      'facility',
      'contact',
      'item',
      'item_class',
      'item_unit',
      'item_price',
      'account_price',
      'zip',
      'app_user',
      'user_role',
      'region',
      'territory',
    ];
    const contents = await Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<{
          row: string;
        }>`select (to_jsonb(t) - 'version' - 'changed_in')::text as row from ${sql.table(table)} t order by 1`.execute(
          server.db,
        );
        return [table, rows.map(({ row }) => row)] as const;
      }),
    );
    return Object.fromEntries(contents);
  };
  const kinds: [kind: string, file: string, changes: number][] = [
    [
      'facilities',
      'Account,Name,Parent,Contact,Contact Title\nU-F1,Renamed,,Pat Buyer,Chief\nU-F3,Third,U-F1,Sam,Clerk\n',
      2,
    ],
    [
      'contacts',
      'Account,First Name,Last Name,Email\nU-F1,Ann,Lee,ann@example.org\nU-F1,Pat,Buyer,pat@example.org\n',
      2,
    ],
    ['items', 'Item #,Desc,Class,UOM\nU-2,Longer glove,New class,BX\nU-9,Mask,New class,EA\n', 2],
    ['units', 'Item #,UOM,Factor\nU-1,CS,50\nU-1,BX,12\n', 2],
    ['prices', 'Item #,Price,UOM\nU-1,11.5,EA\nU-2,3,EA\n', 2],
    ['account-prices', 'Account,Item #,Net Price,Reference\nU-F1,U-1,9,Deal\nU-F2,U-1,8,Other\n', 2],
    ['costs', 'Item #,Cost,UOM,Floor Price\nU-1,25,BX,30\nU-2,1,EA,\n', 2],
    ['sales', 'Item #,Invoice Date,Qty\nU-1,01/05/2026,10\nU-2,01/06/2026,1\nU-1,01/07/2026,4\n', 2],
    [
      'users',
      'Email,Name,Roles,Phone\nu-old@example.com,Uma Old,csrep; insiderep,\nu-new@example.com,Ned New,salesrep,\n',
      2,
    ],
    ['zips', 'zip,city,state\n99501,Anchorage,AK\n99502,Anchorage,AK\n', 2],
    ['territories', 'Territory,Region\nU-Terr 1,U-North\nU-Terr 2,U-North\n', 2],
  ];
  beforeAll(async () => {
    const { db } = server;
    const facility = await aFacility(db, { acctNo: 'U-F1', name: 'First' });
    await db.insertInto('contact').values({ facility_id: facility.id, name: 'Pat Buyer' }).execute();
    await aFacility(db, { acctNo: 'U-F2' });
    const item = await anItem(db, { number: 'U-1', units: { EA: 1, BX: 10 } });
    await anItem(db, { number: 'U-2', prices: [] });
    await anAccountPrice(db, { facilityId: facility.id, itemId: item.id, price: 7 });
    await aUser(db, { userName: 'u-old@example.com', roles: ['salesrep'] });
    await db.insertInto('zip').values({ zip5: '99501', city: 'Nowhere' }).execute();
    const region = await aRegion(db, { name: 'U-South' });
    await aTerritory(db, { name: 'U-Terr 1', regionId: region.id });
  });

  test.each(kinds)('%s', async (kind, file, changes) => {
    const before = await everything();
    const done = await ada.imported(kind, file);
    expect(done).toMatchObject({ state: 'Applied', error: '', mayUndo: true });
    const { New = 0, Changed = 0, Refused } = figures(done);
    expect([New + Changed, Refused]).toEqual([changes, 0]);
    expect(await everything()).not.toEqual(before);
    expect(await ada.undo(done)).toMatchObject({
      state: 'Undone',
      error: '',
      step: '',
      done: expect.any(Number) as number,
    });
    expect(await everything()).toEqual(before);
    const stored = await server.db
      .selectFrom('data_import_change')
      .selectAll()
      .where('import_id', '=', done.id)
      .execute();
    expect(stored).toEqual([]);
  });

  test('unless something depends on them', async () => {
    const { db } = server;
    const refused = async (done: ImportView) => {
      const before = await everything();
      const { state, mayUndo, undoneBy, error } = await ada.undo(done);
      // It stays applied, and can be undone after the dependent record is gone.
      expect([state, mayUndo, undoneBy]).toEqual(['Applied', true, '']);
      expect(await everything()).toEqual(before);
      return error;
    };
    const items = await ada.imported('items', 'Item #,Desc,Class\nB-1,Glove,Built class\nB-2,Mask,Built class\n');
    await aQuote(db, { itemNumbers: ['B-1'] });
    const b1 = db.selectFrom('item').select('id').where('item_number', '=', 'B-1');
    await db.updateTable('quote_item').set({ item_id: b1 }).where('item_number', '=', 'B-1').execute();
    expect(await refused(items)).toBe('This import cannot be undone: 1 of its items was used by quotes since: B-1.');
    const units = await ada.imported('units', 'Item #,UOM,Factor\nB-2,BX,10\n');
    await ada.imported('prices', 'Item #,Price,UOM\nB-2,10,BX\n');
    expect(await refused(units)).toBe(
      'This import cannot be undone: 1 of its units was used by list prices since: B-2 BX.',
    );
    expect(await refused(items)).toBe(
      'This import cannot be undone: 1 of its items was used by list prices since: B-2.',
    );
    await db.updateTable('item').set({ description: 'Other' }).where('item_number', 'in', ['B-1', 'B-2']).execute();
    expect(await refused(items)).toBe(
      'This import cannot be undone: 2 of its items were changed since this import: B-1, B-2.',
    );

    const facilities = await ada.imported('facilities', 'Account,Name\nB-F1,First\n');
    await ada.imported('contacts', 'Account,Name\nB-F1,Later contact\n');
    expect(await refused(facilities)).toBe(
      'This import cannot be undone: 1 of its facilities was used by contacts since: B-F1.',
    );
    const people = await ada.imported('users', 'Email,Name,Roles\nb-new@example.com,Ben New,salesrep\n');
    const { id } = await db
      .selectFrom('app_user')
      .select('id')
      .where('user_name', '=', 'b-new@example.com')
      .executeTakeFirstOrThrow();
    await server.tokenOf(id);
    expect(await refused(people)).toBe(
      'This import cannot be undone: 1 of its users was used by sign-ins since: b-new@example.com.',
    );
  });
});

describe('an undo in progress', () => {
  test('cannot be requested twice, blocks other imports of its kind, and is done once', async () => {
    const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Otto Other' });
    const done = await ada.imported('zips', 'zip,city\n60771,Sometown\n');
    const waiting = await ada.check(await ada.upload('zips', 'zip,city\n60772,Sometown\n'));
    await server.ok(DataImport.UndoImport, { id: done.id }, { as: other });
    const detailOf = async (call: typeof DataImport.UndoImport | typeof DataImport.ApplyImport, id: number) => {
      const { status, body } = await server.call(call, { id }, { as: ada });
      expect(status).toBe(409);
      return (body as unknown as { detail: string }).detail;
    };
    expect(await detailOf(DataImport.UndoImport, done.id)).toContain('is being undone right now');
    expect(await detailOf(DataImport.ApplyImport, waiting.id)).toContain(
      'Otto Other is undoing the import of zips.csv',
    );
    await server.drain();
    // The queue may restart a job that seemed dead.
    const work = dataImportWork(IMPORT_KINDS_OF_SCREEN);
    await work.run(server.services, { importId: done.id });
    expect(await ada.get(done)).toMatchObject({ state: 'Undone', undoneBy: 'Otto Other' });
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'actor'])
      .where('record_type', '=', 'dataImport')
      .where('record_id', '=', done.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { action: 'Import', actor: 'Ada Admin' },
      { action: 'Undo', actor: 'Otto Other' },
    ]);
    expect((await ada.apply(waiting)).state).toBe('Applied');
  });

  test('leaves the import applied, and says so, if it fails or is stopped again and again', async () => {
    const done = await ada.imported('zips', 'zip,city\n60773,Sometown\n');
    await sql`create function fail_zip() returns trigger language plpgsql as $$ begin raise 'disk on fire'; end $$`.execute(
      server.db,
    );
    await sql`create trigger fail_zip before delete on zip for each row execute function fail_zip()`.execute(server.db);
    const failed = await ada.undo(done);
    await sql`drop trigger fail_zip on zip`.execute(server.db);
    expect(failed).toMatchObject({
      state: 'Applied',
      mayUndo: true,
      error: expect.stringContaining('nothing was undone') as string,
    });
    await server.ok(DataImport.UndoImport, { id: done.id }, { as: ada });
    await server.db.updateTable('data_import').set({ tries: 5 }).where('id', '=', done.id).execute();
    await server.drain();
    expect(await ada.get(done)).toMatchObject({
      state: 'Applied',
      mayUndo: true,
      error: expect.stringContaining('5 times') as string,
    });
    expect(await ada.undo(done)).toMatchObject({ state: 'Undone', error: '' });
  });
});
