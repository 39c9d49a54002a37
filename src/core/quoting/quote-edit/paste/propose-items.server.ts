// Proposes items for pasted rows whose number matches no item, by the other words of the row.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { MAX_CANDIDATES } from '#core/catalog/item-finder/find-by-number.server.ts';
import { withoutPlural } from '#core/catalog/item-finder/endings.server.ts';
import type { QuoteEdit } from '../quote-edit.contract.ts';
import type { ReadContext } from '../view/quote-view.server.ts';
import { candidatesOf, knownItems } from './paste.server.ts';
import type { FoundRow } from './pasted-row.ts';

type Input = ParsedInputOf<typeof QuoteEdit.ProposePastedItems>;

/** The first words of a description identify the item, so only this number of words is used. The index finds groups of three letters. */
const MAX_WORDS = 5;
const SHORTEST = 3;

/**
 * The items of each row, in order: those that contain all of its first five words, else the first four, and so on down to two. A row of several words
 * gets no proposal for a single word. Runs one statement for each number of words, whatever the number of rows.
 */
export async function proposePastedItems({ db }: ReadContext, { rows }: Input): Promise<FoundRow['candidates'][]> {
  const words = rows.map((row) =>
    wordsOf(row.words)
      .map(withoutPlural)
      .filter((word) => word.length >= SHORTEST && /\p{L}/u.test(word))
      .slice(0, MAX_WORDS),
  );
  const result = new Map<number, number[]>();
  for (let count = MAX_WORDS; count >= 1; count--) {
    const open = words.flatMap((all, place) =>
      !result.has(place) && all.length >= count && (count > 1 || all.length === 1)
        ? [{ place, patterns: all.slice(0, count).map((word) => contains(word)) }]
        : [],
    );
    for (const [place, ids] of await itemsWithAll(db, open, count)) result.set(place, ids);
  }
  const items = await knownItems(db, [...result.values()].flat());
  return rows.map((row, place) =>
    (result.get(place) ?? []).flatMap((id) => candidatesOf(items, { id, reference: '', unit: '' }, row.unit ?? '')),
  );
}

async function itemsWithAll(
  db: Db,
  request: { place: number; patterns: string[] }[],
  count: number,
): Promise<Map<number, number[]>> {
  if (request.length === 0) return new Map();
  // One comparison for each word, because the index does not support `like all`. The sum keeps the planner from scanning the items by rank.
  const hasAll = sql.join(
    Array.from({ length: count }, (_, n) => sql`item.search_text like folded_text(k.patterns ->> ${sql.lit(n)})`),
    sql` and `,
  );
  const { rows } = await sql<{ place: number; ids: number[] }>`
    select k.place, array(select item.id from item where ${hasAll} and item.status = 'Active'
      order by item.selling_rank_num + 0 desc, item.item_number limit ${sql.lit(MAX_CANDIDATES)}) as ids
      from jsonb_to_recordset(${JSON.stringify(request)}::jsonb) as k(place int, patterns jsonb)`.execute(db);
  return new Map(rows.flatMap(({ place, ids }) => (ids.length > 0 ? [[place, ids] as const] : [])));
}
