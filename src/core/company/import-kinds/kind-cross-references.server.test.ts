// Tests files of cross-references: headings of many kinds, questions and refusals, contradictions, undo, and the round trip of the export.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CrossReference } from '#core/catalog/cross-references/cross-references.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aGpo } from '#testing/factories/contracts.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

const KIND = 'cross-references';
let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
  for (const number of ['10023', '10024', '20055'])
    await anItem(server.db, { number, description: `Item ${number}`, units: { EA: 1, BX: 10, CS: 100 } });
});
afterAll(() => server.close());

const stored = (number: string) =>
  server.db
    .selectFrom('cross_reference')
    .innerJoin('item', 'item.id', 'cross_reference.item_id')
    .select([
      'maker',
      'number',
      'item_number',
      'unit',
      'kind',
      'scope',
      'facility_id',
      'gpo_id',
      'ended',
      'cross_reference.version',
    ])
    .where('number', '=', number)
    .orderBy('cross_reference.id')
    .execute();

test.each([
  ['Competitor,Competitor Item #,Our Item #,UOM', 'Medline,H1-$,10023,CS'],
  ['MFR,Mfg Part No.,Our Part Number,Our Unit', 'Medline,H1-$,10023,CS'],
  ['Vendor Name,Vendor Item #,Item Number,Unit of Measure', 'Medline,H1-$,10023,CS'],
  ['Manufacturer,MPN,Our SKU,U/M', 'Medline,H1-$,10023,CS'],
  ['Their Item,Our Equivalent,Supplier,Unit', 'H1-$,10023,Medline,CS'],
  ['Distributor;Distributor Catalog No;Our code;Unit', 'Medline;H1-$;10023;CS'],
  ['Brand,X-Ref #,Item,Unit', 'Medline,H1-$,10023,CS'],
])('reads the headings %s', async (heading, row) => {
  const nth = String(
    Math.abs([...heading].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7)),
  );
  const view = await ada.imported(KIND, `${heading}\n${row.replace('$', nth)}\n`);
  expect([view.state, figures(view)]).toMatchObject(['Applied', { New: 1 }]);
  expect(await stored(`H1-${nth}`)).toMatchObject([
    // A list that does not say how alike the items are contains equivalents, which always need a confirmation.
    { maker: 'Medline', item_number: '10023', unit: 'CS', kind: 'Equivalent', scope: 'Everybody', facility_id: null },
  ]);
});

test('kind, people, note and end are read; units, accounts, GPOs and damaged numbers are refused in words', async () => {
  const facility = await aFacility(server.db, { acctNo: '0077' });
  await aGpo(server.db, { name: 'Northern GPO' });
  const text = [
    'Their number,Our item,Unit,Match type,For,Account #,GPO,Note,Ended',
    'K-1,10023,Case,Exact match,,,,by hand,',
    'K-2,10023,,functional equivalent,Parent,0077,,,',
    'K-3,10023,,Alternate,,,northern gpo,,',
    'K-4,10023,BX,Same,,0077,,,yes',
    'K-5,10023,PL,,,,,,',
    'K-6,10023,CS of 12,,,,,,',
    'K-7,10023,,nearly,,,,,',
    'K-8,10023,,,Facility,,,,',
    'K-9,10023,,,,,Nobody,,',
    'K-10,10023,,,,9999,,,',
    '1.23E+12,10023,,,,,,,',
    '--,10023,,,,,,,',
    'K-11,no such item,,,,,,,',
    '"K-12, K-13",10023,,,,,,,',
    'K-14 / K-15,10023,,,,,,,',
  ].join('\n');
  const checked = await ada.check(await ada.upload(KIND, text));
  expect(figures(checked)).toMatchObject({ New: 4, Refused: 11 });
  expect(refusals(checked)).toEqual([
    expect.stringContaining("6 Unit 'PL' is no unit of this item"),
    expect.stringContaining("7 Unit 'CS of 12' may be CS, which holds 100 EA here"),
    "8 Match type 'nearly' is none of Same, Equivalent, Substitute",
    "9 Account # '' is empty: an entry for a facility needs its account number",
    "10 GPO 'Nobody' is not a known GPO: import its contracts first, or add it to a facility",
    expect.stringContaining("11 Account # '9999' is not a known account"),
    expect.stringContaining("12 Their number '1.23E+12' was shortened by a spreadsheet"),
    "13 Their number '' is empty",
    "14 Our item 'no such item' is not a known item: import the items first",
    "15 Their number 'K-12, K-13' may be several numbers: write a row for each",
    "16 Their number 'K-14 / K-15' may be several numbers: write a row for each",
  ]);
  await ada.apply(checked);
  expect([
    ...(await stored('K-1')),
    ...(await stored('K-2')),
    ...(await stored('K-3')),
    ...(await stored('K-4')),
  ]).toMatchObject([
    { kind: 'Same', unit: 'CS', scope: 'Everybody' },
    { kind: 'Equivalent', scope: 'Parent', facility_id: facility.id },
    { kind: 'Substitute', scope: 'GPO', facility_id: null },
    { kind: 'Same', unit: 'BX', scope: 'Facility', ended: true },
  ]);
});

