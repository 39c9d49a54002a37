// A price file of contracts over HTTP: found, compared, held, refused in words, applied as dated rows, undone.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataImport, type ImportView } from '#features/operations/data-import/data-import.contract.ts';
import { anImporter, figures, fileOf } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
});
afterAll(() => server.close());

const KIND = 'contract-prices';
let last = 0;

/** A contract of two tiers with a line of this item in BX of 10 at 40.00 since 2020, tier 2 at 36.00. */
async function aPriced(given: { units?: Record<string, number>; to?: string } = {}) {
  const { db } = server;
  const n = ++last;
  const item = await anItem(db, {
    number: `CP-${n}`,
    manufacturerNo: `MF-${n}`,
    units: given.units ?? { EA: 1, BX: 10, CS: 100 },
    prices: [],
  });
  const contract = await aContract(db, {
    number: `PF-${n}`,
    ...(given.to ? { to: given.to } : {}),
    lines: [{ itemId: item.id, price: 40, unit: 'BX' }],
  });
  const second = await db
    .insertInto('contract_tier')
    .values({ contract_id: contract.id, tier_no: 2, name: 'Committed' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('contract_line_price')
    .values({ contract_line_id: contract.lineIds[0] ?? 0, tier_id: second.id, price: 36, valid_from: '2020-01-01' })
    .execute();
  return { item: item.itemNumber, maker: `MF-${n}`, itemId: item.id, number: contract.number, id: contract.id };
}

/** The prices of a contract, in words: '1: BX 40 2020-01-01..'. */
async function pricesOf({ id }: { id: number }): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`
    select t.tier_no || ': ' || l.unit || ' ' || trim_scale(p.price)::text || ' ' || p.valid_from || '..' || coalesce(p.valid_to::text, '')
      || coalesce(' (line to ' || l.valid_to || ')', '') as said
    from contract_line_price p join contract_line l on l.id = p.contract_line_id join contract_tier t on t.id = p.tier_id
    join item i on i.id = l.item_id
    where l.contract_id = ${id} order by i.item_number, l.unit, t.tier_no, p.valid_from`.execute(server.db);
  return rows.map(({ said }) => said);
}

const HEAD = 'Contract No,Item No,UOM,Tier,Price,From,To';
const file = (...rows: string[]): string => [HEAD, ...rows].join('\n');
const start = async (text: string, options: Record<string, unknown> = {}): Promise<ImportView> => {
  const { id } = await ada.upload(KIND, text);
  await server.ok(DataImport.StartCheck, { id, options }, { as: ada });
  await server.drain();
  return ada.get({ id });
};
const refusals = ({ report }: ImportView): string[] =>
  (report?.refusedCells ?? []).map(({ line, column, value, reason }) => `${line} ${column} '${value}' ${reason}`);
const held = async ({ id }: ImportView) =>
  (await server.ok(DataImport.GetHeldRows, { id }, { as: ada })).records.map(({ line, key, was, now, hint }) =>
    [line, key, was, now, hint].join(' | '),
  );

describe('dated prices', () => {
  test('a changed price ends the old one on the eve; the same one is the same; a tier by number or name in any case', async () => {
    const one = await aPriced();
    const view = await start(
      file(
        `${one.number},${one.item},bx,tier 1,$42.00,11/01/2026,`,
        `${one.number.toLowerCase()},${one.item},BX,COMMITTED,36,,`,
      ),
    );
    expect(figures(view)).toEqual({ Same: 1, Changed: 1, New: 0, Absent: 0, Refused: 0 });
    expect(view.report?.lists[0]?.rows).toEqual([
      ['2', `${one.number} ${one.item}`, '40.00 → 42.00 a BX, tier 1 from 11/01/2026'],
    ]);
    const before = await pricesOf(one);
    expect(before).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
    const applied = await ada.apply(view);
    expect(applied).toMatchObject({ state: 'Applied', error: '' });
    expect(await pricesOf(one)).toEqual([
      '1: BX 40 2020-01-01..2026-10-31',
      '1: BX 42 2026-11-01..',
      '2: BX 36 2020-01-01..',
    ]);
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'actor', 'changes'])
      .where('record_type', '=', 'contract')
      .where('record_id', '=', one.id)
      .execute();
    expect(events).toEqual([
      { action: 'Import', actor: 'Ada Admin', changes: [{ field: 'Prices', before: '', after: '0 new, 1 changed' }] },
    ]);
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await pricesOf(one)).toEqual(before);
  });

  test('without a first day a change counts from today; an open end is no end; what begins later stays', async () => {
    const one = await aPriced();
    await ada.imported(KIND, file(`${one.number},${one.item},BX,1,41,12/01/2026,`));
    const view = await start(file(`${one.number},${one.item},BX,1,40.50,,12/31/9999`));
    await ada.apply(view);
    expect((await pricesOf(one)).slice(0, 3)).toEqual([
      '1: BX 40 2020-01-01..2026-10-19',
      '1: BX 40.5 2026-10-20..2026-11-30',
      '1: BX 41 2026-12-01..',
    ]);
    // The same file again says nothing new.
    expect(figures(await start(file(`${one.number},${one.item},BX,1,40.50,,12/31/9999`)))).toMatchObject({ Same: 1 });
    expect(refusals(await start(file(`${one.number},${one.item},BX,1,40.75,11/01/2026,01/31/2027`)))).toEqual([
      "2 To '01/31/2027' reaches past 12/01/2026, from when 41.00 counts: end it before, or leave the last day empty",
    ]);
    expect(refusals(await start(file(`${one.number},${one.item},BX,1,41.25,12/01/2026,`)))).toEqual([
      "2 Price '41.25' is 41.00 from that day (12/01/2026) already, and a price is never overwritten: say the day from which it changes",
    ]);
  });

  test('several periods of one item in a file, and an earlier last day; the day for all can be said', async () => {
    const one = await aPriced();
    const view = await start(
      file(
        `${one.number},${one.item},BX,1,38.50,11/01/2026,11/30/2026`,
        `${one.number},${one.item},BX,1,40,12/01/2026,`,
        `${one.number},${one.item},BX,2,36,01/01/2020,06/30/2027`,
      ),
    );
    expect(figures(view)).toMatchObject({ Changed: 3, Same: 0, Refused: 0 });
    const applied = await ada.apply(view);
    expect(await pricesOf(one)).toEqual([
      '1: BX 40 2020-01-01..2026-10-31',
      '1: BX 38.5 2026-11-01..2026-11-30',
      '1: BX 40 2026-12-01..',
      '2: BX 36 2020-01-01..2027-06-30',
    ]);
    expect(view.report?.notes).toEqual([
      '1 item has no price after the last day in the file, although one counted longer until now.',
    ]);
    await ada.undo(applied);
    // A file whose rows all begin with the contract: what changed counts from the day that is said.
    const rows = file(`${one.number},${one.item},BX,1,41,01/01/2020,`, `${one.number},${one.item},BX,2,36,01/01/2020,`);
    expect(figures(await start(rows))).toMatchObject({ Same: 1, Clash: 1 });
    const lifted = await start(rows, { from: '11/01/2026' });
    expect(figures(lifted)).toMatchObject({ Same: 1, Changed: 1, Refused: 0 });
    await ada.apply(lifted);
    expect((await pricesOf(one)).slice(0, 2)).toEqual(['1: BX 40 2020-01-01..2026-10-31', '1: BX 41 2026-11-01..']);
  });

  test('a file that repeats the first day of the contract: what counts today stays, another price needs its day', async () => {
    const one = await aPriced();
    await ada.imported(KIND, file(`${one.number},${one.item},BX,1,41,06/01/2026,`));
    const row = (price: string, days = '01/01/2021,') => `${one.number},${one.item},BX,1,${price},${days}`;
    expect(figures(await start(file(row('41'))))).toMatchObject({ Same: 1, Changed: 0, Refused: 0 });
    const other = await start(file(row('40')));
    expect(refusals(other)).toEqual([
      "2 Price '40.00' would count from 01/01/2021, but 41.00 counts since 06/01/2026: say the day from which it changes",
    ]);
    // The file says itself what follows.
    expect(figures(await start(file(row('40'), row('41', '06/01/2026,'))))).toMatchObject({ Same: 2, Refused: 0 });
    expect(figures(await start(file(row('40', '01/01/2021,05/31/2026'))))).toMatchObject({ Same: 1, Refused: 0 });
  });

  test('a new line by the number of the manufacturer; a contract without a first price; a single tier needs no word', async () => {
    const one = await aPriced();
    const fresh = await anItem(server.db, {
      number: 'CP-NEW',
      manufacturerNo: 'Mf-New',
      units: { EA: 1, BX: 10 },
      prices: [],
    });
    const single = await aContract(server.db, { number: 'PF-SINGLE' });
    const text = `Contract,Mfr Part No,UOM,Units per UOM,Tier,Contract Price\n${one.number},MF-NEW,BX,10,1,12.345\nPF-SINGLE,MF-NEW,Box of 10,,,13\n`;
    const view = await start(text);
    expect(refusals(view)).toEqual([]);
    expect(figures(view)).toMatchObject({ New: 2, Absent: 1 });
    const applied = await ada.apply(view);
    expect((await pricesOf(one)).at(-1)).toBe('1: BX 12.345 2026-10-20..');
    expect(await pricesOf(single)).toEqual(['1: BX 13 2026-10-20..']);
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await pricesOf(single)).toEqual([]);
    const lines = await server.db.selectFrom('contract_line').select('id').where('item_id', '=', fresh.id).execute();
    expect(lines).toEqual([]);
  });
});

