// Which territory has each ZIP on a day, and what a plan would make of it.
import { type RawBuilder, sql } from 'kysely';
import { type AsOf, switchedOn, validOn } from './serving-reps.server.ts';

/**
 * A query of zip5 and territory_id: every ZIP that an active territory has on the day, by the same order as `servingTerritory`. With a
 * plan its moves replace the assignments; a ZIP that it takes from everybody has territory_id null.
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
