// Marks a transaction as the work of an API key.
import { sql } from 'kysely';
import type { Db } from './database.server.ts';

/** For the rest of this transaction, each column that records who did something also records this key (migration 0071). */
export async function actByKey(transaction: Db, keyId: number | null | undefined): Promise<void> {
  if (keyId) await sql`select set_config('quoteboard.key_id', ${String(keyId)}, true)`.execute(transaction);
}
