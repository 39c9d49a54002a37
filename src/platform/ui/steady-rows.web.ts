// Keeps the rows of a list in place while a user works with it: changes by other users appear in their rows, and added or removed rows are only
// offered.
import { useState } from 'react';

/** The list that was read, and the time. */
export type Reading = {
  /** The key of its filters, page and order. */
  of: string;
  at: number;
  /** The list is being read again while these rows are shown. */
  again: boolean;
  /** An empty list takes no space, and something else on the screen offers its first row. Otherwise the first row is shown at once. */
  hidesNone?: boolean;
};

type Key = number | string;
type Held<T> = Pick<Reading, 'of' | 'at'> & {
  rows: T[];
  /** The number of rows that were read but are not shown. */
  added: number;
  /** The shown rows that are missing in the last read. */
  gone: ReadonlySet<Key>;
  /** The rows were read while the list was visible, not only cached from an earlier visit. */
  isCurrent: boolean;
};

/** Rows that are read within this time after the user's own action are shown at once. */
const OWN_MS = 5000;
const NONE: ReadonlySet<Key> = new Set();
let actedAt = 0;

/** Notes that this user saved something, or returned to this tab. */
export function noteOwnAct(): void {
  actedAt = Date.now();
}

/** Returns the rows to show of those that were read, and `show`, which shows all of them. Without `reading`, all rows are shown. */
export function useHeldRows<T>(rows: T[] | undefined, rowKey: (row: T) => Key, reading: Reading | undefined) {
  const [held, setHeld] = useState<Held<T> | null>(null);
  if (!rows || !reading) return { rows, added: 0, gone: NONE, show: () => {} };
  const { of, at, hidesNone = false } = reading;
  const asRead: Held<T> = { of, at, rows, added: 0, gone: NONE, isCurrent: held?.of === of || !reading.again };
  let visible = held;
  if (visible?.of !== of || visible.at !== at) {
    const holds =
      visible?.of === of && visible.isCurrent && (hidesNone || visible.rows.length > 0) && at - actedAt > OWN_MS;
    visible = holds && visible ? { ...asRead, ...inPlace(visible.rows, rows, rowKey) } : asRead;
    setHeld(visible);
  }
  return { rows: visible.rows, added: visible.added, gone: visible.gone, show: () => setHeld(asRead) };
}

/** Returns the shown rows with their new contents, in the order in which they are shown. */
export function inPlace<T>(visible: T[], read: T[], rowKey: (row: T) => Key): Pick<Held<T>, 'rows' | 'added' | 'gone'> {
  const byKey = new Map(read.map((row) => [rowKey(row), row]));
  const keys = new Set(visible.map(rowKey));
  const gone = [...keys].filter((key) => !byKey.has(key));
  return {
    rows: visible.map((row) => byKey.get(rowKey(row)) ?? row),
    added: read.filter((row) => !keys.has(rowKey(row))).length,
    gone: new Set(gone),
  };
}
