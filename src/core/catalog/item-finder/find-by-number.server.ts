// Finds the items that written numbers mean, in one statement for any number of them.
import { sql } from 'kysely';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { fitting } from './number-matches.server.ts';

/** The most items of one number that the user can choose from. */
export const MAX_CANDIDATES = 8;

/** An item that a number matches. `reference` says in words by which reference; `unit` is the reference's unit (`fitting`). */
export type Fit = { id: number; reference: string; unit: string };
/**
 * The items that a number matches, best first, with one extra item if there are more than the user can choose from. `isSure`: the number means
 * exactly the first one.
 */
export type Meaning = { fits: Fit[]; isSure: boolean };

/**
 * The items that each number matches equally well, best first: cross-references for the facility, then items on sale, then discontinued ones. Numbers
 * that match no item are left out. With a facility, numbers and references of other customers are ignored.
 */
export async function itemsMeant(
  db: Db,
  numbers: readonly string[],
  facilityId: number | null = null,
  input: { references?: boolean } = {},
): Promise<Map<string, Meaning>> {
  const request = [...new Set(numbers.map((number) => number.trim()).filter(Boolean))];
  if (request.length === 0) return new Map();
  // Few numbers have references. Their descriptions are read in a separate query, so that the other numbers stay fast.
  const { rows } = await sql<{ typed: string; ids: number[]; references: Fit[] | null; isSure: boolean }>`
    select k.typed, f.ids, f."references", f."isSure" from unnest(${request}::text[]) as k(typed), lateral (
      select (array_agg(item_id order by place = -1 desc, item.status, item.item_number))[1:${sql.lit(MAX_CANDIDATES + 1)}] as ids,
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
 * The id of the one item that a number means. Throws 422 under `path` if there is none, or if the user must choose, because the number matches
 * several items or refers to an equivalent. The message lists their numbers.
 */
export async function itemMeant(db: Db, number: string, path = 'itemNumber'): Promise<number> {
  const meaning = (await itemsMeant(db, [number])).get(number);
  const [first] = meaning?.fits ?? [];
  if (!meaning || !first) throw invalid([{ path, message: `There is no item ${number}.` }]);
  if (!meaning.isSure) throw invalid([await unsureItem(db, number, meaning, path)]);
  return first.id;
}

/** The error message for a number that matches several items, or for which the user must decide. */
export async function unsureItem(db: Db, number: string, { fits }: Meaning, path = 'itemNumber'): Promise<FieldError> {
  const ids = fits.map(({ id }) => id);
  const items = await db
    .selectFrom('item')
    .select('item_number')
    .where('id', 'in', ids)
    .orderBy('item_number')
    .execute();
  const more = ids.length > MAX_CANDIDATES;
  const named = items.slice(0, MAX_CANDIDATES).map(({ item_number }) => item_number);
  const [only] = fits;
  if (only && ids.length === 1) {
    return { path, message: `${number} may be ${named[0]}. ${only.reference}. Enter the exact item number.` };
  }
  const count = more ? `more than ${MAX_CANDIDATES}` : String(ids.length);
  return {
    path,
    message: `${number} matches ${count} items: ${named.join(', ')}${more ? ', …' : ''}. Enter the exact item number.`,
  };
}
