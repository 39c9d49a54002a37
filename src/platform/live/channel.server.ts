// The channel on which servers hear each other, and how code speaks there where no trigger does.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

export const CHANNEL = 'quoteboard';

/** Says it once the transaction has committed. */
export async function notifyServers(db: Db, text: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db);
}

/** Says that something changed that belongs to a quote and leaves its version as it is. */
export function notifyOfQuote(db: Db, quoteId: number): Promise<void> {
  return notifyServers(db, `quote ${quoteId} 0`);
}
