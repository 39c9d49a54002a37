// Undo and redo: a person's changes, newest last, each with its reverse, which may still be pending.

/** A change that was made: its name, and what takes it back, known once the change is made. */
type Step<Op> = { label: string; back: Promise<Op> };

export type UndoHistory<Op> = {
  /** A new change. When it fails it was none; what was taken back before it cannot be done again. */
  add: (label: string, back: Promise<Op>) => void;
  /** Takes the newest change back, once it is made. Answers its name; null when there was nothing to take back. */
  undo: () => Promise<string | null>;
  /** Does again what was taken back last. */
  redo: () => Promise<string | null>;
  canUndo: () => boolean;
  canRedo: () => boolean;
};

type Setup<Op> = {
  /** Makes a change, and answers what takes it back. */
  carryOut: (op: Op) => Promise<Op>;
  /** The change as it applies now; null when it would change nothing. */
  applicable: (op: Op) => Op | null;
  /** Whether a change that failed this way is worth another try. */
  isPassing: (problem: unknown) => boolean;
  /** There is more or less to undo or redo. */
  changed: () => void;
};

const STEPS_KEPT = 50;

export function undoHistory<Op>({ carryOut, applicable, isPassing, changed }: Setup<Op>): UndoHistory<Op> {
  const steps: Record<'undo' | 'redo', Step<Op>[]> = { undo: [], redo: [] };
  const put = (which: keyof typeof steps, next: Step<Op>[]) => {
    steps[which] = next.slice(-STEPS_KEPT);
    changed();
  };
  const without = (which: keyof typeof steps, step: Step<Op>) =>
    put(
      which,
      steps[which].filter((one) => one !== step),
    );

  const takeBack = async (which: 'undo' | 'redo'): Promise<string | null> => {
    const step = steps[which].at(-1);
    if (!step) return null;
    without(which, step);
    const back = await step.back.catch(() => null);
    // Its failure shows where the change was made; undoing an older change instead would be wrong.
    if (back === null) return null;
    const op = applicable(back);
    // When the line is gone or the change was dropped, the previous change is the newest.
    if (op === null) return takeBack(which);
    const other = which === 'undo' ? 'redo' : 'undo';
    const again: Step<Op> = { label: step.label, back: carryOut(op) };
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

  /** One after the other, in the order asked for. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (which: 'undo' | 'redo'): Promise<string | null> => {
    const done = last.then(() => takeBack(which));
    last = done.catch(() => {});
    return done;
  };
  return {
    add: (label, back) => {
      const step = { label, back };
      back.catch(() => without('undo', step));
      steps.redo = [];
      put('undo', [...steps.undo, step]);
    },
    undo: () => inTurn('undo'),
    redo: () => inTurn('redo'),
    canUndo: () => steps.undo.length > 0,
    canRedo: () => steps.redo.length > 0,
  };
}
