// What a pasted row becomes: which item, how many of which unit, and what a person has to say before it can be a line.
import { readQuantity } from '#shared/quantity.ts';
import type { FoundRow } from '../quote-edit.contract.ts';
import type { PastedLine } from './paste.ts';

export type Candidate = FoundRow['candidates'][number];
/** What a person said of a row, over what was pasted. */
export type Said = { itemId?: number; qty?: string; unit?: string; isLeft?: boolean };
export type Row = {
  line: PastedLine;
  state: FoundRow['state'];
  candidates: readonly Candidate[];
  item: Candidate | null;
  /** As it was typed or pasted. */
  qty: string;
  unit: string;
  /** Each in a sentence; a row without any is taken, unless somebody left it out. */
  problems: string[];
  ready: ReadyRow | null;
  isLeft: boolean;
};
/** A pasted row that becomes a line, with its item. */
export type ReadyRow = { item: Candidate; qty: number; unit: string };
/** With the key of its place in this paste: sent again after a lost answer, it is the same line. */
export type KeyedRow = ReadyRow & { clientKey: string };

export function rowOf(line: PastedLine, found: FoundRow, said: Said = {}): Row {
  const { state, candidates } = found;
  const item =
    candidates.find(({ itemId }) => itemId === said.itemId) ?? (state === 'found' ? (candidates[0] ?? null) : null);
  const qty = said.qty ?? line.qty;
  // A unit that was chosen for another item of the row is asked for again.
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
