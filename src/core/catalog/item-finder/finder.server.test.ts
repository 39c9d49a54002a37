// Tests that searches, pastes and files find an item by any of its numbers in any notation, and all return the same item.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { gtinOf } from '#platform/data-import/reading/gtin-digits.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';

let server: TestServer;
let ada: Importer;
let me: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
  me = await aUser(server.db, { roles: ['insiderep'] });
});
afterAll(() => server.close());

const search = async (number: string, overrides: { facilityId?: number } = {}) =>
  server.ok(ItemSearch.SearchItemByNumber, { number, hasRecentSaleOnly: false, ...overrides }, { as: me });
const numbersOf = async (number: string) => (await search(number)).map(({ itemNumber }) => itemNumber);
const pasted = async (numbers: string[]) =>
  server.ok(QuoteEdit.ResolvePastedItems, { rows: numbers.map((itemNumber) => ({ itemNumber, qty: 1 })) }, { as: me });

test('in a company without recent sales, the search for items with recent sales starts off', async () => {
  const defaults = () => server.ok(ItemSearch.GetItemSearchDefaults, {}, { as: me });
  expect(await defaults()).toMatchObject({ hasSales: false, criteria: { hasRecentSaleOnly: false } });
  const item = await anItem(server.db, { lastSold: '2019-01-01' });
  expect((await defaults()).hasSales).toBe(false);
  await server.db
    .updateTable('item')
    .set({ last_sold: new Date().toISOString().slice(0, 10) })
    .where('id', '=', item.id)
    .execute();
  expect(await defaults()).toMatchObject({ hasSales: true, criteria: { hasRecentSaleOnly: true } });
});

/** Adds the check digit of a GTIN with 13 digits. */
function withCheckDigit(body: string): string {
  const all = Array.from({ length: 10 }, (_, digit) => gtinOf(`${body}${digit}`));
  return all.find((candidate) => candidate !== null) ?? '';
}

