// Determines which undo and redo steps would overwrite changes of other users.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { seen } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import type { Stored } from '#platform/shared/conflict.ts';
import { isSame } from '#platform/shared/merge.ts';
import type { Operation } from './changes.ts';

/** The quote before and after changes of other users arrived. */
export type OthersCame = { before: Shown; next: Shown; lines: ReadonlySet<number> | null };

type Shown = { quote: QuoteEditData['quote']; items: readonly QuoteItem[] };

/**
 * Returns whether an operation would overwrite what other users have just changed. `lines` contains their lines in the response to a save of this
 * board. Null means that the board only read, so all differences are theirs.
 */
export function meetsOthers(
  { before, next, lines }: OthersCame,
  returned: ReadonlyMap<number, number>,
): (op: Operation) => boolean {
  const is = new Map(next.items.map((item) => [item.id, item]));
  const theirs = before.items.flatMap((item) => (lines?.has(item.id) ? (is.get(item.id) ?? []) : item));
  const was = lookAt(before, returned);
  const now = lookAt(lines ? { quote: before.quote, items: theirs } : next, returned);
  return (op) => !isSame(was(op), now(op));
}

/** Reads what an operation would overwrite: the values that its fields depend on, or the versions of whole lines. */
function lookAt(visible: Shown, returned: ReadonlyMap<number, number>): (op: Operation) => Stored {
  const items = new Map(visible.items.map((item) => [item.id, item]));
  const nowOf = (id: number): number => {
    const next = returned.get(id);
    return next === undefined ? id : nowOf(next);
  };
  const line = (id: number, patch: object | null): unknown => {
    const item = items.get(nowOf(id));
    if (!item) return null;
    return patch ? seen(patch, item) : item.version;
  };
  return (op) => {
    switch (op.kind) {
      case 'line':
        return { line: line(op.id, op.patch) };
      case 'quote':
        return { quote: seen(op.patch, visible.quote) };
      case 'promotion':
        return { line: line(op.id, null) };
      case 'lines':
        return {
          lines: op.lines.map(({ id = 0, was: _was, remove, ...patch }) =>
            id ? line(id, remove ? null : patch) : null,
          ),
          quote: op.quote ? seen(op.quote, visible.quote) : null,
        };
      // Adding lines overwrites nothing.
      case 'template':
        return {};
      case 'step':
        return { lines: visible.items.map(({ id, version }) => [id, version]) };
    }
  };
}
