// The nightly job that deletes removed pictures once they can no longer be restored, first from the cloud, then from the store.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { KEPT_DAYS } from '../pictures.contract.ts';

export const purgeRemovedJob = {
  name: 'removed-pictures',
  daily: true,
  expireInSeconds: 3600,
  run: async (services: Services) => void (await purgeRemoved(services)),
} satisfies PlainJob<Services>;

/**
 * Returns the number of deleted pictures. Keeps each file that a sent quote or anything else refers to. A restored copy of the database deletes
 * nothing, because it may share the cloud and the store with the original server (docs/decisions/0040).
 */
export async function purgeRemoved(services: Services): Promise<number> {
  const { database, pictureCloud, clock } = services;
  if (await mailHeldSince(database.db)) return 0;
  const ended = await database.db
    .selectFrom('picture')
    .select(['id', 'cloud_id'])
    .where('state', '=', 'Removed')
    .where('state_at', '<', sql<string>`${clock.now()}::timestamptz - ${KEPT_DAYS} * interval '1 day'`)
    .orderBy('id')
    .execute();
  let count = 0;
  for (const { id, cloud_id } of ended) {
    // Delete from the cloud first: if the process is killed in between, the next run only deletes it once more.
    if (cloud_id !== null) await pictureCloud?.destroy(cloud_id);
    if (await removeRows(services, id)) count++;
  }
  return count;
}

async function removeRows(services: Services, id: number): Promise<boolean> {
  const keys = await inTransaction(services.database.db, async (db) => {
    const picture = await db
      .selectFrom('picture')
      .select(['state', 'file_id', 'thumb_file_id', 'medium_file_id', 'large_file_id', 'print_file_id'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // Another user restored it in the meantime.
    if (picture?.state !== 'Removed') return null;
    const files = [
      picture.file_id,
      picture.thumb_file_id,
      picture.medium_file_id,
      picture.large_file_id,
      picture.print_file_id,
    ];
    await db.deleteFrom('product_image').where('picture_id', '=', id).execute();
    await db.deleteFrom('picture').where('id', '=', id).execute();
    const gone: string[] = [];
    for (const fileId of new Set(files)) {
      if (fileId === null) continue;
      // The database refuses to delete a file that a sent quote or anything else refers to, so the file stays.
      await sql`savepoint one_file`.execute(db);
      try {
        const file = await db.deleteFrom('file').where('id', '=', fileId).returning('storage_key').executeTakeFirst();
        if (file) gone.push(file.storage_key);
      } catch (error) {
        if ((error as { code?: string }).code !== FOREIGN_KEY) throw error;
        await sql`rollback to savepoint one_file`.execute(db);
      }
    }
    return gone;
  });
  // If the process is killed here, the stored files have no row, and the job that clears orphaned files removes them.
  for (const key of keys ?? []) await services.files.remove(key);
  return keys !== null;
}

const FOREIGN_KEY = '23503';
