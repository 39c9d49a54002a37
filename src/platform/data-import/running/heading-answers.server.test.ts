// Tests that a heading must be answered before anything is applied, and that the answer is stored for the kind, whatever files come in between.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, type Importer } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport, type ImportView } from '../data-import.contract.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

const columnsOf = ({ columns }: ImportView) =>
  columns.map(({ heading, field, unused, asks }) => `${heading}: ${field ?? (unused ? 'not used' : asks ? '?' : '')}`);
const answer = (result: ImportView, fields: (string | null)[], unused: number[]) =>
  server.ok(DataImport.MatchColumns, { id: result.id, fields, unused }, { as: ada });

test('an answer holds for its heading in files of other layouts, until somebody answers otherwise', async () => {
  await anItem(server.db, { number: 'HA-1', prices: [] });
  const first = await ada.upload('prices', 'Item,Price,Zone,Amt Due\nHA-1,5,West,4\n');
  expect(first.missing).toContain("'Zone' is not a known heading");
  const early = await server.call(DataImport.StartCheck, { id: first.id }, { as: ada });
  expect(early.status).toBe(422);
  await ada.check(await answer(first, ['item_number', null, null, 'price'], [1, 2]));
  // A file with another layout without these columns comes in between.
  await ada.check(await ada.upload('prices', 'Item #,Price,UOM\nHA-1,5,EA\n'));
  const next = await ada.upload('prices', 'UOM,ZONE,Item,Amt Due\nEA,East,HA-1,6\n');
  expect([columnsOf(next), next.missing]).toEqual([
    ['UOM: unit', 'ZONE: not used', 'Item: item_number', 'Amt Due: price'],
    '',
  ]);
  // Another kind has its own answers, and a known heading takes precedence over what is stored about it.
  expect((await ada.upload('costs', 'Item,Cost,Zone\nHA-1,5,West\n')).missing).toContain("'Zone'");
  expect(columnsOf(await ada.upload('prices', 'Zone,Item,Price\nWest,HA-1,6\n'))).toEqual([
    'Zone: not used',
    'Item: item_number',
    'Price: price',
  ]);
});

test('a column whose first value is far below is asked about, and one that is empty throughout is not', async () => {
  await anItem(server.db, { number: 'HA-2', prices: [] });
  const rows = Array.from({ length: 120 }, (_, at) => `HA-2,${at + 1},${at + 1},${at === 110 ? 'Y' : ''},`);
  const result = await ada.upload('prices', `Item,Price,Min Qty,Hold,Spare\n${rows.join('\n')}\n`);
  expect(result.missing).toBe("Choose what this column is, or mark it as not used: 'Hold' is not a known heading.");
});
