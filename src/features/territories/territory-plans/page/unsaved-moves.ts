// A person's moves that the server does not have yet: collecting, saving, and asking where somebody else planned the same ZIP.
import { HttpError, isPassing } from '#api/http-error.ts';
import { RETRY_MS, worker } from '#kit/edit-store/one-after-the-other.ts';
import { conflictOf } from '#shared/conflict.ts';
import type { HeldPlan, PlanCalls } from './held-plan.ts';
import { type ZipChange, inputOf, isSamePlan, leadsTo, type Planned, plannedBy } from './planned.ts';
import { MOST_SAVED, type Move, type PlanChanges } from '../territory-plans.contract.ts';

/** Two people planned one ZIP differently. Null means no move. */
export type ZipClash = { zip: string; theirs: Move | null; mine: Planned | null };

/** How often a save retries after somebody else saved in between. */
const TRIES = 5;

/** How a plan's page saves. */
export type Saving = {
  /** Receives the ZIPs that did not become moves because the chosen territory already has them. */
  onStayed?: (zips: readonly string[]) => void;
  /** How long to wait for more changes before saving, in milliseconds. */
  pause?: number;
};

export function unsavedMoves(plan: HeldPlan, calls: PlanCalls, { onStayed, pause = 700 }: Saving, changed: () => void) {
  /** Changes to send next. They take precedence over those being sent. */
  let waiting: ReadonlyMap<string, ZipChange> = new Map();
  let sent: ReadonlyMap<string, ZipChange> = new Map();
  let error: HttpError | null = null;
  let clashes: readonly ZipClash[] = [];
  let clashedWith: { changedBy: string | null; changedAt: string | null } = { changedBy: null, changedAt: null };
  let savedAt: Date | null = null;
  const storedMove = (zip: string): Move | null => plan.stored().get(zip) ?? null;

  const saveBatch = async (): Promise<boolean> => {
    sent = new Map([...waiting].slice(0, MOST_SAVED));
    waiting = new Map([...waiting].slice(MOST_SAVED));
    error = null;
    changed();
    try {
      const answer = await sendOver([...sent.values()]);
      const own = new Set(sent.keys());
      const goals = [...sent.values()].filter(({ planned }) => planned);
      sent = new Map();
      plan.take(answer, own);
      void plan.weighAgain();
      const stayed = goals.filter(({ zip }) => !storedMove(zip));
      // A change made during the request builds on the move that the request saved.
      waiting = new Map(
        [...waiting].map(([zip, one]) => [zip, own.has(zip) ? { ...one, seen: storedMove(zip) } : one]),
      );
      savedAt = new Date();
      if (stayed.length > 0) onStayed?.(stayed.map(({ zip }) => zip));
      return true;
    } catch (problem) {
      // Newer changes take precedence over those that failed to save.
      waiting = new Map([...sent, ...waiting]);
      sent = new Map();
      if (clashes.length > 0) return false;
      error = problem instanceof HttpError ? problem : new HttpError(0, (problem as Error).message);
      if (isPassing(error)) saving.runIn(RETRY_MS);
      return false;
    } finally {
      changed();
    }
  };
  const saving = worker(() => (waiting.size > 0 && clashes.length === 0 ? saveBatch() : null));

  /** Saves over the newest version. Other people's moves of other ZIPs stay; a different move of the same ZIP is a clash. */
  const sendOver = async (changes: readonly ZipChange[]): Promise<PlanChanges> => {
    for (let tries = 1; ; tries += 1) {
      const version = plan.version();
      try {
        return await calls.save(changes.map(inputOf), version);
      } catch (problem) {
        if (!(problem instanceof HttpError) || problem.status !== 409) throw problem;
        plan.take(await calls.changes(version), new Set(changes.map(({ zip }) => zip)));
        const met = changes.filter(({ zip, planned, seen }) => {
          const theirs = plannedBy(storedMove(zip));
          return !isSamePlan(theirs, plannedBy(seen)) && !leadsTo(planned, theirs);
        });
        if (met.length > 0) {
          const conflict = conflictOf(problem);
          const [by = null] = met.flatMap(({ zip }) => storedMove(zip)?.changedBy ?? []);
          clashedWith = { changedBy: conflict?.changedBy ?? by, changedAt: conflict?.changedAt ?? null };
          clashes = met.map(({ zip, planned }) => ({ zip, theirs: storedMove(zip), mine: planned }));
          throw problem;
        }
        // No competing change caused this refusal; the plan may have been published meanwhile, for example.
        if (!plan.loaded().allowed.edit || plan.version() === version || tries === TRIES) throw problem;
      }
    }
  };

  return {
    /** All of them by ZIP. */
    all: (): ReadonlyMap<string, ZipChange> => new Map([...sent, ...waiting]),
    plannedNow: (zip: string): Planned | null => {
      const change = waiting.get(zip) ?? sent.get(zip);
      return change ? change.planned : plannedBy(storedMove(zip));
    },
    isBusy: () => saving.isRunning() || waiting.size > 0,
    state: () => ({ error, clashes, clashedWith, savedAt }),
    lay: (changes: readonly { zip: string; planned: Planned | null }[]) => {
      const next = new Map(waiting);
      for (const { zip, planned } of changes) {
        const before = waiting.get(zip);
        // This change restores the saved move, so there is nothing to send.
        if (!sent.has(zip) && isSamePlan(planned, plannedBy(storedMove(zip)))) next.delete(zip);
        else next.set(zip, { zip, planned, seen: before ? before.seen : storedMove(zip) });
      }
      waiting = next;
      plan.forgetMarks();
      error = null;
      saving.runIn(pause);
      changed();
    },
    saved: async (): Promise<void> => {
      await saving.run();
      if (waiting.size > 0)
        throw error ?? new HttpError(409, 'Somebody else moved some of these ZIPs. Choose between the moves first.');
    },
    retry: () => void saving.run(),
    discard: () => {
      saving.dispose();
      waiting = new Map();
      error = null;
      clashes = [];
      changed();
    },
    settle: (keep: 'mine' | 'theirs') => {
      const met = new Set(clashes.map(({ zip }) => zip));
      clashes = [];
      waiting = new Map(
        [...waiting].flatMap(([zip, one]): [string, ZipChange][] => {
          if (!met.has(zip)) return [[zip, one]];
          return keep === 'mine' ? [[zip, { ...one, seen: storedMove(zip) }]] : [];
        }),
      );
      changed();
      void saving.run();
    },
    dispose: saving.dispose,
  };
}
