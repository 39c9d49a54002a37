// Reads the rows of an analysis for screens. Only users who may see cost and margin get them.
import { type RawBuilder, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { foldedHolds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { type AnalysisRecord, requireAnalysis } from './analysis-sight.server.ts';
import { approvalsOfRows } from './comparison/draft-quote.server.ts';
import type { Candidate } from './matching/match-row.server.ts';
import { knownItems } from './matching/match-rows.server.ts';
import type { Savings, SavingsRow } from './savings.contract.ts';
import type { RowsShown } from './savings-words.ts';

/** SQL: how much a row `r` saves, in percent of what the customer pays now. Null without a comparison. */
export const SAVED_PCT = sql`round((r.their_year - r.our_year) * 100 / nullif(r.their_year, 0), 2)`;

/** SQL: whether a row `r` of analysis `a` is included: matched, not left out by the user, and not below the minimum saving. */
export const COUNTS = sql<boolean>`(
  r.taken and r.included and (a.minimum_saving_pct is null or coalesce(${SAVED_PCT} >= a.minimum_saving_pct, true)))`;

/** SQL: whether a row `r` is split. */
const isSplit = sql<boolean>`exists (
  select from savings_row other
   where other.analysis_id = r.analysis_id and other.row_no = r.row_no and other.part <> r.part)`;

const SHOWN: Record<RowsShown, RawBuilder<boolean>> = {
  all: sql`true`,
  taken: sql`r.taken`,
  'to-look-at': sql`(r.decision = 'open' and not r.taken and r.confidence <> 'none')`,
  'no-match': sql`(r.decision = 'open' and not r.taken and r.confidence = 'none')`,
  'no-bid': sql`r.decision = 'no-bid'`,
  dearer: sql`(r.taken and r.our_year > r.their_year)`,
  'left-out': sql`(r.taken and not ${COUNTS})`,
};
export const rowsShown = (show: RowsShown): RawBuilder<boolean> => SHOWN[show];

type Page = OutputOf<typeof Savings.SearchAnalysisRows>;

export async function searchAnalysisRows(
  context: ReadContext,
  { id, confidence, show, keyword, page, pageSize }: ParsedInputOf<typeof Savings.SearchAnalysisRows>,
): Promise<Page> {
  const { db, user } = context;
  await requireAnalysis(db, user, id);
  const words = keyword?.trim() ?? '';
  const text = sql`folded_text(concat_ws(' ',
    r.item_no, r.catalog_no, r.maker, r.maker_no, r.gtin, r.description, i.item_number, i.description))`;
  const where = sql`r.analysis_id = ${id} and ${SHOWN[show]}
    ${confidence ? sql`and r.confidence = ${confidence}` : sql``}
    ${words === '' ? sql`` : sql`and ${foldedHolds(text, words)}`}`;
  const counted = await sql<{ total: number }>`
    select count(*)::int as total
      from savings_row r
      join savings_analysis a on a.id = r.analysis_id
      left join item i on i.id = r.item_id
     where ${where}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const records = await readRows(context, id, where, { offset: (page - 1) * pageSize, limit: pageSize });
  return { records, total, pageCount: Math.ceil(total / pageSize) };
}

/** Rows by their ids, in the order of the file. */
export function rowsById(context: ReadContext, analysisId: number, ids: readonly number[]): Promise<SavingsRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return readRows(context, analysisId, sql`r.id = any(${[...ids]}::int[])`, null);
}

/** The rows of one analysis, by savings_row_line; the items by item_pkey. */
async function readRows(
  context: ReadContext,
  analysisId: number,
  where: RawBuilder<unknown>,
  range: { offset: number; limit: number } | null,
): Promise<SavingsRow[]> {
  const { db, user } = context;
  const { rows } = await sql<Omit<SavingsRow, 'approvals'>>`
    select r.id, ${FROM_FILE}, ${MATCH} as match, ${DECIDED}, ${OUR_PRICE}, ${COMPARED}, r.version
           ${seesInternalFigures(user) ? sql`, ${INTERNAL}` : sql``}
      from savings_row r
      join savings_analysis a on a.id = r.analysis_id
      left join item i on i.id = r.item_id
     where ${where}
     order by r.row_no, r.part
           ${range ? sql`offset ${range.offset} limit ${range.limit}` : sql``}`.execute(db);
  const typed = rows.filter(({ typedPrice }) => typedPrice !== null).map(({ id }) => id);
  const approvals =
    typed.length === 0 ? new Map<number, string[]>() : await approvalsOfRows(context, analysisId, typed);
  return rows.map((row) => ({ ...row, approvals: approvals.get(row.id) ?? [] }));
}

/** The columns that come from the file. */
const FROM_FILE = sql`
           r.row_no as "rowNo", case when ${isSplit} then r.part + 1 else 0 end as part, r.item_no as "itemNo",
           r.distributor, r.catalog_no as "catalogNo", r.maker, r.maker_no as "makerNo", r.description, r.unit,
           r.their_eaches as "eachesPerUnit", r.pack, round(r.qty_year, 4) as "qtyPerYear",
           coalesce(r.price, round(r.price_each * r.their_eaches, 4)) as price, r.gtin, r.doubts`;

/** The matched item of ours. */
const MATCH = sql`
           json_build_object('confidence', r.confidence, 'itemId', r.item_id,
             'itemNumber', coalesce(i.item_number, ''), 'description', coalesce(i.description, ''),
             'unit', r.our_unit, 'eachesPerUnit', r.our_eaches, 'score', r.score, 'reasons', r.reasons)`;

/** What users decided, and whether the row is included. */
const DECIDED = sql`
           r.decision, r.no_bid_reason as "noBidReason", ${whoDid('r.decided_by')} as "decidedBy",
           r.decided_at as "decidedAt", r.taken, r.included, ${COUNTS} as counts`;

/** Our price, and why there is no comparison. */
const OUR_PRICE = sql`
           r.typed_price as "typedPrice", r.price_reason as "priceReason",
           r.our_price as "ourPrice", r.price_source as "priceSource",
           case when r.price_problem <> '' then r.price_problem
             when r.item_id is null then ''
             when r.our_unit = '' then 'Choose our unit of measure.'
             when r.their_eaches is null then 'The number of eaches in their unit is unknown.'
             when coalesce(r.price, r.price_each) is null then 'The file has no price for this row.'
             when r.qty_year is null then 'The file has no quantity for this row.'
             when coalesce(r.typed_price, r.our_price) is null then 'We have no price for this item.'
             else '' end as problem`;

/** The customer's price and ours, per each and per year. */
const COMPARED = sql`
           r.their_each as "theirPerEach", r.our_each as "ourPerEach",
           r.their_year as "theirYear", r.our_year as "ourYear",
           r.their_year - r.our_year as difference, ${SAVED_PCT} as "differencePct"`;

/** Only for users who may see cost and margin. */
const INTERNAL = sql`r.cost, round((r.our_year - r.cost_year) * 100 / nullif(r.our_year, 0), 2) as "marginPct"`;

/** Throws 404 for a row of another analysis. */
export async function getRowCandidates(
  { db, user }: { db: Db; user: Caller },
  { id, rowId }: ParsedInputOf<typeof Savings.GetRowCandidates>,
): Promise<OutputOf<typeof Savings.GetRowCandidates>> {
  const analysis: AnalysisRecord = await requireAnalysis(db, user, id);
  const row = await db
    .selectFrom('savings_row')
    .select('candidates')
    .where('id', '=', rowId)
    .where('analysis_id', '=', analysis.id)
    .executeTakeFirst();
  if (!row) throw notFound('row');
  const proposed = row.candidates as Candidate[];
  const items = await knownItems(
    db,
    proposed.map(({ itemId }) => itemId),
  );
  return {
    candidates: proposed.flatMap(({ itemId, unit, confidence, score, reasons }) => {
      const item = items.get(itemId);
      if (!item) return [];
      const { item_number: itemNumber, description, units } = item;
      return [{ itemId, itemNumber, description, unit, units, confidence, score, reasons }];
    }),
  };
}
