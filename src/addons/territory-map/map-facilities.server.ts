// Reads facilities for the map, highest open value first, each with the territory that serves it.
import { type RawBuilder, sql } from 'kysely';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import {
  hasOpenQuotes,
  type MapRequest,
  openQuotesOf,
  overrides,
  territoryOfZip,
  worthByFacility,
  worthOf,
} from './territory-figures.server.ts';
import { type MapFacility, MAX_FACILITIES } from './territory-map.contract.ts';

type Wanted = {
  territoryIds?: number[] | null | undefined;
  bbox?: number[] | null | undefined;
  keyword?: string | null | undefined;
  withOpenQuotes: boolean;
};
type FacilityRow = Omit<MapFacility, 'openValue' | 'territory'> & {
  territoryId: number | null;
  territoryName: string;
  dollars: number;
  euros: number;
};

export async function facilitiesForMap(db: Db, request: MapRequest, wanted: Wanted) {
  const { bbox, territoryIds, withOpenQuotes } = wanted;
  const placed = bbox ? within(bbox) : sql`z.lat is not null and z.lon is not null`;
  const tables = territoryIds ? [servedTables(request, territoryIds)] : [];
  const chosen = chosenBy(wanted);
  const { rows } = await sql<FacilityRow>`
    with ${sql.join([...tables, shownTable(request, wanted, sql`${chosen} and ${placed}`)])}
    select s.id, s.acct_no as "acctNo", s.name, s.city, s.state, s.zip5 as zip, s.lat, s.lon,
           t.id as "territoryId", t.name as "territoryName",
           case when o.territory_id is not null then 'override' when a.territory_id is not null then 'zip' else 'none' end as why,
           s.quotes::int as "openQuotes", s.dollars, s.euros
      from shown s
      left join (${overrides(request)}) o on o.facility_id = s.id
      left join lateral (${territoryOfZip(sql`s.zip5`, request)}) a on true
      left join territory t on t.id = coalesce(o.territory_id, a.territory_id)
     order by s.dollars + s.euros desc, lower(s.name), s.id`.execute(db);
  const { rows: counted } = await sql<{ total: number; unplaced: number }>`
    ${tables.length > 0 ? sql`with ${sql.join(tables)}` : sql``}
    select count(*) filter (where ${placed})::int as total, count(*) filter (where z.lat is null)::int as unplaced
      from facility f left join zip z on z.zip5 = left(f.ship_to_zip, 5)
     where ${chosen} ${withOpenQuotes ? sql`and ${hasOpenQuotes(request)}` : sql``}`.execute(db);
  const { total = 0, unplaced = 0 } = counted[0] ?? {};
  const records = rows.map(({ dollars, euros, territoryId, territoryName, ...row }) => ({
    ...row,
    territory: territoryId === null ? null : { id: territoryId, name: territoryName },
    openValue: worthOf({ dollars, euros }),
  }));
  return { records, total, truncated: total > records.length, unplaced, position: 'zip' as const };
}

/** The condition on `zip z`. */
function within([west = -360, south = -90, east = 360, north = 90]: number[]): RawBuilder<unknown> {
  return sql`z.lon between ${west} and ${east} and z.lat between ${south} and ${north}`;
}

/** Common tables: the facilities with an account override, and the ZIPs of some territories. */
function servedTables(request: MapRequest, territoryIds: number[]): RawBuilder<unknown> {
  return sql`
    own as materialized (${overrides(request)}),
    served as materialized (select zip5 from (${assignedZips(request.asOf, request.planId)}) a where territory_id = any(${territoryIds})),
    own_served as materialized (select facility_id from own where territory_id = any(${territoryIds}))`;
}

/** The condition on `facility f`, except for its place and its quotes. */
function chosenBy({ territoryIds, keyword }: Wanted): RawBuilder<unknown> {
  const words = wordsOf(keyword ?? '').map((word) => sql`f.search_text like plain_text(${contains(word)})`);
  const served = sql`case when f.id in (select facility_id from own) then f.id in (select facility_id from own_served)
    else left(f.ship_to_zip, 5) in (select zip5 from served) end`;
  return sql.join([sql`f.active`, ...words, ...(territoryIds ? [served] : [])], sql` and `);
}

const SHOWN = sql`f.id, f.acct_no, f.name, f.ship_to_city as city, f.ship_to_state as state, left(f.ship_to_zip, 5) as zip5, z.lat, z.lon,
  coalesce(w.quotes, 0) as quotes, coalesce(w.dollars, 0) as dollars, coalesce(w.euros, 0) as euros`;

/**
 * A common table `shown`. If no filter applies, the facilities with open value come first, and open quotes alone find them. An index returns the
 * others by name, so the query reads only as many as still fit. No total is below zero.
 */
function shownTable(
  request: MapRequest,
  { territoryIds, bbox, keyword, withOpenQuotes }: Wanted,
  chosen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const worth = sql`(${worthByFacility(request)}) w`;
  const place = sql`join zip z on z.zip5 = left(f.ship_to_zip, 5)`;
  const most = (from: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql`
    select ${SHOWN} from ${from} ${place} where ${where}
     order by coalesce(w.dollars + w.euros, 0) desc, lower(f.name), f.id limit ${MAX_FACILITIES}`;
  const withQuotes = sql`${worth} join facility f on f.id = w.facility_id`;
  if (withOpenQuotes) return sql`shown as materialized (${most(withQuotes, chosen)})`;
  if (territoryIds || bbox || keyword) {
    const all = sql`facility f left join ${worth} on w.facility_id = f.id`;
    return sql`shown as materialized (${most(all, chosen)})`;
  }
  return sql`
    valued as materialized (${most(withQuotes, sql`w.dollars + w.euros > 0 and ${chosen}`)}),
    shown as materialized (
      select * from valued
       union all
      (select ${SHOWN} from facility f ${place} cross join lateral (${openQuotesOf(sql`f.id`, request)}) w
        where w.dollars + w.euros <= 0 and ${chosen}
        order by lower(f.name), f.id limit ${MAX_FACILITIES}::int - (select count(*) from valued)))`;
}
