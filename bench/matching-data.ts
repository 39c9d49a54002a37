// Trials of matching on real lists in a folder of one's own: a GUDID extract (gudid*.csv.gz) and price lists (supplies*.xlsx, supplies*.txt.gz).
// npm run bench -- matching-data FOLDER [--rows 1500] [--misses 5]
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openPostgres } from '#platform/db/database.server.ts';
import { migrate } from '#platform/db/migrate.server.ts';
import { openScratchPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import { openTable } from '#platform/data-import/reading/read-table.server.ts';
import type { Candidate, RowToMatch } from '#addons/savings/matching/match-row.server.ts';
import { indexCatalog, knownNumbers, matchRows } from '#addons/savings/matching/match-rows.server.ts';
import { bare, blankRow, line, mistyped, percent, random, shortened } from './usage-rows.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1500' }, misses: { type: 'string', default: '5' } },
});
const [folder] = positionals;
if (!folder) throw new Error('Say in which folder the lists are: npm run bench -- matching-data FOLDER');
const [rowCount, missCount] = [Number(options.rows), Number(options.misses)];

type Item = {
  id: number;
  number: string;
  maker: string;
  makerNo: string;
  brand: string;
  text: string;
  kind: string;
  gtin: string;
};
const items: Item[] = [];
const add = (item: Omit<Item, 'id' | 'number'>): void => {
  const id = items.length + 1;
  items.push({ ...item, id, number: `QB${100_000 + id}` });
};

async function rowsOf(file: string): Promise<string[][]> {
  const table = await openTable(path.join(folder ?? '', file));
  try {
    const rows: string[][] = [];
    for (const sheet of table.sheets) for await (const { cells } of sheet.rows()) rows.push(cells);
    return rows;
  } finally {
    await table.close();
  }
}

const files = fs.readdirSync(folder).toSorted();
const gudid = files.find((name) => /^gudid.*\.csv(?:\.gz)?$/.test(name));
if (gudid) {
  const [headings = [], ...rows] = await rowsOf(gudid);
  const at = (name: string): number => headings.indexOf(name);
  const [di, brand, model, catalog] = [at('primaryDI'), at('brandName'), at('versionModelNumber'), at('catalogNumber')];
  const [maker, text, kind] = [at('companyName'), at('deviceDescription'), at('gmdnPTName')];
  for (const cells of rows)
    add({
      maker: cells[maker] ?? '',
      makerNo: cells[catalog] || cells[model] || '',
      brand: cells[brand] ?? '',
      text: (cells[text] || cells[kind] || '').replaceAll(/\s+/g, ' ').slice(0, 200),
      kind: cells[kind] ?? '',
      gtin: cells[di] ?? '',
    });
}
const devices = items.length;
for (const name of files.filter((file) => file.startsWith('supplies'))) {
  const rows = await rowsOf(name);
  const width = Math.max(...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, at) => new Set(rows.map((cells) => cells[at]?.trim() ?? '')));
  // The column of words: the one with the most texts of several words.
  const several = (texts: Set<string>): number => [...texts].filter((text) => /[a-z]{3}\W+[a-z]/i.test(text)).length;
  const [words] = columns.toSorted((a, b) => several(b) - several(a));
  for (const text of words ?? [])
    if (/[a-z]{3}/i.test(text)) add({ maker: '', makerNo: '', brand: '', text, kind: '', gtin: '' });
}

const scratch = await openScratchPostgres();
const database = openPostgres(scratch.url, 4, { long: true });
await migrate(database.longDb);
const { longDb: db } = database;
await sql`insert into facility (name, acct_no) values ('Trial', 'T1')`.execute(db);
for (let from = 0; from < items.length; from += 5000) {
  const subset = sql`jsonb_to_recordset(${JSON.stringify(items.slice(from, from + 5000))}::jsonb) as g(id int,
    number text, maker text, "makerNo" text, brand text, text text, kind text, gtin text)`;
  await sql`insert into item_class (name) select distinct kind from ${subset} where kind <> '' on conflict do nothing`.execute(
    db,
  );
  await sql`insert into item (id, item_number, description, base_unit, manufacturer, manufacturer_no, brand,
    class_id) overriding system value
    select id, number, text, 'EA', maker, "makerNo", brand, (select c.id from item_class c where c.name = kind) from ${subset}`.execute(
    db,
  );
  await sql`insert into item_identifier (item_id, kind, value, unit) select id, 'GTIN', gtin, 'EA' from ${subset}
    where gtin <> '' on conflict do nothing`.execute(db);
}
await sql`analyze`.execute(db);
const { rows: facilities } = await sql<{ id: number }>`select id from facility`.execute(db);
const facilityId = facilities[0]?.id ?? 0;
console.log(
  `${devices} devices of ${new Set(items.map(({ maker }) => maker)).size} makers, ${items.length - devices} descriptions of price lists`,
);
const index = await indexCatalog(db);

