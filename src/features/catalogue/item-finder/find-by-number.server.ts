// Finds the items that written numbers mean, for any number of numbers in one statement.
import { sql } from 'kysely';
import { type FieldError, invalid } from '#api/http-error.ts';
import type { Db } from '#db/database.server.ts';
import { fitting } from './fitting.server.ts';

/** The most items of one number that a person chooses from. */
export const MOST_CANDIDATES = 8;

/**
 * The ids of the items that each number fits equally well, best first (items on sale before discontinued ones): one more than is offered, if there
 * are more. A number means an item only when it is alone. Numbers that fit no item are left out. With a facility, numbers of other customers do not count.
 */
export async function itemsMeant(
  db: Db,
  numbers: readonly string[],
  facilityId: number | null = null,
): Promise<Map<string, number[]>> {
  const asked = [...new Set(numbers.map((number) => number.trim()).filter(Boolean))];
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ typed: string; ids: number[] }>`
    select k.typed, f.ids from unnest(${asked}::text[]) as k(typed), lateral (
      select (array_agg(item_id order by item.status, item.item_number))[1:${sql.lit(MOST_CANDIDATES + 1)}] as ids
        from (${sql.raw(fitting('k.typed', facilityId === null ? 'null::int' : String(facilityId)))}) fit join item on item.id = fit.item_id
       where fit.tier = fit.best) f
     where f.ids is not null`.execute(db);
  const found = new Map(rows.map(({ typed, ids }) => [typed, ids]));
  return new Map(
    numbers.flatMap((number) => (found.has(number.trim()) ? [[number, found.get(number.trim()) ?? []]] : [])),
  );
}

/** The id of the one item that a number means. Throws 422 under `path` if there is none, or if it fits several, with their numbers. */
export async function itemMeant(db: Db, number: string, path = 'itemNumber'): Promise<number> {
  const ids = (await itemsMeant(db, [number])).get(number) ?? [];
  const [id] = ids;
  if (id === undefined) throw invalid([{ path, message: `There is no item ${number}.` }]);
  if (ids.length > 1) throw invalid([await severalItems(db, number, ids, path)]);
  return id;
}

/** The sentence for a number that fits several items. */
export async function severalItems(
  db: Db,
  number: string,
  ids: readonly number[],
  path = 'itemNumber',
): Promise<FieldError> {
  const items = await db
    .selectFrom('item')
    .select('item_number')
    .where('id', 'in', ids)
    .orderBy('item_number')
    .execute();
  const more = ids.length > MOST_CANDIDATES;
  const named = items.slice(0, MOST_CANDIDATES).map(({ item_number }) => item_number);
  const count = more ? `more than ${MOST_CANDIDATES}` : String(ids.length);
  return {
    path,
    message: `${number} fits ${count} items: ${named.join(', ')}${more ? ', …' : ''}. Write the item number that is meant.`,
  };
}
