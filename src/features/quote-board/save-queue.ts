// Changes of a quote on their way to the server: one after the other, kept until the server has them, whatever happens to the network.
import type { QuoteInput, QuoteItemInput } from '#features/quote-edit/quote-edit.contract.ts';
import { HttpError } from '#api/http-error.ts';

/** A change of one line (id of the line, or a temporary negative id for a new one) or of the quote's own fields ('quote'). */
export type Change = { target: number | 'quote'; patch: Record<string, unknown> };

export type Pending = Change & {
  state: 'waiting' | 'saving' | 'failed' | 'conflict';
  /** What the server (or the network) said, for 'failed' and 'conflict'. */
  error: HttpError | null;
};

export type Storage = { get: () => string | null; set: (text: string | null) => void };

export type SaveQueue = {
  add: (change: Change) => void;
  /** Tries what failed again, now. */
  retry: () => void;
  /** Gives a change up: the server's value stands. */
  drop: (target: Change['target']) => void;
  /** Sends a conflicting change again; the newer record must have been read before. */
  insist: (target: Change['target']) => void;
  pending: () => readonly Pending[];
  subscribe: (listener: () => void) => () => void;
  /** Resolves when nothing waits or is being saved (what failed may remain). */
  settled: () => Promise<void>;
  dispose: () => void;
};

const RETRY_MS = 8000;

/**
 * A queue for one quote. `save` sends one change and applies the answer; it rejects with an HttpError. Changes of the same target that
 * still wait are merged. Unreachable servers are asked again every few seconds; refusals stay as they are, with what was typed.
 */
export function saveQueue(save: (change: Change) => Promise<void>, storage: Storage): SaveQueue {
  let entries: Pending[] = restore(storage);
  let running = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  let waiters: (() => void)[] = [];

  const changed = () => {
    storage.set(entries.length > 0 ? JSON.stringify(entries.map(({ target, patch }) => ({ target, patch }))) : null);
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
        await save(entry);
        entries = entries.filter((one) => one !== saving);
      } catch (error) {
        const problem = error instanceof HttpError ? error : new HttpError(0, (error as Error).message);
        update(saving, { state: problem.status === 409 ? 'conflict' : 'failed', error: problem });
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
          patch: { ...open.patch, ...change.patch },
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
    insist: (target) => {
      entries = entries.map((one) =>
        one.target === target && one.state === 'conflict' ? { ...one, state: 'waiting' as const } : one,
      );
      changed();
      void run();
    },
    pending: () => entries,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => {
      if (!running && !entries.some((one) => one.state === 'waiting')) return Promise.resolve();
      return new Promise((resolve) => {
        waiters.push(resolve);
      });
    },
    dispose: () => clearTimeout(timer),
  };
}

/** No network, a server that is starting, a session that ended: worth asking again by itself. */
function isPassing(error: HttpError): boolean {
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;
}

/** What a closed or crashed tab left: taken up again as failed, so that nothing is sent before the person sees it. */
function restore(storage: Storage): Pending[] {
  try {
    const left = JSON.parse(storage.get() ?? '[]') as Change[];
    return left
      .filter((change) => change.target === 'quote' || change.target > 0)
      .map((change) => ({ ...change, state: 'failed', error: new HttpError(0, 'Not saved yet.') }));
  } catch {
    return [];
  }
}

export type LinePatch = Omit<QuoteItemInput, 'id' | 'version'>;
export type QuotePatch = Omit<QuoteInput, 'id' | 'version'>;
