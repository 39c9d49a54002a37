// Turns a pasted row into a line: item, quantity, unit, and what the user must decide first.
import { readQuantity } from '#shared/quantity.ts';
import type { FoundRow } from './pasted-row.ts';
import type { PastedLine } from './paste.ts';

export type Candidate = FoundRow['candidates'][number];
/** The user's choices for a row, which override the pasted values. */
export type Said = { itemId?: number; qty?: string; unit?: string; isLeft?: boolean };
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
};
/** A pasted row that becomes a line, with its item. */
export type ReadyRow = { item: Candidate; qty: number; unit: string };
/** A price of the paste that the user chose to type, per the row's unit. */
export type TypedPrice = { unitPrice: number; priceReason: string };
/** Adds a key for the row's place in this paste, so that sending it again after a lost answer adds no second line. */
export type KeyedRow = ReadyRow & { clientKey: string } & Partial<TypedPrice>;

export function rowOf(line: PastedLine, found: FoundRow, said: Said = {}): Row {
  const { state, candidates } = found;
  const item =
    candidates.find(({ itemId }) => itemId === said.itemId) ?? (state === 'found' ? (candidates[0] ?? null) : null);
  const qty = said.qty ?? line.qty;
  // Asks again for a unit that the user chose for another item of the row.
  const chosen = item?.units.find(({ unit }) => unit === said.unit)?.unit;
  const unit = chosen ?? item?.unit ?? '';
  const read = readQuantity(qty);
  const quantity = qty === '' ? 'There is no quantity in this row.' : read.problem ? `${read.problem}.` : '';
  const what = !item ? found.problem : item.gone || unit === '' ? item.problem : '';
  const problems = [what, item?.gone ? '' : quantity].filter(Boolean);
  const isLeft = said.isLeft ?? false;
  const ready = item && read.qty !== null && problems.length === 0 && !isLeft ? { item, qty: read.qty, unit } : null;
  return { line, state, candidates, item, qty, unit, problems, ready, isLeft };
}
