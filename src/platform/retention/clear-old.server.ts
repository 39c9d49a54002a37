// The daily job that clears records after the company's retention time, in transactions of at most 1,000 rows (docs/decisions/0040).
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { afterClearing } from './doors.server.ts';
import { NOUNS, RETENTION, RETENTION_GROUPS, type RetentionGroup, type RetentionKind } from './retention-groups.ts';
import { type Batch, clearSome, type Place } from './retention-rows.server.ts';
import { firstKept, readRetention } from './read-retention.server.ts';

const AT_A_TIME = 1000;

export const retentionJob = {
  name: 'retention',
  daily: true,
  expireInSeconds: 4 * 3600,
  run: async (services: Services) => void (await clearOld(services)),
} satisfies PlainJob<Services>;

/**
 * Returns how many rows it cleared. A killed or stopped run leaves whole transactions; the next try continues. Clears nothing in a restored copy
 * while its mail is held, because the copy may share the file store with the original server.
 */
export async function clearOld(services: Services, atATime = AT_A_TIME): Promise<number> {
  if (await mailHeldSince(services.database.db)) return 0;
  let cleared = 0;
  for (const group of RETENTION_GROUPS)
    for (const kind of RETENTION[group].kinds) cleared += await clearKind(services, { group, kind }, atATime);
  for (const { entry } of afterClearing.entries()) await entry(services);
  return cleared;
}

type Cleared = { group: RetentionGroup; kind: RetentionKind };

async function clearKind(services: Services, what: Cleared, atATime: number): Promise<number> {
  let cleared = 0;
  for (let from: Place | null | undefined; from !== null; ) {
    if (services.jobs.isStopping()) throw new Error('The server stops. The next try of this job goes on.');
    const batch = await clearBatch(services, what, from ?? null, atATime);
    // If the process is killed here, the stored files have no row, and the job for orphaned files removes them.
    for (const key of batch?.storageKeys ?? []) await services.files.remove(key);
    cleared += batch?.cleared ?? 0;
    from = batch?.next ?? null;
  }
  return cleared;
}

/** Runs one transaction. Returns null if the group is kept forever. */
function clearBatch(services: Services, what: Cleared, from: Place | null, atATime: number): Promise<Batch | null> {
  return inTransaction(services.database.db, async (db) => {
    // Read each time, so that a longer retention time applies as soon as it is saved.
    const { group, kind } = what;
    const months = (await readRetention(db, 'share')).months[group];
    if (months === null) {
      await recordCleared(db, what);
      return null;
    }
    const { day, before } = await firstKept(db, services, months);
    const batch = await clearSome(db, { kind, before }, from, atATime);
    if (batch.cleared > 0) await noteCleared(db, kind, day, batch);
    if (batch.next === null) await recordCleared(db, what);
    return batch;
  });
}

async function noteCleared(
  db: Db,
  kind: RetentionKind,
  day: IsoDate,
  { cleared, through }: { cleared: number; through: number },
): Promise<void> {
  await db
    .insertInto('retention_cleared')
    .values({ kind, before_day: day, through, untold: cleared })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet((eb) => ({
        before_day: eb.fn('greatest', [eb.ref('retention_cleared.before_day'), eb.ref('excluded.before_day')]),
        through: eb.fn('greatest', [eb.ref('retention_cleared.through'), eb.ref('excluded.through')]),
        untold: eb('retention_cleared.untold', '+', eb.ref('excluded.untold')),
      })),
    )
    .execute();
}

/** Records one event for everything of a kind that this run, and its killed tries, cleared. */
async function recordCleared(db: Db, { group, kind }: Cleared): Promise<void> {
  const done = await db
    .selectFrom('retention_cleared')
    .select(['before_day', 'untold'])
    .where('kind', '=', kind)
    .where('untold', '>', 0)
    .forUpdate()
    .executeTakeFirst();
  if (!done) return;
  await db.updateTable('retention_cleared').set({ untold: 0 }).where('kind', '=', kind).execute();
  await recordChange(db, null, {
    type: 'retention',
    id: 1,
    name: 'Retention',
    action: 'Clear',
    comment: `${RETENTION[group].label}: ${countOf(done.untold, ...NOUNS[kind])} from before ${formatDate(done.before_day)}.`,
  });
}
