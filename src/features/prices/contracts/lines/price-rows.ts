// The dated prices of one line in one tier: what a new, changed or removed one does to its neighbours. Days never overlap.
import { addDays, formatDate, type IsoDate } from '#shared/dates.ts';

/** Days included; null: no end of its own. */
export type Dated = { id: number; from: IsoDate; to: IsoDate | null };

/** What is written: the days of the price itself, and new last days of others. */
export type Placed = { to: IsoDate | null; ended: { id: number; to: IsoDate | null }[] };
export type Refused = { path: 'from' | 'to'; message: string };

/**
 * Places a price among the others. It ends the one that holds on its first day on the eve; one that begins later stays, and ends the new one on
 * its own eve. Refused: a first day on which another begins, and a last day beyond the eve of the next.
 */
export function placePrice(
  others: readonly Dated[],
  { from, to }: { from: IsoDate; to: IsoDate | null },
): Placed | Refused {
  if (others.some((one) => one.from === from))
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
    .filter((one) => one.from < from && (one.to === null || one.to > eve))
    .map(({ id }) => ({ id, to: eve }));
  return { to: to ?? last, ended };
}

/** How the price that ends on the eve of a coming one goes on in its days when that one is taken away. */
export function withoutPrice(all: readonly Dated[], id: number): Placed['ended'] {
  const gone = all.find((one) => one.id === id);
  if (!gone) return [];
  const before = all.find((one) => one.to === addDays(gone.from, -1));
  return before ? [{ id: before.id, to: gone.to }] : [];
}

function nextAfter(rows: readonly Dated[], day: IsoDate): Dated | undefined {
  return rows.filter(({ from }) => from > day).toSorted((a, b) => (a.from < b.from ? -1 : 1))[0];
}
