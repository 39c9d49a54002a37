// Manages the selected quotes of a list, across all its pages, each with the version that the user has seen. Pure.
import type { QuoteRow } from '../quotes.contract.ts';

export type Selected = ReadonlyMap<number, QuoteRow>;

/** The maximum number of quotes that can be selected. */
export const MAX_SELECTED = 500;

/** Selects or deselects rows. Rows beyond the maximum are not selected. */
export function selecting(selected: Selected, rows: readonly QuoteRow[], on: boolean): Selected {
  const next = new Map(selected);
  for (const row of rows) {
    if (!on) next.delete(row.id);
    else if (next.has(row.id) || next.size < MAX_SELECTED) next.set(row.id, row);
  }
  return next;
}

/** The rows from the last selected one to this one. If the last one is not on the page, only this row. */
export function rangeTo(visible: readonly QuoteRow[], from: number | null, row: QuoteRow): QuoteRow[] {
  const [start, end] = [visible.findIndex(({ id }) => id === from), visible.findIndex(({ id }) => id === row.id)];
  if (start < 0 || end < 0) return [row];
  return visible.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The selected rows, updated from newer rows. Returns the same object when nothing has changed. */
export function seenAgain(selected: Selected, rows: readonly QuoteRow[]): Selected {
  const newer = rows.filter((row) => {
    const selectedRow = selected.get(row.id);
    return selectedRow !== undefined && selectedRow !== row && selectedRow.version <= row.version;
  });
  return newer.length === 0 ? selected : selecting(selected, newer, true);
}
