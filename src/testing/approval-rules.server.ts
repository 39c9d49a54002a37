// Switches approval rules off for a test, and on again for the tests after it in the same company.
import type { Db } from '#platform/db/database.server.ts';

/** Switches off the active rules, or only those of a metric. Returns what switches the same ones on again. */
export async function withoutApprovalRules(db: Db, metric?: string): Promise<() => Promise<void>> {
  const off = await db
    .updateTable('approval_rule')
    .set({ active: false })
    .where('active', '=', true)
    .$if(metric !== undefined, (query) => query.where('metric', '=', metric ?? ''))
    .returning('id')
    .execute();
  return async () => {
    for (const { id } of off)
      await db.updateTable('approval_rule').set({ active: true }).where('id', '=', id).execute();
  };
}
