// Finds the items that pasted rows mean, with number, unit and quantity as people write them in spreadsheets.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#api/endpoint.ts';
import type { Db } from '#db/database.server.ts';
import type { ItemFacts } from '#features/prices/pricing/priced-item.ts';
import { requireQuote } from '#features/quoting/quotes/sight.server.ts';
import { unitMeant } from '#shared/unit-of-measure.ts';
import { notOffered } from '../lines/line-items.server.ts';
import type { FoundRow, QuoteEdit } from '../quote-edit.contract.ts';
import { knowItems } from '../settle/known-items.server.ts';
import type { ItemFactsById } from '../settle/settle-quote.ts';
import type { ReadContext } from '../view/quote-view.server.ts';

type Input = ParsedInputOf<typeof QuoteEdit.ResolvePastedItems>;

const MOST_CANDIDATES = 8;
const TOO_MANY = `More than ${MOST_CANDIDATES} items match. Type more of the number.`;

/**
 * Returns one answer per row, in order, found by item number, else by the manufacturer's number. A row is ambiguous when only the beginning matches
 * or several items do. Runs a few queries for any number of rows.
 */
export async function resolvePastedItems({ db, user }: ReadContext, { quoteId, rows }: Input): Promise<FoundRow[]> {
  if (quoteId) await requireQuote(db, user, quoteId);
  const keyOf = (row: Input['rows'][number]) => row.itemNumber.toLowerCase();
  const keys = new Set(rows.map(keyOf).filter(Boolean));
  const exact = await matches(db, keys, byNumber);
  const left = (found: ReadonlyMap<string, unknown>[]) =>
    new Set([...keys].filter((key) => !found.some((one) => one.has(key))));
  const byMaker = await makerMatches(db, left([exact]));
  const begun = await matches(db, left([exact, byMaker]), byBeginning);
  const items: ItemFactsById = new Map();
  await knowItems(
    db,
    items,
    [exact, byMaker, begun].flatMap((found) => [...found.values()].flat()),
  );

  return rows.map((row) => {
    const key = keyOf(row);
    const sure = exact.get(key) ?? byMaker.get(key) ?? [];
    const ids = sure.length > 0 ? sure : (begun.get(key) ?? []);
    const candidates = ids.slice(0, MOST_CANDIDATES).flatMap((id) => {
      const facts = items.get(id);
      return facts ? [candidateOf(facts, row.unit ?? '')] : [];
    });
    const state = sure.length === 1 ? 'found' : candidates.length > 0 ? 'ambiguous' : 'notFound';
    return {
      itemNumber: row.itemNumber,
      qty: row.qty ?? null,
      unit: row.unit ?? '',
      state,
      problem: ids.length > MOST_CANDIDATES ? TOO_MANY : problemOf(row, state, candidates),
      candidates,
    };
  });
}

type Candidate = FoundRow['candidates'][number];

function candidateOf(facts: ItemFacts, unit: string): Candidate {
  const notSold = notOffered(facts);
  const meant = unit === '' ? { unit: facts.base_unit, problem: '' } : unitMeant(unit, facts.item_number, facts.units);
  return {
    itemId: facts.id,
    itemNumber: facts.item_number,
    description: facts.description,
    unit: meant.unit,
    units: facts.units,
    gone: notSold !== '',
    problem: notSold || meant.problem,
  };
}

/** Uses a range rather than LIKE, because a pattern that is unknown beforehand cannot use the index. */
const byNumber = sql<boolean>`lower(item.item_number) = k.key`;
const byBeginning = sql<boolean>`length(k.key) >= 3
  and lower(item.item_number) ~>=~ k.key and lower(item.item_number) ~<~ (k.key || chr(1114111))`;

/** Item ids by key, best first (items on sale before discontinued ones): one more than is offered, if there are more. Uses the item number's index. */
async function matches(db: Db, keys: ReadonlySet<string>, condition: typeof byNumber): Promise<Map<string, number[]>> {
  if (keys.size === 0) return new Map();
  const { rows } = await sql<{ key: string; ids: number[] }>`
    select k.key, array(select item.id from item where ${condition}
                         order by item.status, item.item_number limit ${MOST_CANDIDATES + 1}) as ids
      from unnest(${[...keys]}::text[]) as k(key)`.execute(db);
  return new Map(rows.filter((row) => row.ids.length > 0).map((row) => [row.key, row.ids]));
}

/** Item ids by the manufacturer's number. It has no index, so one pass over the items serves all keys. */
async function makerMatches(db: Db, keys: ReadonlySet<string>): Promise<Map<string, number[]>> {
  if (keys.size === 0) return new Map();
  const { rows } = await sql<{ key: string; ids: number[] }>`
    select lower(manufacturer_no) as key, (array_agg(id order by status, item_number))[1:${sql.lit(MOST_CANDIDATES + 1)}] as ids
      from item where manufacturer_no <> '' and lower(manufacturer_no) = any(${[...keys]}::text[])
     group by 1`.execute(db);
  return new Map(rows.map((row) => [row.key, row.ids]));
}

function problemOf(row: Input['rows'][number], state: FoundRow['state'], candidates: readonly Candidate[]): string {
  const [only] = candidates;
  if (row.itemNumber === '') return 'There is no item number in this row.';
  if (state === 'notFound' || !only) return `There is no item ${row.itemNumber}.`;
  if (state === 'ambiguous') {
    return candidates.length === 1 ? `Is ${only.itemNumber} meant?` : `${candidates.length} items match. Choose one.`;
  }
  if (only.problem) return only.problem;
  if (row.qty === null || row.qty === undefined) return 'There is no quantity in this row.';
  return row.qty > 0 ? '' : 'The quantity must be above 0.';
}
