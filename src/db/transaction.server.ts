// One transaction for what belongs together, tried again when the database gave it up for another's sake.
import { type Db, isOutdatedPlan } from './database.server.ts';

const RETRYABLE = new Set(['40001', '40P01']);
/** What each open transaction leaves to be done once it is committed. */
const left = new WeakMap<Db, (() => void)[]>();

/** Runs work in one transaction, again (at most twice) when the database gave it up for another's sake. */
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

/** Runs `work` once the transaction `db` is committed, and never when it is not; at once when `db` is none of `inTransaction`'s. */
export function afterCommit(db: Db, work: () => void): void {
  const after = left.get(db);
  if (after) after.push(work);
  else work();
}
