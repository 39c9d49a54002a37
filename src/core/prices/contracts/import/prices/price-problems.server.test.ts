// Tests contract price files over HTTP: each problem in a row is refused with its reason or waits for a decision.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { priceFile as file, pricedContracts } from '#testing/priced-contracts.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
});
afterAll(() => server.close());
const { aPriced, pricesOf, start } = pricedContracts(
  () => server,
  () => ada,
);

test('prices in another unit than the line are converted, added as a line, or left, row by row', async () => {
  const [a, b, c, d] = [
    await aPriced(),
    await aPriced(),
    await aPriced(),
    await aPriced({ units: { EA: 1, BX: 3, PK: 7 } }),
  ];
  const view = await start(
    file(
      `${a.number},${a.item},CS of 10 BX,1,410.00,11/01/2026,`,
      `${b.number},${b.item},CS of 10 BX,1,900.00,11/01/2026,`,
      `${c.number},${c.item},CS of 10 BX,1,410.00,11/01/2026,`,
      `${d.number},${d.item},PK,1,10,11/01/2026,`,
    ),
    { otherUnit: 'ask' },
  );
  expect(figures(view)).toMatchObject({ Held: 4, Refused: 0, Changed: 0, New: 0 });
  const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
  const convert = { value: 'convert', label: 'Convert' };
  expect(records.map(({ was, now, hint, ways }) => [was, now, hint, ways])).toEqual([
    [
      '40.00 per BX',
      '410.00 per CS from 11/01/2026',
      '410.00 per CS is 41.00 per BX',
      [convert, { value: 'add', label: 'Add line in CS' }],
    ],
    [
      '40.00 per BX',
      '900.00 per CS from 11/01/2026',
      '900.00 per CS is 90.00 per BX',
      [convert, { value: 'add', label: 'Add line in CS' }],
    ],
    [
      '40.00 per BX',
      '410.00 per CS from 11/01/2026',
      '410.00 per CS is 41.00 per BX',
      [convert, { value: 'add', label: 'Add line in CS' }],
    ],
    // This conversion is not exact, so it is not offered.
    [
      '40.00 per BX',
      '10.00 per PK from 11/01/2026',
      '10.00 per PK is 4.2857 per BX, rounded',
      [{ value: 'add', label: 'Add line in PK' }],
    ],
  ]);
  const choose = (line: number, way?: string) =>
    server.call(
      DataImport.DecideHeldRows,
      { id: view.id, lines: [line], decision: 'accepted', ...(way ? { way } : {}) },
      { as: ada },
    );
  const silent = await choose(2);
  expect(silent.status).toBe(422);
  expect(JSON.stringify(silent.body)).toContain('Decide line 2: Convert or Add line in CS, or reject it.');
  expect((await choose(5, 'convert')).status).toBe(422);
  // Deciding all of them together leaves these rows open, because each needs its own choice.
  expect(await server.ok(DataImport.DecideHeldRows, { id: view.id, decision: 'accepted' }, { as: ada })).toMatchObject({
    accepted: 0,
  });
  await choose(2, 'convert');
  await choose(3, 'add');
  const applied = await ada.apply(view);
  expect(applied.report).toMatchObject({ writes: 2, held: 2 });
  expect(await pricesOf(a)).toContain('1: BX 41 2026-11-01..');
  expect(await pricesOf(b)).toContain('1: CS 900 2026-11-01..');
  // Line 5 is accepted later. Its price is far beyond the tolerance, but the user has seen the arithmetic.
  await choose(5, 'add');
  const more = await ada.apply(view);
  expect(more.report).toMatchObject({ writes: 3, held: 1 });
  expect(await pricesOf(d)).toContain('1: PK 10 2026-11-01..');
  expect(await ada.undo(more)).toMatchObject({ state: 'Undone', error: '' });
  for (const entry of [a, b, c])
    expect(await pricesOf(entry)).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
});

