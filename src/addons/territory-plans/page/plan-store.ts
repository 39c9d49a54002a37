// The state of a plan's screen: the server's plan, the user's unsaved moves, saving, undo and redo.
import type { HttpError } from '#platform/api/http-error.ts';
import { undoHistory } from '#platform/kit/edit-store/undo-history.ts';
import type { Conflict } from '#platform/shared/conflict.ts';
import { listeners } from '#platform/shared/listeners.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { Named } from '#platform/shared/wire.ts';
import { heldPlan, type PlanCalls } from './held-plan.ts';
import { isSamePlan, leadsTo, type Planned, type ShownMove, shownMoves } from './planned.ts';
import { type Saving, unsavedMoves } from './unsaved-moves.ts';
import { isWorking } from '../plan-words.ts';
import type { LoadedMap, PlanChanges } from '../territory-plans.contract.ts';

export type PlanState = {
  /** The plan on the server. Its conflicts and effects are those of the last request for them. */
  loaded: LoadedMap;
  /** Whether the conflicts and effects match the saved moves. */
  weighed: boolean;
  /** All moves in order of ZIP, including unsaved ones. */
  moves: readonly ShownMove[];
  /** The number of changes that the server does not have yet. */
  unsaved: number;
  /** Why the last save failed. The changes stay here. */
  error: HttpError | null;
  /** Another user changed the plan first. The store saves nothing until the user decides. */
  conflict: Conflict | null;
  savedAt: Date | null;
  canUndo: boolean;
  canRedo: boolean;
};

export type PlanStore = {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => PlanState;
  /** Plans ZIPs for a territory, or for none. If a ZIP has no move yet, the server finds its current territory. */
  move: (zips: readonly string[], to: Named | null) => void;
  takeBack: (zips: readonly string[]) => void;
  /** Plans moves again, from the territories that currently have the ZIPs. */
  rebase: (moves: readonly { zip: string; from: Named | null; to: Named | null }[]) => void;
  /** Returns what it undid in words, or null if there was nothing. It skips ZIPs that another user has changed since. */
  undo: () => Promise<string | null>;
  redo: () => Promise<string | null>;
  /** Saves all changes now and resolves when none are left. Rejects with the reason if a change cannot be saved. */
  saved: () => Promise<LoadedMap>;
  retry: () => void;
  /** Discards unsaved changes. */
  discard: () => void;
  /** Resolves the conflict: saves the changes made here over the other user's, or drops them. */
  settle: (keep: 'mine' | 'theirs') => void;
  /** Applies a server answer about the plan, unless the store has a newer version. */
  receive: (changes: PlanChanges) => void;
  /** Loads the changes on the server. */
  catchUp: () => Promise<void>;
  dispose: () => void;
};

/** A change of ZIPs from one planned move to another, for undo and redo. */
type Turn = readonly { zip: string; from: Planned | null; to: Planned | null }[];

const STEPS_KEPT = 100;

export function planStore({ start, ...setup }: { start: LoadedMap } & PlanCalls & Saving): PlanStore {
  const screens = listeners();
  const draw = () => {
    state = stateNow();
    screens.notify();
  };
  const plan = heldPlan(start, setup, draw, screens.any);
  const unsaved = unsavedMoves(plan, setup, setup, draw);

  const apply = (turn: Turn): Turn => {
    unsaved.lay(turn.map(({ zip, to }) => ({ zip, planned: to })));
    return turn.map(({ zip, from, to }) => ({ zip, from: to, to: from }));
  };
  const history = undoHistory<Turn>({
    carryOut: async (turn) => apply(turn),
    applicable: (turn) => {
      const fitting = turn.filter(({ zip, from }) => leadsTo(from, unsaved.plannedNow(zip)));
      return fitting.length > 0 ? fitting : null;
    },
    changed: draw,
    most: STEPS_KEPT,
  });
  const change = (label: string, wanted: readonly { zip: string; planned: Planned | null }[]) => {
    const turn = wanted
      .map(({ zip, planned }) => ({ zip, from: unsaved.plannedNow(zip), to: planned }))
      .filter(({ from, to }) => !isSamePlan(from, to));
    if (turn.length > 0) history.add(label, Promise.resolve(apply(turn)));
  };

  const stateNow = (): PlanState => {
    const changes = unsaved.all();
    const loaded = plan.loaded();
    return {
      loaded,
      weighed: plan.isWeighed(),
      moves: shownMoves(loaded.moves, plan.stored(), changes),
      unsaved: changes.size,
      ...unsaved.state(),
      canUndo: history.canUndo() && loaded.allowed.edit,
      canRedo: history.canRedo() && loaded.allowed.edit,
    };
  };
  let state = stateNow();

  return {
    subscribe: screens.add,
    snapshot: () => state,
    move: (zips, to) =>
      change(
        `${countOf(zips.length, 'ZIP')} to ${to?.name ?? 'no territory'}`,
        [...new Set(zips)].map((zip) => ({ zip, planned: { from: unsaved.plannedNow(zip)?.from, to } })),
      ),
    takeBack: (zips) =>
      change(
        `${countOf(zips.length, 'ZIP')} removed from the plan`,
        [...new Set(zips)].map((zip) => ({ zip, planned: null })),
      ),
    rebase: (moves) =>
      change(
        `${countOf(moves.length, 'ZIP')} kept`,
        moves.map(({ zip, from, to }) => ({ zip, planned: { from, to } })),
      ),
    undo: history.undo,
    redo: history.redo,
    saved: async () => {
      await unsaved.saved();
      return plan.loaded();
    },
    retry: unsaved.retry,
    discard: unsaved.discard,
    settle: unsaved.settle,
    receive: (next) => {
      plan.take(next);
      draw();
      void plan.weighAgain();
    },
    catchUp: async () => {
      if (unsaved.isBusy()) return;
      const next = await setup.changes(plan.version());
      if (unsaved.isBusy() || next.map.version < plan.version()) return;
      plan.take(next);
      draw();
      // Requests the effects even if no move changed, because a user may have assigned one of the ZIPs.
      if (!isWorking(next.map)) await plan.weighAgain();
    },
    dispose: () => {
      unsaved.dispose();
      plan.dispose();
    },
  };
}