const words = (text: string): string[] => text.split(/\s+/);
const listed = (text: string): string =>
  words(text)
    .map((word) => shortened(word))
    .join(' ')
    .toUpperCase();
/** As long as the field of a purchasing system. */
const cut = (text: string): string => text.slice(0, 40);
const inOtherOrder = (text: string): string => words(text).toReversed().join(' ');
const rowOf = (row: Partial<RowToMatch>): RowToMatch => ({ ...blankRow, unit: 'EA', eaches: 1, ...row });
const short = ({ maker }: Item): string =>
  words(maker.replaceAll(/[.,]/g, ' '))
    .filter((word) => word.length > 1)
    .slice(0, 2)
    .join(' ')
    .toUpperCase();

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
const timesOfText = Map.groupBy(items, ({ text }) => keyOf(text));
const timesOfNumber = Map.groupBy(items, ({ makerNo }) => bare(makerNo).toLowerCase().replace(/^0+/, ''));
const shuffled = (list: Item[]): Item[] =>
  list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, rowCount)
    .map(({ item }) => item);
/** Of numbers of several makers, and texts of several items, nobody knows which is meant. */
const numbered = shuffled(
  items
    .slice(0, devices)
    .filter(({ makerNo }) => timesOfNumber.get(bare(makerNo).toLowerCase().replace(/^0+/, ''))?.length === 1),
);
const ownText = (list: Item[]): Item[] =>
  shuffled(list.filter(({ text }) => words(text).length > 1 && timesOfText.get(keyOf(text))?.length === 1));
const described = ownText(items.slice(0, devices));
const priced = ownText(items.slice(devices));
const ofMaker = Map.groupBy(items.slice(0, devices), ({ maker }) => maker);
for (const list of ofMaker.values()) list.sort((a, b) => (a.makerNo < b.makerNo ? -1 : 1));
/** The item of the same maker whose number comes next, if its description is another. */
const siblings = new Map(
  numbered.flatMap((item) => {
    const list = ofMaker.get(item.maker) ?? [];
    const sibling = list[(list.indexOf(item) + 1) % list.length];
    return sibling && keyOf(sibling.text) !== keyOf(item.text) ? [[item, sibling] as const] : [];
  }),
);

