// Tests contract price files over HTTP: compared, held, applied as dated rows, undone, and who may import them.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { anImporter, figures, fileOf, type Importer, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { priceFile as file, PRICES as KIND, pricedContracts } from '#testing/priced-contracts.server.ts';
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

describe('dated prices', () => {
  test('a changed price ends the old one the day before; an equal one stays; a tier matches by number or name in any case', async () => {
    const first = await aPriced();
    const view = await start(
      file(
        `${first.number},${first.item},bx,tier 1,$42.00,11/01/2026,`,
        `${first.number.toLowerCase()},${first.item},BX,COMMITTED,36,,`,
      ),
    );
    expect(figures(view)).toEqual({ Same: 1, Changed: 1, New: 0, Absent: 0, Refused: 0 });
    expect(view.report?.lists[0]?.rows).toEqual([
      ['2', `${first.number} ${first.item}`, '40.00 → 42.00 per BX (1.05 times), tier 1 from 11/01/2026'],
    ]);
    const before = await pricesOf(first);
    expect(before).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
    const applied = await ada.apply(view);
    expect(applied).toMatchObject({ state: 'Applied', error: '' });
    expect(await pricesOf(first)).toEqual([
      '1: BX 40 2020-01-01..2026-10-31',
      '1: BX 42 2026-11-01..',
      '2: BX 36 2020-01-01..',
    ]);
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'actor', 'changes'])
      .where('record_type', '=', 'contract')
      .where('record_id', '=', first.id)
      .execute();
    expect(events).toEqual([
      { action: 'Import', actor: 'Ada Admin', changes: [{ field: 'Prices', before: '', after: '0 new, 1 changed' }] },
    ]);
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await pricesOf(first)).toEqual(before);
  });

  test('without a first day a change applies from today; 12/31/9999 means no end; a later price stays', async () => {
    const first = await aPriced();
    await ada.imported(KIND, file(`${first.number},${first.item},BX,1,41,12/01/2026,`));
    const view = await start(file(`${first.number},${first.item},BX,1,40.50,,12/31/9999`));
    await ada.apply(view);
    expect((await pricesOf(first)).slice(0, 3)).toEqual([
      '1: BX 40 2020-01-01..2026-10-19',
      '1: BX 40.5 2026-10-20..2026-11-30',
      '1: BX 41 2026-12-01..',
    ]);
    // The same file again changes nothing.
    expect(figures(await start(file(`${first.number},${first.item},BX,1,40.50,,12/31/9999`)))).toMatchObject({
      Same: 1,
    });
    expect(refusals(await start(file(`${first.number},${first.item},BX,1,40.75,11/01/2026,01/31/2027`)))).toEqual([
      "2 To '01/31/2027' reaches past 12/01/2026, from when 41.00 counts: end it before, or leave the last day empty",
    ]);
    expect(refusals(await start(file(`${first.number},${first.item},BX,1,41.25,12/01/2026,`)))).toEqual([
      "2 Price '41.25' is 41.00 from that day (12/01/2026) already, and a price is never overwritten: enter the day from which it changes",
    ]);
  });

  test('an item that never had a price is not named as one whose price ends', async () => {
    const first = await aPriced();
    await anItem(server.db, { number: `${first.item}-N`, units: { EA: 1, BX: 10 }, prices: [] });
    const view = await start(file(`${first.number},${first.item}-N,BX,1,12,01/01/2027,12/31/2027`));
    expect(figures(view)).toMatchObject({ New: 1, Refused: 0 });
    expect(view.report?.notes).toEqual([]);
  });

  test('a file may hold several periods of one item and an earlier last day; one first day can be set for all rows', async () => {
    const first = await aPriced();
    const view = await start(
      file(
        `${first.number},${first.item},BX,1,38.50,11/01/2026,11/30/2026`,
        `${first.number},${first.item},BX,1,40,12/01/2026,`,
        `${first.number},${first.item},BX,2,36,01/01/2020,06/30/2027`,
      ),
    );
    expect(figures(view)).toMatchObject({ Changed: 3, Same: 0, Refused: 0 });
    const applied = await ada.apply(view);
    expect(await pricesOf(first)).toEqual([
      '1: BX 40 2020-01-01..2026-10-31',
      '1: BX 38.5 2026-11-01..2026-11-30',
      '1: BX 40 2026-12-01..',
      '2: BX 36 2020-01-01..2027-06-30',
    ]);
    expect(view.report?.notes).toEqual([
      `1 item has no price after the last day in the file, although one counted longer until now: ${first.number} ${first.item}.`,
    ]);
    await ada.undo(applied);
    // If all rows begin with the contract, changed prices apply from the given day.
    const rows = file(
      `${first.number},${first.item},BX,1,41,01/01/2020,`,
      `${first.number},${first.item},BX,2,36,01/01/2020,`,
    );
    expect(figures(await start(rows))).toMatchObject({ Same: 1, Clash: 1 });
    const lifted = await start(rows, { from: '11/01/2026' });
    expect(figures(lifted)).toMatchObject({ Same: 1, Changed: 1, Refused: 0 });
    await ada.apply(lifted);
    expect((await pricesOf(first)).slice(0, 2)).toEqual(['1: BX 40 2020-01-01..2026-10-31', '1: BX 41 2026-11-01..']);
  });

  test('when a file repeats the contract’s first day, current prices stay and another price needs its own day', async () => {
    const first = await aPriced();
    await ada.imported(KIND, file(`${first.number},${first.item},BX,1,41,06/01/2026,`));
    const row = (price: string, days = '01/01/2021,') => `${first.number},${first.item},BX,1,${price},${days}`;
    expect(figures(await start(file(row('41'))))).toMatchObject({ Same: 1, Changed: 0, Refused: 0 });
    const other = await start(file(row('40')));
    expect(refusals(other)).toEqual([
      "2 Price '40.00' would count from 01/01/2021, but 41.00 has counted since 06/01/2026: enter the day from which it changes",
    ]);
    // The file itself contains the next price.
    expect(figures(await start(file(row('40'), row('41', '06/01/2026,'))))).toMatchObject({ Same: 2, Refused: 0 });
    expect(figures(await start(file(row('40', '01/01/2021,05/31/2026'))))).toMatchObject({ Same: 1, Refused: 0 });
  });

  test('adds a line by the manufacturer’s number, and a contract’s first price; a single tier needs no name', async () => {
    const first = await aPriced();
    const fresh = await anItem(server.db, {
      number: 'CP-NEW',
      manufacturerNo: 'Mf-New',
      units: { EA: 1, BX: 10 },
      prices: [],
    });
    const single = await aContract(server.db, { number: 'PF-SINGLE' });
    const text = `Contract,Mfr Part No,UOM,Units per UOM,Tier,Contract Price\n${first.number},MF-NEW,BX,10,1,12.345\nPF-SINGLE,MF-NEW,Box of 10,,,13\n`;
    const view = await start(text);
    expect(refusals(view)).toEqual([]);
    expect(figures(view)).toMatchObject({ New: 2, Absent: 1 });
    const applied = await ada.apply(view);
    expect((await pricesOf(first)).at(-1)).toBe('1: BX 12.345 2026-10-20..');
    expect(await pricesOf(single)).toEqual(['1: BX 13 2026-10-20..']);
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await pricesOf(single)).toEqual([]);
    const lines = await server.db.selectFrom('contract_line').select('id').where('item_id', '=', fresh.id).execute();
    expect(lines).toEqual([]);
  });
});

