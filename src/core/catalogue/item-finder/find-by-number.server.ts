// Finds the items that written numbers mean, for any number of numbers in one statement.
import { sql } from 'kysely';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { fitting } from './number-matches.server.ts';

/** The most items of one number that a person chooses from. */
export const MOST_CANDIDATES = 8;

/** An item that a number fits: by which reference, in words, and the unit that the reference says (`fitting`). */
export type Fit = { id: number; reference: string; unit: string };
/** The items that a number fits, best first: one more than is offered, if there are more. `isSure`: it means the first one and no other. */
export type Meaning = { fits: Fit[]; isSure: boolean };

/**
 * The items that each number fits equally well, best first (cross-references for the facility, then items on sale before discontinued ones). Numbers
 * that fit no item are left out. With a facility, numbers and references of other customers do not count.
 */
export async function itemsMeant(
  db: Db,
  numbers: readonly string[],
  facilityId: number | null = null,
  input: { references?: boolean } = {},
): Promise<Map<string, Meaning>> {
  const request = [...new Set(numbers.map((number) => number.trim()).filter(Boolean))];
  if (request.length === 0) return new Map();
  // Few numbers are references. Their words are gathered apart, so that the others are as quick as without any.
  const { rows } = await sql<{ typed: string; ids: number[]; references: Fit[] | null; isSure: boolean }>`
    select k.typed, f.ids, f."references", f."isSure" from unnest(${request}::text[]) as k(typed), lateral (
      select (array_agg(item_id order by place = -1 desc, item.status, item.item_number))[1:${sql.lit(MOST_CANDIDATES + 1)}] as ids,
          json_agg(json_build_object('id', item_id, 'unit', unit,
            'reference', kind || ' ' || number)) filter (where kind like '%:') as "references",
          count(*) = 1 and bool_and(sure) as "isSure"
        from (${fitting(sql`k.typed`, facilityId === null ? undefined : sql.lit(facilityId), input)}) fit
        join item on item.id = fit.item_id
       where fit.tier <= fit.best) f
     where f.ids is not null`.execute(db);
  const result = new Map(
    rows.map(({ typed, ids, references, isSure }) => {
      const fits = ids.map(
        (id) => references?.find((reference) => reference.id === id) ?? { id, reference: '', unit: '' },
      );
      return [typed, { fits, isSure }];
    }),
  );
  return new Map(
    numbers.flatMap((number) => {
      const meaning = result.get(number.trim());
      return meaning ? [[number, meaning]] : [];
    }),
  );
}

/**
 * The id of the one item that a number means. Throws 422 under `path` if there is none, or if a person must choose, because it fits several or is a
 * reference to an equivalent, with their numbers.
 */
export async function itemMeant(db: Db, number: string, path = 'itemNumber'): Promise<number> {
  const meaning = (await itemsMeant(db, [number])).get(number);
  const [first] = meaning?.fits ?? [];
  if (!meaning || !first) throw invalid([{ path, message: `There is no item ${number}.` }]);
  if (!meaning.isSure) throw invalid([await unsureItem(db, number, meaning, path)]);
  return first.id;
}

/** The sentence for a number that fits several items, or one for which a person decides. */
export async function unsureItem(db: Db, number: string, { fits }: Meaning, path = 'itemNumber'): Promise<FieldError> {
  const ids = fits.map(({ id }) => id);
  const items = await db
    .selectFrom('item')
    .select('item_number')
    .where('id', 'in', ids)
    .orderBy('item_number')
    .execute();
  const more = ids.length > MOST_CANDIDATES;
  const named = items.slice(0, MOST_CANDIDATES).map(({ item_number }) => item_number);
  const [only] = fits;
  if (only && ids.length === 1) {
    return { path, message: `${number} may be ${named[0]}. ${only.reference}. Enter the exact item number.` };
  }
  const count = more ? `more than ${MOST_CANDIDATES}` : String(ids.length);
  return {
    path,
    message: `${number} matches ${count} items: ${named.join(', ')}${more ? ', …' : ''}. Enter the exact item number.`,
  };
}
