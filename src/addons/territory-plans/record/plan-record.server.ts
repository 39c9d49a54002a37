// Reads a plan, its changes since a version, and its effect; locks it and records its changes of state.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today as companyToday } from '#platform/company/company.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { bumpRecord } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { areaZips } from './area-zips.server.ts';
import { planConflicts } from './plan-conflicts.server.ts';
import { planEffects } from './plan-effects.server.ts';
import { requirePlan, seesAllPlans } from '#core/territories/territories/plan-sight.server.ts';
import type { LoadedMap, Move, PlanChanges, PlanWork, Weight } from '../territory-plans.contract.ts';

export type Asking = { db: Db; user: Caller; services: Services };
export type Plan = Awaited<ReturnType<typeof requirePlan>>;

export async function companyDay({ db, services }: Pick<Asking, 'db' | 'services'>): Promise<IsoDate> {
  return companyToday(services, await loadCompany(db));
}

/** The day for which a draft's conflicts and effects are computed: its effective day, or today if that is past. */
export const judgedOn = (plan: Pick<Plan, 'effective_day'>, today: IsoDate): IsoDate =>
  plan.effective_day < today ? today : plan.effective_day;

/** Reads a plan as the screen shows it. The caller has checked that the user may see it. */
export async function loadPlan(asking: Asking, plan: Plan): Promise<LoadedMap> {
  return {
    ...(await recordOf(asking, plan)),
    moves: (await movesSince(asking.db, plan.id, 0)).moves,
    ...(await weighPlan(asking, plan)),
  };
}

/** Reads the plan and the moves changed since a version. `since` 0 reads all. The caller has checked that the user may see it. */
export async function changesOf(asking: Asking, plan: Plan, since: number): Promise<PlanChanges> {
  return { ...(await recordOf(asking, plan)), ...(await movesSince(asking.db, plan.id, since)) };
}

/** Finds the conflicts that prevent publishing a plan, and its effect. */
export async function weighPlan({ db, user, services }: Asking, plan: Plan): Promise<Weight> {
  const isDraft = plan.state === 'Draft';
  const day = isDraft ? judgedOn(plan, await companyDay({ db, services })) : plan.effective_day;
  return {
    conflicts: isDraft ? await planConflicts(db, plan.id, day) : [],
    ...(await planEffects(db, user, plan.id, day, await areaZips(db))),
  };
}

async function recordOf(
  { db, user, services }: Asking,
  plan: Plan,
): Promise<Pick<LoadedMap, 'map' | 'allowed' | 'today'>> {
  const work = await workOf(db, plan.id);
  const isIdle = !work || work.error !== '';
  const isDraft = plan.state === 'Draft';
  const readers = await readersOf(db, plan.id);
  const names = await db
    .selectFrom('territory_plan')
    .innerJoin('app_user as owner', 'owner.id', 'owner_id')
    .select(['owner.full_name as owner', whoDid('published_by').as('publisher')])
    .where('territory_plan.id', '=', plan.id)
    .executeTakeFirstOrThrow();
  const mine = plan.owner_id === user.id || seesAllPlans(user);
  const mayPublish = hasRole(user, 'systemadmin', 'salesadmin');
  const edit = isIdle && isDraft && (mine || readers.some((reader) => reader.user.id === user.id && reader.mayEdit));
  return {
    map: {
      id: plan.id,
      name: plan.name,
      note: plan.note,
      state: plan.state as LoadedMap['map']['state'],
      owner: { id: plan.owner_id, name: names.owner },
      readers,
      baseDay: plan.base_day,
      effectiveDay: plan.effective_day,
      publishedAt: plan.published_at,
      publishedBy: names.publisher,
      work,
      version: plan.version,
    },
    allowed: {
      edit,
      share: isIdle && mine && plan.state !== 'Archived',
      publish: isIdle && isDraft && mayPublish,
      rollBack: isIdle && plan.state === 'Published' && mayPublish,
      archive: isIdle && mine,
    },
    today: await companyDay({ db, services }),
  };
}

