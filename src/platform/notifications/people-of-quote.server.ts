// Finds the sellers and the back office of quotes, who are notified when a quote expires or its customer acts.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Recipient } from './notify.server.ts';

/** Returns the sales rep of each quote, and its assignee if active, otherwise its owner. */
export async function repSideOf(db: Db, quoteIds: readonly number[]): Promise<Recipient[]> {
  if (quoteIds.length === 0) return [];
  const { rows } = await sql<{ quoteId: number; userId: number }>`
    select q.id as "quoteId", unnest(array[q.sales_rep_id, coalesce(assignee.id, q.owner_id)]) as "userId"
    from quote q left join app_user assignee on assignee.id = q.assignee_id and assignee.active
    where q.id = any(${[...quoteIds]}::int[]) order by 1, 2`.execute(db);
  return rows;
}