describe('the tolerance', () => {
  test('40.00 to 42.00 passes, 42.01 is held; accepted rows are applied, even later; others stay out', async () => {
    const [a, b, c, d] = [await aPriced(), await aPriced(), await aPriced(), await aPriced()];
    const row = ({ number, item }: typeof a, price: string) => `${number},${item},BX,1,${price},11/01/2026,`;
    const view = await start(file(row(a, '42.00'), row(b, '42.01'), row(c, '400'), row(d, '30')));
    expect(figures(view)).toMatchObject({ Changed: 1, Held: 3, Refused: 0 });
    expect(await ada.held(view)).toEqual([
      `3 | ${b.number} ${b.item} BX, tier 1 | 40.00 per BX | 42.01 per BX from 11/01/2026 (+5.03%) | `,
      `4 | ${c.number} ${c.item} BX, tier 1 | 40.00 per BX | 400.00 per BX from 11/01/2026 (+900.00%) | That is 10 times as much: is it the price of a CS?`,
      `5 | ${d.number} ${d.item} BX, tier 1 | 40.00 per BX | 30.00 per BX from 11/01/2026 (−25.00%) | `,
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
    for (const entry of [a, b, c, d])
      expect(await pricesOf(entry)).toEqual(['1: BX 40 2020-01-01..', '2: BX 36 2020-01-01..']);
  });

  test('an accepted row that now clashes is named; nothing is applied, and the import stays applied', async () => {
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
        "Line 3 can no longer be applied: Price '50.00' is 44.00 from that day (11/01/2026) already, and a price is never overwritten: enter the day from which it changes. Reject it, or upload the file again.",
    });
    expect(await pricesOf(b)).toEqual(now);
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [3], decision: 'rejected' }, { as: ada });
    expect(await ada.undo(view)).toMatchObject({ state: 'Undone', error: '' });
  });

  test('may be another percentage or an amount per each; an invalid option is refused', async () => {
    const first = await aPriced();
    const rows = file(`${first.number},${first.item},BX,1,41,,`, `${first.number},${first.item},BX,2,35.00,,`);
    expect(figures(await start(rows, { percent: '2.4' }))).toMatchObject({ Changed: 0, Held: 2 });
    expect(figures(await start(rows, { percent: '2.5' }))).toMatchObject({ Changed: 1, Held: 1 });
    // 1.00 per BX of 10 is 0.10 per each.
    expect(figures(await start(rows, { amount: '0.1' }))).toMatchObject({ Changed: 2 });
    expect(figures(await start(rows, { amount: '0.0999' }))).toMatchObject({ Held: 2 });
    const { id } = await ada.upload(KIND, rows);
    for (const options of [{ percent: 'much' }, { from: 'soon' }, { otherUnit: 'guess' }, { endAbsent: 'yes' }])
      expect((await server.call(DataImport.StartCheck, { id, options }, { as: ada })).status).toBe(422);
  });
});

