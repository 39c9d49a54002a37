// Labelled trials of matching: rows made of a catalog's own items and disturbed by rule. Prints counts for each kind; its figures are in RESULTS.md.
// npm run bench -- matching [items of each family]
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import type { Candidate, RowToMatch } from '#addons/savings/matching/match-row.server.ts';
import { indexCatalog, knownNumbers, matchRows } from '#addons/savings/matching/match-rows.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import {
  bare,
  blankRow,
  descriptionsOf,
  FAMILIES,
  type Item,
  line,
  listed,
  MAKERS,
  mistyped,
  percent,
  pick,
  usageItem,
  wordsOf,
} from './usage-rows.ts';

const OF_FAMILY = Number(process.env['ITEMS'] ?? '12');

type Trial = { row: RowToMatch; item: Item };

let database: Database;
let facilityId: number;
const items: Item[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  facilityId = (await aFacility(db)).id;
  for (const family of FAMILIES) {
    for (const description of descriptionsOf(family).slice(0, OF_FAMILY))
      items.push(usageItem(items.length + 1, description, pick(MAKERS)));
  }
  const input = JSON.stringify(items);
  const from = sql`jsonb_to_recordset(${input}::jsonb) as g(id int, number text, "makerNo" text, maker text,
    description text, box int, "case" int, gtin text, other text)`;
  await sql`insert into item (id, item_number, description, base_unit, manufacturer, manufacturer_no) overriding system value
    select id, number, description, 'EA', maker, "makerNo" from ${from}`.execute(db);
  await sql`insert into item_unit (item_id, unit, factor) select id, 'BX', box from ${from}
    union all select id, 'CS', "case" from ${from}`.execute(db);
  await sql`insert into item_identifier (item_id, kind, value, unit) select id, 'GTIN', gtin, 'BX' from ${from}`.execute(
    db,
  );
  await sql`insert into cross_reference (maker, number, item_id) select 'Quorum', other, id from ${from}`.execute(db);
  await sql`insert into cross_reference (maker, number, item_id, kind)
    select 'Quorum', 'E' || other, id, 'Equivalent' from ${from}`.execute(db);
  await sql`analyze`.execute(db);
}, 120_000);
afterAll(() => database.close());

function rowOf(item: Item, overrides: Partial<RowToMatch> = {}): RowToMatch {
  const unit = pick(['BX', 'CS']);
  return { ...blankRow, unit, description: listed(item), ...overrides };
}
const neighbor = (item: Item): Item => items[item.id % items.length] as Item;
const otherDigit = (number: string): string =>
  number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10));

/** A known number in some form, with a unit that agrees: the right item should be certain. */
const KNOWN: Record<string, (item: Item) => RowToMatch> = {
  'our number': (item) => rowOf(item, { catalog_no: item.number }),
  'our number without dashes, small': (item) => rowOf(item, { catalog_no: bare(item.number).toLowerCase() }),
  'our number without its zeros': (item) => rowOf(item, { catalog_no: item.number.replace(/^0+/, '') }),
  "maker's number": (item) => rowOf(item, { maker: item.maker, maker_no: item.makerNo }),
  "maker's number without dashes": (item) =>
    rowOf(item, { maker: item.maker.toUpperCase(), maker_no: bare(item.makerNo) }),
  "maker's number without zeros, no maker": (item) => rowOf(item, { maker_no: item.makerNo.replace(/^0+/, '') }),
  'GTIN of the unit': (item) => rowOf(item, { gtin: item.gtin, unit: 'BX' }),
  'competitor number by reference': (item) => rowOf(item, { maker: 'QUORUM INC', maker_no: item.other }),
  'competitor number without dashes': (item) => rowOf(item, { maker: 'Quorum', maker_no: bare(item.other) }),
  'unit by another name': (item) =>
    rowOf(item, {
      maker: item.maker,
      maker_no: item.makerNo,
      unit: 'Case',
      pack: `${item.case} EA/CS`,
      eaches: item.case,
    }),
  'unit that we do not use, same content': (item) =>
    rowOf(item, { maker_no: item.makerNo, unit: 'PK', eaches: item.box }),
};

const NEIGHBOR = 'the number of a neighbor';
/** What a person has to look at: none of it may be certain, unless for the item that is meant. */
const DOUBTED: Record<string, (item: Item) => RowToMatch> = {
  'another content of the unit': (item) =>
    rowOf(item, { maker: item.maker, maker_no: item.makerNo, unit: 'BX', eaches: item.box * 3 }),
  'no unit': (item) => rowOf(item, { maker_no: item.makerNo, unit: '' }),
  'a wrong digit': (item) => rowOf(item, { maker: item.maker, maker_no: otherDigit(item.makerNo) }),
  'a digit lost': (item) => rowOf(item, { maker: item.maker, maker_no: item.makerNo.slice(0, -1) }),
  [NEIGHBOR]: (item) => rowOf(item, { maker_no: neighbor(item).makerNo }),
  'GTIN of the box, price of the case': (item) => rowOf(item, { gtin: item.gtin, unit: 'CS' }),
  'an equivalent by reference': (item) => rowOf(item, { maker: 'Quorum', maker_no: `E${item.other}` }),
  'two numbers of different items': (item) =>
    rowOf(item, { maker_no: item.makerNo, catalog_no: neighbor(item).number }),
};
/** The unit or the kind of reference forbids 'certain' here, whichever item it is. */
const NEVER = [
  'another content of the unit',
  'no unit',
  'GTIN of the box, price of the case',
  'an equivalent by reference',
  'two numbers of different items',
];

