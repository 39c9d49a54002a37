// Manages the selected lines: ticked one by one or by range, extended from a line, all or none.

export type LineSelection = {
  now: () => ReadonlySet<number>;
  /** Ticks or unticks a line. With `range`, also all lines between it and the line ticked before. */
  tick: (id: number, on: boolean, range: boolean) => void;
  all: () => void;
  none: () => void;
  only: (ids: readonly number[]) => void;
  /** Extends the selection from a line to its neighbor. On the way back, deselects the line. Returns the neighbor. */
  extend: (from: number, by: -1 | 1) => number | null;
};

/** `idsNow` returns the selectable lines, in line order. */
export function lineSelection(
  idsNow: () => readonly number[],
  onChange: (selected: ReadonlySet<number>) => void,
): LineSelection {
  let selected: ReadonlySet<number> = new Set();
  /** The line where a range begins. */
  let anchor: number | null = null;
  const set = (ids: Iterable<number>) => {
    selected = new Set(ids);
    onChange(selected);
  };
  const between = (from: number, to: number): readonly number[] => {
    const ids = idsNow();
    const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
    return a === -1 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
  };
  return {
    now: () => selected,
    tick: (id, on, range) => {
      const touched = range && anchor !== null ? between(anchor, id) : [id];
      anchor = id;
      const next = new Set(selected);
      for (const entry of touched) {
        if (on) next.add(entry);
        else next.delete(entry);
      }
      set(next);
    },
    all: () => set(idsNow()),
    none: () => {
      anchor = null;
      set([]);
    },
    only: (ids) => {
      anchor = ids[0] ?? null;
      set(ids);
    },
    extend: (from, by) => {
      const ids = idsNow();
      const to = ids[ids.indexOf(from) + by];
      if (!ids.includes(from)) return null;
      if (anchor === null || !selected.has(from)) anchor = from;
      set(between(anchor, to ?? from));
      return to ?? null;
    },
  };
}
