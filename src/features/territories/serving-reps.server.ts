// Who serves a facility on a day: its account override, else its ship-to ZIP, names the territory, and that its representatives.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';

export type ServingReps = {
  territory: Named | null;
  region: Named | null;
  salesRep: Named | null;
  csRep: Named | null;
  isRep: Named | null;
  why: 'override' | 'zip' | 'none';
};

type Found = {
  why: 'override' | 'zip';
  territory: Named;
  region: Named;
  sales: Named | null;
  cs: Named | null;
  is: Named | null;
};

const NOBODY: ServingReps = { territory: null, region: null, salesRep: null, csRep: null, isRep: null, why: 'none' };

/**
 * The territory that serves a facility on a date, its region and its representatives (design 2 and 5). First and last days of an
 * assignment count; of several valid ones the latest begun wins; closed territories and people who left are passed over.
 */
export async function servingReps(db: Db, facilityId: number, date: IsoDate): Promise<ServingReps> {
  const rep = (role: 'sales' | 'cs' | 'is') => sql<Named | null>`(
    select json_build_object('id', u.id, 'name', u.full_name)
      from territory_rep tr join app_user u on u.id = tr.user_id and u.active
     where tr.territory_id = t.id and tr.role = ${sql.lit(role)}
       and tr.valid_from <= ${date}::date and (tr.valid_to is null or tr.valid_to >= ${date}::date)
     order by tr.valid_from desc, tr.id desc limit 1)`;
  const { rows } = await sql<Found>`
    select found.why, json_build_object('id', t.id, 'name', t.name) as territory, json_build_object('id', r.id, 'name', r.name) as region,
           ${rep('sales')} as sales, ${rep('cs')} as cs, ${rep('is')} as "is"
      from (select 'override' as why, territory_id, valid_from, id
              from account_override
             where facility_id = ${facilityId} and valid_from <= ${date}::date and (valid_to is null or valid_to >= ${date}::date)
            union all
            select 'zip', z.territory_id, z.valid_from, z.id
              from facility f join zip_assignment z on z.zip5 = left(f.ship_to_zip, 5)
             where f.id = ${facilityId} and z.valid_from <= ${date}::date and (z.valid_to is null or z.valid_to >= ${date}::date)) found
      join territory t on t.id = found.territory_id and t.active
      join region r on r.id = t.region_id
     order by found.why = 'zip', found.valid_from desc, found.id desc
     limit 1`.execute(db);
  const [found] = rows;
  if (!found) return NOBODY;
  return {
    territory: found.territory,
    region: found.region,
    salesRep: found.sales,
    csRep: found.cs,
    isRep: found.is,
    why: found.why,
  };
}
