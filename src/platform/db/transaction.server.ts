// Runs work in one transaction and retries if the database aborted it in favor of another.
import { type Db, isOutdatedPlan } from './database.server.ts';

const RETRYABLE = new Set(['40001', '40P01']);
/** The work that each open transaction defers until its commit. */
const left = new WeakMap<Db, (() => void)[]>();

/** Runs work in one transaction, with at most two retries if the database aborted it in favor of another. */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  const { result, after } = await committed(db, work);
  for (const run of after) run();
  return result;
}

async function committed<T>(
  db: Db,
  work: (transaction: Db) => Promise<T>,
): Promise<{ result: T; after: (() => void)[] }> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = [];
    try {
      const result = await db.transaction().execute((transaction) => {
        left.set(transaction, after);
        return work(transaction);
      });
      return { result, after };
    } catch (error) {
      const again = RETRYABLE.has((error as { code?: string }).code ?? '') || isOutdatedPlan(error);
      if (attempt === 3 || !again) throw error;
    }
  }
}

/** Runs `work` after the transaction `db` commits, or never if it does not commit. Runs it immediately if `db` is not from `inTransaction`. */
export function afterCommit(db: Db, work: () => void): void {
  const after = left.get(db);
  if (after) after.push(work);
  else work();
}
