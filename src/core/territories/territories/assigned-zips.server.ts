// Finds the territory of each ZIP on a day, with or without the moves of a plan.
import { type RawBuilder, sql } from 'kysely';
import { type AsOf, switchedOn, validOn } from './territory-of-zip.server.ts';

/**
 * A query of zip5 and territory_id: every ZIP that an active territory has on the day, by the same order as `servingTerritory`. The moves of a plan
 * replace the assignments. territory_id is null for a ZIP that the plan leaves without a territory.
 */
export function assignedZips(asOf: AsOf, planId?: number | null): RawBuilder<{ zip5: string; territory_id: number }> {
  const live = sql<{ zip5: string; territory_id: number }>`
    select distinct on (z.zip5) z.zip5, z.territory_id
      from zip_assignment z join territory t on t.id = z.territory_id and ${switchedOn(sql`t`, asOf)}
     where ${validOn(sql`z`, asOf.date)}
     order by z.zip5, z.valid_from desc, z.id desc`;
  if (!planId) return live;
  return sql`
    select zip5, case when m.plan_id is null then a.territory_id else m.to_territory_id end as territory_id
      from (${live}) a
      full join (select plan_id, zip5, to_territory_id from territory_plan_move where plan_id = ${planId} and not gone) m using (zip5)`;
}
