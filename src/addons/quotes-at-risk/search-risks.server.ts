// Searches the quotes at risk that the user sees.
import { type RawBuilder, sql } from 'kysely';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { inSight, seesAllQuotes, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import type { RiskCriteria, RiskTotal, RiskyQuote } from './risks.contract.ts';

const SORTS: Record<string, RawBuilder<unknown>> = {
  difference: sql`abs(sum(difference))`,
  day: sql`min(day)`,
  lines: sql`count(*)`,
};

type Found = {
  total: number;
  totals: RiskTotal[];
  records: (Omit<RiskyQuote, 'number'> & { num: number; revision: number })[];
};

export async function searchRisks(db: Db, user: Viewer, criteria: RiskCriteria) {
  const { page, pageSize, sort } = criteria;
  const { field, dir } =
    sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'difference', dir: 'desc' as const };
  const order = sql`${SORTS[field]} ${direction(dir)}, quote_id desc`;
  const { rows } = await sql<Found>`
    with risk as materialized (select r.* from quote_risk r ${joinQuotes(user, criteria)}
      where r.settled_at is null and ${wanted(user, criteria)}),
    hit as materialized (
      select quote_id, sum(difference) as difference, min(day) as day, count(*)::int as lines,
        row_number() over (order by ${order}) as place,
             (count(*) filter (where price is null))::int as unpriced, array_agg(distinct kind) as kinds from risk group by quote_id)
    select (select count(*)::int from hit) as total,
      (select coalesce(json_agg(t order by t.quotes desc, t.kind), '[]') from (
         select kind, max(currn_idx) as "currnIdx", count(distinct quote_id)::int as quotes,
                coalesce(sum(difference) filter (where difference > 0), 0) as dearer,
                coalesce(sum(difference) filter (where difference < 0), 0) as cheaper
           from risk group by kind, currn_idx = ${sql.lit(EURO_INDEX)}) t) as totals,
      (select coalesce(json_agg(one order by one.place), '[]') from (
         select h.place, q.id as "quoteId", q.num, q.revision, q.facility_name as "facilityName", q.status_id as "statusId",
                coalesce(u.full_name, '') as "ownerName", q.valid_until as "validUntil", q.currn_idx as "currnIdx",
                h.kinds, h.lines, h.unpriced, h.day, h.difference
           from hit h join quote q on q.id = h.quote_id left join app_user u on u.id = coalesce(q.sales_rep_id, q.owner_id)
          where h.place > ${(page - 1) * pageSize} and h.place <= ${page * pageSize}) one) as records`.execute(db);
  const { total = 0, totals = [], records = [] } = rows[0] ?? {};
  return {
    total,
    totals,
    pageCount: Math.ceil(total / pageSize),
    records: records.map(({ num, revision, ...row }) => ({ ...row, number: quoteNumber(num, revision) })),
  };
}

/** Joins the quotes only if the criteria need them. */
function joinQuotes(user: Viewer, { mine, keyword }: RiskCriteria) {
  return seesAllQuotes(user) && !mine && !keyword ? sql`` : sql`join quote on quote.id = r.quote_id`;
}

function wanted(user: Viewer, { contractId, kind, mine, keyword }: RiskCriteria) {
  const conditions: RawBuilder<unknown>[] = [
    sql`${inSight(user)}`,
    ...(contractId ? [sql`r.contract_id = ${contractId}`] : []),
    ...(kind ? [sql`r.kind = ${kind}`] : []),
    ...(mine
      ? [
          sql`(${user.id} in (quote.owner_id, quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id, quote.assignee_id)
            or quote.sales_rep_id = any(${user.supportedRepIds}::int[]))`,
        ]
      : []),
    ...wordsOf(keyword ?? '').map(
      (word) => sql`(plain_text(quote.facility_name) like plain_text(${contains(word)}) or quote.num::text = ${word})`,
    ),
  ];
  return sql.join(conditions, sql` and `);
}

/** The number of quotes at risk of a contract that the user sees. */
export async function countRisks(db: Db, user: Viewer, contractId: number): Promise<number> {
  const criteria = { contractId, page: 1, pageSize: 1 };
  const { rows } = await sql<{
    risks: number;
  }>`select count(distinct r.quote_id)::int as risks from quote_risk r ${joinQuotes(user, criteria)}
    where r.settled_at is null and ${wanted(user, criteria)}`.execute(db);
  return rows[0]?.risks ?? 0;
}
