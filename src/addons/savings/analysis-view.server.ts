// Reads analyses as lists and pages show them, with counts and totals in one statement.
import { type RawBuilder, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { foldedHolds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import type { StoredHeader } from '#platform/data-import/running/upload-table.server.ts';
import { subtract } from '#platform/shared/money.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { COUNTS, rowsShown } from './analysis-rows.server.ts';
import { inAnalysisSight, requireAnalysis } from './analysis-sight.server.ts';
import type { UsageOptions } from './reading/facilities-of-file.server.ts';
import type { Analysis, AnalysisRow, Savings, SavingsSums } from './savings.contract.ts';
import { USAGE_FIELDS, type UsageField } from './savings-words.ts';

type By = { db: Db; user: Caller };

const IS_COMPARED = sql<boolean>`(r.their_year is not null and r.our_year is not null)`;
const SUMMED = sql`(${COUNTS} and ${IS_COMPARED})`;

/** SQL: the columns of AnalysisRow of `a`. */
function analysisColumns(): RawBuilder<unknown> {
  return sql`a.id, a.name, json_build_object('id', f.id, 'name', f.name) as facility, f.acct_no as "facilityAcctNo",
    json_build_object('id', o.id, 'name', o.full_name) as owner, a.state, a.months, a.currn_idx as "currnIdx",
    a.created_at as "createdAt", a.version, t.rows as "rowCount", t.theirs, t.ours, t.theirs - t.ours as difference`;
}
const FROM = sql`savings_analysis join facility f on f.id = savings_analysis.facility_id
  join app_user o on o.id = savings_analysis.owner_id`;
const SUMS = sql`lateral (
  select count(*)::int as rows, coalesce(sum(r.their_year) filter (where ${SUMMED}), 0) as theirs,
    coalesce(sum(r.our_year) filter (where ${SUMMED}), 0) as ours
    from savings_row r where r.analysis_id = a.id) t`;

const SORTS: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(name)`,
  facility: sql`lower(facility ->> 'name')`,
  owner: sql`lower(owner ->> 'name')`,
  state: sql`state`,
  difference: sql`difference`,
  createdAt: sql`"createdAt"`,
};

export async function searchAnalyses(
  { db, user }: By,
  { keyword, facilityId, state, page, pageSize, sort }: ParsedInputOf<typeof Savings.SearchAnalyses>,
): Promise<OutputOf<typeof Savings.SearchAnalyses>> {
  const words = keyword?.trim() ?? '';
  const text = sql`folded_text(concat_ws(' ', savings_analysis.name, f.name, f.acct_no, o.full_name))`;
  const where = sql`${inAnalysisSight(user)} ${facilityId ? sql`and savings_analysis.facility_id = ${facilityId}` : sql``}
    ${state ? sql`and savings_analysis.state = ${state}` : sql``} ${words === '' ? sql`` : sql`and ${foldedHolds(text, words)}`}`;
  const by = sort ? sql`${SORTS[sort.field]} ${direction(sort.dir)} nulls last, id desc` : sql`id desc`;
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${FROM} where ${where}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const { rows } = await sql<AnalysisRow>`
    with seen as (select savings_analysis.* from ${FROM} where ${where})
    select * from (select ${analysisColumns()} from seen a join facility f on f.id = a.facility_id
      join app_user o on o.id = a.owner_id, ${SUMS}) found
     order by ${by} offset ${(page - 1) * pageSize} limit ${pageSize}`.execute(db);
  return { records: rows, total, pageCount: Math.ceil(total / pageSize) };
}

/** Throws 404 if the user does not see the analysis. */
export async function getAnalysis({ db, user }: By, id: number): Promise<Analysis> {
  const stored = await requireAnalysis(db, user, id);
  const internal = seesInternalFigures(user);
  const n = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})::int`;
  const total = (column: string) => sql`coalesce(sum(${sql.ref(`r.${column}`)}) filter (where ${SUMMED}), 0)`;
  const groups = (
    name: RawBuilder<unknown>,
  ) => sql`(select coalesce(json_agg(g order by g.theirs - g.ours desc, g.name), '[]') from (
    select ${name} as name, count(*)::int as rows, sum(r.their_year) as theirs, sum(r.our_year) as ours
      from savings_row r join item i on i.id = r.item_id left join item_class c on c.id = i.class_id
     where r.analysis_id = a.id and ${SUMMED} group by 1) g)`;
  const { rows } = await sql<ViewRow>`
    select ${analysisColumns()}, f.freight_terms as "freightTerms", n.counts, n.sums,
      ${groups(sql`coalesce(c.name, 'Other')`)} as "byClass", ${groups(sql`coalesce(nullif(r.maker, ''), 'Not specified')`)} as "byMaker"
      from savings_analysis a join facility f on f.id = a.facility_id join app_user o on o.id = a.owner_id, ${SUMS}, lateral (
        select json_build_object('all', count(*), 'certain', ${n(sql`r.confidence = 'certain'`)}, 'taken', ${n(rowsShown('taken'))},
            'toLookAt', ${n(rowsShown('to-look-at'))}, 'noMatch', ${n(rowsShown('no-match'))}, 'noBid', ${n(rowsShown('no-bid'))},
            'leftOut', ${n(rowsShown('left-out'))}, 'notCompared', ${n(sql`r.taken and not ${IS_COMPARED}`)}) as counts,
          json_build_object('rows', ${n(SUMMED)}, 'dearer', ${n(sql`${SUMMED} and r.our_year > r.their_year`)},
            'theirs', ${total('their_year')}, 'ours', ${total('our_year')},
            'onContract', coalesce(sum(r.our_year) filter (where ${SUMMED} and r.price_source = 'Contract'
              and r.typed_price is null), 0), 'cost', ${total('cost_year')},
              'costed', coalesce(sum(r.our_year) filter (where ${SUMMED} and r.cost_year is not null), 0)) as sums
          from savings_row r where r.analysis_id = a.id) n
     where a.id = ${id}`.execute(db);
  const [result] = rows;
  if (!result) throw new Error('the analysis was there a moment ago');
  const { sums, byClass, byMaker, ...row } = result;
  const header = stored.mapping as StoredHeader;
  const { samples, sheets } = stored.options as UsageOptions;
  const fieldAt = new Map(Object.entries(header.columns).map(([field, at]) => [at, field]));
  return {
    ...row,
    fileName: stored.file_name,
    problem: stored.problem,
    notes: stored.notes as string[],
    sheet: header.sheet,
    sheets,
    headerLine: header.line,
    columns: header.headings.map((heading, at) => ({
      heading,
      samples: samples[at] ?? [],
      field: USAGE_FIELDS.find((field): field is UsageField => field === fieldAt.get(at)) ?? null,
    })),
    step: stored.step,
    done: stored.done,
    total: stored.total,
    totals: {
      ...withDifference(sums),
      currnIdx: stored.currn_idx,
      dearerRows: sums.dearer,
      onContractPct: share(sums.onContract, sums.ours),
      ...(internal ? { marginPct: share(subtract(sums.costed, sums.cost), sums.costed) } : {}),
    },
    byClass: byClass.map((entry) => ({ ...withDifference(entry), name: entry.name })),
    byMaker: byMaker.map((entry) => ({ ...withDifference(entry), name: entry.name })),
    minimumSavingPct: stored.minimum_saving_pct,
    priceDate: stored.price_date,
    mayReadInternal: internal,
  };
}

type Sums = { rows: number; theirs: number; ours: number };
type ViewRow = AnalysisRow & {
  freightTerms: string;
  counts: Analysis['counts'];
  sums: Sums & { dearer: number; onContract: number; cost: number; costed: number };
  byClass: (Sums & { name: string })[];
  byMaker: (Sums & { name: string })[];
};

export function withDifference({ rows, theirs, ours }: Sums): SavingsSums {
  const difference = subtract(theirs, ours);
  return { rows, theirs, ours, difference, differencePct: share(difference, theirs) };
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