test('a choice for a row does not count if the price changed in the meantime', async () => {
  const first = await aPriced();
  const view = await start(file(`${first.number},${first.item},CS of 10 BX,1,410.00,11/01/2026,`), {
    otherUnit: 'ask',
  });
  await server.ok(
    DataImport.DecideHeldRows,
    { id: view.id, lines: [2], decision: 'accepted', way: 'convert' },
    { as: ada },
  );
  await sql`update contract_line_price set price = 55 where price = 40
    and contract_line_id in (select id from contract_line where contract_id = ${first.id})`.execute(server.db);
  const applied = await ada.apply(view);
  expect(applied.report).toMatchObject({ writes: 0, held: 1 });
  expect(await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada })).toMatchObject({
    records: [{ was: '55.00 per BX', decision: 'open', way: '' }],
  });
});

test('prices in another unit than the line are refused, converted or added, as a person chooses', async () => {
  const first = await aPriced();
  await server.db
    .updateTable('contract_line_price')
    .set({ price: 41 })
    .where('price', '=', 40)
    .where('contract_line_id', 'in', (eb) =>
      eb.selectFrom('contract_line').select('id').where('contract_id', '=', first.id),
    )
    .execute();
  const rows = file(`${first.number},${first.item},CS of 10 BX,1,410.00,,`);
  const view = await start(rows);
  expect(figures(view)).toMatchObject({ 'Unit problem': 1, Refused: 1, Absent: 0 });
  expect(refusals(view)).toEqual([
    "2 UOM 'CS of 10 BX' is not the unit of the contract's line, BX at 41.00: 410.00 per CS is 41.00 per BX. Write the unit that is meant, or choose what to do with such rows",
  ]);
  const converted = await start(rows, { otherUnit: 'convert' });
  expect(figures(converted)).toMatchObject({ Same: 1, Refused: 0 });
  expect(converted.report?.notes).toEqual([
    `1 price was converted to the unit of the contract's line: ${first.number} ${first.item}.`,
  ]);
  const added = await start(rows, { otherUnit: 'add' });
  expect(figures(added)).toMatchObject({ New: 1, Refused: 0 });
  const third = await start(file(`${first.number},${first.item},EA,1,4.1001,,`), { otherUnit: 'convert' });
  expect(figures(third)).toMatchObject({ Changed: 1 });
  const uneven = await aPriced({ units: { EA: 1, BX: 3, PK: 7 } });
  expect(refusals(await start(file(`${uneven.number},${uneven.item},PK,1,10,,`), { otherUnit: 'convert' }))).toEqual([
    expect.stringContaining('10.00 per PK is 4.2857 per BX, rounded'),
  ]);
});

