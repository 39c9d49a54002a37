// Who serves a facility on a day: its account override, else its ship-to ZIP, gives the territory and its representatives.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';
import type { TerritoryRole } from './territory-roles.ts';

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
  const { rows } = await servingRepsRows(facilityId, date).execute(db);
  return servingRepsRead(rows[0]);
}

/** The query behind it, at most one row, for a statement that reads more; `servingRepsRead` tells what was found. */
export function servingRepsRows(facilityId: number, date: IsoDate) {
  const rep = (role: 'sales' | 'cs' | 'is') => sql<Named | null>`(${servingRep(sql`t.id`, role, date)})`;
  return sql<Found>`
    select found.why, json_build_object('id', t.id, 'name', t.name) as territory, json_build_object('id', r.id, 'name', r.name) as region,
           ${rep('sales')} as sales, ${rep('cs')} as cs, ${rep('is')} as "is"
      from (${servingTerritory(sql`${facilityId}`, date)}) found
      join territory t on t.id = found.territory_id
      join region r on r.id = t.region_id`;
}

/** The territory that serves a facility on a date, and why: at most one row of territory_id and why. */
export function servingTerritory(facilityId: RawBuilder<unknown>, date: IsoDate) {
  return sql<{ territory_id: number; why: 'override' | 'zip' }>`
    select st.territory_id, st.why
      from (select 'override' as why, o.territory_id, o.valid_from, o.id
              from account_override o
             where o.facility_id = ${facilityId} and ${validOn(sql`o`, date)}
            union all
            select 'zip', z.territory_id, z.valid_from, z.id
              from facility sf join zip_assignment z on z.zip5 = left(sf.ship_to_zip, 5)
             where sf.id = ${facilityId} and ${validOn(sql`z`, date)}) st
      join territory served on served.id = st.territory_id and served.active
     order by st.why = 'zip', st.valid_from desc, st.id desc
     limit 1`;
}

/** Who has a part in a territory on a date: at most one row of id and name as JSON. */
export function servingRep(territoryId: RawBuilder<unknown>, role: TerritoryRole, date: IsoDate) {
  return sql<Named>`
    select json_build_object('id', u.id, 'name', u.full_name)
      from territory_rep tr join app_user u on u.id = tr.user_id and u.active
     where tr.territory_id = ${territoryId} and tr.role = ${sql.lit(role)} and ${validOn(sql`tr`, date)}
     order by tr.valid_from desc, tr.id desc limit 1`;
}

/** Whether an assignment holds on a date; its first and its last day count. */
export function validOn(assignment: RawBuilder<unknown>, date: IsoDate) {
  return sql<boolean>`(${assignment}.valid_from <= ${date}::date and (${assignment}.valid_to is null or ${assignment}.valid_to >= ${date}::date))`;
}

export function servingRepsRead(found: Found | null | undefined): ServingReps {
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
