// The nightly job that deletes removed files and folders of contracts once nobody can restore them.
import { sql } from 'kysely';
import type { Services } from '#api/services.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { mailHeldSince } from '#features/operations/mail/outbox.server.ts';
import type { PlainJob } from '#jobs/jobs.server.ts';
import { REMOVED_DAYS } from './contract-files.contract.ts';

export const removedContractFilesJob = {
  name: 'removed-contract-files',
  daily: true,
  expireInSeconds: 3600,
  run: async (services: Services) => void (await purgeRemovedFiles(services)),
} satisfies PlainJob<Services>;

/** Returns the number of deleted files. A restored copy of the server deletes nothing, because it may share the store with the original. */
export async function purgeRemovedFiles(services: Services): Promise<number> {
  const { database, clock } = services;
  if (await mailHeldSince(database.db)) return 0;
  const ended = sql<boolean>`removed_at < ${clock.now().toISOString()}::timestamptz - ${sql.lit(REMOVED_DAYS)} * interval '1 day'`;
  const files = await database.db.selectFrom('contract_file').select('id').where(ended).orderBy('id').execute();
  for (const { id } of files) {
    const keys = await inTransaction(database.db, async (db) => {
      const { rows } = await sql<{ file_id: number }>`
        select v.file_id from contract_file f join contract_file_version v on v.contract_file_id = f.id
         where f.id = ${id} and f.${ended} for update of f`.execute(db);
      // The list is empty if somebody restored the files in the meantime.
      if (rows.length === 0) return [];
      await db.deleteFrom('contract_file').where('id', '=', id).execute();
      const removed = await sql<{ storage_key: string }>`
        delete from file where id = any(${rows.map(({ file_id }) => file_id)}::int[])
          and not exists (select from contract_loc where contract_loc.file_id = file.id) returning storage_key`.execute(
        db,
      );
      const gone = removed.rows.map(({ storage_key }) => storage_key);
      return gone;
    });
    // If the process is killed here, the stored files have no row, and the job that clears orphaned files removes them.
    for (const key of keys) await services.files.remove(key);
  }
  // Delete the innermost folders first.
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from contract_folder where ${ended}
      and not exists (select from contract_folder inner_one where inner_one.parent_id = contract_folder.id)
      and not exists (select from contract_folder part where part.removed_with = contract_folder.id)
      and not exists (select from contract_file f where f.folder_id = contract_folder.id or f.removed_with = contract_folder.id)`.execute(
      database.db,
    );
    if (numAffectedRows === 0n) return files.length;
  }
}
