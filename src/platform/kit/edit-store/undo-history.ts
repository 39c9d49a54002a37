// Undo and redo: the user's changes, newest last, each with its reverse, which may still be pending.
import { isPassing } from '#platform/api/http-error.ts';
import { inTurn } from './one-after-the-other.ts';

/** A change with its label and its reverse, which is known (`op`) once the change succeeds. `block` identifies the lines that the keys are moving. */
type Step<Op> = { label: string; back: Promise<Op>; op?: Op; block?: string | undefined };

export type UndoHistory<Op> = {
  /**
   * Adds a new change and clears the redo list. A change that fails is removed again. `joins` returns whether the change belongs to the newest one; a
   * single reverse then undoes both.
   */
  add: (label: string, back: Promise<Op>, join?: Join<Op>) => void;
  /** Undoes the newest change once it is done. Returns its label, or null if there is nothing to undo. */
  undo: () => Promise<string | null>;
  /** Redoes the last undone change. Returns its label, or null. */
  redo: () => Promise<string | null>;
  canUndo: () => boolean;
  canRedo: () => boolean;
  /** Drops the steps that conflict with a change of another user, and the older ones. */
  drop: (meets: (op: Op) => boolean) => void;
};

type Join<Op> = { joins?: (newest: Op) => boolean; block?: string | undefined };

type Setup<Op> = {
  /** Applies a change and returns its reverse. */
  carryOut: (op: Op) => Promise<Op>;
  /** Returns the change as it applies now, or null if it would change nothing. */
  applicable: (op: Op) => Op | null;
  /** Called when the lists of changes to undo or redo change. */
  changed: () => void;
  /** The maximum number of steps. */
  most: number;
};

export function undoHistory<Op>({ carryOut, applicable, changed, most }: Setup<Op>): UndoHistory<Op> {
  const steps: Record<'undo' | 'redo', Step<Op>[]> = { undo: [], redo: [] };
  const put = (which: keyof typeof steps, next: Step<Op>[]) => {
    steps[which] = next.slice(-most);
    changed();
  };
  const without = (which: keyof typeof steps, step: Step<Op>) =>
    put(
      which,
      steps[which].filter((candidate) => candidate !== step),
    );

  const stepOf = (label: string, back: Promise<Op>, block?: string): Step<Op> => {
    const step: Step<Op> = { label, back, block };
    back.then(
      (op) => {
        step.op = op;
      },
      () => {},
    );
    return step;
  };

  const takeBack = async (which: 'undo' | 'redo'): Promise<string | null> => {
    const step = steps[which].at(-1);
    if (!step) return null;
    without(which, step);
    const back = await step.back.catch(() => null);
    // The failed change shows its error where the user made it. Undoing an older change instead would be wrong.
    if (back === null) return null;
    const op = applicable(back);
    // If the line is gone or the change was dropped, the previous change is now the newest.
    if (op === null) return takeBack(which);
    const other = which === 'undo' ? 'redo' : 'undo';
    const again = stepOf(step.label, carryOut(op));
    put(other, [...steps[other], again]);
    try {
      await again.back;
    } catch (problem) {
      without(other, again);
      if (isPassing(problem)) put(which, [...steps[which], step]);
      throw problem;
    }
    return step.label;
  };

  const turn = inTurn();
  return {
    add: (label, back, { joins, block } = {}) => {
      steps.redo = [];
      const newest = steps.undo.at(-1);
      const isSameMove = block !== undefined && newest?.block === block;
      if (newest?.op !== undefined && (isSameMove || joins?.(newest.op))) {
        // The caller who made the change handles its failure; no step is dropped here.
        back.catch(() => {});
        return put('undo', steps.undo);
      }
      const step = stepOf(label, back, block);
      back.catch(() => without('undo', step));
      put('undo', [...steps.undo, step]);
    },
    undo: () => turn(() => takeBack('undo')),
    redo: () => turn(() => takeBack('redo')),
    canUndo: () => steps.undo.length > 0,
    canRedo: () => steps.redo.length > 0,
    drop: (meets) => {
      for (const which of ['undo', 'redo'] as const) {
        const met = steps[which].findLastIndex(({ op }) => op !== undefined && meets(op));
        if (met >= 0) put(which, steps[which].slice(met + 1));
      }
    },
  };
}
