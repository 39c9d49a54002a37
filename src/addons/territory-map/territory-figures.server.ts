// Computes the figures of the map's territories, as of a day or under a saved map.
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { type AsOf, switchedOn, validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import { TERRITORY_ROLES } from '#core/territories/territories/territory-roles.ts';
import type { AreaSet } from '#core/territories/zip-areas/area-set.server.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import type { MapRow } from './territory-map.contract.ts';

/** The caller, the day, and the saved map whose moves apply. */
export type MapRequest = { user: Caller; asOf: AsOf; planId: number | undefined; areas: AreaSet };

/** Selects the account override of each facility that has one: facility_id, territory_id. */
export const overrides = ({ asOf }: MapRequest) => sql`
  select distinct on (o.facility_id) o.facility_id, o.territory_id
    from account_override o join territory ot on ot.id = o.territory_id and ${switchedOn(sql`ot`, asOf)}
   where ${validOn(sql`o`, asOf.date)} order by o.facility_id, o.valid_from desc, o.id desc`;

/** Selects the territory of one ZIP: at most one row of territory_id, with the precedence of `assignedZips`. */
export function territoryOfZip(zip: RawBuilder<unknown>, { asOf, planId }: MapRequest): RawBuilder<unknown> {
  const live = sql`
    select za.territory_id from zip_assignment za join territory zt on zt.id = za.territory_id and ${switchedOn(sql`zt`, asOf)}
     where za.zip5 = ${zip} and ${validOn(sql`za`, asOf.date)} order by za.valid_from desc, za.id desc limit 1`;
  if (!planId) return live;
  const move = sql`from territory_plan_move where plan_id = ${planId} and zip5 = ${zip} and not gone`;
  return sql`select case when exists (select ${move}) then (select to_territory_id ${move}) else (${live}) end as territory_id`;
}

/** Must match the condition of the index quote_open_at_facility exactly. */
const OPEN = sql`status_id not in ('Won', 'Lost', 'Cancelled')`;
const WORTH = sql`count(*) as quotes,
  coalesce(sum(total_amount) filter (where currn_idx <> ${sql.lit(EURO_INDEX)}), 0) as dollars,
  coalesce(sum(total_amount) filter (where currn_idx = ${sql.lit(EURO_INDEX)}), 0) as euros`;

/** Sums the open quotes that the caller sees by facility: facility_id, quotes, dollars, euros. */
export const worthByFacility = ({ user }: MapRequest) =>
  sql`select facility_id, ${WORTH} from quote where ${OPEN} and ${inSight(user)} group by facility_id`;

/** The same for one facility: always one row of quotes, dollars, euros. */
export const openQuotesOf = (facilityId: RawBuilder<unknown>, { user }: MapRequest) =>
  sql`select ${WORTH} from quote where quote.facility_id = ${facilityId} and ${OPEN} and ${inSight(user)}`;

/** Whether `facility f` has open quotes that the caller sees. */
export const hasOpenQuotes = ({ user }: MapRequest) =>
  sql`f.id in (select facility_id from quote where ${OPEN} and ${inSight(user)})`;

/** Sums of `dollars` and `euros`, one entry for each currency with an amount. */
export function worthOf({ dollars, euros }: { dollars: number; euros: number }): MapRow['openValue'] {
  const both = [
    { currnIdx: DOLLAR_INDEX, amount: dollars },
    { currnIdx: EURO_INDEX, amount: euros },
  ];
  return both.filter(({ amount }) => amount !== 0);
}

type Row = Omit<MapRow, 'openValue' | 'color'> & { dollars: number; euros: number };

export async function territoryFigures(db: Db, request: MapRequest, colors: Record<string, string>): Promise<MapRow[]> {
  const { rows } = await figuresQuery(request, request.areas.allZips).execute(db);
  return rows.map(({ dollars, euros, ...row }) => ({
    ...row,
    color: colors[row.id] ?? null,
    openValue: worthOf({ dollars, euros }),
  }));
}

/** `areaZips` lists the ZIPs that have an area, separated by spaces. Exported for the benchmark of the statement alone. */
export function figuresQuery(request: MapRequest, areaZips: string): RawBuilder<Row> {
  const reps = TERRITORY_ROLES.map((role) => {
    const person = sql`json_build_object('id', u.id, 'name', u.full_name, 'role', tr.role)`;
    return sql`(${servingRep(sql`t.id`, role, request.asOf, person)})`;
  });
  return sql<Row>`
    with assigned as materialized (${assignedZips(request.asOf, request.planId)}),
    zips as (
      select a.territory_id, count(*)::int as zips,
             (count(*) - count(*) filter (where a.zip5 = any(string_to_array(${areaZips}, ' '))))::int as point_zips,
             min(z.lon) as west, min(z.lat) as south, max(z.lon) as east, max(z.lat) as north
        from assigned a left join zip z on z.zip5 = a.zip5 group by 1),
    covered as (
      select coalesce(o.territory_id, a.territory_id) as territory_id, count(*)::int as facilities,
             coalesce(sum(w.quotes), 0)::int as quotes, coalesce(sum(w.dollars), 0) as dollars, coalesce(sum(w.euros), 0) as euros
        from facility f
        left join (${overrides(request)}) o on o.facility_id = f.id
        left join assigned a on a.zip5 = left(f.ship_to_zip, 5)
        left join (${worthByFacility(request)}) w on w.facility_id = f.id
       where f.active group by 1)
    select t.id, t.name, json_build_object('id', r.id, 'name', r.name) as region, t.active,
           array_to_json(array_remove(array[${sql.join(reps)}]::jsonb[], null)) as reps,
           coalesce(z.zips, 0) as zips, coalesce(z.point_zips, 0) as "pointZips",
           coalesce(s.facilities, 0) as facilities, coalesce(s.quotes, 0) as "openQuotes",
           coalesce(s.dollars, 0) as dollars, coalesce(s.euros, 0) as euros,
           case when z.west is not null then json_build_array(z.west, z.south, z.east, z.north) end as bbox
      from territory t join region r on r.id = t.region_id
      left join zips z on z.territory_id = t.id
      left join covered s on s.territory_id = t.id
     order by lower(t.name), t.id`;
}
