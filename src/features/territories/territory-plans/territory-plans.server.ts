// The answers of TerritoryPlans.
import { sql } from 'kysely';
import { HttpError, invalid } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import { holds } from '#db/contains.server.ts';
import { pageFrom } from '#db/page.server.ts';
import { queueMail } from '#features/operations/mail/outbox.server.ts';
import { lockZipAssignments } from '#features/territories/territories/zip-assignments.server.ts';
import { formatDate } from '#shared/dates.ts';
import { paths } from '#shared/paths.ts';
import type { Named } from '#shared/wire.ts';
import { areaZips } from './record/area-zips.server.ts';
import { countConflicts, planConflicts } from './record/plan-conflicts.server.ts';
import { planEffects } from './record/plan-effects.server.ts';
import {
  type Asking,
  changesOf,
  dayOf,
  loadPlan,
  type Plan,
  requireEditable,
  requireVersion,
  stepOf,
  weighPlan,
} from './record/plan-record.server.ts';
import { savePlan } from './record/save-plan.server.ts';
import {
  planInSight,
  requireMapTool,
  requirePlan,
  seesAllPlans,
} from '#features/territories/plan-sight/plan-sight.server.ts';
import { countWrites, takeBack, writePlan } from './publishing/publish-plan.server.ts';
import type { SavedMapRow, TerritoryPlans } from './territory-plans.contract.ts';

