// Matches rows of an analysis to items of the catalog, many at a time.
import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { notOffered } from '#core/quoting/quote-edit/lines/line-items.server.ts';
import { type DescribedItem, growingIndex, type IndexedItem, type ItemIndex } from './item-index.server.ts';
import { wordsIn } from './item-words.server.ts';
import {
  type Candidate,
  candidatesByNumber,
  candidatesOf,
  type Decided,
  type KnownItem,
  NUMBER_FIELDS,
  type RowToMatch,
  unsettled,
} from './match-row.server.ts';
import { type NumberFit, numberFits } from './number-evidence.server.ts';

/** The number of items to consider for a description. */
const MAX_DESCRIBED = 8;
/** The number of rows between which a server answers calls. */
const BREATH = 25;
/** The number of items to read and index at once. */
const ITEMS_AT_ONCE = 2000;

const TEXT = sql<string>`concat_ws(' ', i.description, i.brand, i.manufacturer, i.product_words, c.name)`;

/** Indexes the words of all items that quotes offer. */
export async function indexCatalog(db: Db): Promise<ItemIndex> {
  const index = growingIndex();
  for (let after = 0; ; ) {
    const { rows } = await sql<IndexedItem>`
      select i.id, ${TEXT} as text, i.manufacturer as maker from item i left join item_class c on c.id = i.class_id
       where i.id > ${after} and i.status = 'Active' and c.visible_in_web_quote is not false
       order by i.id limit ${sql.lit(ITEMS_AT_ONCE)}`.execute(db);
    for (let from = 0; from < rows.length; from += 200) {
      index.add(rows.slice(from, from + 200));
      await breathe();
    }
    const last = rows.at(-1);
    if (!last || rows.length < ITEMS_AT_ONCE) return index.done();
    after = last.id;
  }
}

/** `their_number` is the same for rows with the same item of the customer. '' or omitted if there is none. */
type RowOfNumber = RowToMatch & { their_number?: string };

const unitKey = (...parts: string[]): string => parts.map((part) => part.toLowerCase()).join('|');

/** The last decision at the facility for each number and unit of the customer. */
async function decidedBefore(db: Db, facilityId: number, rows: readonly RowOfNumber[]): Promise<Map<string, Decided>> {
  const numbers = [...new Set(rows.map((row) => row.their_number ?? ''))].filter(Boolean);
  if (numbers.length === 0) return new Map();
  const { rows: results } = await sql<Decided & { number: string; theirs: string; pack: string }>`
    select distinct on (r.their_number, lower(r.unit), lower(r.pack)) r.their_number as number, r.unit as theirs,
        r.pack, r.item_id as "itemId", r.our_unit as unit, r.their_eaches as eaches
      from savings_row r join savings_analysis a on a.id = r.analysis_id
     where a.facility_id = ${facilityId} and r.decision = 'accepted' and not r.sizes_differ and r.unit <> ''
       and r.their_number = any(${numbers}::text[])
     order by r.their_number, lower(r.unit), lower(r.pack), r.decided_at desc`.execute(db);
  return new Map(results.map(({ number, theirs, pack, ...decision }) => [unitKey(number, theirs, pack), decision]));
}

/** What the numbers of rows mean, and earlier decisions about them. */
export type KnownNumbers = {
  fits: Map<string, NumberFit[]>;
  items: Map<number, KnownItem>;
  decisions: Map<string, Decided>;
};

export async function knownNumbers(db: Db, facilityId: number, rows: readonly RowOfNumber[]): Promise<KnownNumbers> {
  const numbers = rows.flatMap((row) => NUMBER_FIELDS.map((field) => row[field]));
  const fits = await numberFits(db, numbers, facilityId);
  const ids = [...fits.values()].flat().map(({ itemId }) => itemId);
  return { fits, items: await knownItems(db, ids), decisions: await decidedBefore(db, facilityId, rows) };
}

/** The candidates of each row, in order. `index` returns the index of the catalog. It is called only if a description must be searched. */
export async function matchRows(
  db: Db,
  rows: readonly RowOfNumber[],
  { fits, items, decisions }: KnownNumbers,
  index: () => Promise<ItemIndex>,
): Promise<Candidate[][]> {
  const results: { row: RowOfNumber; numbers: Candidate[]; described: DescribedItem[] }[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % BREATH === 0) await breathe();
    const theirs = wordsIn(row.description);
    const ofRow = Object.fromEntries(NUMBER_FIELDS.map((field) => [field, fits.get(row[field]) ?? []]));
    const decided = decisions.get(unitKey(row.their_number ?? '', row.unit, row.pack)) ?? null;
    let numbers = candidatesByNumber({ row, theirs, fits: ofRow, decided }, items);
    const [best] = numbers;
    if (best?.confidence === 'certain' && row.description !== '' && decided?.itemId !== best.itemId) {
      const against = (await index()).againstIt(theirs, best.itemId);
      if (against.length > 0) numbers = unsettled(numbers, against);
    }
    const isCertain = numbers[0]?.confidence === 'certain';
    const described = isCertain || row.description === '' ? [] : (await index()).find(theirs, MAX_DESCRIBED);
    results.push({ row, numbers, described });
  }
  const ids = results.flatMap(({ described }) => described.map(({ itemId }) => itemId)).filter((id) => !items.has(id));
  for (const [id, item] of await knownItems(db, ids)) items.set(id, item);
  return results.map(({ row, numbers, described }) => candidatesOf(row, numbers, described, items));
}

/** Items with their words and units, base unit first. */
export async function knownItems(db: Db, itemIds: readonly number[]): Promise<Map<number, KnownItem>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Omit<KnownItem, 'notOffered'> & { status: string; visible: boolean }>`
    select i.id, i.item_number, i.description, ${TEXT} as text, i.status, c.visible_in_web_quote is not false as visible,
        json_build_array(json_build_object('unit', i.base_unit, 'factor', 1))::jsonb || coalesce((
          select jsonb_agg(jsonb_build_object('unit', u.unit, 'factor', u.factor) order by u.factor, u.unit)
            from item_unit u where u.item_id = i.id and u.unit <> i.base_unit), '[]') as units
      from item i left join item_class c on c.id = i.class_id where i.id = any(${ids}::int[])`.execute(db);
  return new Map(
    rows.map(({ status, visible, ...item }) => [
      item.id,
      { ...item, notOffered: notOffered({ item_number: item.item_number, status, visible }) },
    ]),
  );
}