type Kind = 'number' | 'wrong' | 'text';
const TRIALS: [name: string, kind: Kind, list: Item[], row: (item: Item) => RowToMatch][] = [
  [
    "maker's number",
    'number',
    numbered,
    (item) => rowOf({ maker: item.maker, maker_no: item.makerNo, description: listed(item.text) }),
  ],
  [
    'bare, short name of the maker',
    'number',
    numbered,
    (item) =>
      rowOf({
        maker: short(item),
        maker_no: item.makerNo.replaceAll(/[- ]/g, '').toLowerCase(),
        description: cut(listed(item.text)),
      }),
  ],
  [
    'no maker, typing errors',
    'number',
    numbered,
    (item) => rowOf({ maker_no: item.makerNo, description: words(item.text).map(mistyped).join(' ') }),
  ],
  [
    'brand and shortened words',
    'number',
    numbered,
    (item) =>
      rowOf({ maker: item.maker, maker_no: item.makerNo, description: cut(listed(`${item.brand} ${item.text}`)) }),
  ],
  ['no description', 'number', numbered, (item) => rowOf({ maker: item.maker, maker_no: item.makerNo })],
  ['GTIN', 'number', numbered, (item) => rowOf({ gtin: item.gtin, description: listed(item.text) })],
  ['our number', 'number', numbered, (item) => rowOf({ catalog_no: item.number, description: cut(listed(item.text)) })],
  [
    'the words of its class',
    'number',
    numbered,
    (item) => rowOf({ maker: item.maker, maker_no: item.makerNo, description: listed(item.kind) }),
  ],
  [
    'the number of a sibling',
    'wrong',
    [...siblings.keys()],
    (item) => rowOf({ maker: item.maker, maker_no: siblings.get(item)?.makerNo ?? '', description: listed(item.text) }),
  ],
  [
    'a wrong digit',
    'wrong',
    numbered,
    (item) =>
      rowOf({
        maker: item.maker,
        maker_no: item.makerNo.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10)),
        description: listed(item.text),
      }),
  ],
  ...[['devices', described] as const, ['price lists', priced] as const].flatMap(([target, list]): typeof TRIALS => [
    [`${target}: as it is`, 'text', list, (item) => rowOf({ description: item.text })],
    [`${target}: shortened`, 'text', list, (item) => rowOf({ description: listed(item.text) })],
    [`${target}: shortened, 40 characters`, 'text', list, (item) => rowOf({ description: cut(listed(item.text)) })],
    [
      `${target}: typing errors`,
      'text',
      list,
      (item) => rowOf({ description: words(item.text).map(mistyped).join(' ') }),
    ],
    [`${target}: another order`, 'text', list, (item) => rowOf({ description: inOtherOrder(listed(item.text)) })],
    [
      `${target}: with the maker`,
      'text',
      list,
      (item) => rowOf({ maker: item.maker, description: `${short(item)} ${listed(item.text)}` }),
    ],
  ]),
];

const sums: Record<Kind, { rows: number; certain: number; wrong: number; first: number; five: number }> = {
  number: { rows: 0, certain: 0, wrong: 0, first: 0, five: 0 },
  wrong: { rows: 0, certain: 0, wrong: 0, first: 0, five: 0 },
  text: { rows: 0, certain: 0, wrong: 0, first: 0, five: 0 },
};
const textOf = (id: number | undefined): string => {
  const item = items[(id ?? 0) - 1];
  return item ? `${item.makerNo} ${item.text}`.trim() : 'nothing';
};
const print = (name: string, { rows, certain, wrong, first, five }: (typeof sums)[Kind], ms = 0): void =>
  line(name, [rows, percent(certain, rows), wrong, percent(first, rows), percent(five, rows), (ms / rows).toFixed(1)]);
line('', ['rows', 'certain', 'wrong', 'first', 'in five', 'ms a row']);
for (const [name, kind, list, make] of TRIALS) {
  const rows = list.map(make);
  const began = performance.now();
  const results: Candidate[][] = [];
  for (let from = 0; from < rows.length; from += 250) {
    const batch = rows.slice(from, from + 250);
    results.push(...(await matchRows(db, batch, await knownNumbers(db, facilityId, batch), async () => index)));
  }
  const ms = performance.now() - began;
  const counts = { rows: rows.length, certain: 0, wrong: 0, first: 0, five: 0 };
  const misses: string[] = [];
  for (const [at, item] of list.entries()) {
    const candidates = results[at] ?? [];
    const [best] = candidates;
    const isCertain = best?.confidence === 'certain';
    const isRight = best?.itemId === item.id;
    if (isCertain) counts.certain++;
    if (isCertain && !isRight) counts.wrong++;
    if (isRight) counts.first++;
    const isFound = candidates.some(({ itemId }) => itemId === item.id);
    if (isFound) counts.five++;
    const isMissed = { number: !isCertain || !isRight, wrong: isCertain && !isRight, text: !isFound }[kind];
    if (isMissed)
      misses.push(
        `${rows[at]?.maker_no} ${rows[at]?.description} → ${textOf(best?.itemId)}${isRight ? '' : `, meant ${textOf(item.id)}`}${kind === 'number' ? `; ${best?.reasons.join(' ')}` : ''}`,
      );
  }
  print(name, counts, ms);
  for (const what of ['rows', 'certain', 'wrong', 'first', 'five'] as const) sums[kind][what] += counts[what];
  for (const miss of misses.slice(0, missCount)) console.log(`    ${miss}`);
}
print('rows with a known number', sums.number);
print('rows with a wrong number', sums.wrong);
print('rows with a description alone', sums.text);
await database.close();
await scratch.stop();
