// The plan as it is on the server: merges the server's answers, and requests the conflicts and effects of the moves.
import { isPassing } from '#platform/api/http-error.ts';
import { RETRY_MS, worker } from '#platform/kit/edit-store/one-after-the-other.ts';
import { inZipOrder } from './planned.ts';
import type { LoadedMap, Move, MoveInput, PlanChanges, Weight } from '../territory-plans.contract.ts';

/** The server calls of one plan's page. */
export type PlanCalls = {
  /** Loads the changes since a version. */
  changes: (version: number) => Promise<PlanChanges>;
  save: (moves: MoveInput[], version: number) => Promise<PlanChanges>;
  weigh: () => Promise<Weight & { version: number }>;
};

export type HeldPlan = ReturnType<typeof heldPlan>;

/** `isWatched` returns whether a screen shows the plan. */
export function heldPlan(start: LoadedMap, calls: PlanCalls, changed: () => void, isWatched: () => boolean) {
  let loaded = start;
  let stored: ReadonlyMap<string, Move> = new Map(start.moves.map((move) => [move.zip, move]));
  let weighedVersion = start.map.version;
  let toWeigh = false;

  /** Merges a server answer into the plan, unless the plan is newer. */
  const take = (next: PlanChanges) => {
    if (next.map.version < loaded.map.version) return;
    const changes = new Map<string, Move | null>([
      ...next.takenBack.map((zip): [string, null] => [zip, null]),
      ...next.moves.map((move): [string, Move] => [move.zip, move]),
    ]);
    const now = new Map(stored);
    for (const [zip, move] of changes) {
      if (move) now.set(zip, move);
      else now.delete(zip);
    }
    stored = now;
    const { takenBack: _takenBack, ...record } = next;
    loaded = {
      ...loaded,
      ...record,
      moves: changes.size === 0 ? loaded.moves : inZipOrder([...now.values()]),
      // The next request checks the changed ZIPs again.
      conflicts: loaded.conflicts.filter(({ zip }) => !changes.has(zip)),
    };
  };

  const weighOnce = async (): Promise<boolean> => {
    toWeigh = false;
    try {
      const { version, ...weight } = await calls.weigh();
      loaded = { ...loaded, ...weight };
      weighedVersion = version;
      changed();
      return true;
    } catch (problem) {
      // The figures stay marked as outdated. The next save or check also requests them again.
      if (isWatched() && isPassing(problem)) {
        toWeigh = true;
        weighing.runIn(RETRY_MS);
      }
      return false;
    }
  };
  const weighing = worker(() => (toWeigh ? weighOnce() : null));

  return {
    loaded: () => loaded,
    stored: () => stored,
    version: () => loaded.map.version,
    take,
    /** Whether the conflicts and effects match the saved moves. */
    isWeighed: () => weighedVersion >= loaded.map.version,
    /** Requests conflicts and effects of the saved moves, one request at a time. The screen shows the earlier figures until then. */
    weighAgain: (): Promise<void> => {
      toWeigh = true;
      return weighing.run();
    },
    dispose: weighing.dispose,
  };
}