const DESCRIBED: Record<string, (item: Item) => RowToMatch> = {
  'as we write it': (item) => rowOf(item, { description: item.description }),
  'shortened words': (item) => rowOf(item),
  'typing errors': (item) => rowOf(item, { description: wordsOf(item).map(mistyped).join(' ') }),
  'another order': (item) => rowOf(item, { description: item.description.split(', ').toReversed().join(' ') }),
  'shortened, with the maker and a pack': (item) =>
    rowOf(item, { description: `${item.maker} ${listed(item)} ${item.box}/BX` }),
};

type Counts = { rows: number; certain: number; right: number; wrong: number; first: number; five: number };

async function tried(make: (item: Item) => RowToMatch): Promise<{ counts: Counts; misses: string[]; ms: number }> {
  const trials: Trial[] = items.map((item) => ({ item, row: make(item) }));
  const index = await indexCatalog(database.db);
  const began = performance.now();
  const results: Candidate[][] = [];
  for (let from = 0; from < trials.length; from += 250) {
    const rows = trials.slice(from, from + 250).map(({ row }) => row);
    const numbers = await knownNumbers(database.db, facilityId, rows);
    results.push(...(await matchRows(database.db, rows, numbers, async () => index)));
  }
  const ms = performance.now() - began;
  const counts: Counts = { rows: trials.length, certain: 0, right: 0, wrong: 0, first: 0, five: 0 };
  const misses: string[] = [];
  for (const [at, { item, row }] of trials.entries()) {
    const candidates = results[at] ?? [];
    const [best] = candidates;
    const isRight = best?.itemId === item.id;
    if (best?.confidence === 'certain') {
      counts.certain++;
      counts[isRight ? 'right' : 'wrong']++;
    }
    if (isRight) counts.first++;
    if (candidates.some(({ itemId }) => itemId === item.id)) counts.five++;
    if (!isRight)
      misses.push(
        `${row.maker_no || row.catalog_no || row.gtin} ${row.description} → ${items[(best?.itemId ?? 0) - 1]?.description ?? 'nothing'}, meant ${item.description}`,
      );
  }
  return { counts, misses, ms };
}

describe('matching', () => {
  it('takes known numbers, in any form', async () => {
    line('known number', ['rows', 'certain', 'wrong', 'first', 'ms/row']);
    const all: Counts[] = [];
    for (const [name, make] of Object.entries(KNOWN)) {
      const { counts, misses, ms } = await tried(make);
      all.push(counts);
      line(name, [
        counts.rows,
        percent(counts.certain, counts.rows),
        counts.wrong,
        percent(counts.first, counts.rows),
        (ms / counts.rows).toFixed(1),
      ]);
      for (const miss of misses.slice(0, 3)) console.log(`    ${miss}`);
    }
    const sum = (field: keyof Counts): number => all.reduce((total, entry) => total + entry[field], 0);
    console.log(
      `certain: ${percent(sum('certain'), sum('rows'))} of ${sum('rows')} rows, right in ${percent(sum('right'), sum('certain'))}`,
    );
    expect(sum('right') / sum('certain')).toBeGreaterThanOrEqual(0.998);
    expect(sum('certain') / sum('rows')).toBeGreaterThanOrEqual(0.95);
  }, 300_000);

  it('leaves to a person what is doubted', async () => {
    line('doubted', ['rows', 'certain', 'wrong', 'first', 'in five']);
    const results: [name: string, counts: Counts][] = [];
    for (const [name, make] of Object.entries(DOUBTED)) {
      const { counts } = await tried(make);
      results.push([name, counts]);
      line(name, [
        counts.rows,
        counts.certain,
        counts.wrong,
        percent(counts.first, counts.rows),
        percent(counts.five, counts.rows),
      ]);
    }
    expect(results.filter(([name, { certain }]) => NEVER.includes(name) && certain > 0)).toEqual([]);
    // Nobody can tell which is wrong, the number of a neighbor or the words, when the words are cut so short that they fit both.
    const most = (name: string): number => (name === NEIGHBOR ? 0.05 : 0.002);
    expect(results.filter(([name, { wrong, rows }]) => wrong / rows > most(name))).toEqual([]);
  }, 300_000);

  it('finds items by their description alone', async () => {
    line('description alone', ['rows', 'certain', 'first', 'in five', 'ms/row']);
    const all: Counts[] = [];
    for (const [name, make] of Object.entries(DESCRIBED)) {
      const { counts, misses, ms } = await tried(make);
      all.push(counts);
      line(name, [
        counts.rows,
        counts.certain,
        percent(counts.first, counts.rows),
        percent(counts.five, counts.rows),
        (ms / counts.rows).toFixed(1),
      ]);
      for (const miss of misses.slice(0, 3)) console.log(`    ${miss}`);
      expect(counts.certain).toBe(0);
    }
    const sum = (field: keyof Counts): number => all.reduce((total, entry) => total + entry[field], 0);
    expect(sum('first') / sum('rows')).toBeGreaterThanOrEqual(0.6);
    expect(sum('five') / sum('rows')).toBeGreaterThanOrEqual(0.85);
  }, 300_000);
});
