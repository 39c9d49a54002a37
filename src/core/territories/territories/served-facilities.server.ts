// Finds the facilities that a user serves on a day, which is the reverse of serving-reps.server.ts.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { servingRep } from './serving-reps.server.ts';
import { countsForItsZip, validOn } from './territory-of-zip.server.ts';

/** The fields of a user that decide which facilities the user serves. */
export type Serving = Pick<Caller, 'id' | 'roles' | 'regionIds' | 'supportedRepIds'>;

/**
 * The ids of the facilities that a user serves on a day. Sales representatives serve their territories, sales support the representatives they
 * support, and quote managers their regions. The rule equals `servingTerritory`, but starts from the user.
 */
export function servedFacilities(user: Serving, day: IsoDate) {
  const reps = [
    ...(hasRole(user, 'salesrep', 'salesQuoteManager', 'salessupport') ? [user.id] : []),
    ...(hasRole(user, 'salessupport') ? user.supportedRepIds : []),
  ];
  const regions = hasRole(user, 'salesQuoteManager') ? user.regionIds : [];
  const asOf = { date: day };
  const theirs = (territory: string) => sql`${sql.ref(territory)}.id in (select id from mine)`;
  return sql<{ id: number }>`
    with mine as materialized (
      select t.id from territory t where t.active and (t.region_id = any(${regions}::int[])
        or (${servingRep(sql`t.id`, 'sales', asOf, sql<number>`u.id`)}) = any(${reps}::int[])))
    select f.id from zip_assignment z join territory zt on zt.id = z.territory_id and ${theirs('zt')}
      join facility f on left(f.ship_to_zip, 5) = z.zip5
     where ${countsForItsZip(sql`z`, sql`zt`, asOf)}
       and not exists (select from account_override o join territory ot on ot.id = o.territory_id
         where o.facility_id = f.id and ot.active and ${validOn(sql`o`, day)})
    union
    select o.facility_id from account_override o join territory ot on ot.id = o.territory_id and ${theirs('ot')}
     where ${validOn(sql`o`, day)}
       and not exists (select from account_override later join territory lt on lt.id = later.territory_id
         where later.facility_id = o.facility_id and lt.active and ${validOn(sql`later`, day)}
           and (later.valid_from, later.id) > (o.valid_from, o.id))`;
}