describe('400 disturbed numbers', () => {
  type Case = { typed: string; itemNumber: string };
  const cases: Case[] = [];

  /** Generates numbers that look random and are the same in every run. */
  let seed = 20_261_120;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('');
  const letters = (count: number) => Array.from({ length: count }, () => 'ABCDEFGHKLMNPRSTUVWX'[random(20)]).join('');
  const shapes = [
    () => `00${digits(4)}-${digits(3)}`,
    () => `${letters(3)}-${digits(2)}-${digits(3)}`,
    () => `${digits(1)}51${digits(4)}`,
    () => `${letters(2)} ${digits(3)}.5 ${letters(1)}`,
    () => `000${digits(5)}`,
    () => `${letters(1)}${digits(3)}/${digits(2)}-${letters(2)}`,
    () => `${digits(4)}-${letters(2)}${digits(2)}`,
    () => `0${digits(3)}${letters(2)}${digits(3)}`,
  ];
  const number = (n: number) => (shapes[n % shapes.length] ?? (() => ''))();
  const disturbances: ((text: string) => string)[] = [
    (text) => text.replaceAll('-', ''),
    (text) => text.replaceAll('-', ' '),
    (text) => text.toLowerCase(),
    // A spreadsheet turns digits into a number.
    (text) => (/^\d+$/.test(text) ? String(Number(text)) : text.replace(/^0+/, '')),
    (text) => ` ${text.replaceAll(' ', '')} `,
    (text) => `'${text}`,
    (text) => text.replace(/(?<=[A-Z])(?=\d)/i, '-'),
    (text) => text.replaceAll('-', '\u2013').toLowerCase(),
  ];
  const disturbed = (text: string, n: number) => (disturbances[n % disturbances.length] ?? String)(text);

  beforeAll(async () => {
    const customer = await aFacility(server.db);
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      item_number: number(n),
      description: `Made up ${n}`,
      manufacturer: 'Acme Medical',
      manufacturer_no: n % 3 === 0 ? '' : `${letters(1)}${number(n + 3)}`,
    }));
    const items = await server.db
      .insertInto('item')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'item_number', 'manufacturer_no'])
      .execute();
    const identifiers: { item_id: number; kind: string; value: string; unit: string; facility_id: number | null }[] =
      [];
    for (const [n, item] of items.entries()) {
      if (cases.length === 400) break;
      const how = n % 5;
      const body = `0${100_000_000_000 + n * 7}`;
      const gtin = withCheckDigit(body);
      const theirs = `C${number(n + 5)}`;
      if (how === 2) identifiers.push({ item_id: item.id, kind: 'GTIN', value: gtin, unit: 'EA', facility_id: null });
      if (how === 3)
        identifiers.push({ item_id: item.id, kind: 'Customer', value: theirs, unit: '', facility_id: customer.id });
      const written =
        how === 1 && item.manufacturer_no !== ''
          ? item.manufacturer_no
          : how === 2
            ? [gtin, String(Number(gtin)), withCheckDigit(`1${body.slice(1)}`), `(01)${gtin}(17)270131(10)A1`][
                Math.floor(n / 5) % 4
              ]
            : how === 3
              ? theirs
              : item.item_number;
      cases.push({
        typed: how === 2 ? (written ?? '') : disturbed(written ?? '', Math.floor(n / 5)),
        itemNumber: item.item_number,
      });
    }
    await server.db.insertInto('item_identifier').values(identifiers).execute();
  }, 60_000);

  test('at least 98% come first in a search; none is taken for another item anywhere', {
    timeout: 240_000,
  }, async () => {
    expect(cases).toHaveLength(400);
    const rows = await pasted(cases.map(({ typed }) => typed));
    const wrong: string[] = [];
    let first = 0;
    for (const [at, { typed, itemNumber }] of cases.entries()) {
      const [best] = await search(typed);
      if (best?.itemNumber === itemNumber) first++;
      const row = rows[at];
      const taken = row?.state === 'found' ? row.candidates[0]?.itemNumber : undefined;
      if (taken !== undefined && taken !== itemNumber) wrong.push(`paste of ${typed}: ${taken} for ${itemNumber}`);
      const meant = best?.isMeant ? best.itemNumber : undefined;
      if (meant !== taken) wrong.push(`${typed}: search means ${meant}, paste ${taken}`);
    }
    expect(wrong).toEqual([]);
    expect(first).toBeGreaterThanOrEqual(392);
    expect(rows.filter(({ state }) => state === 'found').length).toBeGreaterThanOrEqual(392);
  });

  test('a file of prices takes each of them for the same item as a paste', { timeout: 120_000 }, async () => {
    const cells = cases.map(({ typed }, n) => `"${typed}",EA,${n + 1}.25`);
    const view = await ada.check(await ada.upload('prices', ['Item,Unit,Price', ...cells].join('\n')));
    const rows = await pasted(cases.map(({ typed }) => typed));
    const taken = rows.filter(({ state }) => state === 'found').length;
    const refused = new Set(view.report?.refusedCells.map(({ line }) => line));
    expect(figures(view)['New']).toBe(taken);
    expect(refused.size + (view.report?.held ?? 0)).toBe(400 - taken);
    const applied = await ada.apply(view);
    const stored = await server.db
      .selectFrom('item_price')
      .innerJoin('item', 'item.id', 'item_price.item_id')
      .select(['item_number', 'price'])
      .execute();
    const priceOf = new Map(stored.map(({ item_number, price }) => [price, item_number]));
    const wrong = cases.filter(({ itemNumber }, n) => {
      const at = priceOf.get(n + 1.25);
      return at !== undefined && at !== itemNumber;
    });
    expect(wrong).toEqual([]);
    expect(applied.state).toBe('Applied');
  });
});