test('wrong sizes, items, tiers, contracts, days and currencies are refused', async () => {
  const first = await aPriced();
  await anItem(server.db, { number: 'CP-TWIN-1', manufacturerNo: 'TWIN' });
  await anItem(server.db, { number: 'CP-TWIN-2', manufacturerNo: 'twin' });
  const c = first.number;
  const text = [
    'Contract,Item,Mfr #,UOM,QOE,Tier,Price,From,To,Currency',
    `${c},${first.item},,BX,12,1,40,,,`,
    `${c},${first.item},,,,1,40,,,`,
    `${c},${first.item},,ZZ,,1,40,,,`,
    `${c},NIL,,BX,,1,40,,,`,
    `${c},,NIL,BX,,1,40,,,`,
    `${c},,TWIN,BX,,1,40,,,`,
    `${c},${first.item},MF-OTHER,BX,,1,40,,,`,
    `${c},,,BX,,1,40,,,`,
    `${c},${first.item},,BX,,,40,,,`,
    `${c},${first.item},,BX,,3,40,,,`,
    `NOPE,${first.item},,BX,,1,40,,,`,
    `,${first.item},,BX,,1,40,,,`,
    `${c},${first.item},,BX,,1,40,12/31/9999,,`,
    `${c},${first.item},,BX,,1,40,11/01/2026,10/31/2026,`,
    `${c},${first.item},,BX,,1,40,01/01/2100,,`,
    `${c},${first.item},,BX,,1,40,,,EUR`,
    `${c},${first.item},,BX,10,2,36,,,USD`,
  ].join('\n');
  const view = await start(text);
  expect(refusals(view)).toEqual([
    "2 UOM 'BX' may be BX, which holds 10 EA here, or 12 EA: write the unit that is meant",
    "3 UOM '' is empty: the line of the contract is in BX",
    expect.stringMatching(/^4 UOM 'ZZ' is not the unit of the contract's line, BX at 40.00\. Write/),
    "5 Item 'NIL' is not a known item: import the items first",
    "6 Mfr # 'NIL' is not the number of any item here: import the items first",
    `8 Mfr # 'MF-OTHER' is not the number of ${first.item}, which is ${first.maker}`,
    "9 Item '' is empty: write our item number or that of the manufacturer",
    "10 Tier '' is empty: the contract has the tiers 1, 2 (Committed)",
    "11 Tier '3' is not a tier of the contract, which has 1, 2 (Committed)",
    "12 Contract 'NOPE' is not a known contract: import the contract first",
    "13 Contract '' is empty: write the contract number, or say which contract the file is for",
    "14 From '12/31/9999' means that there is no end: it is no first day",
    "15 To '10/31/2026' is before the first day, 11/01/2026",
    "16 From '01/01/2100' is after the last day of the contract, 12/31/2099",
    "17 Currency 'EUR' is not the currency of the contract, which is USD",
  ]);
  expect(figures(view)).toMatchObject({
    Same: 1,
    Held: 1,
    Refused: 15,
    'Unit problem': 3,
    'Unknown item': 3,
    'Unknown tier': 2,
  });
});

test('a file with a column of prices for each tier is read at once', async () => {
  const [first, two] = [await aPriced(), await aPriced()];
  const text = [
    'GPO Contract ID,Item No,U/M,Tier 1,Tier II Price,Lvl 3,Effective',
    `${first.number},${first.item},BX,"$40.50",36.50,,01/01/2090`,
    `${two.number},${two.item},BX,,36.75,,01/01/2090`,
    `${first.number},NO-SUCH-ITEM,BX,1,2,,01/01/2090`,
    `${two.number},${two.item},BX,41,call,,01/01/2091`,
    `${first.number},${first.item},BX,41,,33,01/01/2092`,
    `${two.number},${two.item},BX,,,,01/01/2093`,
  ].join('\n');
  const result = await ada.upload('contract-prices', text);
  expect(result.missing).toBe('');
  const view = await ada.check(result);
  expect(figures(view)).toMatchObject({
    New: 0,
    Changed: 3,
    Refused: 4,
    'Unknown item': 1,
    'Unknown tier': 1,
  });
  expect(refusals(view)).toEqual([
    "4 Item No 'NO-SUCH-ITEM' is not a known item: import the items first",
    "5 Tier II Price 'call' is not an amount",
    "6 Lvl 3 '3' is not a tier of the contract, which has 1, 2 (Committed)",
    "7 price '' is empty",
  ]);
  await ada.apply(view);
  expect(await pricesOf(first)).toEqual([
    '1: BX 40 2020-01-01..2089-12-31',
    '1: BX 40.5 2090-01-01..',
    '2: BX 36 2020-01-01..2089-12-31',
    '2: BX 36.5 2090-01-01..',
  ]);
  expect(await pricesOf(two)).toEqual([
    '1: BX 40 2020-01-01..',
    '2: BX 36 2020-01-01..2089-12-31',
    '2: BX 36.75 2090-01-01..',
  ]);
});

test('a row with prices of several tiers asks once about all of them', async () => {
  const [far, first, other] = [await aPriced(), await aPriced(), await aPriced()];
  const text = [
    'Contract,Item,UOM,Tier 1,Tier 2,From',
    `${far.number},${far.item},BX,80,72,11/01/2026`,
    `${first.number},${first.item},BX,40,72,11/01/2026`,
    `${other.number},${other.item},CS of 10 BX,410,370,11/01/2026`,
  ].join('\n');
  const view = await start(text, { otherUnit: 'ask' });
  expect([view.state, view.error, figures(view)]).toMatchObject(['Checked', '', { Held: 3, Refused: 0 }]);
  const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
  const name = ({ number, item }: typeof far, rest: string) => `${number} ${item} ${rest}`;
  expect(records.map(({ key, was, now }) => [key, was, now])).toEqual([
    [
      name(far, 'BX'),
      'tier 1: 40.00 per BX; tier 2: 36.00 per BX',
      'tier 1: 80.00 per BX from 11/01/2026 (+100.00%); tier 2: 72.00 per BX from 11/01/2026 (+100.00%)',
    ],
    [name(first, 'BX'), 'tier 2: 36.00 per BX', 'tier 2: 72.00 per BX from 11/01/2026 (+100.00%)'],
    [
      name(other, 'CS'),
      'tier 1: 40.00 per BX; tier 2: 36.00 per BX',
      'tier 1: 410.00 per CS from 11/01/2026; tier 2: 370.00 per CS from 11/01/2026',
    ],
  ]);
  await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [2], decision: 'accepted' }, { as: ada });
  await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [3], decision: 'rejected' }, { as: ada });
  await server.ok(
    DataImport.DecideHeldRows,
    { id: view.id, lines: [4], decision: 'accepted', way: 'convert' },
    { as: ada },
  );
  const applied = await ada.apply(view);
  expect([applied.error, applied.state]).toEqual(['', 'Applied']);
  const now = async (priced: typeof far) => (await pricesOf(priced)).filter((price) => price.endsWith('2026-11-01..'));
  expect(await now(far)).toEqual(['1: BX 80 2026-11-01..', '2: BX 72 2026-11-01..']);
  expect(await now(first)).toEqual([]);
  expect(await now(other)).toEqual(['1: BX 41 2026-11-01..', '2: BX 37 2026-11-01..']);
});

