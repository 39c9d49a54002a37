// Computes what is won and open in each territory, and what was won the year before.
import { sql } from 'kysely';
import { percentBelowSum } from '#platform/shared/sums.ts';
import { bucketKey } from '../facts/buckets.server.ts';
import { type Asked, inReport, selected, type Terms } from '../facts/selection.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { ReportHead, TerritorySalesReport } from '../reports.contract.ts';
import { sliceText } from '../slices.ts';
import { outcomeTerms } from './territory-slices.server.ts';

type Row = {
  territoryId: number | null;
  name: string | null;
  regionId: number | null;
  regionName: string | null;
  won: number;
  wonCount: number;
  open: number;
  openCount: number;
  yearBefore: number;
  yearBeforeCount: number;
};

export function getTerritorySales(request: Asked, filters: ReportFilters): Promise<TerritorySalesReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<TerritorySalesReport> {
  const columns = outcomeTerms(terms);
  const outcomes = Object.keys(columns) as (keyof typeof columns)[];
  const sums = outcomes.flatMap((outcome) => [
    sql`coalesce(sum(total_amount) filter (where ${columns[outcome]}), 0) as ${sql.ref(outcome)}`,
    sql`(count(*) filter (where ${columns[outcome]}))::int as ${sql.ref(`${outcome}Count`)}`,
  ]);
  const any = sql.join(
    outcomes.map((outcome) => columns[outcome]),
    sql` or `,
  );
  const { rows } = await sql<Row>`
    select of_territory.*, t.name, r.id as "regionId", r.name as "regionName" from (
      select territory_id as "territoryId", ${sql.join(sums)} from report_quote quote
      where ${selected(terms)} and (${any}) group by territory_id) of_territory
    left join territory t on t.id = of_territory."territoryId" left join region r on r.id = t.region_id
    order by of_territory.won desc, t.name`.execute(request.db);
  return {
    ...head,
    territories: rows.map((row) => {
      const slice = (outcome: keyof typeof columns) =>
        sliceText({ kind: 'territory', outcome, key: bucketKey(row.territoryId) });
      return {
        territoryId: row.territoryId,
        name: row.name ?? 'No territory',
        regionId: row.regionId,
        regionName: row.regionName ?? '',
        won: row.won,
        wonCount: row.wonCount,
        wonSlice: slice('won'),
        open: row.open,
        openCount: row.openCount,
        openSlice: slice('open'),
        wonYearBefore: row.yearBefore,
        wonCountYearBefore: row.yearBeforeCount,
        wonYearBeforeSlice: slice('yearBefore'),
        changePct: row.yearBefore > 0 ? -percentBelowSum(row.won, row.yearBefore) : null,
      };
    }),
  };
}