async function movesSince(db: Db, planId: number, since: number): Promise<Pick<PlanChanges, 'moves' | 'takenBack'>> {
  const named = (id: string) =>
    sql<Named | null>`(select json_build_object('id', t.id, 'name', t.name) from territory t where t.id = ${sql.ref(id)})`;
  const { rows: moves } = await sql<Move>`
    select m.zip5 as zip, coalesce(z.city, '') as city, coalesce(z.state, '') as state, coalesce(z.county, '') as county,
           ${named('m.from_territory_id')} as from, ${named('m.to_territory_id')} as to, ${whoDid('m.changed_by')} as "changedBy"
      from territory_plan_move m left join zip z on z.zip5 = m.zip5
     where m.plan_id = ${planId} and not m.gone and m.version > ${since} order by m.zip5`.execute(db);
  const { rows: gone } = await sql<{ zip: string }>`
    select zip5 as zip from territory_plan_move where plan_id = ${planId} and gone and version > ${since} order by 1`.execute(
    db,
  );
  return { moves, takenBack: since === 0 ? [] : gone.map(({ zip }) => zip) };
}

export function readersOf(db: Db, planId: number) {
  return db
    .selectFrom('territory_plan_reader as r')
    .innerJoin('app_user as u', 'u.id', 'r.user_id')
    .select([sql<Named>`json_build_object('id', u.id, 'name', u.full_name)`.as('user'), 'r.may_edit as mayEdit'])
    .where('r.plan_id', '=', planId)
    .orderBy('u.full_name')
    .execute();
}

/** Records a step of a plan in its history and returns the plan's new version. */
export async function recordStep(
  { db, user }: { db: Db; user: Pick<Caller, 'id' | 'fullName'> },
  plan: Plan,
  action: RecordAction,
  values: Parameters<typeof bumpRecord<'territoryPlan'>>[3],
  comment = '',
): Promise<number> {
  const { version } = await bumpRecord(db, 'territoryPlan', plan.id, values ?? {});
  await recordChange(db, user, { type: 'territoryPlan', id: plan.id, name: plan.name, action, version, comment });
  return version;
}

/** Throws 409 if another user changed it, with the current plan. */
export function requireVersion(db: Db, plan: Plan, version: number | undefined): Promise<void> {
  return requireFresh(db, 'territoryPlan', plan, version, {
    name: plan.name,
    note: plan.note,
    effectiveDay: plan.effective_day,
    version: plan.version,
  });
}

/**
 * Locks a plan for a step until the transaction ends, and clears the error of a failed job. Throws 404 if the user may not see the plan, and 409
 * while a job is working on it.
 */
export async function lockPlan(asking: Asking, id: number): Promise<Plan> {
  const { db } = asking;
  // Also checks before locking, so that no one waits for the job.
  await requireIdle(db, (await requirePlan(asking, id)).id);
  const plan = await requirePlan(asking, id, 'lock');
  await requireIdle(db, plan.id);
  await db.deleteFrom('territory_plan_work').where('plan_id', '=', plan.id).execute();
  return plan;
}

async function requireIdle(db: Db, planId: number): Promise<void> {
  const work = await workOf(db, planId);
  if (work && work.error === '')
    throw new HttpError(409, `This plan is being ${work.action === 'Publish' ? 'published' : 'rolled back'}.`);
}

/** The job that works on a plan or failed on it. Null if there is none. */
async function workOf(db: Db, planId: number): Promise<PlanWork | null> {
  const row = await db
    .selectFrom('territory_plan_work as w')
    .select(['w.effective_day as effectiveDay', 'w.done', 'w.total', 'w.error'])
    .select([sql<PlanWork['action']>`w.action`.as('action'), whoDid('w.asked_by').as('by')])
    .where('w.plan_id', '=', planId)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws 403 unless the user may change the plan, and 409 if it is not a draft. */
export async function requireEditable({ db, user }: Asking, plan: Plan): Promise<void> {
  const reader = await db
    .selectFrom('territory_plan_reader')
    .select('may_edit')
    .where('plan_id', '=', plan.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (plan.owner_id !== user.id && !seesAllPlans(user) && !reader?.may_edit)
    throw new HttpError(403, 'You can view this plan but not change it. Copy it to make changes.');
  if (plan.state !== 'Draft')
    throw new HttpError(409, `This plan is ${STATE_WORDS[plan.state] ?? 'closed'}. Copy it to plan more changes.`);
}

const STATE_WORDS: Record<string, string> = { Published: 'published', RolledBack: 'rolled back', Archived: 'archived' };
