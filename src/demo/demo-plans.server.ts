// Fills two plans of the demo company's territories: a draft for next year, and a published one that begins soon.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { planConflicts } from '#addons/territory-plans/record/plan-conflicts.server.ts';
import { writePlan } from '#addons/territory-plans/publishing/publish-plan.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';

type PlanInput = { name: string; note: string; from: string; to: string; zips: string; day: IsoDate };

export async function fillTerritoryPlans(db: Db, users: Map<string, number>, today: IsoDate): Promise<void> {
  const admin = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as fullName'])
    .where('id', '=', users.get('salesadmin') ?? 0)
    .executeTakeFirst();
  if (!admin) return;
  await aPlan(db, admin.id, today, {
    name: 'Southern Illinois to Ohio Valley',
    note: 'Great Lakes has more facilities than one rep can visit. Ohio Valley drives there from Evansville.',
    from: 'Great Lakes',
    to: 'Ohio Valley',
    zips: '^62[89]',
    day: `${Number(today.slice(0, 4)) + 1}-01-01`,
  });
  const day = addDays(today, 14);
  const plan = await aPlan(db, admin.id, today, {
    name: 'El Paso to Desert',
    note: 'El Paso is served from Las Cruces.',
    from: 'Texas',
    to: 'Desert',
    zips: '^(798|799|885)',
    day,
  });
  if ((await planConflicts(db, plan.id, day)).length > 0) return;
  await writePlan(db, admin, plan, day);
  await db
    .updateTable('territory_plan')
    .set({ state: 'Published', published_at: sql<string>`now()`, published_by: admin.id })
    .where('id', '=', plan.id)
    .execute();
}

async function aPlan(
  db: Db,
  ownerId: number,
  today: IsoDate,
  overrides: PlanInput,
): Promise<{ id: number; name: string }> {
  const { name, note, day } = overrides;
  const { id } = await db
    .insertInto('territory_plan')
    .values({ name, note, owner_id: ownerId, base_day: today, effective_day: day, changed_by: ownerId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into territory_plan_move (plan_id, zip5, from_territory_id, to_territory_id, version, changed_by)
    select ${id}, z.zip5, z.territory_id, t.id, 1, ${ownerId}
      from zip_assignment z join territory f on f.id = z.territory_id and f.name = ${overrides.from}
      join territory t on t.name = ${overrides.to}
     where z.zip5 ~ ${overrides.zips} and z.valid_to is null`.execute(db);
  return { id, name };
}