describe('numbers and words', () => {
  test('the exact number comes first, then other numbers that fit, then words', async () => {
    await anItem(server.db, { number: 'EX-100', description: 'The one' });
    await anItem(server.db, { number: 'EX100', description: 'Without the dash' });
    await anItem(server.db, { number: 'OTHER-1', description: 'Maker has it', manufacturerNo: 'ex 100' });
    await anItem(server.db, { number: 'OTHER-2', description: 'Goes with EX-100 pumps' });
    await anItem(server.db, { number: 'EX-1000', description: 'Longer' });
    const hits = await search('ex-100');
    expect(hits.map(({ itemNumber, foundBy, isMeant }) => [itemNumber, foundBy, isMeant])).toEqual([
      ['EX-100', 'Item number', true],
      ['EX100', 'Item number', false],
      ['OTHER-1', 'Manufacturer number ex 100', false],
      ['EX-1000', '', false],
      ['OTHER-2', '', false],
    ]);
    const [row] = await pasted(['EX 100']);
    expect([row?.state, row?.candidates.length]).toEqual(['ambiguous', 3]);
  });

  test('an imported item is found by manufacturer, manufacturer number, brand and words, without a product', async () => {
    const gtin = withCheckDigit('0081234567890');
    const text = [
      'Item Number,Description,Manufacturer,Manufacturer Number,Brand,GTIN',
      `IMP-1,Gown surgical sterile,Zenith Health,ZH-0042/B,Bluewrap,${gtin}`,
      'IMP-2,Battery 9V,Zenith Health,,,00812345678900',
    ].join('\n');
    const view = await ada.imported('items', text);
    expect([figures(view), refusals(view)]).toMatchObject([{ New: 2, Refused: 0 }, []]);
    expect(view.report?.notes).toContain(
      "Corrected: 1 barcode left out that is no GTIN: line 3 '00812345678900' is not a GTIN: its last digit, the check digit, is wrong.",
    );
    const keywords = ['zenith gowns', 'zh0042/b', 'ZH-0042/B', 'bluewrap', String(Number(gtin)), 'bluewraps zenith'];
    for (const keyword of keywords) {
      expect([keyword, (await numbersOf(keyword))[0]]).toEqual([keyword, 'IMP-1']);
    }
    // A box has another GTIN for the same article.
    expect((await search(withCheckDigit('1081234567890')))[0]).toMatchObject({
      itemNumber: 'IMP-1',
      foundBy: `GTIN of another unit ${gtin}`,
      isMeant: true,
    });
    expect(await numbersOf('batteries zenith')).toEqual(['IMP-2']);
    expect(await numbersOf('surgery gowned zenith')).toEqual(['IMP-1']);
    const advanced = await server.ok(
      ItemSearch.SearchItemAdvanced,
      { keyword: 'zh 0042/b', hasRecentSaleOnly: false },
      { as: me },
    );
    expect(advanced.records.map(({ itemNumber }) => itemNumber)).toEqual(['IMP-1']);
    const priced = await server.ok(ItemSearch.SearchItemPrices, { itemNumber: 'zh 0042/B' }, { as: me });
    expect(priced.item.itemNumber).toBe('IMP-1');
  });

  test('what means something between two digits is no dash', async () => {
    await anItem(server.db, { number: 'GLV-7.5' });
    await anItem(server.db, { number: 'GLV-75' });
    const rows = await pasted(['GLV 7.5', 'GLV75', 'GLV-']);
    expect(rows.map(({ state, candidates }) => [state, candidates.map(({ itemNumber }) => itemNumber)])).toEqual([
      ['found', ['GLV-7.5']],
      ['found', ['GLV-75']],
      // A number that ends in a dash is truncated.
      ['ambiguous', ['GLV-7.5', 'GLV-75']],
    ]);
  });

  test("a customer's number counts for that customer and its members, and in no quote of another one", async () => {
    const [theirs, others] = [await aFacility(server.db), await aFacility(server.db)];
    const member = await aFacility(server.db, { parentId: theirs.id });
    const [first, two] = [await anItem(server.db), await anItem(server.db)];
    const text = [
      'Item,Account Number,Customer Item Number',
      `${first.itemNumber},${theirs.acctNo},CUST-0815`,
      `${two.itemNumber},${others.acctNo},CUST 815`,
      `${two.itemNumber},,CUST 4`,
    ].join('\n');
    const view = await ada.imported('item-numbers', text);
    expect(refusals(view)).toEqual([
      "4 Account Number '' is empty: write the account number, or say which customer the file is for",
    ]);
    const meant = async (number: string, facilityId?: number) =>
      (await search(number, facilityId ? { facilityId } : {})).map(({ itemNumber, isMeant }) => [itemNumber, isMeant]);
    expect(await meant('cust-0815', theirs.id)).toEqual([[first.itemNumber, true]]);
    expect(await meant('cust0815', member.id)).toEqual([[first.itemNumber, true]]);
    expect(await meant('cust815', others.id)).toEqual([[two.itemNumber, true]]);
    expect(await meant('cust0815')).toEqual([[first.itemNumber, true]]);
    expect(await meant('cust0815', others.id)).toEqual([]);
  });

  test('a number that fits several items is refused with their numbers where one item is needed', async () => {
    await anItem(server.db, { number: 'TWO-1', manufacturerNo: 'BOTH-9' });
    await anItem(server.db, { number: 'TWO-2', manufacturerNo: 'both9' });
    const answer = await server.call(ItemSearch.SearchItemPrices, { itemNumber: 'BOTH 9' }, { as: me });
    expect([answer.status, (answer.body as unknown as { errors: unknown }).errors]).toEqual([
      422,
      [{ path: 'itemNumber', message: 'BOTH 9 matches 2 items: TWO-1, TWO-2. Enter the exact item number.' }],
    ]);
  });
});

