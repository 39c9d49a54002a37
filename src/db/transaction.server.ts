// One transaction for what belongs together, tried again when the database gave it up for another's sake.
import { type Db, isOutdatedPlan } from './database.server.ts';

const RETRYABLE = new Set(['40001', '40P01']);

/** Runs work in one transaction, again (at most twice) when the database gave it up for another's sake. */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const again = RETRYABLE.has((error as { code?: string }).code ?? '') || isOutdatedPlan(error);
      if (attempt === 3 || !again) throw error;
    }
  }
}
