// Stores the unsaved input of each open board in this browser. The next board of the quote adopts what a closed one left.
import type { Change } from './save-queue.ts';

export type Backup = {
  keep: (unsaved: readonly Change[]) => void;
  /** Marks the board as open. The returned function leaves unsaved input to the next board. */
  open: () => () => void;
  /** Adopts the unsaved changes of this user's closed boards on this quote. */
  left: () => Promise<Change[]>;
};

/** A browser lock shows which boards are open in any tab. Over plain HTTP browsers offer no locks, so every board is treated as closed. */
const hasLocks = 'locks' in navigator;

export function unsavedBackup(userId: number, quoteId: number): Backup {
  const all = `quoteboard.unsaved.${userId}.${quoteId}.`;
  const own = `${all}${Math.random().toString(36).slice(2)}`;
  return {
    keep: (unsaved) => {
      if (unsaved.length > 0) localStorage.setItem(own, JSON.stringify(unsaved));
      else localStorage.removeItem(own);
    },
    left: async () => {
      const others = Object.keys(localStorage).filter((key) => key.startsWith(all) && key !== own);
      const results: Change[] = [];
      for (const key of others) {
        const take = () => {
          results.push(...readBackup(key));
          localStorage.removeItem(key);
        };
        if (hasLocks) await navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && take());
        else take();
      }
      return results;
    },
    open: () => {
      const closed = Promise.withResolvers<void>();
      if (hasLocks) void navigator.locks.request(own, () => closed.promise);
      return closed.resolve;
    },
  };
}

function readBackup(key: string): Change[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as Change[];
  } catch {
    return [];
  }
}
