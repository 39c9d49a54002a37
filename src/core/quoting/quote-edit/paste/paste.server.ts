// Finds the items that pasted rows mean, with number, unit and quantity as users write them in spreadsheets.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type Fit, itemsMeant, type Meaning, MAX_CANDIDATES } from '#core/catalog/item-finder/find-by-number.server.ts';
import { UNITS_DIFFER } from '#core/catalog/item-finder/number-matches.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { unitMeant } from '#platform/shared/unit-of-measure.ts';
import { notOffered } from '../lines/line-items.server.ts';
import type { QuoteEdit } from '../quote-edit.contract.ts';
import type { FoundRow } from './pasted-row.ts';
import { loadMissingItems } from '../settle/known-items.server.ts';
import type { ItemFactsById } from '../settle/settle-quote.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';

type Input = ParsedInputOf<typeof QuoteEdit.ResolvePastedItems>;

const TOO_MANY = `More than ${MAX_CANDIDATES} items match. Type more of the number.`;

/**
 * Returns one result per row, in order. A row is found when its number means one item (`itemsMeant`), and ambiguous when it matches several or is
 * only the beginning of some numbers. Numbers of other customers are ignored. Runs a few queries for any number of rows.
 */
export async function resolvePastedItems(
  { db, user }: ReadContext,
  { quoteId, facilityId, rows }: Input,
): Promise<FoundRow[]> {
  const quote = quoteId ? await requireQuote(db, user, quoteId) : null;
  const numbers = [...new Set(rows.map(({ itemNumber }) => itemNumber).filter(Boolean))];
  const meant = await meantBy(db, numbers, quote ? quote.facility_id : (facilityId ?? null));
  const begun = await matchesByBeginning(
    db,
    numbers.filter((number) => !meant.has(number)),
  );
  const items = await knownItems(db, [
    ...[...meant.values()].flatMap(({ fits }) => fits.map(({ id }) => id)),
    ...[...begun.values()].flat(),
  ]);

  return rows.map((row) => {
    const meaning = meant.get(row.itemNumber);
    const fits = meaning?.fits ?? (begun.get(row.itemNumber) ?? []).map((id) => ({ id, reference: '', unit: '' }));
    const candidates = fits.slice(0, MAX_CANDIDATES).flatMap((fit) => candidatesOf(items, fit, row.unit ?? ''));
    const state = meaning?.isSure ? 'found' : candidates.length > 0 ? 'ambiguous' : 'notFound';
    return {
      itemNumber: row.itemNumber,
      qty: row.qty ?? null,
      unit: row.unit ?? '',
      state,
      problem: fits.length > MAX_CANDIDATES ? TOO_MANY : pasteProblem(row, state, candidates),
      candidates,
    };
  });
}

/** Words that users write before a number: 'CUST 4471-B', 'Item # 4471-B'. */
const MARK = /^(?:cust(?:omer)?|item|cat(?:alog)?|ref|mfr|part|sku)\b[\s.:#]*(?:(?:no|number)\b[\s.:#]*|#\s*)?(?=\S)/i;

/** The meaning of numbers as they are written, or else without the word before them. */
async function meantBy(db: Db, numbers: readonly string[], facilityId: number | null): Promise<Map<string, Meaning>> {
  const meant = await itemsMeant(db, numbers, facilityId);
  const bare = new Map(
    numbers.flatMap((number) => {
      const rest = number.replace(MARK, '');
      return meant.has(number) || rest === number ? [] : [[number, rest] as const];
    }),
  );
  if (bare.size === 0) return meant;
  const more = await itemsMeant(db, [...bare.values()], facilityId);
  for (const [number, rest] of bare) {
    const meaning = more.get(rest);
    if (meaning) meant.set(number, meaning);
  }
  return meant;
}

type Candidate = FoundRow['candidates'][number];

/** Reads the facts of these items. */
export async function knownItems(db: Db, ids: number[]): Promise<ItemFactsById> {
  const items: ItemFactsById = new Map();
  await loadMissingItems(db, items, ids);
  return items;
}

/** The item in the unit that the row means. Empty if the item is not known. */
export function candidatesOf(items: ItemFactsById, fit: Fit, unit: string): Candidate[] {
  const facts = items.get(fit.id);
  return facts ? [candidateOf(facts, unit, fit)] : [];
}

function candidateOf(facts: ItemFacts, unit: string, fit: Fit): Candidate {
  const notSold = notOffered(facts);
  const meant = unitOfRow(facts, unit, fit);
  return {
    itemId: facts.id,
    itemNumber: facts.item_number,
    description: facts.description,
    unit: meant.unit,
    units: facts.units,
    gone: notSold !== '',
    reference: fit.reference,
    problem: notSold || meant.problem,
  };
}

/** The unit of the row, or else that of the reference, or else the base unit. If row and reference disagree, the user chooses. */
function unitOfRow(facts: ItemFacts, unit: string, { unit: stated }: Fit): { unit: string; problem: string } {
  const written = unit === '' ? null : unitMeant(unit, facts.item_number, facts.units);
  if (stated === '') return written ?? { unit: facts.base_unit, problem: '' };
  if (stated === UNITS_DIFFER) {
    return written ?? { unit: '', problem: 'Two references for this number use different units. Choose the unit.' };
  }
  if (!facts.units.some((candidate) => candidate.unit === stated)) {
    const problem = `The reference says ${stated}, but ${facts.item_number} is not sold by it. Choose the unit.`;
    return written?.problem ? written : { unit: '', problem };
  }
  if (!written || written.unit === stated) return { unit: stated, problem: '' };
  return written.problem
    ? written
    : { unit: '', problem: `The row says ${unit}, the reference ${stated}. Choose the unit.` };
}

/**
 * Ids of items whose number begins with the text, which has at least 3 characters. Returns one id more than is offered if there are more. A range
 * uses the index on item numbers, unlike a pattern that is not known in advance.
 */
async function matchesByBeginning(db: Db, numbers: readonly string[]): Promise<Map<string, number[]>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: string; ids: number[] }>`
    select k.number, array(select item.id from item where length(k.number) >= 3
        and lower(item.item_number) ~>=~ lower(k.number) and lower(item.item_number) ~<~ (lower(k.number) || chr(1114111))
      order by item.status, item.item_number limit ${MAX_CANDIDATES + 1}) as ids
      from unnest(${[...numbers]}::text[]) as k(number)`.execute(db);
  return new Map(rows.filter((row) => row.ids.length > 0).map((row) => [row.number, row.ids]));
}

function pasteProblem(row: Input['rows'][number], state: FoundRow['state'], candidates: readonly Candidate[]): string {
  const [only] = candidates;
  if (row.itemNumber === '') return 'This row has no item number.';
  if (state === 'notFound' || !only) return `Item ${row.itemNumber} does not exist.`;
  if (state === 'ambiguous') {
    if (candidates.length === 1 && only.reference) return `Did you mean ${only.itemNumber}? ${only.reference}.`;
    return candidates.length === 1
      ? `Did you mean ${only.itemNumber}?`
      : `${candidates.length} items match. Choose one.`;
  }
  if (only.problem) return only.problem;
  if (row.qty === null || row.qty === undefined) return 'This row has no quantity.';
  return row.qty > 0 ? '' : 'The quantity must be above 0.';
}
