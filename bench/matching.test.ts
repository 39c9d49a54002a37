// Labelled trials of matching: rows made of a catalog's own items and disturbed by rule. Prints counts for each kind; its figures are in RESULTS.md.
// npm run bench -- matching [items of each family]
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#db/database.server.ts';
import { indexCatalog, matchRows } from '#features/quoting/savings/matching/match-rows.server.ts';
import type { Candidate, RowToMatch } from '#features/quoting/savings/matching/match-row.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';

const OF_FAMILY = Number(process.env['ITEMS'] ?? '12');

/** Numbers without a pattern that repeats: the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
const random = randomFrom(20_261_126);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const MAKERS =
  'Acmeron,Bexley Surgical,Corvane,Dalton Medical,Everhart,Fenwick Health,Garroway,Hollin,Ivorne,Jessup Care'.split(
    ',',
  );
/** What varies within a family: each word of a list makes another item. */
const FAMILIES: readonly [string, ...string[][]][] = [
  ['Exam glove', ['nitrile', 'vinyl', 'latex'], ['powder free', 'powdered'], ['small', 'medium', 'large', 'x-large']],
  ['Surgical glove sterile', ['latex', 'polyisoprene'], ['powder free', 'micro textured'], ['6.5', '7', '7.5', '8']],
  [
    'IV catheter',
    ['14G', '16G', '18G', '20G', '22G', '24G'],
    ['0.75 in', '1 in', '1.25 in', '1.75 in'],
    ['straight', 'winged'],
  ],
  [
    'Hypodermic needle',
    ['18G', '20G', '21G', '23G', '25G', '27G'],
    ['5/8 in', '1 in', '1.5 in'],
    ['regular bevel', 'safety'],
  ],
  ['Syringe', ['1 mL', '3 mL', '5 mL', '10 mL', '20 mL', '60 mL'], ['luer lock', 'slip tip', 'eccentric tip']],
  ['Gauze sponge', ['2x2', '3x3', '4x4', '4x8'], ['8 ply', '12 ply', '16 ply'], ['sterile', 'non-sterile']],
  ['Foley catheter', ['12 Fr', '14 Fr', '16 Fr', '18 Fr', '20 Fr'], ['5 cc', '30 cc'], ['silicone', 'latex coated']],
  ['Suture absorbable braided', ['2-0', '3-0', '4-0', '5-0'], ['violet', 'undyed'], ['18 in', '27 in', '36 in']],
  ['Conforming bandage', ['2 in', '3 in', '4 in', '6 in'], ['sterile', 'non-sterile'], ['cotton', 'rayon']],
  ['Transparent film dressing', ['2x3', '4x5', '6x8', '4x10'], ['frame style', 'with label']],
  ['Endotracheal tube', ['6.0 mm', '6.5 mm', '7.0 mm', '7.5 mm', '8.0 mm'], ['cuffed', 'uncuffed'], ['oral', 'nasal']],
  ['Suction catheter kit', ['8 Fr', '10 Fr', '12 Fr', '14 Fr'], ['straight pack', 'coiled']],
  ['Procedure mask', ['ear loop', 'tie on'], ['blue', 'yellow', 'white'], ['level 1', 'level 2', 'level 3']],
  ['Isolation gown', ['regular', 'large', 'x-large'], ['blue', 'yellow'], ['knit cuff', 'elastic wrist']],
  ['Specimen container', ['20 mL', '60 mL', '90 mL', '120 mL'], ['sterile', 'non-sterile'], ['screw cap', 'snap lid']],
  ['Blood collection tube', ['3 mL', '4 mL', '6 mL', '10 mL'], ['lavender', 'red', 'gold', 'green']],
];

type Item = {
  id: number;
  number: string;
  makerNo: string;
  maker: string;
  description: string;
  box: number;
  case: number;
  gtin: string;
  other: string;
};
type Trial = { row: RowToMatch; item: Item };

let database: Database;
let facilityId: number;
const items: Item[] = [];