test('one of several columns of tiers is chosen as the price, and the answer says the tier', async () => {
  const first = await aPriced();
  const text = ['Contract,Item,UOM,Bronze,Silver', `${first.number},${first.item},BX,40.50,36.50`].join('\n');
  const result = await ada.upload('contract-prices', text);
  const fields = ['contract', 'item_number', 'unit', null, 'price'];
  const ready = await server.ok(
    DataImport.MatchColumns,
    { id: result.id, fields, unused: [3] },
    { as: { id: ada.id } },
  );
  const applied = await ada.apply(await ada.check(ready, { tier: 'committed', from: '2090-01-01' }));
  expect(applied).toMatchObject({ state: 'Applied' });
  expect(await pricesOf(first)).toEqual([
    '1: BX 40 2020-01-01..',
    '2: BX 36 2020-01-01..2089-12-31',
    '2: BX 36.5 2090-01-01..',
  ]);
  const without = await start(['Contract,Item,UOM,Price', `${first.number},${first.item},BX,41`].join('\n'), {
    tier: '7',
  });
  expect(refusals(without)).toEqual(["2 tier '7' is not a tier of the contract, which has 1, 2 (Committed)"]);
});

test('a manufacturer number of two items waits for a choice; spellings of one item are found', async () => {
  const first = await aPriced();
  await anItem(server.db, { number: 'CP-PAIR-1', description: 'Left', manufacturerNo: 'PAIR' });
  const right = await anItem(server.db, { number: 'CP-PAIR-2', description: 'Right', manufacturerNo: 'pair' });
  const loose = await anItem(server.db, { number: 'CP-LOOSE', manufacturerNo: '00-42.5 K' });
  const text = [
    'Contract,Item,Mfr #,UOM,Tier,Price',
    `${first.number},,PAIR,EA,1,40`,
    `${first.number},,0042.5k,EA,1,7`,
    `${first.number},${first.item.toLowerCase()},,BX,1,40`,
  ].join('\n');
  const view = await start(text);
  expect(figures(view)).toMatchObject({ Held: 1, New: 1, Same: 1, Refused: 0 });
  const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
  expect(records).toMatchObject([
    { was: 'CP-PAIR-1, CP-PAIR-2', now: 'PAIR', hint: 'The number matches 2 items. The price is 40.00 per EA.' },
  ]);
  const way = records[0]?.ways.find(({ label }) => label === 'CP-PAIR-2 Right')?.value ?? '';
  await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [2], decision: 'accepted', way }, { as: ada });
  const applied = await ada.apply(view);
  expect([applied.error, figures(applied)]).toMatchObject(['', { New: 2, Refused: 0 }]);
  const lines = await server.db
    .selectFrom('contract_line')
    .innerJoin('gpo_contract', 'gpo_contract.id', 'contract_line.contract_id')
    .select('item_id')
    .where('number', '=', first.number)
    .where('item_id', 'in', [right.id, loose.id])
    .execute();
  expect(lines).toHaveLength(2);
});

