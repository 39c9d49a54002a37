// Reads how long each group is kept, and the day before which records are cleared.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Months } from './retention.contract.ts';
import { RETENTION_GROUPS } from './retention-groups.ts';

/** `lock` prevents others from saving until the transaction ends; 'share' still allows others to read with the same lock. */
export async function readRetention(db: Db, lock?: 'update' | 'share'): Promise<{ version: number; months: Months }> {
  const query = db.selectFrom('retention').select(['version', ...RETENTION_GROUPS]);
  const { version, ...months } = await (lock === 'update'
    ? query.forUpdate()
    : lock === 'share'
      ? query.forShare()
      : query
  ).executeTakeFirstOrThrow();
  return { version, months };
}

/** Returns the first day that is kept, and when it began in the company's time zone. */
export async function firstKept(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  months: number,
): Promise<{ day: IsoDate; before: string }> {
  const { rows } = await sql<{ day: IsoDate; before: string }>`
    select day::text as day, (day::timestamp at time zone time_zone)::text as before
    from (select ((${clock.now().toISOString()}::timestamptz at time zone time_zone)::date
      - make_interval(months => ${months}::int))::date as day, time_zone from company) c`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('There is no company.');
  return first;
}
