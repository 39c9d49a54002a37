// Finds who serves a facility on a day: its territory (territory-of-zip.server.ts), its region and its representatives.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { type AsOf, servingTerritory, validOn } from './territory-of-zip.server.ts';
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
 * The territory that serves a facility on a date, its region and its representatives (design 2 and 5). An assignment includes its first and last day.
 * Of several valid assignments, the one that began last applies. Inactive territories and users who left are ignored.
 */
export async function servingReps(db: Db, facilityId: number, date: IsoDate): Promise<ServingReps> {
  const { rows } = await servingRepsRows(facilityId, date).execute(db);
  return servingRepsRead(rows[0]);
}

/** The query of `servingReps`, at most one row, for use in a larger statement. `servingRepsRead` converts its row. */
export function servingRepsRows(facilityId: number, date: IsoDate) {
  const rep = (role: 'sales' | 'cs' | 'is') => sql<Named | null>`(${servingRep(sql`t.id`, role, { date })})`;
  return sql<Found>`
    select found.why, json_build_object('id', t.id, 'name', t.name) as territory, json_build_object('id', r.id, 'name', r.name) as region,
           ${rep('sales')} as sales, ${rep('cs')} as cs, ${rep('is')} as "is"
      from (${servingTerritory({ facilityId: sql`${facilityId}` }, { date })}) found
      join territory t on t.id = found.territory_id
      join region r on r.id = t.region_id`;
}

/** The user with a role in a territory: at most one row of `what` about the assignment `tr` and its user `u`. */
export function servingRep<T = Named>(
  territoryId: RawBuilder<unknown>,
  role: TerritoryRole,
  { date, timeZone }: AsOf,
  what: RawBuilder<T> = sql<T>`json_build_object('id', u.id, 'name', u.full_name)`,
) {
  return sql<T>`
    select ${what}
      from territory_rep tr join app_user u on u.id = tr.user_id ${timeZone === undefined ? sql`and u.active` : sql``}
     where tr.territory_id = ${territoryId} and tr.role = ${sql.lit(role)} and ${validOn(sql`tr`, date)}
     order by tr.valid_from desc, tr.id desc limit 1`;
}

export function servingRepsRead(result: Found | null | undefined): ServingReps {
  if (!result) return NOBODY;
  return {
    territory: result.territory,
    region: result.region,
    salesRep: result.sales,
    csRep: result.cs,
    isRep: result.is,
    why: result.why,
  };
}
