// Deletes stored files that no row refers to. A killed process or a failed transaction can leave them behind.
import type { Services } from '#platform/api/services.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';

const DAY_MS = 24 * 3_600_000;
const BATCH = 500;
/** Up to this number of orphans are deleted even if they are most of the store. */
const FEW = 100;

export const orphanedFilesJob = {
  name: 'orphaned-files',
  daily: true,
  expireInSeconds: 4 * 3600,
  run: async (services: Services) => void (await removeOrphans(services)),
} satisfies PlainJob<Services>;

/**
 * Deletes files older than a day that no row refers to, and returns their number. Does nothing in a restored copy, which may share the store with
 * the original server. Does nothing if most files are orphans, because the store then probably belongs to another database.
 */
export async function removeOrphans(services: Services): Promise<number> {
  const { database, files, clock, log } = services;
  if (await mailHeldSince(database.db)) return 0;
  const orphans: string[] = [];
  let remaining = 0;
  let batch: string[] = [];
  const look = async () => {
    const rows = await database.db
      .selectFrom('file')
      .select('storage_key')
      .where('storage_key', '=', (eb) => eb.fn.any(eb.val(batch)))
      .execute();
    const known = new Set(rows.map((row) => row.storage_key));
    remaining += known.size;
    orphans.push(...batch.filter((key) => !known.has(key)));
    batch = [];
  };
  for await (const key of files.list(new Date(clock.now().getTime() - DAY_MS))) {
    batch.push(key);
    if (batch.length >= BATCH) await look();
  }
  await look();
  if (orphans.length > Math.max(FEW, remaining)) {
    log.warn(
      { orphans: orphans.length, kept: remaining },
      'most files belong to no row, so none is removed: does STORAGE_URL belong to this database?',
    );
    return 0;
  }
  for (const key of orphans) await files.remove(key);
  if (orphans.length > 0) log.warn({ removed: orphans.length }, 'files that no row refers to were removed');
  return orphans.length;
}
