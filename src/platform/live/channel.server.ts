// The channel on which servers notify each other, and how code sends a message on it if no trigger does.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

export const CHANNEL = 'quoteboard';

/** Sends the message once the transaction has committed. */
export async function notifyServers(db: Db, text: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db);
}

/** Sends that something changed that belongs to a quote, without changing the version of the quote. */
export function notifyOfQuote(db: Db, quoteId: number): Promise<void> {
  return notifyServers(db, `quote ${quoteId} 0`);
}
