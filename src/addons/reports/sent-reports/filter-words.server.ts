// Describes in words what the filters of a report select.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { currencyOf } from '#platform/shared/money.ts';
import type { ReportFilters } from '../report-filters.ts';

/** 'Region: South', 'Sales rep: Dana Ruiz'. Nothing for a filter whose record no longer exists. */
export async function filterWords(db: Db, filters: ReportFilters): Promise<string[]> {
  const { regionId = null, territoryId = null, repId = null, classId = null, contractId = null, currnIdx } = filters;
  const { rows } = await sql<{ words: string }>`
    select words from (
      select 1 as place, 'Region: ' || name as words from region where id = ${regionId}::int
      union all select 2, 'Territory: ' || name from territory where id = ${territoryId}::int
      union all select 3, 'Sales rep: ' || full_name from app_user where id = ${repId}::int
      union all select 4, 'Item class: ' || name from item_class where id = ${classId}::int
      union all select 5, 'Contract: ' || number from gpo_contract where id = ${contractId}::int) found
    order by place`.execute(db);
  return [...rows.map(({ words }) => words), ...(currnIdx ? [`Currency: ${currencyOf(currnIdx)}`] : [])];
}
