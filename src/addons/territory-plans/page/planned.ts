// The user's planned moves before they reach the server: comparing them, merging them into the saved moves for display, sending them.
import type { Named } from '#platform/shared/wire.ts';
import type { Move, MoveInput } from '../territory-plans.contract.ts';

/** The territory that a ZIP moves to, and the one that had it. `from` is undefined until the server answers. */
export type Planned = { from: Named | null | undefined; to: Named | null };

/** A move as the screen shows it. */
export type ShownMove = Omit<Move, 'from'> & Planned & { unsaved: boolean };

/** A change of one ZIP that the server does not have yet. `planned` null removes the move. */
export type ZipChange = { zip: string; planned: Planned | null };

export function plannedBy(move: Move | null | undefined): Planned | null {
  return move ? { from: move.from, to: move.to } : null;
}

export function isSamePlan(plan: Planned | null, other: Planned | null): boolean {
  if (!plan || !other) return plan === other;
  return (plan.to?.id ?? null) === (other.to?.id ?? null) && idOf(plan.from) === idOf(other.from);
}

/** Whether two plans for a ZIP are equal. An unknown `from` matches any. */
export function leadsTo(planned: Planned | null, now: Planned | null): boolean {
  if (!planned || !now) return planned === now;
  const isOpen = planned.from === undefined || now.from === undefined;
  return isSamePlan(isOpen ? { from: now.from, to: planned.to } : planned, now);
}

const idOf = (from: Named | null | undefined) => (from === undefined ? undefined : (from?.id ?? null));

export function inputOf({ zip, planned }: ZipChange): MoveInput {
  if (!planned) return { zip, gone: true };
  const to = planned.to?.id ?? null;
  return planned.from === undefined ? { zip, to } : { zip, to, from: planned.from?.id ?? null };
}

/** The saved moves with the changes applied, in order of ZIP. `stored`: the saved moves by ZIP. */
export function shownMoves(
  moves: readonly Move[],
  stored: ReadonlyMap<string, Move>,
  changes: ReadonlyMap<string, ZipChange>,
): readonly ShownMove[] {
  const rows = moves.flatMap((move): ShownMove[] => {
    const change = changes.get(move.zip);
    if (!change) return [{ ...move, unsaved: false }];
    return change.planned ? [{ ...move, ...change.planned, unsaved: true }] : [];
  });
  const added = [...changes.values()].flatMap(({ zip, planned }): ShownMove[] => {
    if (!planned || stored.has(zip)) return [];
    return [{ zip, city: '', state: '', county: '', changedBy: '', ...planned, unsaved: true }];
  });
  return added.length === 0 ? rows : inZipOrder([...rows, ...added]);
}

export function inZipOrder<M extends { zip: string }>(moves: readonly M[]): M[] {
  return moves.toSorted((a, b) => (a.zip < b.zip ? -1 : 1));
}
