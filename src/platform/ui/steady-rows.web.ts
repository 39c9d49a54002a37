// Keeps a list still under the hand: what others change appears in its row, what they add or take away is offered.
import { useState } from 'react';

/** Which list was read, and when. */
export type Reading = {
  /** Its filters, page and order. */
  of: string;
  at: number;
  /** It is being read again while these rows are shown. */
  again: boolean;
  /** An empty list takes no room, and something else on the screen offers its first row. Otherwise the first row is shown at once. */
  hidesNone?: boolean;
};

type Key = number | string;
type Held<T> = Pick<Reading, 'of' | 'at'> & {
  rows: T[];
  /** How many rows were read that are not shown. */
  added: number;
  /** The shown rows that were not read any more. */
  gone: ReadonlySet<Key>;
  /** Was read while it was in sight, not only remembered from an earlier visit. */
  isCurrent: boolean;
};

/** What is read within this time after one's own act is shown as it is. */
const OWN_MS = 5000;
const NONE: ReadonlySet<Key> = new Set();
let actedAt = 0;

/** Says that this person saved something, or came back to this tab. */
export function noteOwnAct(): void {
  actedAt = Date.now();
}

/** The rows to show of those that were read, and `show`, which shows all of them. Without `reading` it holds nothing. */
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

/** The shown rows as they were read again, in the order in which they are shown. */
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
