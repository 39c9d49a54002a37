// The notifications of a user.
import type { Db } from '#platform/db/database.server.ts';

/** The kinds, oldest first; with a quote, only those about it. */
export async function notifiedKinds(db: Db, user: { id: number }, quoteId?: number): Promise<string[]> {
  const rows = await db
    .selectFrom('notification')
    .select('kind')
    .where('user_id', '=', user.id)
    .$if(quoteId !== undefined, (query) => query.where('quote_id', '=', quoteId ?? 0))
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
}
