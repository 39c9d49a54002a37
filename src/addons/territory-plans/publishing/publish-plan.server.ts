// Publishes plans and rolls them back: ends and begins assignments in one transaction, and records every change for the rollback.
import { type RawBuilder, sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { tellTerritories, writeZipAssignments } from '#core/territories/territories/write-assignments.server.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { someOf } from '#platform/shared/first-few.ts';
import { planConflicts } from '../record/plan-conflicts.server.ts';
import { companyDay, type Plan, recordStep } from '../record/plan-record.server.ts';

type Person = { id: number; fullName: string };
type Asking = { db: Db; services: Services; user: Person };
type Written = { ends: number; begins: number };

/** The number of ZIPs to write at a time, so that progress can be reported. */
const PORTION = 5000;

const ENDS = (planId: number, day: IsoDate, within: RawBuilder<unknown> = sql`true`) => sql`
  select z.id, z.zip5, z.territory_id, z.valid_from, z.valid_to as was_to, ${addDays(day, -1)}::date as last_day
    from zip_assignment z join territory_plan_move m on m.plan_id = ${planId} and not m.gone and m.zip5 = z.zip5 and ${within}
   where z.valid_from < ${day}::date and (z.valid_to is null or z.valid_to >= ${day}::date)`;
const BEGINS = (planId: number, day: IsoDate, within: RawBuilder<unknown> = sql`true`) => sql`
  select zip5, to_territory_id as territory_id, ${day}::date as first_day, null::date as last_day
    from territory_plan_move m where plan_id = ${planId} and not gone and to_territory_id is not null and ${within}`;

/** Counts the assignments that publishing from a day on would end and begin. */
export async function countWrites(db: Db, planId: number, day: IsoDate): Promise<Written> {
  const { rows } = await sql<Written>`
    select (select count(*) from (${ENDS(planId, day)}) e) as ends, (select count(*) from (${BEGINS(planId, day)}) b) as begins`.execute(
    db,
  );
  return rows[0] ?? { ends: 0, begins: 0 };
}

/** Throws 422 for a day in the past. */
export async function requireNotPast(asking: Pick<Asking, 'db' | 'services'>, day: IsoDate): Promise<void> {
  if (day < (await companyDay(asking)))
    throw invalid([{ path: 'effectiveFrom', message: 'This day has passed. Choose today or a later day.' }]);
}

/** Throws 409 with the conflicts that prevent publishing the plan from a day on, and 422 for a day in the past. */
export async function requirePublishable(
  asking: Pick<Asking, 'db' | 'services'>,
  planId: number,
  day: IsoDate,
): Promise<void> {
  await requireNotPast(asking, day);
  const conflicts = await planConflicts(asking.db, planId, day);
  if (conflicts.length === 0) return;
  const named = conflicts
    .slice(0, 10)
    .map(({ text }) => text)
    .join(' ');
  const more = conflicts.length > 10 ? ` And ${conflicts.length - 10} more.` : '';
  throw new HttpError(409, `The plan no longer matches the current assignments. ${named}${more}`);
}

/** Publishes a draft from a day on, or throws with its conflicts. The caller has locked the assignments and the plan. */
export async function publishNow(
  asking: Asking,
  plan: Plan,
  day: IsoDate,
  tell: (done: number) => void = () => {},
): Promise<Written & { version: number }> {
  const { db, user, services } = asking;
  await requirePublishable(asking, plan.id, day);
  const written = await writePlan(db, user, plan, day, tell);
  const now = services.clock.now();
  const version = await recordStep(asking, plan, 'Publish', {
    state: 'Published',
    effective_day: day,
    published_at: now,
    published_by: user.id,
    changed_at: now,
    changed_by: user.id,
  });
  return { ...written, version };
}

/** Rolls a published plan back, or throws an error that names later changes to its ZIPs. The caller has locked the assignments and the plan. */
export async function rollBackNow(asking: Asking, plan: Plan): Promise<void> {
  const { db, user, services } = asking;
  await takeBack(db, user, plan, await companyDay(asking));
  const now = services.clock.now();
  await recordStep(asking, plan, 'Roll back', {
    state: 'RolledBack',
    rolled_back_at: now,
    changed_at: now,
    changed_by: user.id,
  });
}

/**
 * Writes the moves as assignments from a day on. The caller has locked the assignments and found no conflict. It deletes nothing: assignments of
 * other territories end the day before. It calls `tell` with the number of ZIPs written so far.
 */
export async function writePlan(
  db: Db,
  author: Person,
  plan: { id: number; name: string },
  day: IsoDate,
  tell: (done: number) => void = () => {},
): Promise<Written> {
  const written = await countWrites(db, plan.id, day);
  const { rows: moves } = await sql<{ zip: string }>`
    select zip5 as zip from territory_plan_move where plan_id = ${plan.id} and not gone order by 1`.execute(db);
  for (let done = 0; done < moves.length; done += PORTION) {
    tell(done);
    const portion = moves.slice(done, done + PORTION);
    await writePortion(db, plan.id, day, sql`m.zip5 between ${portion[0]?.zip} and ${portion.at(-1)?.zip}`);
  }
  tell(moves.length);
  await sql`update territory_plan set last_assignment_id = (select max(id) from zip_assignment) where id = ${plan.id}`.execute(
    db,
  );
  await recordInHistories(db, author, plan, `from ${formatDate(day)}, by the plan ${plan.name}`);
  return written;
}

async function writePortion(db: Db, planId: number, day: IsoDate, within: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from zip_assignment`.execute(db);
  const last = rows[0]?.last ?? 0;
  await sql`insert into territory_plan_write (plan_id, assignment_id, zip5, territory_id, kind, valid_from, was_to, valid_to)
    select ${planId}, id, zip5, territory_id, 'end', valid_from, was_to, last_day from (${ENDS(planId, day, within)}) e`.execute(
    db,
  );
  await writeZipAssignments(db, {
    ends: sql`select assignment_id as id, valid_to as last_day from territory_plan_write m
      where plan_id = ${planId} and kind = 'end' and ${within}`,
    begins: BEGINS(planId, day, within),
  });
  // The lock prevents all other writes of assignments, so all new ones belong to this plan.
  await sql`insert into territory_plan_write (plan_id, assignment_id, zip5, territory_id, kind, valid_from, was_to, valid_to)
    select ${planId}, id, zip5, territory_id, 'begin', valid_from, null, valid_to from zip_assignment where id > ${last}`.execute(
    db,
  );
}

/**
 * Restores the assignments that a plan changed. It removes future ones, ends current ones yesterday (or today, if they began today), and resumes the
 * previous ones the next day. Throws 409 with the ZIPs that were changed since.
 */
async function takeBack(db: Db, author: Person, plan: { id: number; name: string }, today: IsoDate): Promise<void> {
  const { rows: changed } = await sql<{ zip5: string; why: string }>`
    select distinct on (zip5) zip5, why from (
      select w.zip5, case when z.id is null then 'its assignment is gone' else 'its assignment was changed' end as why
        from territory_plan_write w left join zip_assignment z on z.id = w.assignment_id
       where w.plan_id = ${plan.id} and (z.id is null or z.territory_id <> w.territory_id or z.valid_from <> w.valid_from
         or z.valid_to is distinct from w.valid_to)
      union all
      select z.zip5, 'it was assigned again'
        from zip_assignment z join territory_plan p on p.id = ${plan.id} and z.id > p.last_assignment_id
       where z.zip5 in (select zip5 from territory_plan_write where plan_id = ${plan.id})) found
     order by zip5`.execute(db);
  if (changed.length > 0) {
    const named = changed.slice(0, 10).map(({ zip5, why }) => `${zip5} (${why})`);
    const more = changed.length > 10 ? ` and ${changed.length - 10} more` : '';
    throw new HttpError(
      409,
      `This plan cannot be rolled back because ZIPs have changed since it was published: ${named.join(', ')}${more}. Change these ZIPs in their territories instead.`,
    );
  }
  const begun = sql`(valid_from <= ${today}::date)`;
  // The last day of a begun assignment: yesterday, or today if it began today.
  const lastDay = sql`greatest(valid_from, ${addDays(today, -1)}::date)`;
  await sql`delete from zip_assignment where id in (
    select assignment_id from territory_plan_write where plan_id = ${plan.id} and kind = 'begin' and not ${begun})`.execute(
    db,
  );
  await writeZipAssignments(db, {
    ends: sql`
      select assignment_id as id, ${lastDay} as last_day from territory_plan_write
      where plan_id = ${plan.id} and kind = 'begin' and ${begun}
      union all
      select assignment_id, was_to from territory_plan_write
       where plan_id = ${plan.id} and kind = 'end' and valid_to + 1 > ${today}::date`,
    begins: sql`
      select w.zip5, w.territory_id, coalesce(b.resumes, ${today}::date) as first_day, w.was_to as last_day
        from territory_plan_write w
        left join (select zip5, ${lastDay} + 1 as resumes from territory_plan_write
          where plan_id = ${plan.id} and kind = 'begin' and ${begun}) b
          on b.zip5 = w.zip5
       where w.plan_id = ${plan.id} and w.kind = 'end' and w.valid_to + 1 <= ${today}::date
         and (w.was_to is null or w.was_to >= coalesce(b.resumes, ${today}::date))`,
  });
  await recordInHistories(db, author, plan, `back to before the plan ${plan.name}`);
}

const MAX_LISTED = 20;

/** Records the change in the history of each territory that gained or lost ZIPs. */
async function recordInHistories(db: Db, author: Person, { id }: { id: number }, words: string): Promise<void> {
  const { rows } = await sql<{ id: number; gained: string[] | null; given: string[] | null }>`
    select t.id, array_agg(m.zip5 order by m.zip5) filter (where m.to_territory_id = t.id) as gained,
           array_agg(m.zip5 order by m.zip5) filter (where m.from_territory_id = t.id) as given
      from territory_plan_move m join territory t on t.id in (m.from_territory_id, m.to_territory_id)
     where m.plan_id = ${id} and not m.gone and m.from_territory_id is distinct from m.to_territory_id
     group by t.id order by t.id`.execute(db);
  const back = words.startsWith('back');
  await tellTerritories(
    db,
    author,
    'Edit',
    rows.map(({ id: territory, gained, given }) => ({
      id: territory,
      comment: '',
      changes: [
        ...(gained ? [zipChange(gained, back ? 'given' : 'gained', words)] : []),
        ...(given ? [zipChange(given, back ? 'gained' : 'given', words)] : []),
      ],
    })),
  );
}

function zipChange(zips: readonly string[], which: 'gained' | 'given', words: string) {
  const listed = someOf(MAX_LISTED, zips);
  return which === 'gained'
    ? { field: 'ZIPs', before: '', after: `${listed} ${words}` }
    : { field: 'ZIPs', before: `${listed} ${words}`, after: '' };
}
