// Sends changes of a quote to the server one after the other, and keeps each change until the server has saved it, even when the network fails.

import { HttpError, isPassing } from '#platform/api/http-error.ts';
import { onePatch, seenAfter } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { RETRY_MS, worker } from '#platform/kit/edit-store/one-after-the-other.ts';
import { conflictOf, type Stored } from '#platform/shared/conflict.ts';

/** A change of one line (its id) or of the quote's own fields ('quote'), and the field values that the user saw before. */
export type Change = { target: number | 'quote'; patch: Record<string, unknown>; base: Stored };

export type Pending = Change & {
  state: 'waiting' | 'saving' | 'failed' | 'conflict';
  /** The error from the server or the network, for 'failed' and 'conflict'. */
  error: HttpError | null;
};

export type SaveQueue = {
  add: (change: Change) => void;
  /** Sends failed changes again immediately. */
  retry: () => void;
  /** Discards a change, so that the server's value remains. */
  drop: (target: Change['target']) => void;
  /** Resolves a conflict: applies the kept changes to the stored record. */
  resolve: (target: Change['target'], keep: readonly string[], stored: Stored) => void;
  /** Restores unsaved changes of an earlier visit as failed, so that the queue sends nothing before the user sees it. */
  restore: (left: readonly Change[]) => void;
  pending: () => readonly Pending[];
  /** Resolves when no change waits or is being saved. Failed changes may remain. */
  settled: () => Promise<void>;
  /** Stops automatic retries. */
  dispose: () => void;
};

/**
 * A queue for one quote. `save` sends one change, applies the response and returns the stored record. It rejects with an HttpError. The queue merges
 * waiting changes of the same target, unless one must follow the other. It retries an unreachable server every few seconds. A refused change stays in
 * the queue with its typed values. `keep` receives the unsaved changes whenever they change.
 */
export function saveQueue(save: (change: Change) => Promise<Stored>, keep: (unsaved: Change[]) => void): SaveQueue {
  let entries: Pending[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = () => keep(entries.map(({ target, patch, base }) => ({ target, patch, base })));
  const update = (entry: Pending, more: Partial<Pending>) => {
    entries = entries.map((queued) => (queued === entry ? { ...queued, ...more } : queued));
  };

  const saveOne = async (entry: Pending): Promise<boolean> => {
    const sent: Pending = { ...entry, state: 'saving', error: null };
    entries = entries.map((queued) => (queued === entry ? sent : queued));
    changed();
    try {
      const stored = await save(entry);
      entries = entries
        .filter((candidate) => candidate !== sent)
        .map((queued) =>
          queued.target === sent.target ? { ...queued, base: seenAfter(queued.base, sent.patch, stored) } : queued,
        );
      changed();
      return true;
    } catch (error) {
      const problem = error instanceof HttpError ? error : new HttpError(0, (error as Error).message);
      // Adds later input for the same target.
      const since = entries.find((candidate) => candidate.target === sent.target && candidate !== sent);
      const both = since && over(sent, since);
      if (both) entries = entries.filter((candidate) => candidate !== since);
      // Only two competing values are a conflict. A change of the quote's status is a refusal.
      update(sent, { ...both, state: conflictOf(problem) ? 'conflict' : 'failed', error: problem });
      const mayPass = isPassing(problem);
      if (mayPass) {
        clearTimeout(timer);
        timer = setTimeout(retry, RETRY_MS);
      }
      changed();
      return !mayPass;
    }
  };
  const saving = worker(() => {
    const entry = entries.find((candidate) => candidate.state === 'waiting');
    return entry ? saveOne(entry) : null;
  });

  const retry = () => {
    entries = entries.map((entry) =>
      entry.state === 'failed' ? { ...entry, state: 'waiting' as const, error: null } : entry,
    );
    changed();
    void saving.run();
  };

  return {
    add: (change) => {
      const open = entries.findLast((entry) => entry.target === change.target && entry.state !== 'saving');
      const both = open && over(open, change);
      if (both) {
        const state = open.state === 'conflict' ? 'conflict' : 'waiting';
        update(open, { ...both, state, ...(state === 'waiting' ? { error: null } : {}) });
      } else entries = [...entries, { ...change, state: 'waiting', error: null }];
      changed();
      void saving.run();
    },
    retry,
    drop: (target) => {
      entries = entries.filter((entry) => entry.target !== target || entry.state === 'saving');
      changed();
    },
    resolve: (target, keep, stored) => {
      entries = entries.flatMap((entry) => {
        if (entry.target !== target || entry.state !== 'conflict') return [entry];
        const patch = Object.fromEntries(Object.entries(entry.patch).filter(([field]) => keep.includes(field)));
        if (keep.length === 0) return [];
        return [
          { ...entry, patch, base: seenAfter(entry.base, entry.patch, stored), state: 'waiting' as const, error: null },
        ];
      });
      changed();
      void saving.run();
    },
    restore: (left) => {
      const taken = left.filter(({ target }) => !entries.some((entry) => entry.target === target));
      entries = [
        ...entries,
        ...taken.map((change) => ({ ...change, state: 'failed' as const, error: new HttpError(0, 'Not saved yet.') })),
      ];
      changed();
    },
    pending: () => entries,
    settled: saving.stopped,
    dispose: () => clearTimeout(timer),
  };
}

/**
 * Merges a later change into an earlier one. The values that the user saw first are kept. Returns null if the later change must be sent separately.
 */
function over(earlier: Change, later: Change): Pick<Change, 'patch' | 'base'> | null {
  const patch = onePatch(earlier.patch, later.patch);
  return patch && { patch, base: { ...later.base, ...earlier.base } };
}
