// Tests that the group headings, totals and sparse rows of a report do not become records, in files of all kinds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { figures, importText, refusals, tableKinds } from '#testing/import-text.server.ts';
import { recordReader } from './reading/read-records.server.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('only the items of a report become items', async () => {
  const rows = [
    'Supply Loc,Cost Ctr,Item No,Item Description,UM,Mfr Name',
    'COST CENTER:,02850600,02850600,NORTH CLINIC PROJECT,,',
    'STORE 1,02850600,RG-1,Gauze roll 4 in,EA,Cedar',
    'STORE 1,02850600,RG-2,Saline 1000 mL,EA,Cedar',
    'Cost Center Total:,25598.54,,,,',
  ];
  const report = await importText(database, 'items', rows.join('\n'), { map: ['Supply Loc=', 'Cost Ctr='] });
  expect(figures(report)).toEqual({ rows: 4, fresh: 2, refused: 2 });
  expect(refusals(report)).toEqual([
    "2 Supply Loc: 'COST CENTER:' is the heading of a group of a report: leave the row out",
    "5 Supply Loc: 'Cost Center Total:' is the heading of a group of a report: leave the row out",
  ]);
});

test('a row that lacks what nearly all others have is refused, and taken with a dash in its empty cells', async () => {
  const full = Array.from({ length: 60 }, (_, at) => `RS-${at},Gauze,EA,Cedar`);
  const file = (row: string) => ['Item,Desc,UM,Mfr', ...full, row].join('\n');
  const report = await importText(database, 'items', file('02850700,NORTH CLINIC,,'));
  expect(figures(report)).toEqual({ rows: 61, fresh: 60, refused: 1 });
  expect(refusals(report)).toEqual([
    "62 : '02850700' lacks UM, Mfr, which nearly all other rows have: leave the row out if it is not a record, or write - there",
  ]);
  expect(figures(await importText(database, 'items', file('RS-99,Gauze,-,-')))).toEqual({
    rows: 61,
    fresh: 1,
    same: 60,
  });
});

test.each(tableKinds.map(({ kind, rows }) => [kind, rows] as const))(
  'no file of %s reads the heading or the total of a group as a record',
  (_kind, rows) => {
    const fields = rows.needs[0] ?? [];
    const headings = ['Store', ...fields];
    const columns = new Map(fields.map((field, at) => [field, at + 1]));
    const reader = recordReader(
      rows,
      { line: 1, headings, columns, unused: [0] },
      { noteCorrection: () => {}, isText: true },
    );
    for (const first of ['COST CENTER:', 'Department: 12', 'Midwest Total', 'Grand Total'])
      expect(reader.read({ line: 2, cells: [first, ...fields.map(() => '7')] })).toMatchObject({
        refused: [{ column: 'Store', value: first }],
      });
  },
);