describe('files', () => {
  test('a row whose number fits two items waits for a choice, and is then written', async () => {
    await anItem(server.db, { number: 'CH-1', description: 'Chair', manufacturerNo: 'SEAT', prices: [] });
    await anItem(server.db, { number: 'CH-2', description: 'Stool', manufacturerNo: 'SEAT', prices: [] });
    await anItem(server.db, { number: 'CH-3', description: 'Bench', manufacturerNo: '0077-A', prices: [] });
    const text = 'Item,Unit,Price\nseat,EA,40\n77a,EA,50\nNOWHERE,EA,1\n';
    const checked = await ada.check(await ada.upload('prices', text));
    expect(figures(checked)).toMatchObject({ New: 1, Held: 1, Refused: 1 });
    expect(checked.report?.notes).toContain('1 row names its item by another number or spelling: 77a is CH-3.');
    const { records } = await server.ok(DataImport.GetHeldRows, { id: checked.id }, { as: ada });
    expect(records).toMatchObject([
      {
        line: 2,
        key: 'seat',
        was: 'CH-1, CH-2',
        now: 'seat',
        hint: 'The number matches 2 items.',
        ways: [{ label: 'CH-1 Chair' }, { label: 'CH-2 Stool' }],
      },
    ]);
    const decide = (way?: string) =>
      server.call(
        DataImport.DecideHeldRows,
        { id: checked.id, lines: [2], decision: 'accepted', ...(way ? { way } : {}) },
        { as: ada },
      );
    expect((await decide()).status).toBe(422);
    expect((await decide(records[0]?.ways[1]?.value)).status).toBe(200);
    const applied = await ada.apply(checked);
    expect(applied.report).toMatchObject({ held: 0, writes: 2 });
    const stored = await server.db
      .selectFrom('item_price')
      .innerJoin('item', 'item.id', 'item_price.item_id')
      .select(['item_number', 'price'])
      .where('item_number', 'like', 'CH-_')
      .orderBy('item_number')
      .execute();
    expect(stored).toEqual([
      { item_number: 'CH-2', price: 40 },
      { item_number: 'CH-3', price: 50 },
    ]);
  });

  test('a chosen item whose price would jump is refused, because a row has one question', async () => {
    await anItem(server.db, { number: 'JU-1', manufacturerNo: 'JUMP', price: 10 });
    await anItem(server.db, { number: 'JU-2', manufacturerNo: 'JUMP', price: 10 });
    const checked = await ada.check(await ada.upload('prices', 'Item,Unit,Price\njump,EA,400\n'));
    expect(figures(checked)).toMatchObject({ Held: 1, Refused: 0 });
    const { records } = await server.ok(DataImport.GetHeldRows, { id: checked.id }, { as: ada });
    const way = records[0]?.ways[0]?.value ?? '';
    await server.ok(DataImport.DecideHeldRows, { id: checked.id, lines: [2], decision: 'accepted', way }, { as: ada });
    expect(refusals(await ada.apply(checked))).toEqual([
      "2 Item 'jump' would change $10.00 per EA to $400.00 per EA (40.00 times): write the number that is meant, so that it can be looked at",
    ]);
  });

  test('a new item that is like a stored one is pointed out, and GTINs of packages become numbers of the item', async () => {
    await anItem(server.db, { number: '00123-9' });
    const view = await ada.check(await ada.upload('items', 'Item Number,Description\n1239,Again\n'));
    expect(view.report?.notes).toEqual([
      '1 new item differs from a stored one only by zeros, dashes, spaces or capitals: 1239 beside 00123-9. Is it the same item?',
    ]);
    const item = await anItem(server.db);
    const box = withCheckDigit('1030045678901');
    await ada.imported('units', `Item,Packages\n${item.itemNumber},${box}:10:Box\n`);
    expect((await search(box))[0]).toMatchObject({
      itemNumber: item.itemNumber,
      foundBy: `GTIN ${box}`,
      isMeant: true,
    });
    const wrong = await ada.check(
      await ada.upload('item-numbers', `Item,GTIN\n${item.itemNumber},00812345678903\n${item.itemNumber},12\n`),
    );
    expect(refusals(wrong)).toEqual([
      "2 GTIN '00812345678903' is not a GTIN: its last digit, the check digit, is wrong",
      "3 GTIN '12' is not a GTIN of 8 to 14 digits",
    ]);
  });
});
