// Selects the quotes of a report: visible quotes that match its filters, with the days of its period as instants.
import { expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { inSight, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { addDays, dayIn, instantOf, type IsoDate } from '#platform/shared/dates.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { BRIDGE_DAYS } from '../common.definitions.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { ReportHead } from '../reports.contract.ts';
import { catchUp } from './catch-up.server.ts';
import { inTurn } from './report-queue.server.ts';

/** A request for a report. */
export type Asked = { db: Db; user: Viewer; services: Services };

/** The values that the conditions of a report depend on. */
export type Terms = {
  user: Viewer;
  filters: ReportFilters;
  currnIdx: number;
  zone: string;
  now: Date;
  today: IsoDate;
  /** The first instant of the period. `end` is the first instant after it. */
  begin: Date;
  end: Date;
  /** The first day and instant of the last week. */
  sinceDay: IsoDate;
  since: Date;
};

export async function reportTerms({ db, user, services }: Asked, filters: ReportFilters): Promise<Terms> {
  const { time_zone: zone } = await loadCompany(db);
  const now = services.clock.now();
  const today = dayIn(zone, now);
  const sinceDay = addDays(today, -BRIDGE_DAYS);
  return {
    user,
    filters,
    currnIdx: filters.currnIdx === EURO_INDEX ? EURO_INDEX : DOLLAR_INDEX,
    zone,
    now,
    today,
    begin: instantOf(filters.from, '00:00', zone),
    end: instantOf(addDays(filters.to, 1), '00:00', zone),
    sinceDay,
    since: instantOf(sinceDay, '00:00', zone),
  };
}

/** Whether the filters of lines select a line of `report_counted_line line`. */
export function linesSelected({ filters }: Pick<Terms, 'filters'>): RawBuilder<SqlBool> {
  const all = [
    ...(filters.classId ? [sql`line.class_id = ${filters.classId}::int`] : []),
    ...(filters.contractId ? [sql`line.contract_id = ${filters.contractId}::int`] : []),
  ];
  return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

/**
 * The condition on `report_quote quote` for the visible quotes that match the filters, whatever the period. The facts are read under the name of the
 * quote table, because they have the columns that the sight condition needs.
 */
export function selected(terms: Terms, { ofCurrency = true } = {}): RawBuilder<SqlBool> {
  const { user, filters, currnIdx } = terms;
  const eb = expressionBuilder<Tables, 'quote'>();
  const { regionId, territoryId, repId, classId, contractId } = filters;
  const all = [
    inSight(user),
    ...(ofCurrency ? [eb('quote.currn_idx', '=', currnIdx)] : []),
    ...(regionId ? [eb('quote.region_id', '=', regionId)] : []),
    ...(territoryId ? [eb('quote.territory_id', '=', territoryId)] : []),
    ...(repId ? [eb('quote.sales_rep_id', '=', repId)] : []),
    ...(classId || contractId
      ? [
          sql<SqlBool>`exists (select from report_counted_line line where line.quote_id = quote.id and ${linesSelected(terms)})`,
        ]
      : []),
  ];
  return sql<SqlBool>`(${eb.and(all)})`;
}

/** Whether the quote date is in the period. */
export const quotedInPeriod = ({ filters }: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`quote.quote_date between ${filters.from}::date and ${filters.to}::date`;
/** Whether a quote belongs to reports by quote date: not cancelled, and in the period. */
export const isQuoted = (terms: Terms): RawBuilder<SqlBool> =>
  sql<SqlBool>`quote.status_id <> 'Cancelled' and ${quotedInPeriod(terms)}`;
/** Whether an instant is in the period. */
export const inPeriod = (
  instant: RawBuilder<unknown>,
  { begin, end }: Pick<Terms, 'begin' | 'end'>,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${instant} >= ${begin.toISOString()}::timestamptz and ${instant} < ${end.toISOString()}::timestamptz)`;
/** The calendar day of an instant in the company's time zone. */
export const companyDayOf = (instant: RawBuilder<unknown>, { zone }: Pick<Terms, 'zone'>): RawBuilder<unknown> =>
  sql`(${instant} at time zone ${sql.lit(zone)})::date`;

export const IS_OPEN = sql<SqlBool>`quote.status_id not in ('Won', 'Lost', 'Cancelled')`;

/** The memory for each sort or group step of a report. It does not multiply by the number of readers, because reports run one after another. */
const MEMORY = sql`set local work_mem = '192MB'`;

/**
 * Waits for its turn and catches up, then runs `work` on one snapshot of the facts, so that all figures of a report are consistent. `work` gets the
 * terms and the header that all reports have.
 */
export async function inReport<T>(
  request: Asked,
  filters: ReportFilters,
  work: (reading: Asked, terms: Terms, head: ReportHead) => Promise<T>,
): Promise<T> {
  return inTurn(request.user, () => inSnapshot(request, filters, work));
}

async function inSnapshot<T>(
  request: Asked,
  filters: ReportFilters,
  work: (reading: Asked, terms: Terms, head: ReportHead) => Promise<T>,
): Promise<T> {
  const fresh = await catchUp(request.services);
  const terms = await reportTerms(request, filters);
  return request.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      await MEMORY.execute(db);
      const { rows: currencies } = await sql<{ currnIdx: number; count: number }>`
        select currn_idx as "currnIdx", count(*) as count from report_quote quote where ${selected(terms, { ofCurrency: false })}
        group by currn_idx order by count desc, currn_idx`.execute(db);
      return work({ ...request, db }, terms, { ...fresh, currnIdx: terms.currnIdx, currencies });
    });
}