describe('the tolerance', () => {
  test('40.00 to 42.00 passes, 42.01 is held; accepted rows are applied, also later; others stay out', async () => {
    const [a, b, c, d] = [await aPriced(), await aPriced(), await aPriced(), await aPriced()];
    const row = ({ number, item }: typeof a, price: string) => `${number},${item},BX,1,${price},11/01/2026,`;
    const view = await start(file(row(a, '42.00'), row(b, '42.01'), row(c, '400'), row(d, '30')));
    expect(figures(view)).toMatchObject({ Changed: 1, Held: 3, Refused: 0 });
    expect(await held(view)).toEqual([
      `3 | ${b.number} ${b.item} BX, tier 1 | 40.00 a BX | 42.01 a BX from 11/01/2026 (+5.03 %) | `,
      `4 | ${c.number} ${c.item} BX, tier 1 | 40.00 a BX | 400.00 a BX from 11/01/2026 (+900.00 %) | That is 10 times as much: is it the price of a CS?`,
      `5 | ${d.number} ${d.item} BX, tier 1 | 40.00 a BX | 30.00 a BX from 11/01/2026 (-25.00 %) | `,
    ]);
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [4], decision: 'rejected' }, { as: ada });
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [5], decision: 'accepted' }, { as: ada });
    const applied = await ada.apply(view);
    expect(applied.report).toMatchObject({ writes: 2, held: 2 });
    await server.ok(DataImport.DecideHeldRows, { id: view.id, decision: 'accepted' }, { as: ada });
    const more = await ada.apply(view);
    expect(more.report).toMatchObject({ writes: 3, held: 1 });
    expect([await pricesOf(b), await pricesOf(c), await pricesOf(d)].map((rows) => rows[1])).toEqual([
      '1: BX 42.01 2026-11-01..',
      '2: BX 36 2020-01-01..',
      '1: BX 30 2026-11-01..',
    ]);
    await ada.undo(more);
    for (const one of [a, b, c, d])
      expect(await pricesOf(one)).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
  });

  test('an accepted row that meanwhile clashes is named; nothing is applied, and the import stays applied', async () => {
    const [a, b] = [await aPriced(), await aPriced()];
    const view = await start(
      file(`${a.number},${a.item},BX,1,41,11/01/2026,`, `${b.number},${b.item},BX,1,50,11/01/2026,`),
    );
    await ada.apply(view);
    await server.ok(DataImport.DecideHeldRows, { id: view.id, decision: 'accepted' }, { as: ada });
    await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
      select p.contract_line_id, p.tier_id, 44, '2026-11-01' from contract_line_price p join contract_line l on l.id = p.contract_line_id
      join contract_tier t on t.id = p.tier_id and t.tier_no = 1 where l.contract_id = ${b.id}`.execute(server.db);
    const now = await pricesOf(b);
    const failed = await ada.apply(view);
    expect(failed).toMatchObject({
      state: 'Applied',
      accepted: 1,
      error:
        "Line 3 cannot be applied any more: Price '50.00' is 44.00 from that day (11/01/2026) already, and a price is never overwritten: say the day from which it changes. Reject it, or upload the file again.",
    });
    expect(await pricesOf(b)).toEqual(now);
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [3], decision: 'rejected' }, { as: ada });
    expect(await ada.undo(view)).toMatchObject({ state: 'Undone', error: '' });
  });

  test('another percentage, or an amount per each; not a number is refused', async () => {
    const one = await aPriced();
    const rows = file(`${one.number},${one.item},BX,1,41,,`, `${one.number},${one.item},BX,2,35.00,,`);
    expect(figures(await start(rows, { percent: '2.4' }))).toMatchObject({ Changed: 0, Held: 2 });
    expect(figures(await start(rows, { percent: '2.5' }))).toMatchObject({ Changed: 1, Held: 1 });
    // 1.00 a BX of 10 is 0.10 per each.
    expect(figures(await start(rows, { amount: '0.1' }))).toMatchObject({ Changed: 2 });
    expect(figures(await start(rows, { amount: '0.0999' }))).toMatchObject({ Held: 2 });
    const { id } = await ada.upload(KIND, rows);
    for (const options of [{ percent: 'much' }, { from: 'soon' }, { otherUnit: 'guess' }, { endAbsent: 'yes' }])
      expect((await server.call(DataImport.StartCheck, { id, options }, { as: ada })).status).toBe(422);
  });
});

describe('problems, each in words', () => {
  test('another unit than the line, row by row: converted, added as a line, or left', async () => {
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
        '40.00 a BX',
        '410.00 a CS from 11/01/2026',
        '410.00 a CS is 41.00 a BX',
        [convert, { value: 'add', label: 'Add line in CS' }],
      ],
      [
        '40.00 a BX',
        '900.00 a CS from 11/01/2026',
        '900.00 a CS is 90.00 a BX',
        [convert, { value: 'add', label: 'Add line in CS' }],
      ],
      [
        '40.00 a BX',
        '410.00 a CS from 11/01/2026',
        '410.00 a CS is 41.00 a BX',
        [convert, { value: 'add', label: 'Add line in CS' }],
      ],
      // It does not come out exactly.
      [
        '40.00 a BX',
        '10.00 a PK from 11/01/2026',
        '10.00 a PK is 4.2857 a BX, rounded',
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
    expect(JSON.stringify(silent.body)).toContain(
      'Say what becomes of line 2: Convert or Add line in CS, or reject it.',
    );
    expect((await choose(5, 'convert')).status).toBe(422);
    // All together leaves them open: each says for itself.
    expect(
      await server.ok(DataImport.DecideHeldRows, { id: view.id, decision: 'accepted' }, { as: ada }),
    ).toMatchObject({ accepted: 0 });
    await choose(2, 'convert');
    await choose(3, 'add');
    const applied = await ada.apply(view);
    expect(applied.report).toMatchObject({ writes: 2, held: 2 });
    expect(await pricesOf(a)).toContain('1: BX 41 2026-11-01..');
    expect(await pricesOf(b)).toContain('1: CS 900 2026-11-01..');
    // Later, and far beyond the tolerance: who chose has read the arithmetic.
    await choose(5, 'add');
    const more = await ada.apply(view);
    expect(more.report).toMatchObject({ writes: 3, held: 1 });
    expect(await pricesOf(d)).toContain('1: PK 10 2026-11-01..');
    expect(await ada.undo(more)).toMatchObject({ state: 'Undone', error: '' });
    for (const one of [a, b, c])
      expect(await pricesOf(one)).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
  });

  test('what was chosen for a row does not count when the price changed meanwhile', async () => {
    const one = await aPriced();
    const view = await start(file(`${one.number},${one.item},CS of 10 BX,1,410.00,11/01/2026,`), { otherUnit: 'ask' });
    await server.ok(
      DataImport.DecideHeldRows,
      { id: view.id, lines: [2], decision: 'accepted', way: 'convert' },
      { as: ada },
    );
    await sql`update contract_line_price set price = 55 where price = 40
      and contract_line_id in (select id from contract_line where contract_id = ${one.id})`.execute(server.db);
    const applied = await ada.apply(view);
    expect(applied.report).toMatchObject({ writes: 0, held: 1 });
    expect(await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada })).toMatchObject({
      records: [{ was: '55.00 a BX', decision: 'open', way: '' }],
    });
  });

  test('another unit than the line: a person chooses to refuse, convert or add', async () => {
    const one = await aPriced();
    await server.db
      .updateTable('contract_line_price')
      .set({ price: 41 })
      .where('price', '=', 40)
      .where('contract_line_id', 'in', (eb) =>
        eb.selectFrom('contract_line').select('id').where('contract_id', '=', one.id),
      )
      .execute();
    const rows = file(`${one.number},${one.item},CS of 10 BX,1,410.00,,`);
    const view = await start(rows);
    expect(figures(view)).toMatchObject({ 'Unit problem': 1, Refused: 1, Absent: 0 });
    expect(refusals(view)).toEqual([
      "2 UOM 'CS of 10 BX' is not the unit of the contract's line, BX at 41.00: 410.00 a CS is 41.00 a BX. Write the unit that is meant, or choose what becomes of such rows",
    ]);
    const converted = await start(rows, { otherUnit: 'convert' });
    expect(figures(converted)).toMatchObject({ Same: 1, Refused: 0 });
    expect(converted.report?.notes).toEqual(["1 price was converted to the unit of the contract's line."]);
    const added = await start(rows, { otherUnit: 'add' });
    expect(figures(added)).toMatchObject({ New: 1, Refused: 0 });
    const third = await start(file(`${one.number},${one.item},EA,1,4.1001,,`), { otherUnit: 'convert' });
    expect(figures(third)).toMatchObject({ Changed: 1 });
    const uneven = await aPriced({ units: { EA: 1, BX: 3, PK: 7 } });
    expect(refusals(await start(file(`${uneven.number},${uneven.item},PK,1,10,,`), { otherUnit: 'convert' }))).toEqual([
      expect.stringContaining('10.00 a PK is 4.2857 a BX, rounded'),
    ]);
  });

  test('sizes, items, tiers, contracts, days, currencies', async () => {
    const one = await aPriced();
    await anItem(server.db, { number: 'CP-TWIN-1', manufacturerNo: 'TWIN' });
    await anItem(server.db, { number: 'CP-TWIN-2', manufacturerNo: 'twin' });
    const c = one.number;
    const text = [
      'Contract,Item,Mfr #,UOM,QOE,Tier,Price,From,To,Currency',
      `${c},${one.item},,BX,12,1,40,,,`,
      `${c},${one.item},,,,1,40,,,`,
      `${c},${one.item},,ZZ,,1,40,,,`,
      `${c},NIL,,BX,,1,40,,,`,
      `${c},,NIL,BX,,1,40,,,`,
      `${c},,TWIN,BX,,1,40,,,`,
      `${c},${one.item},MF-OTHER,BX,,1,40,,,`,
      `${c},,,BX,,1,40,,,`,
      `${c},${one.item},,BX,,,40,,,`,
      `${c},${one.item},,BX,,3,40,,,`,
      `NOPE,${one.item},,BX,,1,40,,,`,
      `,${one.item},,BX,,1,40,,,`,
      `${c},${one.item},,BX,,1,40,12/31/9999,,`,
      `${c},${one.item},,BX,,1,40,11/01/2026,10/31/2026,`,
      `${c},${one.item},,BX,,1,40,01/01/2100,,`,
      `${c},${one.item},,BX,,1,40,,,EUR`,
      `${c},${one.item},,BX,10,2,36,,,USD`,
    ].join('\n');
    const view = await start(text);
    expect(refusals(view)).toEqual([
      "2 UOM 'BX' may be BX, which holds 10 EA here, or 12 EA: write the unit that is meant",
      "3 UOM '' is empty: the line of the contract is in BX",
      expect.stringMatching(/^4 UOM 'ZZ' is not the unit of the contract's line, BX at 40.00\. Write/),
      "5 Item 'NIL' is no item here: import the items first",
      "6 Mfr # 'NIL' is the number of no item here: import the items first",
      "7 Mfr # 'TWIN' is the number of 2 items, CP-TWIN-1, CP-TWIN-2: write our item number",
      `8 Mfr # 'MF-OTHER' is not the number of ${one.item}, which is ${one.maker}`,
      "9 Item '' is empty: write our item number or that of the manufacturer",
      "10 Tier '' is empty: the contract has the tiers 1, 2 (Committed)",
      "11 Tier '3' is no tier of the contract, which has 1, 2 (Committed)",
      "12 Contract 'NOPE' is no contract here: import the contract first",
      "13 Contract '' is empty: write the contract number, or say which contract the file is for",
      "14 From '12/31/9999' means that there is no end: it is no first day",
      "15 To '10/31/2026' is before the first day, 11/01/2026",
      "16 From '01/01/2100' is after the last day of the contract, 12/31/2099",
      "17 Currency 'EUR' is not the currency of the contract, which is USD",
    ]);
    expect(figures(view)).toMatchObject({
      Same: 1,
      Refused: 16,
      'Unit problem': 3,
      'Unknown item': 4,
      'Unknown tier': 2,
    });
  });

  test('prices that are none, and notations that may mean two things', async () => {
    const one = await aPriced();
    const priced = (price: string) => `${one.number}|${one.item}|BX|1|${price}`;
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
      "2 Price '1.234' stands in one column with '1.234,50' (line 3): write all amounts as 1,234.50",
      "3 Price '1.234,50' is written with a decimal comma: write 1,234.50",
    ]);
  });

  test('rows that contradict each other are both refused; said twice is said once', async () => {
    const one = await aPriced();
    const row = (price: string, days: string) => `${one.number},${one.item},BX,1,${price},${days}`;
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
});

