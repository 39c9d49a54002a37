// Removes stored files after a failed transaction.
import { isUnreachable } from '#platform/db/database.server.ts';
import type { FileStore } from './file-store.server.ts';

/**
 * Removes the files of a transaction that failed with `error`. If the connection broke, the transaction may have committed, and its rows refer to the
 * files. They are then kept, and the daily job removes those without a row.
 */
export async function removeUncommitted(files: FileStore, keys: readonly string[], error: unknown): Promise<void> {
  if (isUnreachable(error)) return;
  await Promise.all(keys.map((key) => files.remove(key).catch(() => {})));
}