describe('absent lines', () => {
  test('are counted and listed, and end only if that is ticked and no refused row may be one of them', async () => {
    const first = await aPriced();
    const other = await anItem(server.db, { number: `${first.item}-B`, units: { EA: 1, BX: 10 }, prices: [] });
    await server.db
      .insertInto('contract_line')
      .values({ contract_id: first.id, item_id: other.id, unit: 'BX' })
      .execute();
    const row = `${first.number},${first.item},BX,1,40,,`;
    const view = await start(file(row));
    expect(figures(view)).toMatchObject({ Same: 1, Absent: 1 });
    expect(view.report?.lists).toEqual([
      {
        title: 'Absent, left as they are',
        headings: ['Contract', 'Item', 'Unit'],
        rows: [[first.number, `${first.item}-B`, 'BX']],
        total: 1,
      },
    ]);
    expect(view.report?.writes).toBe(0);
    const hidden = await start(file(row, `${first.number},UNKNOWN,BX,1,40,,`), { endAbsent: true });
    expect(hidden.report).toMatchObject({
      writes: 0,
      notes: ['Absent lines are not ended, because refused rows may name them. Fix those rows first.'],
    });
    const applied = await ada.apply(await start(file(row), { endAbsent: true }));
    expect(applied.report?.writes).toBe(1);
    const lines = () =>
      server.db
        .selectFrom('contract_line')
        .select('valid_to')
        .where('contract_id', '=', first.id)
        .orderBy('id')
        .execute();
    expect(await lines()).toEqual([{ valid_to: null }, { valid_to: '2026-10-19' }]);
    await ada.undo(applied);
    expect(await lines()).toEqual([{ valid_to: null }, { valid_to: null }]);
    const later = await ada.apply(
      await start(file(`${first.number},${first.item},BX,1,41,01/01/2027,`, row.replace('40,,', '41,02/01/2027,')), {
        endAbsent: true,
      }),
    );
    expect(later.report?.notes).toEqual(['1 absent line ends the day before 01/01/2027.']);
    expect(await lines()).toEqual([{ valid_to: null }, { valid_to: '2026-12-31' }]);
    await ada.undo(later);
  });
});

test('an undo is refused if the days it would give back have another price by then', async () => {
  const first = await aPriced();
  const applied = await ada.imported(KIND, file(`${first.number},${first.item},BX,1,41,11/01/2026,11/30/2026`));
  const line = await server.db
    .selectFrom('contract_line')
    .select('id')
    .where('contract_id', '=', first.id)
    .executeTakeFirstOrThrow();
  const tier = await server.db
    .selectFrom('contract_tier')
    .select('id')
    .where('contract_id', '=', first.id)
    .where('tier_no', '=', 1)
    .executeTakeFirstOrThrow();
  await server.db
    .insertInto('contract_line_price')
    .values({ contract_line_id: line.id, tier_id: tier.id, price: 43, valid_from: '2026-12-01' })
    .execute();
  expect((await ada.undo(applied)).error).toBe(
    `This import cannot be undone: 1 contract price was added in days that it would give back: ${first.number} ${first.item} BX.`,
  );
});

test('the contract department may import prices; sales may neither import nor see them', async () => {
  const first = await aPriced();
  const dept = await aUser(server.db, { roles: ['contractdept'] });
  const sales = await aUser(server.db, { roles: ['salesadmin'] });
  const input = { file: fileOf('p.csv', file(`${first.number},${first.item},BX,1,50,,`)) };
  const { id } = await server.ok(DataImport.UploadImport, { kind: KIND }, { as: dept, ...input });
  await server.ok(DataImport.StartCheck, { id }, { as: dept });
  await server.drain();
  expect(figures(await server.ok(DataImport.GetImport, { id }, { as: dept }))).toMatchObject({ Held: 1 });
  for (const call of [DataImport.GetImport, DataImport.GetHeldRows, DataImport.StartCheck, DataImport.ApplyImport])
    expect((await server.call(call, { id }, { as: sales })).status).toBe(403);
  expect((await server.call(DataImport.UploadImport, { kind: KIND }, { as: sales, ...input })).status).toBe(403);
  const kinds = await server.ok(DataImport.ListImportKinds, {}, { as: dept });
  expect(kinds.map(({ kind }) => kind)).toContain(KIND);
  expect(kinds.map(({ kind }) => kind)).not.toContain('facilities');
});