test('an unknown item waits with those that begin like it, and is written as the person says', async () => {
  const checked = await ada.check(await ada.upload(KIND, 'Competitor item,Our item\nNEAR-1,10029\nNEAR-2,10023\n'), {
    kind: 'Same',
  });
  expect(figures(checked)).toMatchObject({ New: 1, Held: 1 });
  const { records } = await server.ok(DataImport.GetHeldRows, { id: checked.id }, { as: { id: ada.id } });
  expect(records).toMatchObject([
    {
      line: 2,
      key: 'NEAR-1',
      hint: 'There is no item 10029. These begin like it.',
      ways: [{ label: '10023 Item 10023' }, { label: '10024 Item 10024' }],
    },
  ]);
  const [row] = records;
  await server.ok(
    DataImport.DecideHeldRows,
    { id: checked.id, lines: [row?.line ?? 0], decision: 'accepted', way: row?.ways[1]?.value ?? '' },
    { as: { id: ada.id } },
  );
  await ada.apply(checked);
  expect(await stored('NEAR-1')).toMatchObject([{ item_number: '10024', kind: 'Same' }]);
});

test('contradictions are reported and kept, an ended entry stays ended, and a second import changes nothing', async () => {
  const item = await server.db
    .selectFrom('item')
    .select('id')
    .where('item_number', '=', '20055')
    .executeTakeFirstOrThrow();
  await aCrossReference(server.db, { maker: 'Acme', number: 'CT 1', item_id: item.id });
  await aCrossReference(server.db, { maker: 'Acme', number: 'CT-2', item_id: item.id, ended: true });
  const text =
    'Competitor,Competitor item,Our item\nACME,ct1,10023\nAcme,CT-2,20055\nAcme,CT-3,10023\nAcme,CT-3,10024\nAcme,CT-3,10023\n';
  const checked = await ada.check(await ada.upload(KIND, text));
  expect(figures(checked)).toMatchObject({ New: 3, Same: 1, Repeated: 1 });
  expect(checked.report?.notes).toEqual(
    expect.arrayContaining([
      '2 rows contradict other entries: ACME ct1 is 10023 here, 20055 in the list; Acme CT-3 is 10024 here, 10023 in line 4. Both are kept; Cross-References shows them side by side, to be decided.',
      '1 row is of an entry that was ended, and stays ended.',
    ]),
  );
  await ada.apply(checked);
  expect(await stored('CT-2')).toMatchObject([{ ended: true, version: 1 }]);
  const again = await ada.check(await ada.upload(KIND, text));
  expect(figures(again)).toMatchObject({ New: 0, Changed: 0 });
});

