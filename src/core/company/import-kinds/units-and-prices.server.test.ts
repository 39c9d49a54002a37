// Tests what files of units and prices change, and how their units, pack sizes, and amounts are read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { figures, importText, refusals } from '#testing/import-text.server.ts';
import type { ImportOptions } from '#platform/data-import/running/import-file.server.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
});
afterAll(() => database.close());

const load = (kind: string, text: string, options?: ImportOptions) => importText(database, kind, text, options);
const pricesOf = (number: string) =>
  db
    .selectFrom('item_price')
    .innerJoin('item', 'item.id', 'item_price.item_id')
    .select(['unit', 'currn_idx', 'min_qty', 'price', 'valid_from', 'valid_to'])
    .where('item_number', '=', number)
    .orderBy('unit')
    .orderBy('min_qty')
    .orderBy('valid_from')
    .execute();

describe('units and prices', () => {
  test('units from rows and from lists of packages', async () => {
    await anItem(db, { number: 'U-1' });
    await anItem(db, { number: 'U-2' });
    const rows = await load(
      'units',
      'Item,UOM,Conversion Factor\nU-1,Box,50\nU-1,Case,500\nU-1,EA,2\nU-9,BX,1\nU-2,BX,\n',
    );
    expect(figures(rows)).toEqual({ rows: 5, fresh: 2, refused: 3 });
    expect(refusals(rows)).toEqual([
      "4 Conversion Factor: '2.0000' is not 1, but EA is the base unit of the item",
      "5 Item: 'U-9' is not a known item: import the items first",
      "6 Conversion Factor: '' is empty",
    ]);
    const packages = await load(
      'units',
      'primaryDI,packages\nU-2,10817169024283:10:Box\nU-1,\nU-2,1:6:inner;2:12:case\n',
    );
    expect(figures(packages)).toEqual({ rows: 3, fresh: 1, silent: 1, refused: 1 });
    const units = await db
      .selectFrom('item_unit')
      .innerJoin('item', 'item.id', 'item_unit.item_id')
      .select(['item_number', 'unit', 'factor'])
      .where('item_number', 'in', ['U-1', 'U-2'])
      .where('factor', '>', 1)
      .orderBy('item_number')
      .orderBy('factor')
      .execute();
    expect(units).toEqual([
      { item_number: 'U-1', unit: 'BX', factor: 50 },
      { item_number: 'U-1', unit: 'CS', factor: 500 },
      { item_number: 'U-2', unit: 'BX', factor: 10 },
    ]);
    expect(figures(await load('units', 'Item,UOM,Conversion Factor\nU-1,BX,50\nU-1,CS,400\n'))).toEqual({
      rows: 2,
      changed: 1,
      same: 1,
    });
  });

  test('prices by unit, currency, quantity, and day; without them the base unit, dollars, one, and the earliest day', async () => {
    await anItem(db, { number: 'R-1', units: { EA: 1, BX: 50 }, prices: [] });
    const text = [
      'Item #,List Price,UOM,Currency,Min Qty,Effective Date,End Date',
      'R-1,$5.00,,,,,',
      'R-1,"$1,200.00",Box,,,,',
      'R-1,4.50,EA,,100,1/1/2026,12/31/2026',
      'R-1,4.40,EA,EUR,,,',
      'R-1,4.30,CS,,,,',
      'R-1,4.20,EA,,1000,2/1/2026,1/1/2026',
      'R-1,1.00 - 5.00,EA,,5,,',
      'R-1,,EA,,6,,',
    ].join('\n');
    const report = await load('prices', text);
    expect(figures(report)).toEqual({ rows: 8, fresh: 4, refused: 4 });
    expect(refusals(report)).toEqual([
      "6 UOM: 'CS' is no unit of this item: import its units first",
      "7 End Date: '2026-01-01' lies before the first day",
      "8 List Price: '1.00 - 5.00' is a range, not one price",
      "9 List Price: '' gives no price",
    ]);
    expect(await pricesOf('R-1')).toEqual([
      { unit: 'BX', currn_idx: 1007, min_qty: 1, price: 1200, valid_from: '2000-01-01', valid_to: null },
      { unit: 'EA', currn_idx: 1007, min_qty: 1, price: 5, valid_from: '2000-01-01', valid_to: null },
      { unit: 'EA', currn_idx: 1009, min_qty: 1, price: 4.4, valid_from: '2000-01-01', valid_to: null },
      { unit: 'EA', currn_idx: 1007, min_qty: 100, price: 4.5, valid_from: '2026-01-01', valid_to: '2026-12-31' },
    ]);
    expect(figures(await load('prices', text))).toEqual({ rows: 8, same: 4, refused: 4 });
    expect(figures(await load('prices', text.replace('$5.00', '$5.01')))).toEqual({
      rows: 8,
      changed: 1,
      same: 3,
      refused: 4,
    });
    // The previous price ends the day before, and the new one begins today.
    const each = (await pricesOf('R-1')).filter(
      ({ unit, currn_idx, min_qty }) => unit === 'EA' && currn_idx === 1007 && min_qty === 1,
    );
    const [old, fresh] = each;
    expect(each).toHaveLength(2);
    expect([old?.price, old?.valid_from]).toEqual([5, '2000-01-01']);
    expect([fresh?.price, fresh?.valid_from, fresh?.valid_to]).toEqual([5.01, addDays(old?.valid_to ?? '', 1), null]);
  });

  test('prices that begin before one that already counts are named, because they change nothing', async () => {
    await anItem(db, { number: 'BB-1', prices: [] });
    await load(
      'prices',
      'Item #,Price,Min Qty,Effective Date\nBB-1,5,1,1/1/2024\nBB-1,4,10,1/1/2024\nBB-1,3,100,1/1/2999\n',
    );
    const notes = async (text: string) => (await load('prices', text)).view.report?.notes;
    expect(await notes('Item #,Price,Min Qty,Effective Date\nBB-1,7,1,1/1/2023\nBB-1,6,10,1/1/2022\n')).toEqual([
      '2 prices begin before ones that already count, so they change nothing today: BB-1 EA, BB-1 EA.',
    ]);
    expect(await notes('Item #,Price\nBB-1,6\n')).toEqual(['2 prices end the day before a new one begins.']);
    expect(await notes('Item #,Price,Effective Date\nBB-1,8,1/1/2025\n')).toEqual([
      '1 price begins before one that already counts, so it changes nothing today: BB-1 EA.',
      '2 prices end the day before a new one begins.',
    ]);
  });

  test('the report names currencies and has no internal ids', async () => {
    await anItem(db, { number: 'ID-1', prices: [] });
    await aFacility(db, { acctNo: 'ID-2' });
    const { view } = await load('account-prices', 'Account,Item #,Price,Effective Date\nID-2,ID-1,5,1/1/2026\n');
    expect(view.report?.lists[0]?.rows).toEqual([['2', 'ID-2', 'ID-1', '', '$5.00', 'EA', '', '1', '01/01/2026']]);
  });

  test('12/31/9999 means no end, and removes a stored one', async () => {
    await anItem(db, { number: 'E-1', prices: [] });
    const file = (to: string) => `Item #,Price,Effective Date,End Date\nE-1,5,1/1/2026,${to}\n`;
    const end = async () => (await pricesOf('E-1'))[0]?.valid_to;
    await load('prices', file('12/31/2026'));
    expect(await end()).toBe('2026-12-31');
    const report = await load('prices', file('12/31/9999'));
    expect(figures(report)).toEqual({ rows: 1, changed: 1 });
    expect(await end()).toBeNull();
    expect(figures(await load('prices', file('12/31/9999')))).toEqual({ rows: 1, same: 1 });
    expect(figures(await load('prices', file('')))).toEqual({ rows: 1, same: 1 });
  });

  test('a unit with a pack size is read if the item has it in that size; otherwise it is refused with both readings', async () => {
    await anItem(db, { number: 'A4217', units: { EA: 1, BX: 10, CS: 50 }, prices: [] });
    await anItem(db, { number: 'A4218', units: { BX: 1 }, prices: [] });
    const rows = [
      [
        'A4217',
        58,
        'Case of 10 EA',
        'may be CS, which holds 50 EA here, or 10 EA, which is BX: write the unit that is meant',
      ],
      [
        'A4217',
        6,
        'Box of 50 pieces',
        'may be BX, which holds 10 EA here, or 50 EA, which is CS: write the unit that is meant',
      ],
      ['A4217', 7, 'BX (100 EA)', 'may be BX, which holds 10 EA here, or 100 EA: write the unit that is meant'],
      ['A4217', 8, 'EA/100', 'may be EA, or a unit that holds 100 EA: write the one you mean'],
      [
        'A4217',
        9,
        'PK of 5',
        "is PK, which is no unit of this item: import its units first, or answer for the whole file: A unit such as '100/bx'",
      ],
      ['A4218', 10, 'BX of 50 EA', 'may be BX, which holds 1 BX here, or 50 EA: write the unit that is meant'],
      ['A4217', 50, '50 EA/CA', ''],
      ['A4217', 11, 'BX/10', ''],
    ] as const;
    const text = `HCPCS,Price,UOM\n${rows.map((row) => `${row[0]},${row[1]},${row[2]}\n`).join('')}`;
    const report = await load('prices', text);
    expect(refusals(report)).toEqual(
      rows.flatMap(([, , unit, why], at) => (why ? [`${at + 2} UOM: '${unit}' ${why}`] : [])),
    );
    expect((await pricesOf('A4217')).map(({ unit, price }) => [unit, price])).toEqual([
      ['BX', 11],
      ['CS', 50],
    ]);
    // A case may be described by its boxes, and two cells may mean one unit in different words.
    expect(figures(await load('prices', 'HCPCS,Price,UOM\nA4217,50,CS of 5 BX\nA4217,50,CS/5\n'))).toEqual({
      rows: 2,
      same: 1,
      repeated: 1,
    });
    const costs = await load('costs', 'HCPCS,Cost,UOM\nA4217,40,Case of 10 EA\nA4218,25,BX\n');
    expect(figures(costs)).toEqual({ rows: 2, changed: 1, refused: 1 });
    await aFacility(db, { acctNo: 'PACK-1' });
    const account = await load('account-prices', 'Account,HCPCS,Net Price,UOM\nPACK-1,A4217,1,Case of 10 EA\n');
    expect(figures(account)).toEqual({ rows: 1, refused: 1 });
    expect(refusals(await load('items', 'Item #,Desc,UOM\nA4217,Water,Case of 10 EA\n'))).toEqual([
      "2 UOM: 'Case of 10 EA' may be CS, or EA in a CS of 10: write the one it is counted in, or answer for the whole file: A unit such as '100/bx'",
    ]);
  });

  test('a pack size gives the number of base units in a unit, unless it can be read in two ways', async () => {
    for (const number of ['PK-1', 'PK-2', 'PK-3', 'PK-4']) await anItem(db, { number, units: { EA: 1 }, prices: [] });
    const rows = [
      ['PK-1', 'Case of 4 BX', '', ''],
      ['PK-1', 'BX (50 EA)', '', ''],
      ['PK-2', '100/CS', '', ''],
      ['PK-3', 'BX/10', '', 'may hold 10 CS or 10 EA: write which'],
      ['PK-3', 'CS/100', '', 'may hold 100 BX or 100 EA: write which'],
      ['PK-4', 'Case of 10 EA', '12', 'says 10 EA, another cell of the row 12 EA'],
      ['PK-4', 'PK of 5 EA', '5', ''],
      ['PK-4', 'BX of 3 RL', '', 'counts RL, which is not a unit of this item: import it first'],
      ['PK-4', 'EA/100', '', 'may be EA, or a unit that holds 100 EA: write the one you mean'],
    ] as const;
    const text = `Item,UOM,Factor\n${rows.map(([item, unit, factor]) => `${item},${unit},${factor}\n`).join('')}`;
    const report = await load('units', text);
    expect(refusals(report)).toEqual(
      rows.flatMap(([, unit, , why], at) => (why ? [`${at + 2} UOM: '${unit}' ${why}`] : [])),
    );
    const units = await db
      .selectFrom('item_unit')
      .innerJoin('item', 'item.id', 'item_unit.item_id')
      .select(['item_number', 'unit', 'factor'])
      .where('item_number', 'like', 'PK-%')
      .where('factor', '>', 1)
      .orderBy('item_number')
      .orderBy('unit')
      .execute();
    expect(units.map(({ item_number, unit, factor }) => `${item_number} ${unit} ${factor}`)).toEqual([
      'PK-1 BX 50',
      'PK-1 CS 200',
      'PK-2 CS 100',
      'PK-4 PK 5',
    ]);
    // Stored units decide what the text leaves open.
    expect(figures(await load('units', 'Item,UOM\nPK-1,CS/4\nPK-1,CS/200\n'))).toEqual({
      rows: 2,
      same: 1,
      repeated: 1,
    });
  });

  test('if an amount has a decimal comma, amounts that can be read in two ways are refused too; one answer reads the file', async () => {
    for (const number of ['N-1', 'N-2', 'N-3', 'N-4', 'N-5']) await anItem(db, { number, prices: [] });
    const report = await load(
      'prices',
      'Item;Price;Min Qty\nN-1;1.234;1\nN-2;1.234,50;1\nN-3;12.50;1\nN-4;7;1.5\nN-5;3,99;1\n',
    );
    expect(figures(report)).toEqual({ rows: 5, fresh: 2, refused: 3 });
    const advice = 'write 1,234.50, or choose decimal commas for the file';
    expect(refusals(report)).toEqual([
      `2 Price: '1.234' can be read in two ways, because '1.234,50' (line 3) has a decimal comma: ${advice}`,
      `3 Price: '1.234,50' is written with a decimal comma: ${advice}`,
      `6 Price: '3,99' is written with a decimal comma: ${advice}`,
    ]);
    expect(await pricesOf('N-4')).toMatchObject([{ price: 7, min_qty: 1.5 }]);
    expect(await pricesOf('N-3')).toMatchObject([{ price: 12.5 }]);
    const commas = await load('prices', 'Item;Price\nN-1;1.234\nN-2;1.234,50\nN-3;12.50\nN-5;3,99\n', {
      answers: ['decimals=comma'],
    });
    expect(refusals(commas)).toEqual([
      "4 Price: '12.50' has a decimal point, but you chose decimal commas for this file",
    ]);
    expect([await pricesOf('N-1'), await pricesOf('N-2'), await pricesOf('N-5')]).toMatchObject([
      [{ price: 1234 }],
      [{ price: 1234.5 }],
      [{ price: 3.99 }],
    ]);
  });

  test('a lowest and a highest price: one price if they are equal, otherwise the chosen end', async () => {
    await anItem(db, { number: 'L-1', prices: [] });
    await anItem(db, { number: 'L-2', prices: [] });
    const text = 'Charge Code,Lowest Price,Highest Price\nL-1,266.5,266.50\nL-2,113.02,3375.27\n';
    const report = await load('prices', text);
    expect(figures(report)).toEqual({ rows: 2, fresh: 1, refused: 1 });
    expect(refusals(report)[0]).toMatch(/is one end of a range from 113.02 to 3375.27: say which end counts/);
    expect(figures(await load('prices', text, { map: ['Highest Price=price'] }))).toEqual({
      rows: 2,
      fresh: 1,
      same: 1,
    });
    expect((await pricesOf('L-2'))[0]?.price).toBe(3375.27);
    // A price below a third of the current one is held for the user.
    const held = await load('prices', 'Charge Code,Price\nL-2,1.00 - 5.00\n', {
      map: ['Price=price_high'],
      confirmHeld: true,
    });
    expect(held.held.map(({ was, now }) => [was, now])).toEqual([['$3,375.27 per EA', '$5.00 per EA (1/675)']]);
    expect((await pricesOf('L-2')).at(-1)?.price).toBe(5);
  });

  test('a zero in a fee schedule is not a price', async () => {
    await anItem(db, { number: 'A4216', prices: [] });
    const text = 'HCPCS,Ceiling,TX (NR),TX (R)\nA4216,0,0.62,0\n';
    await expect(load('prices', text)).rejects.toThrow("'TX (NR)' may be a price");
    expect(refusals(await load('prices', text, { map: ['TX (NR)=', 'TX (R)='] }))).toEqual([
      "2 Ceiling: '0' gives no price",
    ]);
    expect(figures(await load('prices', text, { map: ['TX (NR)=price', 'TX (R)=', 'Ceiling='] }))).toEqual({
      rows: 1,
      fresh: 1,
    });
  });
});