describe('absent lines', () => {
  test('are counted and listed, and end only when that is ticked and no refused row may be one of them', async () => {
    const one = await aPriced();
    const other = await anItem(server.db, { number: `${one.item}-B`, units: { EA: 1, BX: 10 }, prices: [] });
    await server.db
      .insertInto('contract_line')
      .values({ contract_id: one.id, item_id: other.id, unit: 'BX' })
      .execute();
    const row = `${one.number},${one.item},BX,1,40,,`;
    const view = await start(file(row));
    expect(figures(view)).toMatchObject({ Same: 1, Absent: 1 });
    expect(view.report?.lists).toEqual([
      {
        title: 'Absent, left as they are',
        headings: ['Contract', 'Item', 'Unit'],
        rows: [[one.number, `${one.item}-B`, 'BX']],
        total: 1,
      },
    ]);
    expect(view.report?.writes).toBe(0);
    const hidden = await start(file(row, `${one.number},UNKNOWN,BX,1,40,,`), { endAbsent: true });
    expect(hidden.report).toMatchObject({
      writes: 0,
      notes: ['Absent lines are not ended, because refused rows may name them. Mend those rows first.'],
    });
    const applied = await ada.apply(await start(file(row), { endAbsent: true }));
    expect(applied.report?.writes).toBe(1);
    const lines = () =>
      server.db
        .selectFrom('contract_line')
        .select('valid_to')
        .where('contract_id', '=', one.id)
        .orderBy('id')
        .execute();
    expect(await lines()).toEqual([{ valid_to: null }, { valid_to: '2026-10-19' }]);
    await ada.undo(applied);
    expect(await lines()).toEqual([{ valid_to: null }, { valid_to: null }]);
  });
});

