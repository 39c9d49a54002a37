// Turns a pasted row into a line: item, quantity, unit, and what the user must decide first.
import { readQuantity } from '#platform/shared/quantity.ts';
import { unitMeant } from '#platform/shared/unit-of-measure.ts';
import type { FoundRow } from './pasted-row.ts';
import type { PastedLine } from './parse-paste.ts';

export type Candidate = FoundRow['candidates'][number];
/** How a number is remembered: its relation to the item, and for which facilities. */
export type Remember = { kind: 'Same' | 'Equivalent'; scope: 'Facility' | 'Everybody' };
/** The user's choices for a row, which override the pasted values. `picked` is an item that the user searched for. */
export type RowAnswer = {
  itemId?: number;
  picked?: Candidate;
  qty?: string;
  unit?: string;
  isLeft?: boolean;
  remember?: Remember | null;
};
export type Row = {
  line: PastedLine;
  state: FoundRow['state'];
  candidates: readonly Candidate[];
  item: Candidate | null;
  /** The text as typed or pasted. */
  qty: string;
  unit: string;
  /** One sentence each. A row without problems becomes a line, unless the user leaves it out. */
  problems: string[];
  ready: ReadyRow | null;
  isLeft: boolean;
  /** Null when the number is not remembered. */
  remember: Remember | null;
};
/** A pasted row that becomes a line, with its item. */
export type ReadyRow = { item: Candidate; qty: number; unit: string };
/** A pasted price that the user chose to type, per the row's unit. `typedAs` is the price as pasted, when it is per another unit. */
export type TypedPrice = { unitPrice: number; priceReason: string; typedAs?: { price: number; unit: string } };
/** Adds a key for the row's place in this paste, so that sending it again after a lost response does not add a second line. */
export type KeyedRow = ReadyRow & { clientKey: string } & Partial<TypedPrice>;

/** `proposed` contains items found by description for a row whose number matches no item. */
export function pasteRow(
  line: PastedLine,
  result: FoundRow,
  answer: RowAnswer = {},
  proposed: readonly Candidate[] = [],
): Row {
  const { state } = result;
  const { picked, remember = null } = answer;
  const offered = state === 'notFound' ? proposed : result.candidates;
  const candidates = picked && offered.every(({ itemId }) => itemId !== picked.itemId) ? [picked, ...offered] : offered;
  const item =
    candidates.find(({ itemId }) => itemId === answer.itemId) ??
    (state === 'found' ? (result.candidates[0] ?? null) : null);
  const qty = answer.qty ?? line.qty;
  // A unit that the user chose for another item of the row does not apply, so the user must choose again.
  const chosen = item?.units.find(({ unit }) => unit === answer.unit)?.unit;
  const unit = chosen ?? item?.unit ?? '';
  const read = readQuantity(qty);
  const quantity = qty === '' ? 'This row has no quantity.' : read.problem ? `${read.problem}.` : '';
  const problem = !item ? result.problem : item.gone || unit === '' ? item.problem : '';
  const problems = [problem, item?.gone ? '' : quantity].filter(Boolean);
  const isLeft = answer.isLeft ?? false;
  const ready = item && read.qty !== null && problems.length === 0 && !isLeft ? { item, qty: read.qty, unit } : null;
  return { line, state, candidates, item, qty, unit, problems, ready, isLeft, remember };
}

/** The description of a row's item: the longest of its cells without a role, or else the words in the cell of the number. */
export function itemWords({ itemNumber, unused }: PastedLine): string {
  const words = (text: string) => text.match(/\p{L}{3,}/gu)?.length ?? 0;
  const [best = ''] = unused.map(({ text }) => text).toSorted((a, b) => words(b) - words(a));
  if (words(best) > 0) return best;
  return words(itemNumber) > 1 ? itemNumber : '';
}

/**
 * An item that the user searched for, in the unit that the row means. If the row names no unit, the unit is the one that the search returned, or the
 * base unit.
 */
export function pickedFor(line: PastedLine, item: Omit<Candidate, 'gone' | 'reference' | 'problem'>): Candidate {
  const meant = line.unit === '' ? { unit: item.unit, problem: '' } : unitMeant(line.unit, item.itemNumber, item.units);
  return { ...item, ...meant, gone: false, reference: '' };
}

/** The user's decisions about the numbers of the rows that become lines, for the company's cross-references. */
export function decidedIn(rows: readonly Row[]) {
  return rows.flatMap(({ line, state, candidates, ready, remember }) => {
    const isOffered = candidates.some(({ reference }) => reference !== '');
    if (!ready || state === 'found' || (!remember && !isOffered) || !mayBeRemembered(line)) return [];
    // A row that names its unit will name it the next time as well.
    const unit = line.unit === '' && ready.item.units.length > 1 ? ready.unit : '';
    return [{ number: line.itemNumber, itemId: ready.item.itemId, unit, remember }];
  });
}

const MAX_NUMBER_LENGTH = 100;

export function mayBeRemembered({ itemNumber }: PastedLine): boolean {
  return /[\p{L}\p{N}]/u.test(itemNumber) && itemNumber.length <= MAX_NUMBER_LENGTH;
}
