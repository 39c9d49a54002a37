// Computes how a new, changed or removed dated price affects its neighbors in one line and tier. Days never overlap.
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';

/** Both days are included. A null `to` means no end of its own. */
export type Dated = { id: number; from: IsoDate; to: IsoDate | null };

/** The result to write: the last day of the price itself, and new last days of other prices. */
export type Placed = { to: IsoDate | null; ended: { id: number; to: IsoDate | null }[] };
export type Refused = { path: 'from' | 'to'; message: string };

/**
 * Places a price among the others. The price that covers its first day ends the day before. A price that begins later stays, and the new one ends the
 * day before that. Refuses a first day on which another price begins, and a last day on or after the start of the next price.
 */
export function placePrice(
  others: readonly Dated[],
  { from, to }: { from: IsoDate; to: IsoDate | null },
): Placed | Refused {
  if (others.some((other) => other.from === from))
    return {
      path: 'from',
      message: `A price begins on ${formatDate(from)} already. Change that one, or choose another day.`,
    };
  const eve = addDays(from, -1);
  const next = nextAfter(others, from);
  const last = next ? addDays(next.from, -1) : null;
  if (to !== null && last !== null && to > last)
    return {
      path: 'to',
      message: `The next price begins on ${formatDate(next?.from)}. End this one before it, or leave the day empty.`,
    };
  const ended = others
    .filter((other) => other.from < from && (other.to === null || other.to > eve))
    .map(({ id }) => ({ id, to: eve }));
  return { to: to ?? last, ended };
}

/** When price `id` is removed, extends the price that ended the day before through the removed price's days. */
export function withoutPrice(all: readonly Dated[], id: number): Placed['ended'] {
  const gone = all.find((candidate) => candidate.id === id);
  if (!gone) return [];
  const before = all.find((candidate) => candidate.to === addDays(gone.from, -1));
  return before ? [{ id: before.id, to: gone.to }] : [];
}

function nextAfter(rows: readonly Dated[], day: IsoDate): Dated | undefined {
  return rows.filter(({ from }) => from > day).toSorted((a, b) => (a.from < b.from ? -1 : 1))[0];
}
