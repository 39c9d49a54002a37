// The job that lists what the cloud holds, every night and on request. An interrupted comparison continues where it stopped.
import { sql } from 'kysely';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { GivenUp, type PlainJob } from '#jobs/jobs.server.ts';
import { CloudError, type CloudFile } from '#outside/picture-cloud.server.ts';
import { compareCloud } from './cloud-jobs.server.ts';
import { isComparing } from './cloud-library.server.ts';

export const compareCloudJob = {
  ...compareCloud,
  daily: true,
  expireInSeconds: 3600,
  run: async (services: Services) => {
    const { pictureCloud: cloud, database } = services;
    if (!cloud) return;
    const { startedAt, cursor } = await beginComparison(services);
    try {
      for (let next = cursor, more = true; more; ) {
        const page = await cloud.list(next);
        next = page.next;
        more = next !== undefined;
        await inTransaction(database.db, async (db) => {
          await noteSeen(db, page.files, startedAt);
          await db
            .updateTable('cloud_comparison')
            .set({ next_cursor: next ?? null })
            .execute();
        });
      }
      await inTransaction(database.db, async (db) => {
        await db.deleteFrom('cloud_picture').where('seen_at', '<', startedAt).execute();
        await db
          .updateTable('cloud_comparison')
          .set({ finished_at: services.clock.now(), next_cursor: null, problem: '' })
          .execute();
      });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      // If the cloud no longer knows the position, the next try starts over.
      const stale = !error.passing && cursor !== undefined;
      const again = error.passing || stale;
      await database.db
        .updateTable('cloud_comparison')
        .set({
          problem: again ? `${error.message} It will be tried again automatically.` : error.message,
          ...(stale ? { next_cursor: null } : {}),
        })
        .execute();
      throw again ? error : new GivenUp(error.message, { cause: error });
    }
  },
} satisfies PlainJob<Services>;

/** Continues an unfinished comparison, or begins one. */
async function beginComparison({
  database,
  clock,
}: Services): Promise<{ startedAt: string; cursor: string | undefined }> {
  return inTransaction(database.db, async (db) => {
    const last = await db.selectFrom('cloud_comparison').selectAll().forUpdate().executeTakeFirstOrThrow();
    if (isComparing(last) && last.started_at) {
      await db.updateTable('cloud_comparison').set({ problem: '' }).execute();
      return { startedAt: last.started_at, cursor: last.next_cursor ?? undefined };
    }
    return { startedAt: await startComparison(db, clock.now()), cursor: undefined };
  });
}

/** Records that a comparison began and is now running. */
export async function startComparison(db: Db, now: Date): Promise<string> {
  const { started_at } = await db
    .updateTable('cloud_comparison')
    .set({ started_at: now, next_cursor: null, problem: '' })
    .returning('started_at')
    .executeTakeFirstOrThrow();
  return started_at ?? '';
}

async function noteSeen(db: Db, files: readonly CloudFile[], seenAt: string): Promise<void> {
  if (files.length === 0) return;
  await db
    .insertInto('cloud_picture')
    // The database would refuse a whole page that repeats an entry.
    .values(
      [...new Map(files.map((file) => [file.cloudId, file])).values()].map(({ cloudId, size, format }) => ({
        cloud_id: cloudId,
        size: Math.min(size, 2_147_483_647),
        format,
        seen_at: seenAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('cloud_id').doUpdateSet({
        size: sql`excluded.size`,
        format: sql`excluded.format`,
        seen_at: sql`greatest(cloud_picture.seen_at, excluded.seen_at)`,
      }),
    )
    .execute();
}
