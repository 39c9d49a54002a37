// Reads the list of territories: today's representatives, ZIPs, and the value of open quotes.
import { type RawBuilder, sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import type { Named, Worth } from '#platform/shared/wire.ts';
import type { TerritoryCriteria, TerritoryRow } from './territory-admin.contract.ts';

const TERRITORY = sql`territory.id`;

/** Open quotes. The condition must match that of the index quote_open_of_territory. */
const OPEN = sql`status_id not in ('Won', 'Lost', 'Cancelled')`;

export async function todayOf(db: Db, services: Services): Promise<IsoDate> {
  return today(services, await loadCompany(db));
}

export async function territoryPage(db: Db, services: Services, criteria: TerritoryCriteria) {
  const date = await todayOf(db, services);
  return pageFrom(territories(db, criteria, date), criteria, orderOn(date));
}

export async function territoriesAsCsv(db: Db, services: Services, criteria: TerritoryCriteria): Promise<FileAnswer> {
  const date = await todayOf(db, services);
  const rows = await allFrom(territories(db, criteria, date), criteria.sort, orderOn(date));
  const worth = (row: TerritoryRow, currnIdx: number) =>
    row.openValue.find((candidate) => candidate.currnIdx === currnIdx)?.amount ?? 0;
  const header = ['Territory', 'Region', 'Active', 'Sales Rep.', 'ZIPs', 'Account overrides', 'Open quotes'];
  return csvAnswer('territories.csv', [...header, 'Value (USD)', 'Value (EUR)'], rows, (row) => [
    row.name,
    row.region.name,
    row.active ? 'yes' : 'no',
    row.salesRep?.name,
    row.zips,
    row.overrides,
    row.openQuotes,
    worth(row, DOLLAR_INDEX),
    worth(row, EURO_INDEX),
  ]);
}

/** The choices of the list's filters. */
export async function territoryFilters(db: Db, services: Services): Promise<{ regions: Named[]; reps: Named[] }> {
  const date = await todayOf(db, services);
  const regions = await db
    .selectFrom('region')
    .select(['id', 'name'])
    .where((eb) => eb.exists(eb.selectFrom('territory').select('id').whereRef('territory.region_id', '=', 'region.id')))
    .orderBy('name')
    .execute();
  const reps = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where(sql<boolean>`id in (select user_id from territory_rep where ${validOn(sql`territory_rep`, date)})`)
    .orderBy('full_name')
    .orderBy('id')
    .execute();
  return { regions, reps };
}

/** How many ZIPs a territory has today. */
export const zipsOf = (territory: RawBuilder<unknown>, date: IsoDate) =>
  sql<number>`(select count(*) from zip_assignment z where z.territory_id = ${territory} and ${validOn(sql`z`, date)})`;

export const overridesOf = (territory: RawBuilder<unknown>, date: IsoDate) =>
  sql<number>`(select count(*) from account_override o where o.territory_id = ${territory} and ${validOn(sql`o`, date)})`;

export const openQuotesOf = (territory: RawBuilder<unknown>) =>
  sql<number>`(select count(*) from quote where territory_id = ${territory} and ${OPEN})`;

export const openValueOf = (territory: RawBuilder<unknown>) => sql<Worth>`(
  select coalesce(json_agg(json_build_object('currnIdx', w.currn_idx, 'amount', w.amount) order by w.currn_idx), '[]')
    from (select case when currn_idx = ${EURO_INDEX} then ${EURO_INDEX}::int
      else ${DOLLAR_INDEX}::int end as currn_idx, sum(total_amount) as amount
            from quote where territory_id = ${territory} and ${OPEN} group by 1) w)`;

function orderOn(date: IsoDate) {
  return {
    sorts: {
      name: sql`lower(territory.name)`,
      region: sql`lower(region.name)`,
      active: sql`territory.active`,
      salesRep: sql`lower((${servingRep(TERRITORY, 'sales', { date })}) ->> 'name')`,
      zips: zipsOf(TERRITORY, date),
      overrides: overridesOf(TERRITORY, date),
      openQuotes: openQuotesOf(TERRITORY),
      openValue: sql`(select sum(total_amount) from quote where territory_id = ${TERRITORY} and ${OPEN})`,
    },
    key: TERRITORY,
    first: { field: 'name', dir: 'asc' as const },
  };
}

function territories(db: Db, criteria: Omit<TerritoryCriteria, 'page' | 'pageSize'>, date: IsoDate) {
  const { keyword, regionId, active, repId } = criteria;
  return db
    .selectFrom('territory')
    .innerJoin('region', 'region.id', 'territory.region_id')
    .select(['territory.id', 'territory.name', 'territory.active', 'territory.version'])
    .select([
      sql<Named>`json_build_object('id', region.id, 'name', region.name)`.as('region'),
      sql<Named | null>`(${servingRep(TERRITORY, 'sales', { date })})`.as('salesRep'),
      zipsOf(TERRITORY, date).as('zips'),
      overridesOf(TERRITORY, date).as('overrides'),
      openQuotesOf(TERRITORY).as('openQuotes'),
      openValueOf(TERRITORY).as('openValue'),
    ])
    .$if(Boolean(keyword), (query) =>
      query.where(
        sql<boolean>`(${holds(sql.ref('territory.name'), keyword ?? '')} or exists (select from zip_assignment z
          where z.zip5 = ${keyword ?? ''} and z.territory_id = territory.id and ${validOn(sql`z`, date)}))`,
      ),
    )
    .$if(Boolean(regionId), (query) => query.where('territory.region_id', '=', regionId ?? 0))
    .$if(typeof active === 'boolean', (query) => query.where('territory.active', '=', active === true))
    .$if(Boolean(repId), (query) =>
      query.where(
        sql<boolean>`exists (select from territory_rep r where r.territory_id = territory.id and r.user_id = ${repId ?? 0}
          and ${validOn(sql`r`, date)})`,
      ),
    );
}
