// Which steps of undo and redo still hold when a board opens again: all, if nobody changed the quote since; else those that meet no other change.
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { seen } from '#features/quoting/quote-edit/settle/quote-merge.ts';
import type { KeptStep, KeptSteps } from '#kit/edit-store/undo-history.ts';
import type { Stored } from '#shared/conflict.ts';
import { isSame } from '#shared/merge.ts';
import type { Operation } from './changes.ts';

/** What a closed board leaves: its steps, each with what the user saw where it would change something. */
export type KeptUndo = {
  /** The version of the quote. */
  version: number;
  undo: SeenStep[];
  redo: SeenStep[];
  /** The ids of removed lines, and those they got when they came back. */
  returned: [number, number][];
};
/** The quote before and after changes of others came in. */
export type OthersCame = { before: Shown; next: Shown; lines: ReadonlySet<number> | null };

type SeenStep = KeptStep<Operation> & { saw: Stored };

type Shown = { quote: QuoteEditData['quote']; items: readonly QuoteItem[] };

export function keptUndo(
  { undo, redo }: KeptSteps<Operation>,
  version: number,
  shown: Shown,
  returned: ReadonlyMap<number, number>,
): KeptUndo {
  const look = lookAt(shown, returned);
  const saw = (steps: readonly KeptStep<Operation>[]) => steps.map((step) => ({ ...step, saw: look(step.op) }));
  return { version, undo: saw(undo), redo: saw(redo), returned: [...returned] };
}

/**
 * The steps that may be taken back on the quote as it is now. By the rules of merging, a step that changes fields which somebody else has changed must
 * not be; then no older one either, because it rests on that one.
 */
export function stillHolds(kept: KeptUndo, version: number, shown: Shown): KeptSteps<Operation> {
  if (kept.version === version) return kept;
  const look = lookAt(shown, new Map(kept.returned));
  const holding = (steps: readonly SeenStep[]) =>
    steps.slice(steps.findLastIndex(({ op, saw }) => !isSame(look(op), saw)) + 1);
  return { undo: holding(kept.undo), redo: holding(kept.redo) };
}

/**
 * Whether an operation would replace what others have just changed. `lines`: theirs in the answer to a save of this board; null: it only read, so that
 * all that differs is theirs.
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

/** Reads what an operation would replace: fields by what they depend on, whole lines by their version. */
function lookAt(shown: Shown, returned: ReadonlyMap<number, number>): (op: Operation) => Stored {
  const items = new Map(shown.items.map((item) => [item.id, item]));
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
        return { quote: seen(op.patch, shown.quote) };
      case 'promotion':
        return { line: line(op.id, null) };
      case 'lines':
        return {
          lines: op.lines.map(({ id = 0, was: _was, remove, ...patch }) =>
            id ? line(id, remove ? null : patch) : null,
          ),
          quote: op.quote ? seen(op.quote, shown.quote) : null,
        };
      // It adds lines and changes none.
      case 'template':
        return {};
      case 'configured':
        return { lines: shown.items.map(({ id, version }) => [id, version]) };
    }
  };
}
