// Tests releases of lists: what a whole list leaves out, prices that begin on a day, units that a file creates, and undoing each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, figures, type Importer } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
});
afterAll(() => server.close());

const actives = async (prefix: string) => {
  const rows = await server.db
    .selectFrom('facility')
    .select(['acct_no', 'active', 'version'])
    .where('acct_no', 'like', `${prefix}%`)
    .orderBy('acct_no')
    .execute();
  return rows.map((row) => `${row.acct_no} ${row.active ? 'active' : 'inactive'} v${row.version}`);
};
const pricesOf = async (number: string) => {
  const rows = await server.db
    .selectFrom('item_price')
    .innerJoin('item', 'item.id', 'item_price.item_id')
    .select(['unit', 'price', 'valid_from', 'valid_to'])
    .where('item_number', '=', number)
    .orderBy('unit')
    .orderBy('valid_from')
    .execute();
  return rows.map((row) => `${row.unit} ${row.price} ${row.valid_from} ${row.valid_to ?? ''}`.trim());
};
const check = async (kind: string, text: string, options: Record<string, unknown>) =>
  ada.check(await ada.upload(kind, text), options);

test('a whole list of accounts shows the absent ones; one answer deactivates them, and the undo brings them back', async () => {
  await ada.imported('facilities', 'Account,Name\nWL-1,One\nWL-2,Two\nWL-3,Three\n');
  const file = 'Account,Name\nWL-1,One\nWL-4,Four\n';
  const part = await check('facilities', file, {});
  expect(figures(part)).toEqual({ New: 1, Changed: 0, Same: 1, Refused: 0 });

  const stored = await check('facilities', file, { whole: 'whole', absent: 'keep' });
  expect(figures(stored)).toMatchObject({ New: 1, Absent: 2 });
  expect(stored.report?.lists.at(-1)).toMatchObject({
    title: 'Absent, left as they are',
    rows: [
      ['WL-2', 'Two', '', '0'],
      ['WL-3', 'Three', '', '0'],
    ],
  });
  await ada.apply(stored);
  expect(await actives('WL-')).toEqual(['WL-1 active v1', 'WL-2 active v1', 'WL-3 active v1', 'WL-4 active v1']);

  const ended = await check('facilities', file, { whole: 'whole', absent: 'end' });
  expect(ended.report).toMatchObject({ writes: 2 });
  await ada.apply(ended);
  expect(await actives('WL-')).toEqual(['WL-1 active v1', 'WL-2 inactive v2', 'WL-3 inactive v2', 'WL-4 active v1']);
  const events = await server.db
    .selectFrom('record_event')
    .select(['record_name', 'action'])
    .where('record_type', '=', 'facility')
    .where('record_name', 'in', ['WL-2', 'WL-3'])
    .where('action', '=', 'Edit')
    .execute();
  expect(events).toHaveLength(2);
  await ada.undo(ended);
  expect(await actives('WL-')).toEqual(['WL-1 active v1', 'WL-2 active v3', 'WL-3 active v3', 'WL-4 active v1']);
});

test('nothing absent is deactivated while a refused row may name it', async () => {
  const refused = await check('facilities', 'Account,Name\nWL-1,One\n12/3/2026,Two\n', {
    whole: 'whole',
    absent: 'end',
  });
  expect(refused.report?.notes).toEqual([
    'Absent accounts stay as they are, because refused rows may name them. Fix those rows first.',
  ]);
  expect(refused.report?.writes).toBe(0);
});

test('a whole list of items discontinues the absent ones', async () => {
  await anItem(server.db, { number: 'WI-1', prices: [] });
  await anItem(server.db, { number: 'WI-2', prices: [] });
  await ada.apply(await check('items', 'Item,Desc\nWI-1,Kept\n', { whole: 'whole', absent: 'end' }));
  const rows = await server.db
    .selectFrom('item')
    .select(['item_number', 'status'])
    .where('item_number', 'in', ['WI-1', 'WI-2'])
    .orderBy('item_number')
    .execute();
  expect(rows.map(({ status }) => status)).toEqual(['Active', 'Discontinued']);
});

test('a price starts on the given day and ends the previous one, and the undo restores it', async () => {
  await anItem(server.db, { number: 'DP-1', prices: [{ unit: 'EA', price: 5 }] });
  const file = 'Item,Price\nDP-1,6\n';
  const checked = await check('prices', file, { from: '01/01/2027' });
  expect(checked.report?.lists[0]).toEqual({
    title: 'Changed prices',
    headings: ['Line', 'Item', 'Old price', 'New price', 'Unit', 'Ratio', 'From quantity', 'Counts from'],
    rows: [['2', 'DP-1', '$5.00', '$6.00', 'EA', '1.20 times', '1', '01/01/2027']],
    total: 1,
  });
  await ada.apply(checked);
  expect(await pricesOf('DP-1')).toEqual(['EA 5 2000-01-01 2026-12-31', 'EA 6 2027-01-01']);
  // The same price again changes nothing, and a correction on the same day overwrites it.
  expect(figures(await check('prices', file, { from: '01/01/2027' }))).toMatchObject({ Same: 1 });
  await ada.undo(checked);
  expect(await pricesOf('DP-1')).toEqual(['EA 5 2000-01-01']);
});