test('values that are not prices, and ambiguous notations, are refused', async () => {
  const first = await aPriced();
  const priced = (price: string) => `${first.number}|${first.item}|BX|1|${price}`;
  const text = ['Contract|Item|UOM|Tier|Price', ...['0', '-5', '', '12.5%', '99999999999', '10-12'].map(priced)].join(
    '\n',
  );
  expect(refusals(await start(text))).toEqual([
    "2 Price '0' is 0: write the price, or leave the row out",
    "3 Price '-5' is negative",
    "4 Price '' is empty",
    "5 Price '12.5%' is a percentage, not a price",
    "6 Price '99999999999' is larger than 9,999,999,999.9999",
    "7 Price '10-12' is a range, not one price",
  ]);
  const mixed = ['Contract|Item|UOM|Tier|Price', priced('1.234'), priced('1.234,50')].join('\n');
  expect(refusals(await start(mixed))).toEqual([
    "2 Price '1.234' can be read in two ways, because '1.234,50' (line 3) has a decimal comma: write 1,234.50, or choose decimal commas for the file",
    "3 Price '1.234,50' is written with a decimal comma: write 1,234.50, or choose decimal commas for the file",
  ]);
});

test('rows that contradict each other are both refused; a repeated row counts once', async () => {
  const first = await aPriced();
  const row = (price: string, days: string) => `${first.number},${first.item},BX,1,${price},${days}`;
  const view = await start(
    file(
      row('41', '11/01/2026,'),
      row('42', '11/01/2026,'),
      row('39', '01/01/2027,02/28/2027'),
      row('39.50', '02/01/2027,'),
      row('38', '04/01/2027,'),
      row('38.00', '04/01/2027,'),
    ),
  );
  expect(refusals(view)).toEqual([
    "2 Price '41.00' contradicts line 3, which says 42.00 from 11/01/2026",
    "3 Price '42.00' contradicts line 2, which says 41.00 from 11/01/2026",
    "4 Price '39.00' contradicts line 5, which says 39.50 from 02/01/2027",
    "5 Price '39.50' contradicts line 4, which says 39.00 from 01/01/2027",
  ]);
  expect(figures(view)).toMatchObject({ Contradiction: 4, Repeated: 1, Changed: 1 });
});

test('a tier is found however its number and name are spaced', async () => {
  const first = await aPriced();
  const rows = ['Tier: 1,40', 'LEVEL 1,40', 'Com mitted,36', '-1,40'].map(
    (tier, at) => `${first.number},${first.item},BX,${tier},01/01/209${at}`,
  );
  const view = await start(['Contract,Item,UOM,Tier,Price,From', ...rows].join('\n'));
  expect(refusals(view)).toEqual(["5 Tier '-1' is not a tier of the contract, which has 1, 2 (Committed)"]);
});
