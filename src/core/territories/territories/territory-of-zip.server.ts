// Decides which territory serves a facility or a ZIP on a day: the account override, or else the assignment of the ZIP that began last.
import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '#platform/shared/dates.ts';

/**
 * The day for which the rule applies. A past day has the company's `timeZone`. The rule then includes territories that were active on that day by
 * their history, and users who have left since.
 */
export type AsOf = { date: IsoDate; timeZone?: string };

/**
 * The territory that serves a facility, or a ZIP without a known facility, and why. At most one row of territory_id and why, with the assignment's
 * reason, valid_from and valid_to.
 */
export function servingTerritory(place: { facilityId: RawBuilder<unknown> } | { zip: string }, asOf: AsOf) {
  const override =
    'zip' in place ? sql`false` : sql`o.facility_id = ${place.facilityId} and ${validOn(sql`o`, asOf.date)}`;
  const zip =
    'zip' in place
      ? sql`zip_assignment z where z.zip5 = ${place.zip}`
      : sql`facility sf join zip_assignment z on z.zip5 = left(sf.ship_to_zip, 5) where sf.id = ${place.facilityId}`;
  return sql<{ territory_id: number; why: 'override' | 'zip' }>`
    select st.territory_id, st.why, st.reason, st.valid_from, st.valid_to
      from (select 'override' as why, o.reason, o.territory_id, o.valid_from, o.valid_to, o.id from account_override o where ${override}
            union all
            select 'zip', '', z.territory_id, z.valid_from, z.valid_to, z.id from ${zip} and ${validOn(sql`z`, asOf.date)}) st
      join territory served on served.id = st.territory_id and ${switchedOn(sql`served`, asOf)}
     order by st.why = 'zip', st.valid_from desc, st.id desc
     limit 1`;
}

/** Whether this assignment decides the territory of its ZIP, by the same order as `servingTerritory`. */
export function countsForItsZip(assignment: RawBuilder<unknown>, territory: RawBuilder<unknown>, asOf: AsOf) {
  return sql<boolean>`(${validOn(assignment, asOf.date)} and ${switchedOn(territory, asOf)}
    and not exists (select from zip_assignment o join territory ot on ot.id = o.territory_id
      where o.zip5 = ${assignment}.zip5 and ${validOn(sql`o`, asOf.date)} and ${switchedOn(sql`ot`, asOf)}
        and (o.valid_from, o.id) > (${assignment}.valid_from, ${assignment}.id)))`;
}

/** Whether a territory was active on that day: its current state, unless its history has a change after that day. */
export function switchedOn(territory: RawBuilder<unknown>, { date, timeZone }: AsOf) {
  if (timeZone === undefined) return sql<boolean>`${territory}.active`;
  return sql<boolean>`coalesce(
    (select e.action = 'Deactivate' from record_event e
      where e.record_type = 'territory' and e.record_id = ${territory}.id and e.action in ('Activate', 'Deactivate')
        and (e.at at time zone ${timeZone})::date > ${date}::date
      order by e.id limit 1), ${territory}.active)`;
}

/** Whether an assignment is valid on a date, including its first and last day. */
export function validOn(assignment: RawBuilder<unknown>, date: IsoDate) {
  return sql<boolean>`(${assignment}.valid_from <= ${date}::date
    and (${assignment}.valid_to is null or ${assignment}.valid_to >= ${date}::date))`;
}
