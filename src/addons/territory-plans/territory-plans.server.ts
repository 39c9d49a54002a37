// Answers the TerritoryPlans calls.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { lockZipAssignments } from '#core/territories/territories/write-assignments.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import { areaZips } from './record/area-zips.server.ts';
import { countConflicts, planConflicts } from './record/plan-conflicts.server.ts';
import { planEffects } from './record/plan-effects.server.ts';
import {
  type Asking,
  changesOf,
  companyDay,
  loadPlan,
  lockPlan,
  type Plan,
  requireVersion,
  recordStep,
  weighPlan,
} from './record/plan-record.server.ts';
import { savePlan } from './record/save-plan.server.ts';
import {
  planInSight,
  requireMapTool,
  requirePlan,
  seesAllPlans,
} from '#core/territories/territories/plan-sight.server.ts';
import { MAX_AT_ONCE, queuePlanWork } from './publishing/plan-work.server.ts';
import {
  countWrites,
  publishNow,
  requireNotPast,
  requirePublishable,
  rollBackNow,
} from './publishing/publish-plan.server.ts';
import type { SavedMapRow, TerritoryPlans } from './territory-plans.contract.ts';

export const territoryPlanAnswers: Answers<typeof TerritoryPlans> = {
  getSavedMaps: async ({ db, user, services }, { keyword, state, own, ...criteria }) => {
    requireMapTool({ user, services });
    const today = await companyDay({ db, services });
    const moves = sql<number>`(select count(*)::int from territory_plan_move m where m.plan_id = territory_plan.id and not m.gone)`;
    const query = db
      .selectFrom('territory_plan')
      .innerJoin('app_user as owner', 'owner.id', 'territory_plan.owner_id')
      .select([
        'territory_plan.id',
        'name',
        'note',
        'effective_day as effectiveDay',
        'territory_plan.version',
        'changed_at as changedAt',
      ])
      .select([
        sql<SavedMapRow['state']>`state`.as('state'),
        sql<Named>`json_build_object('id', owner.id, 'name', owner.full_name)`.as('owner'),
        sql<boolean>`territory_plan.owner_id = ${user.id}`.as('own'),
        sql<number>`(select count(*)::int from territory_plan_reader r where r.plan_id = territory_plan.id)`.as(
          'sharedWith',
        ),
        moves.as('moves'),
        sql<number>`case when state = 'Draft' then ${countConflicts(
          sql`territory_plan.id`,
          sql`greatest(territory_plan.effective_day,
          ${today}::date)`,
        )} else 0 end`.as('conflicts'),
        sql<
          SavedMapRow['working']
        >`(select w.action from territory_plan_work w where w.plan_id = territory_plan.id and w.error = '')`.as(
          'working',
        ),
        whoDid('territory_plan.changed_by').as('changedBy'),
      ])
      .where(planInSight(user))
      .where('state', state ? '=' : '<>', state ?? 'Archived')
      .$if(own === true, (qb) => qb.where('territory_plan.owner_id', '=', user.id))
      .$if(Boolean(keyword), (qb) =>
        qb.where(
          holds(sql`territory_plan.name || ' ' || territory_plan.note || ' ' || owner.full_name`, keyword ?? ''),
        ),
      );
    return pageFrom(query, criteria, {
      sorts: {
        name: sql`lower(territory_plan.name)`,
        owner: sql`lower(owner.full_name)`,
        effectiveDay: sql`effective_day`,
        changedAt: sql`changed_at`,
        state: sql`state`,
        moves,
      },
      key: sql`territory_plan.id`,
      first: { field: 'changedAt', dir: 'desc' },
    });
  },

  /** Throws 404 for a plan that the caller may not see. */
  loadSavedMap: async (asking, { id }) => loadPlan(asking, await requirePlan(asking, id)),

  changesOfSavedMap: async (asking, { id, version }) => changesOf(asking, await requirePlan(asking, id), version),

  weighSavedMap: async (asking, { id }) => {
    const plan = await requirePlan(asking, id);
    return { ...(await weighPlan(asking, plan)), version: plan.version };
  },

  /** Throws 409 if another user has changed the plan since `version`, and 422 for a move that is not possible. */
  saveSavedMap: async (asking, input) => {
    requireMapTool(asking);
    return changesOf(asking, await savePlan(asking, input), input.map.id === 0 ? 0 : (input.version ?? 0));
  },

  copySavedMap: async (asking, { id, name }) => {
    const plan = await requirePlan(asking, id);
    const today = await companyDay(asking);
    const { rows } = await sql<{ zip: string; to: number | null; fits: boolean }>`
      select m.zip5 as zip, m.to_territory_id as to, t.active is not false as fits
        from territory_plan_move m left join territory t on t.id = m.to_territory_id
       where m.plan_id = ${plan.id} and not m.gone`.execute(asking.db);
    const effectiveDay = plan.effective_day < today ? today : plan.effective_day;
    const map = { id: 0, name, note: plan.note, effectiveDay };
    const moves = rows.filter(({ fits }) => fits).map(({ zip, to }) => ({ zip, to, gone: false }));
    const copy = await changesOf(asking, await savePlan(asking, { map, moves }), 0);
    return {
      ...copy,
      leftOut: { inactive: rows.length - moves.length, there: moves.length - copy.moves.length },
    };
  },

  archiveSavedMap: async (asking, { id, version, archived }) => {
    const { db, user } = asking;
    const plan = await lockPlan(asking, id);
    requireOwner(asking, plan);
    if ((plan.state === 'Archived') === archived) return { id, state: plan.state as 'Draft', version: plan.version };
    await requireVersion(db, plan, version);
    const state = (archived ? 'Archived' : (plan.archived_from ?? 'Draft')) as SavedMapRow['state'];
    const next = await recordStep(asking, plan, archived ? 'Archive' : 'Unarchive', {
      state,
      archived_from: archived ? plan.state : null,
      changed_at: asking.services.clock.now(),
      changed_by: user.id,
    });
    return { id, state, version: next };
  },

  /**
   * Throws 409 with the conflicts in words, for a plan that is not a draft, and if another user changed it. Throws 422 for a day in the past. A job
   * publishes a plan of many moves, and checks it once more.
   */
  publishSavedMap: async (asking, { id, version, effectiveFrom, apply }) => {
    const { db, user } = asking;
    const { moves } = await requireMoves(db, (await requirePlan(asking, id)).id);
    const isLong = moves > MAX_AT_ONCE;
    if (apply && !isLong) await lockZipAssignments(db);
    const plan = await (apply ? lockPlan(asking, id) : requirePlan(asking, id));
    if (plan.state !== 'Draft') throw new HttpError(409, 'Only a draft can be published.');
    // Refuses if another user changed the plan while this counted the moves.
    if (apply) await requireVersion(db, plan, version);
    if (apply && isLong) await requirePublishable(asking, id, effectiveFrom);
    else await requireNotPast(asking, effectiveFrom);
    const run = {
      moves,
      conflicts: apply ? [] : await planConflicts(db, id, effectiveFrom),
      effects: (await planEffects(db, user, id, effectiveFrom, await areaZips(db))).effects,
      ...(await countWrites(db, id, effectiveFrom)),
      version: plan.version,
    };
    if (apply && isLong) await queuePlanWork(asking, id, { action: 'Publish', day: effectiveFrom, moves });
    if (!apply || isLong) return { applied: false, queued: apply, ...run };
    return { applied: true, queued: false, ...run, ...(await publishNow(asking, plan, effectiveFrom)) };
  },

  /** A job rolls back a plan of many moves. */
  rollbackSavedMap: async (asking, { id, version }) => {
    const { db } = asking;
    const moves = await countMoves(db, (await requirePlan(asking, id)).id);
    if (moves <= MAX_AT_ONCE) await lockZipAssignments(db);
    const plan = await lockPlan(asking, id);
    if (plan.state !== 'Published') throw new HttpError(409, 'Only a published plan can be rolled back.');
    await requireVersion(db, plan, version);
    if (moves > MAX_AT_ONCE) await queuePlanWork(asking, id, { action: 'RollBack', day: null, moves });
    else await rollBackNow(asking, plan);
    return changesOf(asking, await requirePlan(asking, id), version);
  },
};

function requireOwner({ user }: Asking, plan: Plan): void {
  if (plan.owner_id !== user.id && !seesAllPlans(user)) throw new HttpError(403, 'Only the owner can do this.');
}

async function countMoves(db: Db, planId: number): Promise<number> {
  const { moves } = await db
    .selectFrom('territory_plan_move')
    .select(sql<number>`count(*)::int`.as('moves'))
    .where('plan_id', '=', planId)
    .where('gone', '=', false)
    .executeTakeFirstOrThrow();
  return moves;
}

async function requireMoves(db: Db, planId: number): Promise<{ moves: number }> {
  const moves = await countMoves(db, planId);
  if (moves === 0) throw new HttpError(409, 'This plan has no moves yet.');
  return { moves };
}
