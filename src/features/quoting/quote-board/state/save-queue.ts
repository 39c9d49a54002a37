// Sends changes of a quote to the server one after the other and keeps them until the server has them, whatever the network does.

import { HttpError, isPassing } from '#api/http-error.ts';
import type { QuoteInput, QuoteItemInput } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { seenAfter } from '#features/quoting/quote-edit/settle/quote-merge.ts';
import { conflictOf, type Stored } from '#shared/conflict.ts';

/** A change of one line (its id) or of the quote's own fields ('quote'), and what the person saw of these fields. */
export type Change = { target: number | 'quote'; patch: Record<string, unknown>; base: Stored };

export type Pending = Change & {
  state: 'waiting' | 'saving' | 'failed' | 'conflict';
  /** What the server (or the network) said, for 'failed' and 'conflict'. */
  error: HttpError | null;
};

export type SaveQueue = {
  add: (change: Change) => void;
  /** Tries what failed again, now. */
  retry: () => void;
  /** Drops a change: the server's value stands. */
  drop: (target: Change['target']) => void;
  /** Resolves a conflict: the kept changes continue over the stored record. */
  resolve: (target: Change['target'], keep: readonly string[], stored: Stored) => void;
  /** Restores unsaved changes of an earlier visit as failed, so that nothing is sent before the person sees it. */
  takeUp: (left: readonly Change[]) => void;
  pending: () => readonly Pending[];
  subscribe: (listener: () => void) => () => void;
  /** Resolves when nothing waits or is being saved (what failed may remain). */
  settled: () => Promise<void>;
  /** Stops automatic retries. */
  dispose: () => void;
};

const RETRY_MS = 8000;

/**
 * A queue for one quote. `save` sends one change, applies the answer and answers the record as it is stored then; it rejects with an
 * HttpError. Changes of the same target that still wait are merged. Unreachable servers are asked again every few seconds; refusals
 * stay as they are, with what was typed. `keep` is given what is not saved yet, each time that changes.
 */
export function saveQueue(save: (change: Change) => Promise<Stored>, keep: (unsaved: Change[]) => void): SaveQueue {
  let entries: Pending[] = [];
  let running = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  let waiters: (() => void)[] = [];

  const changed = () => {
    keep(entries.map(({ target, patch, base }) => ({ target, patch, base })));
    for (const listener of listeners) listener();
  };
  const update = (entry: Pending, more: Partial<Pending>) => {
    entries = entries.map((one) => (one === entry ? { ...one, ...more } : one));
  };

  const run = async () => {
    if (running) return;
    running = true;
    for (;;) {
      const entry = entries.find((one) => one.state === 'waiting');
      if (!entry) break;
      const saving: Pending = { ...entry, state: 'saving', error: null };
      entries = entries.map((one) => (one === entry ? saving : one));
      changed();
      try {
        const stored = await save(entry);
        entries = entries
          .filter((one) => one !== saving)
          .map((one) =>
            one.target === saving.target ? { ...one, base: seenAfter(one.base, saving.patch, stored) } : one,
          );
      } catch (error) {
        const problem = error instanceof HttpError ? error : new HttpError(0, (error as Error).message);
        // Adds what was typed there since.
        const since = entries.find((one) => one.target === saving.target && one !== saving);
        entries = entries.filter((one) => one !== since);
        update(saving, {
          ...(since ? over(saving, since) : {}),
          // Only two competing values are a conflict; a quote that moved on is a refusal.
          state: conflictOf(problem) ? 'conflict' : 'failed',
          error: problem,
        });
        if (isPassing(problem)) {
          clearTimeout(timer);
          timer = setTimeout(retry, RETRY_MS);
          changed();
          break;
        }
      }
      changed();
    }
    running = false;
    for (const waiter of waiters) waiter();
    waiters = [];
  };

  const retry = () => {
    entries = entries.map((one) => (one.state === 'failed' ? { ...one, state: 'waiting' as const, error: null } : one));
    changed();
    void run();
  };

  return {
    add: (change) => {
      const open = entries.find((one) => one.target === change.target && one.state !== 'saving');
      if (open) {
        const state = open.state === 'conflict' ? 'conflict' : 'waiting';
        update(open, {
          ...over(open, change),
          state,
          ...(state === 'waiting' ? { error: null } : {}),
        });
      } else entries = [...entries, { ...change, state: 'waiting', error: null }];
      changed();
      void run();
    },
    retry,
    drop: (target) => {
      entries = entries.filter((one) => one.target !== target || one.state === 'saving');
      changed();
    },
    resolve: (target, keep, stored) => {
      entries = entries.flatMap((one) => {
        if (one.target !== target || one.state !== 'conflict') return [one];
        const patch = Object.fromEntries(Object.entries(one.patch).filter(([field]) => keep.includes(field)));
        if (keep.length === 0) return [];
        return [
          { ...one, patch, base: seenAfter(one.base, one.patch, stored), state: 'waiting' as const, error: null },
        ];
      });
      changed();
      void run();
    },
    takeUp: (left) => {
      const taken = left.filter(({ target }) => !entries.some((one) => one.target === target));
      entries = [
        ...entries,
        ...taken.map((change) => ({ ...change, state: 'failed' as const, error: new HttpError(0, 'Not saved yet.') })),
      ];
      changed();
    },
    pending: () => entries,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => {
      if (!running) return Promise.resolve();
      return new Promise((resolve) => {
        waiters.push(resolve);
      });
    },
    dispose: () => clearTimeout(timer),
  };
}

/** Merges a later change into an earlier one; the first seen values stay. */
function over(earlier: Change, later: Change): Pick<Change, 'patch' | 'base'> {
  return { patch: { ...earlier.patch, ...later.patch }, base: { ...later.base, ...earlier.base } };
}

export type LinePatch = Omit<QuoteItemInput, 'id' | 'version'>;
export type QuotePatch = Omit<QuoteInput, 'id' | 'version'>;
