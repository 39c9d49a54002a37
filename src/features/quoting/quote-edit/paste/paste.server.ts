// Finds the items that pasted rows mean, with number, unit and quantity as people write them in spreadsheets.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#api/endpoint.ts';
import type { Db } from '#db/database.server.ts';
import { itemsMeant, MOST_CANDIDATES } from '#features/catalogue/item-finder/find-by-number.server.ts';
import type { ItemFacts } from '#features/prices/pricing/priced-item.server.ts';
import { requireQuote } from '#features/quoting/quotes/sight.server.ts';
import { unitMeant } from '#shared/unit-of-measure.ts';
import { notOffered } from '../lines/line-items.server.ts';
import type { QuoteEdit } from '../quote-edit.contract.ts';
import type { FoundRow } from './pasted-row.ts';
import { knowItems } from '../settle/known-items.server.ts';
import type { ItemFactsById } from '../settle/settle-quote.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';

type Input = ParsedInputOf<typeof QuoteEdit.ResolvePastedItems>;

const TOO_MANY = `More than ${MOST_CANDIDATES} items match. Type more of the number.`;

/**
 * Returns one answer per row, in order. A row is found when its number means one item (`itemsMeant`), and ambiguous when it fits several or only
 * begins the numbers of some. Numbers of other customers than that of the quote do not count. Runs a few queries for any number of rows.
 */
export async function resolvePastedItems({ db, user }: ReadContext, { quoteId, rows }: Input): Promise<FoundRow[]> {
  const quote = quoteId ? await requireQuote(db, user, quoteId) : null;
  const numbers = [...new Set(rows.map(({ itemNumber }) => itemNumber).filter(Boolean))];
  const meant = await itemsMeant(db, numbers, quote?.facility_id ?? null);
  const begun = await matchesByBeginning(
    db,
    numbers.filter((number) => !meant.has(number)),
  );
  const items: ItemFactsById = new Map();
  await knowItems(
    db,
    items,
    [meant, begun].flatMap((found) => [...found.values()].flat()),
  );

  return rows.map((row) => {
    const sure = meant.get(row.itemNumber) ?? [];
    const ids = sure.length > 0 ? sure : (begun.get(row.itemNumber) ?? []);
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

/**
 * Ids of items whose number begins with the text, at least 3 characters: one more than is offered, if there are more. A range uses the item number's
 * index, unlike a pattern that is unknown beforehand.
 */
async function matchesByBeginning(db: Db, numbers: readonly string[]): Promise<Map<string, number[]>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: string; ids: number[] }>`
    select k.number, array(select item.id from item where length(k.number) >= 3
        and lower(item.item_number) ~>=~ lower(k.number) and lower(item.item_number) ~<~ (lower(k.number) || chr(1114111))
      order by item.status, item.item_number limit ${MOST_CANDIDATES + 1}) as ids
      from unnest(${[...numbers]}::text[]) as k(number)`.execute(db);
  return new Map(rows.filter((row) => row.ids.length > 0).map((row) => [row.number, row.ids]));
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