test('a price with a last day passes over the one that goes on', async () => {
  await anItem(server.db, { number: 'DP-2', prices: [{ unit: 'EA', price: 5 }] });
  await ada.imported('prices', 'Item,Price,Valid From,Valid To\nDP-2,4,11/01/2026,11/30/2026\n');
  expect(await pricesOf('DP-2')).toEqual(['EA 5 2000-01-01', 'EA 4 2026-11-01 2026-11-30']);
});

test('a unit that prices make goes with their undo, unless something else uses it', async () => {
  const item = await anItem(server.db, { number: 'MU-1', units: { EA: 1 }, prices: [] });
  const unitsOf = async () =>
    (await server.db.selectFrom('item_unit').select(['unit', 'factor']).where('item_id', '=', item.id).execute())
      .filter(({ unit }) => unit !== 'EA')
      .map(({ unit, factor }) => `${unit} of ${factor}`);
  const file = 'Item,Price,UOM\nMU-1,6.67,100/bx\n';
  const created = await ada.apply(await check('prices', file, { packs: 'make' }));
  expect([await unitsOf(), await pricesOf('MU-1')]).toEqual([['BX of 100'], ['BX 6.67 2000-01-01']]);
  await ada.undo(created);
  expect([await unitsOf(), await pricesOf('MU-1')]).toEqual([[], []]);

  const again = await ada.apply(await check('prices', file, { packs: 'make' }));
  await ada.imported('account-prices', `Account,Item,Price,UOM\nWL-1,MU-1,6,BX\n`);
  await server.ok(DataImport.UndoImport, { id: again.id }, { as: ada });
  await server.drain();
  expect((await ada.get(again)).error).toContain('MU-1 BX');
  expect(await unitsOf()).toEqual(['BX of 100']);
});

test('an items file makes the units that its pack sizes mean; an item in boxes stays so', async () => {
  await anItem(server.db, { number: 'MI-2', units: { BX: 1 }, prices: [] });
  await anItem(server.db, { number: 'MI-3', units: { EA: 1, BX: 50 }, prices: [] });
  const file = 'Item,Desc,UOM\nMI-1,Glove,100/bx\nMI-2,Mask,100/bx\nMI-3,Gown,100/bx\n';
  const done = await ada.apply(await check('items', file, { packs: 'make' }));
  expect(done.report?.refusedCells).toEqual([
    { line: 4, column: 'UOM', value: 'BX of 100', reason: 'holds 50 EA here' },
  ]);
  expect(done.report?.notes).toEqual(['1 unit is made: MI-1 BX of 100.']);
  const rows = await server.db
    .selectFrom('item')
    .leftJoin('item_unit', 'item_unit.item_id', 'item.id')
    .select(['item_number', 'base_unit', 'unit', 'factor'])
    .where('item_number', 'in', ['MI-1', 'MI-2'])
    .orderBy('item_number')
    .execute();
  expect(rows.map((row) => [row.item_number, row.base_unit, row.unit, row.factor])).toEqual([
    ['MI-1', 'EA', 'BX', 100],
    ['MI-2', 'BX', 'BX', 1],
  ]);
});

test('an undecided column stops the check until it is marked as not used', async () => {
  const result = await ada.upload('prices', 'Item,Price,Pack,Per\nWI-1,5,100,C\n');
  expect(result.columns.map(({ heading, asks }) => [heading, asks])).toEqual([
    ['Item', ''],
    ['Price', ''],
    ['Pack', 'a pack size'],
    ['Per', 'how many the price is for'],
  ]);
  const early = await server.call(DataImport.StartCheck, { id: result.id }, { as: ada });
  expect([early.status, early.body]).toMatchObject([422, { detail: result.missing }]);
  const fields = result.columns.map(({ field }) => field);
  const matched = await server.ok(DataImport.MatchColumns, { id: result.id, fields, unused: [2] }, { as: ada });
  expect(matched.missing).toBe(
    "Choose what this column is, or mark it as not used: 'Per' may be how many the price is for.",
  );
  const all = await server.ok(DataImport.MatchColumns, { id: result.id, unused: [2, 3] }, { as: ada });
  expect(all).toMatchObject({ missing: '', columns: [{}, {}, { unused: true }, { unused: true }] });
  expect((await ada.check(result)).state).toBe('Checked');
  // The next file of the kind uses the stored answer, and reports it.
  const next = await ada.upload('prices', 'Item,Price,Pack,Per,Note\nWI-1,6,100,C,x\n');
  expect(next).toMatchObject({ missing: '' });
  expect(next.columns[2]).toMatchObject({ unused: true, remembered: true });
});
