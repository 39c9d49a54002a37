// The user's moves that the server does not have yet: collects and saves them, and handles conflicts with another user's changes.
import { HttpError, isPassing } from '#platform/api/http-error.ts';
import { RETRY_MS, worker } from '#platform/kit/edit-store/one-after-the-other.ts';
import { type Conflict, conflictOf } from '#platform/shared/conflict.ts';
import type { HeldPlan, PlanCalls } from './held-plan.ts';
import { type ZipChange, inputOf, isSamePlan, leadsTo, type Planned, plannedBy } from './planned.ts';
import { MAX_SAVED } from '../territory-plans.contract.ts';

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
  /** Another user's change of the plan. Nothing is saved over it until the user decides. */
  let conflict: Conflict | null = null;
  let savedAt: Date | null = null;
  const isAllStored = () =>
    [...waiting.values()].every(({ zip, planned }) => leadsTo(planned, plannedBy(plan.stored().get(zip))));
  const catchUp = async () => plan.take(await calls.changes(plan.version()));

  const saveBatch = async (): Promise<boolean> => {
    sent = new Map([...waiting].slice(0, MAX_SAVED));
    waiting = new Map([...waiting].slice(MAX_SAVED));
    error = null;
    changed();
    try {
      const answer = await calls.save([...sent.values()].map(inputOf), plan.version());
      const goals = [...sent.values()].filter(({ planned }) => planned);
      sent = new Map();
      plan.take(answer);
      void plan.weighAgain();
      const stayed = goals.filter(({ zip }) => !plan.stored().has(zip));
      savedAt = new Date();
      if (stayed.length > 0) onStayed?.(stayed.map(({ zip }) => zip));
      return true;
    } catch (problem) {
      // Newer changes take precedence over those that failed to save.
      waiting = new Map([...sent, ...waiting]);
      sent = new Map();
      const refusal = problem instanceof HttpError ? problem : new HttpError(0, (problem as Error).message);
      if (refusal.status === 409) await catchUp().catch(() => {});
      // The server had already saved them, but its answer was lost.
      if (isAllStored()) {
        waiting = new Map();
        savedAt = new Date();
        void plan.weighAgain();
        return true;
      }
      conflict = conflictOf(refusal);
      error = conflict ? null : refusal;
      if (isPassing(refusal)) saving.runIn(RETRY_MS);
      return false;
    } finally {
      changed();
    }
  };
  const saving = worker(() => (waiting.size > 0 && !conflict ? saveBatch() : null));

  return {
    /** All unsaved changes by ZIP. */
    all: (): ReadonlyMap<string, ZipChange> => new Map([...sent, ...waiting]),
    plannedNow: (zip: string): Planned | null => {
      const change = waiting.get(zip) ?? sent.get(zip);
      return change ? change.planned : plannedBy(plan.stored().get(zip));
    },
    isBusy: () => saving.isRunning() || waiting.size > 0,
    state: () => ({ error, conflict, savedAt }),
    lay: (changes: readonly { zip: string; planned: Planned | null }[]) => {
      const next = new Map(waiting);
      for (const { zip, planned } of changes) {
        // This change restores the saved move, so there is nothing to send.
        if (!sent.has(zip) && isSamePlan(planned, plannedBy(plan.stored().get(zip)))) next.delete(zip);
        else next.set(zip, { zip, planned });
      }
      waiting = next;
      error = null;
      saving.runIn(pause);
      changed();
    },
    saved: async (): Promise<void> => {
      await saving.run();
      if (waiting.size > 0)
        throw error ?? new HttpError(409, 'Someone else changed this plan. Choose which changes to keep first.');
    },
    retry: () => void saving.run(),
    discard: () => {
      saving.dispose();
      waiting = new Map();
      error = null;
      conflict = null;
      changed();
    },
    /** 'mine' saves the changes over the newest version. 'theirs' drops them. */
    settle: (keep: 'mine' | 'theirs') => {
      if (keep === 'theirs') waiting = new Map();
      conflict = null;
      changed();
      void saving.run();
    },
    dispose: saving.dispose,
  };
}
