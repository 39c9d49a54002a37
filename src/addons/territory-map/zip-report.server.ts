// Reports ZIPs with territory and representatives, as of a day or under a saved map, optionally with unassigned ZIPs.
import { type SelectQueryBuilder, sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import { startsWith } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { switchedOn, validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import type { TerritoryRole } from '#core/territories/territories/territory-roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { MapRequest } from './territory-figures.server.ts';
import type { RepOfZip, ReportCriteria } from './territory-map.contract.ts';

const ORDER = {
  sorts: {
    zip: sql`listed.zip5`,
    territory: sql`lower(territory.name)`,
    region: sql`lower(region.name)`,
    city: sql`lower(zip.city)`,
    state: sql`zip.state`,
    county: sql`lower(zip.county)`,
  },
  key: sql`listed.zip5`,
  first: { field: 'zip', dir: 'asc' as const },
};

export async function zipReport(db: Db, request: MapRequest, criteria: ReportCriteria) {
  return pageFrom(await zips(db, request, criteria), criteria, ORDER);
}

export async function zipReportAsCsv(db: Db, request: MapRequest, criteria: ReportCriteria): Promise<FileAnswer> {
  const rows = await allFrom(await zips(db, request, criteria), criteria.sort, ORDER);
  const header = ['ZIP', 'City', 'State', 'County', 'Area on the map', 'Territory', 'Region', 'From', 'To'];
  return csvAnswer('zips.csv', [...header, 'Sales Rep.', 'CS Rep.', 'IS Rep.', 'Manager'], rows, (row) => [
    row.zip,
    row.city,
    row.state,
    row.county,
    row.point ? 'no' : 'yes',
    row.territory?.name,
    row.region?.name,
    row.from,
    row.to,
    row.salesRep?.name,
    row.csRep?.name,
    row.isRep?.name,
    row.manager?.name,
  ]);
}

async function zips(db: Db, { asOf, planId, areas }: MapRequest, criteria: ReportCriteria) {
  const { regionId, territoryId, zip, unassigned } = criteria;
  const { allZips } = areas;
  const repName = (role: TerritoryRole) => sql<Named | null>`(${servingRep(sql`territory.id`, role, asOf)})`;
  const known = sql`(select zip5 from zip union select unnest(string_to_array(${allZips}, ' ')))`;
  const assigned = assignedZips(asOf, planId);
  const listed =
    unassigned === 'without'
      ? sql<{
          zip5: string;
          territory_id: number | null;
        }>`(select zip5, territory_id from (${assigned}) a where territory_id is not null)`
      : sql<{ zip5: string; territory_id: number | null }>`(
          select zip5, a.territory_id from ${known} k full join (${assigned}) a using (zip5)
           where ${unassigned === 'with' ? sql`true` : sql`a.territory_id is null`})`;
  // Finds the assignment, for its days. ZIPs that a plan moves have no assignment yet.
  const days = sql<{ valid_from: string; valid_to: string | null }>`(
    select z.valid_from, z.valid_to from zip_assignment z join territory t on t.id = z.territory_id and ${switchedOn(sql`t`, asOf)}
     where z.zip5 = listed.zip5 and z.territory_id = listed.territory_id and ${validOn(sql`z`, asOf.date)}
     order by z.valid_from desc, z.id desc limit 1)`;
  const rows = db
    .selectFrom(listed.as('listed'))
    .leftJoin('territory', 'territory.id', 'listed.territory_id')
    .leftJoin('region', 'region.id', 'territory.region_id')
    .leftJoin('zip', 'zip.zip5', 'listed.zip5')
    .leftJoinLateral(days.as('days'), (join) => join.onTrue())
    .select(['listed.zip5 as zip', 'days.valid_from as from', 'days.valid_to as to'])
    .select([
      sql<string>`coalesce(zip.city, '')`.as('city'),
      sql<string>`coalesce(zip.state, '')`.as('state'),
      sql<string>`coalesce(zip.county, '')`.as('county'),
      sql<boolean>`listed.zip5 <> all(string_to_array(${allZips}, ' '))`.as('point'),
      sql<Named | null>`case when territory.id is not null then json_build_object('id', territory.id, 'name', territory.name) end`.as(
        'territory',
      ),
      sql<Named | null>`case when region.id is not null then json_build_object('id', region.id, 'name', region.name) end`.as(
        'region',
      ),
      repName('sales').as('salesRep'),
      repName('cs').as('csRep'),
      repName('is').as('isRep'),
      repName('manager').as('manager'),
    ])
    .$if(Boolean(zip), (query) => query.where('listed.zip5', 'like', startsWith(zip ?? '')))
    .$if(Boolean(regionId), (query) => query.where('territory.region_id', '=', regionId ?? 0))
    .$if(Boolean(territoryId), (query) => query.where('territory.id', '=', territoryId ?? 0));
  // The list code accepts only table queries. It only selects from, orders, and counts this query, so the cast is safe.
  return rows as unknown as SelectQueryBuilder<Tables, 'zip', RepOfZip>;
}