test('an undo gives back no days that have another price by now', async () => {
  const one = await aPriced();
  const applied = await ada.imported(KIND, file(`${one.number},${one.item},BX,1,41,11/01/2026,11/30/2026`));
  const line = await server.db
    .selectFrom('contract_line')
    .select('id')
    .where('contract_id', '=', one.id)
    .executeTakeFirstOrThrow();
  const tier = await server.db
    .selectFrom('contract_tier')
    .select('id')
    .where('contract_id', '=', one.id)
    .where('tier_no', '=', 1)
    .executeTakeFirstOrThrow();
  await server.db
    .insertInto('contract_line_price')
    .values({ contract_line_id: line.id, tier_id: tier.id, price: 43, valid_from: '2026-12-01' })
    .execute();
  expect((await ada.undo(applied)).error).toBe(
    `This import cannot be undone: 1 contract price was added in days that it would give back: ${one.number} ${one.item} BX.`,
  );
});

test('the contract department imports prices; sales does not, and a price of a contract is shown to nobody else', async () => {
  const one = await aPriced();
  const dept = await aUser(server.db, { roles: ['contractdept'] });
  const sales = await aUser(server.db, { roles: ['salesadmin'] });
  const given = { file: fileOf('p.csv', file(`${one.number},${one.item},BX,1,50,,`)) };
  const { id } = await server.ok(DataImport.UploadImport, { kind: KIND }, { as: dept, ...given });
  await server.ok(DataImport.StartCheck, { id }, { as: dept });
  await server.drain();
  expect(figures(await server.ok(DataImport.GetImport, { id }, { as: dept }))).toMatchObject({ Held: 1 });
  for (const call of [DataImport.GetImport, DataImport.GetHeldRows, DataImport.StartCheck, DataImport.ApplyImport])
    expect((await server.call(call, { id }, { as: sales })).status).toBe(403);
  expect((await server.call(DataImport.UploadImport, { kind: KIND }, { as: sales, ...given })).status).toBe(403);
  const kinds = await server.ok(DataImport.ListImportKinds, {}, { as: dept });
  expect(kinds.map(({ kind }) => kind)).toContain(KIND);
  expect(kinds.map(({ kind }) => kind)).not.toContain('facilities');
});
