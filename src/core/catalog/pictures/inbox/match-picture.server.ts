// Finds the items that a file's name may mean, and thereby the product of its picture.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Match } from '../pictures.contract.ts';

export type Found = { match: Match; productId: number | null; candidateIds: number[]; problem: string };

const MAX_CANDIDATES = 20;
type Hit = { id: number; item_number: string; product_id: number | null };

/**
 * Looks up the whole stem as an item number, the shorter stem as an item number, then both as manufacturer numbers. The first lookup that finds an
 * item decides. If all items have one product, the picture is matched; with several products, the user decides.
 */
export async function matchName(db: Db, fileName: string): Promise<Found> {
  const numbers = numbersIn(fileName);
  for (const column of [sql`item_number`, sql`manufacturer_no`]) {
    for (const number of numbers) {
      const { rows } = await sql<Hit>`select id, item_number, product_id from item
        where lower(${column}) = lower(${number}) and ${column} <> '' order by id limit ${MAX_CANDIDATES + 1}`.execute(
        db,
      );
      if (rows.length > 0) return decided(rows);
    }
  }
  const problem = `No item has the number ${numbers.join(' or ') || fileName}. Choose its product.`;
  return { match: 'unmatched', productId: null, candidateIds: [], problem };
}

function decided(hits: Hit[]): Found {
  const candidateIds = hits.slice(0, MAX_CANDIDATES).map(({ id }) => id);
  const products = new Set(hits.map(({ product_id }) => product_id));
  const [productId = null] = products;
  if (products.size > 1 || hits.length > MAX_CANDIDATES)
    return {
      match: 'ambiguous',
      productId: null,
      candidateIds,
      problem: 'Several items have this number. Choose one.',
    };
  if (productId === null) {
    const problem = `Item ${hits[0]?.item_number} has no product yet. Map it to one, then try again.`;
    return { match: 'unmatched', productId, candidateIds, problem };
  }
  return { match: 'matched', productId, candidateIds, problem: '' };
}

/** Words that photographers add to a number for the view. Other words may be part of the number: XS is not XL. */
const VIEWS =
  'front|back|side|left|right|top|bottom|detail|closeup|open|closed|inside|outside|package|packaging|box|label|main|alt|angle|group|use|hero';
const SUFFIXES = [
  new RegExp(`^(.+?)[-_ .]+(?:\\d{1,2}|${VIEWS})$`, 'i'),
  // The form in which systems number a second file of the same name.
  /^(.+?) ?\(\d{1,3}\)$/,
];

/** The numbers in lookup order: the whole stem, then the stem without one suffix. Never just the beginning of a number. */
export function numbersIn(fileName: string): string[] {
  const stem = fileName.replace(/\.[^.]*$/, '').trim();
  const shorter = SUFFIXES.map((suffix) => suffix.exec(stem)?.[1]?.trim()).find(Boolean);
  return [stem, ...(shorter ? [shorter] : [])].filter(Boolean);
}