export const territoryPlanAnswers: Answers<typeof TerritoryPlans> = {
  getSavedMaps: async ({ db, user, services }, { keyword, state, own, ...criteria }) => {
    requireMapTool({ user, services });
    const today = await dayOf({ db, services });
    const person = (id: string) =>
      sql<Named>`json_build_object('id', ${sql.ref(id)}, 'name', (select full_name from app_user where id = ${sql.ref(id)}))`;
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
        person('territory_plan.owner_id').as('owner'),
        sql<boolean>`territory_plan.owner_id = ${user.id}`.as('own'),
        sql<number>`(select count(*)::int from territory_plan_reader r where r.plan_id = territory_plan.id)`.as(
          'sharedWith',
        ),
        moves.as('moves'),
        sql<number>`case when state = 'Draft' then ${countConflicts(sql`territory_plan.id`, sql`greatest(territory_plan.effective_day, ${today}::date)`)} else 0 end`.as(
          'conflicts',
        ),
        sql<
          SavedMapRow['asked']
        >`case when asked_at is not null and state = 'Draft' then json_build_object('by', ${person('asked_by')}, 'at', asked_at, 'comment', asked_comment) end`.as(
          'asked',
        ),
        sql<string>`coalesce((select full_name from app_user where id = territory_plan.changed_by), '')`.as(
          'changedBy',
        ),
      ])
      .where(planInSight(user))
      .where('state', state ? '=' : '<>', state ?? 'Archived')
      .$if(own === true, (some) => some.where('territory_plan.owner_id', '=', user.id))
      .$if(Boolean(keyword), (some) =>
        some.where(
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

  /** 404 for a plan that is not shared with the caller. */
  loadSavedMap: async (asking, { id }) => loadPlan(asking, await requirePlan(asking, id)),

  changesOfSavedMap: async (asking, { id, version }) => changesOf(asking, await requirePlan(asking, id), version),

  weighSavedMap: async (asking, { id }) => {
    const plan = await requirePlan(asking, id);
    return { ...(await weighPlan(asking, plan)), version: plan.version };
  },

  /** 409 for a field or a ZIP that somebody else changed since `version`; 422 for what cannot be planned. */
  saveSavedMap: async (asking, input) => {
    requireMapTool(asking);
    return changesOf(asking, await savePlan(asking, input), input.map.id === 0 ? 0 : (input.version ?? 0));
  },

  copySavedMap: async (asking, { id, name }) => {
    const plan = await requirePlan(asking, id);
    const today = await dayOf(asking);
    const { rows } = await sql<{ zip: string; to: number | null }>`
      select m.zip5 as zip, m.to_territory_id as to from territory_plan_move m left join territory t on t.id = m.to_territory_id
       where m.plan_id = ${plan.id} and not m.gone and t.active is not false`.execute(asking.db);
    const effectiveDay = plan.effective_day < today ? today : plan.effective_day;
    const map = { id: 0, name, note: plan.note, effectiveDay };
    const moves = rows.map(({ zip, to }) => ({ zip, to, gone: false }));
    return changesOf(asking, await savePlan(asking, { map, moves }), 0);
  },

  archiveSavedMap: async (asking, { id, version, archived }) => {
    const { db, user } = asking;
    const plan = await requirePlan(asking, id, 'lock');
    requireOwner(asking, plan);
    if ((plan.state === 'Archived') === archived) return { id, state: plan.state as 'Draft', version: plan.version };
    await requireVersion(db, plan, version);
    const state = (archived ? 'Archived' : (plan.archived_from ?? 'Draft')) as SavedMapRow['state'];
    const next = await stepOf(asking, plan, archived ? 'Archive' : 'Unarchive', {
      state,
      archived_from: archived ? plan.state : null,
      asked_at: null,
      asked_by: null,
      changed_at: asking.services.clock.now(),
      changed_by: user.id,
    });
    return { id, state, version: next };
  },

  /** Mails the sales administrators, once for each request. */
  askToPublish: async (asking, { id, version, comment }) => {
    const { db, user, services } = asking;
    const plan = await requirePlan(asking, id, 'lock');
    await requireEditable(asking, plan);
    await requireVersion(db, plan, version);
    if (plan.asked_at) throw new HttpError(409, 'Somebody has asked to publish this plan already.');
    await requireMoves(asking, plan);
    const now = services.clock.now();
    await stepOf(asking, plan, 'Ask to publish', { asked_at: now, asked_by: user.id, asked_comment: comment }, comment);
    await mailAbout(
      asking,
      plan,
      await administrators(asking),
      `${user.fullName} asks you to publish the plan ${plan.name}, from ${formatDate(plan.effective_day)} on.`,
      comment,
    );
    return changesOf(asking, await requirePlan(asking, id), version);
  },

  sendBackSavedMap: async (asking, { id, version, comment }) => {
    const { db, user } = asking;
    const plan = await requirePlan(asking, id, 'lock');
    if (plan.state !== 'Draft' || !plan.asked_at || !plan.asked_by)
      throw new HttpError(409, 'Nobody asks to publish this plan.');
    await requireVersion(db, plan, version);
    await stepOf(asking, plan, 'Send back', { asked_at: null, asked_by: null, asked_comment: '' }, comment);
    const asker = await db
      .selectFrom('app_user')
      .select('user_name')
      .where('id', '=', plan.asked_by)
      .where('active', '=', true)
      .executeTakeFirst();
    if (asker)
      await mailAbout(asking, plan, [asker.user_name], `${user.fullName} sent back the plan ${plan.name}:`, comment);
    return changesOf(asking, await requirePlan(asking, id), version);
  },

  /** 409 with the conflicts in words, for a plan that is no draft, and over somebody else's change; 422 for a day that is over. */
  publishSavedMap: async (asking, { id, version, effectiveFrom, apply }) => {
    const { db, user, services } = asking;
    if (apply) await lockZipAssignments(db);
    const plan = await requirePlan(asking, id, 'lock');
    if (plan.state !== 'Draft') throw new HttpError(409, 'Only a draft can be published.');
    if (apply) await requireVersion(db, plan, version);
    if (effectiveFrom < (await dayOf(asking)))
      throw invalid([{ path: 'effectiveFrom', message: 'This day is over. A plan begins today at the earliest.' }]);
    const { moves } = await requireMoves(asking, plan);
    const conflicts = await planConflicts(db, id, effectiveFrom);
    const { effects } = await planEffects(db, user, id, effectiveFrom, await areaZips(db, plan.geo_version));
    if (!apply)
      return {
        applied: false,
        moves,
        conflicts,
        effects,
        ...(await countWrites(db, id, effectiveFrom)),
        version: plan.version,
      };
    if (conflicts.length > 0) {
      const named = conflicts
        .slice(0, 10)
        .map(({ text }) => text)
        .join(' ');
      const more = conflicts.length > 10 ? ` And ${conflicts.length - 10} more.` : '';
      throw new HttpError(409, `The plan does not fit the assignments any more. ${named}${more}`);
    }
    const written = await writePlan(db, user, plan, effectiveFrom);
    const next = await stepOf(asking, plan, 'Publish', {
      state: 'Published',
      effective_day: effectiveFrom,
      published_at: services.clock.now(),
      published_by: user.id,
      changed_at: services.clock.now(),
      changed_by: user.id,
    });
    if (plan.asked_by && plan.asked_by !== user.id) {
      const asker = await db
        .selectFrom('app_user')
        .select('user_name')
        .where('id', '=', plan.asked_by)
        .where('active', '=', true)
        .executeTakeFirst();
      if (asker)
        await mailAbout(
          asking,
          plan,
          [asker.user_name],
          `${user.fullName} published the plan ${plan.name}, from ${formatDate(effectiveFrom)} on.`,
          '',
        );
    }
    return { applied: true, moves, conflicts, effects, ...written, version: next };
  },

  rollbackSavedMap: async (asking, { id, version }) => {
    const { db, user, services } = asking;
    await lockZipAssignments(db);
    const plan = await requirePlan(asking, id, 'lock');
    if (plan.state !== 'Published') throw new HttpError(409, 'Only a published plan can be rolled back.');
    await requireVersion(db, plan, version);
    await takeBack(db, user, plan, await dayOf(asking));
    const now = services.clock.now();
    await stepOf(asking, plan, 'Roll back', {
      state: 'RolledBack',
      rolled_back_at: now,
      changed_at: now,
      changed_by: user.id,
    });
    return changesOf(asking, await requirePlan(asking, id), version);
  },
};

function requireOwner({ user }: Asking, plan: Plan): void {
  if (plan.owner_id !== user.id && !seesAllPlans(user)) throw new HttpError(403, 'Only its owner may do this.');
}

async function requireMoves({ db }: Asking, plan: Plan): Promise<{ moves: number }> {
  const { moves } = await db
    .selectFrom('territory_plan_move')
    .select(sql<number>`count(*)::int`.as('moves'))
    .where('plan_id', '=', plan.id)
    .where('gone', '=', false)
    .executeTakeFirstOrThrow();
  if (moves === 0) throw new HttpError(409, 'This plan moves nothing yet.');
  return { moves };
}

/** Who publishes: the sales administrators, else the system administrators. */
async function administrators({ db, user }: Asking): Promise<string[]> {
  const { rows } = await sql<{ userName: string; sales: boolean }>`
    select u.user_name as "userName", bool_or(r.role = 'salesadmin') as sales
      from app_user u join user_role r on r.user_id = u.id and r.role in ('salesadmin', 'systemadmin')
     where u.active and u.id <> ${user.id} group by u.id order by u.id`.execute(db);
  const sales = rows.filter((row) => row.sales);
  return (sales.length > 0 ? sales : rows).map(({ userName }) => userName);
}

async function mailAbout(
  { db, services }: Asking,
  plan: Plan,
  readers: readonly string[],
  opening: string,
  comment: string,
): Promise<void> {
  const body = [opening, comment, `${services.config.publicUrl}${paths.savedMap(plan.id)}`]
    .filter(Boolean)
    .join('\n\n');
  for (const to of readers)
    await queueMail(db, services.jobs, { to: [to], subject: `Territory plan ${plan.name}`, body });
}