function withCheck(digits: string): string {
  const sum = Array.from(digits.padStart(13, '0')).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  return digits.padStart(13, '0') + ((10 - (sum % 10)) % 10);
}

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  facilityId = (await aFacility(db)).id;
  for (const [family, ...parts] of FAMILIES) {
    const all = parts.reduce<string[]>(
      (made, list) => made.flatMap((begun) => list.map((word) => `${begun}, ${word}`)),
      [family],
    );
    for (const description of all.slice(0, OF_FAMILY)) {
      const id = items.length + 1;
      const box = pick([10, 25, 50, 100]);
      items.push({
        id,
        number: `${id % 4 === 0 ? '00' : ''}${10_000 + id * 37}${id % 3 === 0 ? `-${id % 90}` : ''}`,
        makerNo: `${pick(['DM', 'KX', '0', 'A-'])}${20_000 + id * 53}${id % 5 === 0 ? '-1' : ''}`,
        maker: pick(MAKERS),
        description,
        box,
        case: box * pick([4, 10, 20]),
        gtin: withCheck(`1${String(700_000_000_000 + id * 9973)}`),
        other: `ZQ${pick(['-', ' ', ''])}${400_000 + id * 71}`,
      });
    }
  }
  const given = JSON.stringify(items);
  const from = sql`jsonb_to_recordset(${given}::jsonb) as g(id int, number text, "makerNo" text, maker text, description text, box int, "case" int, gtin text, other text)`;
  await sql`insert into item (id, item_number, description, base_unit, manufacturer, manufacturer_no) overriding system value
    select id, number, description, 'EA', maker, "makerNo" from ${from}`.execute(db);
  await sql`insert into item_unit (item_id, unit, factor) select id, 'BX', box from ${from} union all select id, 'CS', "case" from ${from}`.execute(
    db,
  );
  await sql`insert into item_identifier (item_id, kind, value, unit) select id, 'GTIN', gtin, 'BX' from ${from}`.execute(
    db,
  );
  await sql`insert into cross_reference (maker, number, item_id) select 'Quorum', other, id from ${from}`.execute(db);
  await sql`insert into cross_reference (maker, number, item_id, kind) select 'Quorum', 'E' || other, id, 'Equivalent' from ${from}`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}, 120_000);
afterAll(() => database.close());

const VOWELS = /(?<=[a-z])[aeiou]/gi;
/** A word as lists shorten it: cut, or without its vowels. Numbers stay. */
const shortened = (word: string): string =>
  /\d/.test(word) || word.length < 6
    ? word
    : random() < 0.5
      ? word.slice(0, 4 + Math.floor(random() * 2))
      : word.replaceAll(VOWELS, '');
/** Two neighbors in the other order, or a letter twice or not at all. */
function mistyped(word: string): string {
  if (word.length < 5 || /\d/.test(word)) return word;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kinds = [
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at] ?? '') + word.slice(at),
  ];
  return pick(kinds);
}
const wordsOf = (item: Item): string[] => item.description.replaceAll(',', '').split(' ');
const listed = (item: Item): string => wordsOf(item).map(shortened).join(' ').toUpperCase();

function rowOf(item: Item, given: Partial<RowToMatch> = {}): RowToMatch {
  const unit = pick(['BX', 'CS']);
  const blank = { item_no: '', distributor: '', catalog_no: '', maker: '', maker_no: '', gtin: '', pack: '' };
  return { ...blank, unit, eaches: null, sizes_differ: false, description: listed(item), ...given };
}
const bare = (number: string): string => number.replaceAll(/[^a-z0-9]/gi, '');
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
  const found: Candidate[][] = [];
  for (let from = 0; from < trials.length; from += 250)
    found.push(
      ...(await matchRows(
        database.db,
        facilityId,
        trials.slice(from, from + 250).map(({ row }) => row),
        async () => index,
      )),
    );
  const ms = performance.now() - began;
  const counts: Counts = { rows: trials.length, certain: 0, right: 0, wrong: 0, first: 0, five: 0 };
  const misses: string[] = [];
  for (const [at, { item, row }] of trials.entries()) {
    const candidates = found[at] ?? [];
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

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;
const line = (name: string, cells: (string | number)[]): void =>
  console.log(`| ${name.padEnd(38)} | ${cells.map((cell) => String(cell).padStart(8)).join(' | ')} |`);

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
    const sum = (of: keyof Counts): number => all.reduce((total, one) => total + one[of], 0);
    console.log(
      `certain: ${percent(sum('certain'), sum('rows'))} of ${sum('rows')} rows, right in ${percent(sum('right'), sum('certain'))}`,
    );
    expect(sum('right') / sum('certain')).toBeGreaterThanOrEqual(0.998);
    expect(sum('certain') / sum('rows')).toBeGreaterThanOrEqual(0.95);
  }, 300_000);

  it('leaves to a person what is doubted', async () => {
    line('doubted', ['rows', 'certain', 'wrong', 'first', 'in five']);
    const found: [name: string, counts: Counts][] = [];
    for (const [name, make] of Object.entries(DOUBTED)) {
      const { counts } = await tried(make);
      found.push([name, counts]);
      line(name, [
        counts.rows,
        counts.certain,
        counts.wrong,
        percent(counts.first, counts.rows),
        percent(counts.five, counts.rows),
      ]);
    }
    expect(found.filter(([name, { certain }]) => NEVER.includes(name) && certain > 0)).toEqual([]);
    // Nobody can tell which is wrong, the number of a neighbor or the words, unless a size contradicts.
    expect(found.filter(([name, { wrong, rows }]) => name !== NEIGHBOR && wrong / rows > 0.002)).toEqual([]);
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
    const sum = (of: keyof Counts): number => all.reduce((total, one) => total + one[of], 0);
    expect(sum('first') / sum('rows')).toBeGreaterThanOrEqual(0.6);
    expect(sum('five') / sum('rows')).toBeGreaterThanOrEqual(0.85);
  }, 300_000);
});