test('an import is undone whole, with a history of what it changed', async () => {
  await ada.imported(KIND, 'Competitor item,Our item,Note\nUN-1,10023,before\n');
  const view = await ada.imported(KIND, 'Competitor item,Our item,Note\nUN-1,10023,after\nUN-2,10024,new\n');
  expect(figures(view)).toMatchObject({ New: 1, Changed: 1 });
  expect(await ada.undo(view)).toMatchObject({ state: 'Undone' });
  expect(await stored('UN-2')).toEqual([]);
  const { note } = await server.db
    .selectFrom('cross_reference')
    .select('note')
    .where('number', '=', 'UN-1')
    .executeTakeFirstOrThrow();
  expect(note).toBe('before');
});

test('what is exported is imported as the same', async () => {
  const admin = { as: { id: ada.id } };
  const before = await server.ok(CrossReference.SearchCrossReferences, { pageSize: 200 }, admin);
  expect(before.total).toBeGreaterThan(10);
  const csv = (await server.call(CrossReference.ExportCrossReferences, {}, admin)).bytes.toString('utf8');
  const view = await ada.check(await ada.upload(KIND, csv));
  expect([refusals(view), figures(view)]).toMatchObject([[], { New: 0, Changed: 0, Same: before.total }]);
  // Another company creates them with everything in the file.
  await server.db.deleteFrom('cross_reference').execute();
  await ada.apply(await ada.check(await ada.upload(KIND, csv, 'again.csv')));
  const after = await server.ok(CrossReference.SearchCrossReferences, { pageSize: 200 }, admin);
  const linesOf = ({ records }: typeof before) =>
    records
      .map((row) =>
        [
          row.maker,
          row.number,
          row.item.number,
          row.unit,
          row.kind,
          row.scope,
          row.acctNo,
          row.gpo?.name,
          row.note,
          row.source,
          row.ended,
        ].join('|'),
      )
      .toSorted((a, b) => a.localeCompare(b));
  expect(linesOf(after)).toEqual(linesOf(before));
});

test('a file of account prices finds items by the references of its accounts; equivalents wait, units that disagree are refused', async () => {
  const { db } = server;
  const facility = await aFacility(db, { acctNo: '4400' });
  await aFacility(db, { acctNo: '4401' });
  const idOf = async (number: string) =>
    (await db.selectFrom('item').select('id').where('item_number', '=', number).executeTakeFirstOrThrow()).id;
  const own = { scope: 'Facility', facility_id: facility.id } as const;
  await aCrossReference(db, { ...own, number: 'CUST 1', item_id: await idOf('10023'), unit: 'CS' });
  await aCrossReference(db, { ...own, number: 'CUST 2', item_id: await idOf('10024'), kind: 'Equivalent' });
  const text = [
    'Account #,Item #,Unit,Price',
    '4400,CUST 1,,800.00',
    '4400,cust-2,EA,9.00',
    '4401,CUST 1,EA,1.00',
  ].join('\n');
  const checked = await ada.check(await ada.upload('account-prices', text));
  expect(figures(checked)).toMatchObject({ New: 1, Held: 1, Refused: 1 });
  expect(await ada.held(checked)).toEqual([
    '3 | 4400 cust-2 | 10024 | cust-2 | Your reference: CUST 2 = our 10024, equivalent.',
  ]);
  expect(refusals(checked)).toEqual(["4 Item # 'CUST 1' is not a known item: import the items first"]);
  await ada.apply(checked);
  expect(
    await db.selectFrom('account_price').select(['unit', 'price']).where('facility_id', '=', facility.id).execute(),
  ).toEqual([{ unit: 'CS', price: 800 }]);
  const other = await ada.check(
    await ada.upload('account-prices', 'Account #,Item #,Unit,Price\n4400,CUST 1,BX,9.00\n'),
  );
  expect(refusals(other)).toEqual([
    "2 Unit 'BX' is not what the cross-reference says, CS: Your reference: CUST 1 = our 10023 by CS",
  ]);
});
