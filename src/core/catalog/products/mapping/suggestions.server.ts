// Computes and stores the products that may match the items of one page (docs/decisions/0026).
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { bestOf, isContested, scoreOf } from './score.ts';

/** Names below this similarity are skipped: below it the index reads much of the catalog (bench/RESULTS.md). */
const MIN_SIMILARITY = 0.45;
/** The number of most similar products that are scored for each item. */
const MAX_SCORED = 20;

type Candidate = {
  itemId: number;
  description: string;
  itemClass: string;
  manufacturer: string;
  manufacturerNo: string;
  productId: number;
  name: string;
  brand: string;
  className: string;
  likeness: number;
  numbers: { manufacturer: string; manufacturerNo: string }[];
};

/** Stored suggestions stay valid until the item or any product changes. `item` is the query's item. */
export const isSuggested = sql<boolean>`(item.suggested_at is not null
  and item.suggested_at >= coalesce((select max(updated_at) from product), '-infinity'))`;

/** Computes the missing suggestions of these items, in two transactions at once. It skips items that another user is mapping now. */
export async function keepSuggestions(
  services: Pick<Services, 'database' | 'clock'>,
  itemIds: number[],
): Promise<void> {
  const half = Math.ceil(itemIds.length / 2);
  await Promise.all([itemIds.slice(0, half), itemIds.slice(half)].map((ids) => keepThese(services, ids)));
}

async function keepThese({ database, clock }: Pick<Services, 'database' | 'clock'>, itemIds: number[]): Promise<void> {
  if (itemIds.length === 0) return;
  // Take the time before reading, so that a product saved in the meantime makes the suggestions out of date.
  const at = clock.now();
  await inTransaction(database.db, async (db) => {
    const items = await db
      .selectFrom('item')
      .select('id')
      .where('id', '=', sql<number>`any(${itemIds}::int[])`)
      .where('product_id', 'is', null)
      .where('mapping_state', '<>', 'Ignored')
      .orderBy('id')
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    const ids = items.map(({ id }) => id);
    if (ids.length === 0) return;
    await keepCandidates(db, ids, await candidatesOf(db, ids), at);
  });
}

/**
 * The products that may match these items: those with a similar name (product_like), and those with the item's number, or with an item that has it
 * (product_number, item_mapped_number). A page has 50 items.
 */
async function candidatesOf(db: Db, ids: number[]): Promise<Candidate[]> {
  await sql`select set_config('pg_trgm.similarity_threshold', ${String(MIN_SIMILARITY)}, true)`.execute(db);
  const { rows } = await sql<Candidate>`
    with asked as materialized (
      select id, description, folded_text(description) as words, class_id, manufacturer, manufacturer_no,
             bare_text(manufacturer_no) as number
        from item
       where id = any(${ids}::int[])),
    near as (${NEAR}),
    numbered as (${NUMBERED}),
    pair as (select item_id, product_id from near union select item_id, product_id from numbered)
    select asked.id as "itemId", asked.description, coalesce(mine.name, '') as "itemClass",
           asked.manufacturer, asked.manufacturer_no as "manufacturerNo",
           p.id as "productId", p.name, p.brand, coalesce(its.name, '') as "className",
           similarity(folded_text(p.name), asked.words)::float8 as likeness,
           coalesce((
             select json_agg(json_build_object('manufacturer', n.manufacturer, 'manufacturerNo', n.manufacturer_no))
               from numbered n
              where n.item_id = pair.item_id and n.product_id = pair.product_id), '[]') as numbers
      from pair
      join asked on asked.id = pair.item_id
      join product p on p.id = pair.product_id
      left join item_class mine on mine.id = asked.class_id
      left join item_class its on its.id = p.class_id
     order by p.id`.execute(db);
  return rows;
}

/** The products with the most similar names, for each item. */
const NEAR = sql`
      select asked.id as item_id, found.id as product_id
        from asked
       cross join lateral (
         select id from product
          where folded_text(name) % asked.words and status in ('Draft', 'Active')
          order by similarity(folded_text(name), asked.words) desc, id
          limit ${sql.lit(MAX_SCORED)}) found`;

/** The products that have the item's number, or an item with that number, and the manufacturer of that number. */
const NUMBERED = sql`
      select asked.id as item_id, p.id as product_id, p.manufacturer, p.manufacturer_no
        from asked
        join product p on p.manufacturer_no <> '' and bare_text(p.manufacturer_no) = asked.number
       where asked.number <> '' and p.status in ('Draft', 'Active')
      union
      select asked.id, other.product_id, other.manufacturer, other.manufacturer_no
        from asked
        join item other
          on other.product_id is not null
         and other.manufacturer_no <> ''
         and bare_text(other.manufacturer_no) = asked.number
        join product p on p.id = other.product_id and p.status in ('Draft', 'Active')
       where asked.number <> ''`;

async function keepCandidates(db: Db, ids: number[], candidates: Candidate[], at: Date): Promise<void> {
  const facts = ids.map((id) => {
    const mine = candidates.filter(({ itemId }) => itemId === id);
    const best = bestOf(
      mine.map((entry) => ({
        ...scoreOf({ ...entry, className: entry.itemClass }, entry),
        productId: entry.productId,
        name: entry.name,
      })),
    );
    const contested = isContested(best);
    const claims = best.filter(({ score }) => score === best[0]?.score).map(({ name }) => name);
    return {
      id,
      best,
      state: contested ? 'Conflict' : best.length > 0 ? 'Suggested' : 'Unmapped',
      note: contested ? `Several products have its number: ${claims.join(' · ')}`.slice(0, 500) : '',
    };
  });
  const suggestions = facts.flatMap(({ id, best }) =>
    best.map(({ productId, score, reasons }) => ({ item_id: id, product_id: productId, score, reasons })),
  );
  await sql`delete from item_suggestion where item_id = any(${ids}::int[])`.execute(db);
  if (suggestions.length > 0) await db.insertInto('item_suggestion').values(suggestions).execute();
  await sql`update item set mapping_state = fact.state, mapping_note = fact.note, suggested_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) fact (id int, state text, note text)
    where item.id = fact.id`.execute(db);
}
