// Answers the calls for savings analyses. Other files of this folder implement the long ones.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import { awaitedFor, awaitedNames } from '#core/quoting/approvals/whose-decision.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { getAnalysisHistory, recordEvent } from './analysis-history.server.ts';
import { COUNTS, getRowCandidates, searchAnalysisRows } from './analysis-rows.server.ts';
import { requireAnalysis } from './analysis-sight.server.ts';
import { getAnalysis, searchAnalyses } from './analysis-view.server.ts';
import { draftQuote, openDraft } from './comparison/draft-quote.server.ts';
import { getPriceChanges, repriceAnalysis } from './comparison/reprice.server.ts';
import { decideRows } from './decide-rows.server.ts';
import { countedParts, linesToMake, makeQuotes } from './make-quotes.server.ts';
import { findUsageFacilities, setUsageColumns, uploadUsageFile } from './reading/take-usage.server.ts';
import type { QuoteMade, Savings } from './savings.contract.ts';
import { joinRow, splitRow } from './split-row.server.ts';
import { deleteAnalysis, setRows } from './set-levers.server.ts';
import { getSavingsSheet } from './sheet/savings-sheet.server.ts';

export const savingsAnswers: Answers<typeof Savings> = {
  FindUsageFacilities: findUsageFacilities,
  UploadUsageFile: uploadUsageFile,
  SetUsageColumns: async (context, input) => {
    await setUsageColumns(context, input);
    const analysis = await getAnalysis(context, input.id);
    await recordEvent(context.db, context.user, analysis, 'Read again', []);
    return analysis;
  },
  GetAnalysis: (context, { id }) => getAnalysis(context, id),
  SearchAnalyses: searchAnalyses,
  SearchAnalysisRows: searchAnalysisRows,
  GetRowCandidates: getRowCandidates,
  DecideRows: decideRows,
  SetRows: setRows,
  SplitRow: splitRow,
  JoinRow: joinRow,
  RepriceAnalysis: repriceAnalysis,
  GetPriceChanges: (context, { id }) => getPriceChanges(context, id),
  GetTierSavings: (context, { id }) => getTierSavings(context, id),
  MakeQuotes: makeQuotes,
  GetQuotesMade: (context, { id }) => getQuotesMade(context, id),
  PreviewQuotes: previewQuotes,
  GetAnalysisHistory: getAnalysisHistory,
  GetSavingsSheet: getSavingsSheet,
  DeleteAnalysis: deleteAnalysis,
};

type FoundQuote = Omit<QuoteMade, 'number'> & { num: number; revision: number };

/**
 * The quotes that were made from an analysis: their status and amount, and the saving of their lines compared with the promised saving. Newest first.
 * Throws 404 if the user does not see the analysis.
 */
async function getQuotesMade({ db, user }: { db: Db; user: Caller }, id: number): Promise<QuoteMade[]> {
  await requireAnalysis(db, user, id);
  // A line matches a row by item, unit and the customer's number. Lines do not refer to rows, because users may change lines.
  const { rows } = await sql<FoundQuote>`
    select case when ${inSight(user)} then quote.id end as id, quote.num, quote.revision,
           quote.status_id as "statusId", quote.total_amount as "totalAmount", s.quantities,
           cardinality(s.row_ids) as rows, s.promised, case when s.row_ids is not null then coalesce(kept.saving, 0) end as saving
      from savings_quote s join quote on quote.id = s.quote_id, lateral (
        select sum(r.their_year - round(line.net * r.qty_year * r.their_eaches / r.our_eaches, 2)) as saving
          from savings_row r join lateral (
            select i.line_total / i.qty as net from quote_item i
             where i.quote_id = quote.id and i.type = 'item' and i.active and not i.optional and i.qty > 0 and i.unit_price is not null
               and i.item_id = r.item_id and i.unit = r.our_unit
               and i.customer_item_number = coalesce(nullif(r.item_no, ''), nullif(r.catalog_no, ''), r.maker_no)
             order by i.line_no limit 1) line on true
         where r.id = any(s.row_ids) and r.their_year is not null and r.our_eaches > 0) kept
     where s.analysis_id = ${id} order by s.quote_id desc`.execute(db);
  return rows.map(({ num, revision, ...quote }) => ({ ...quote, number: quoteNumber(num, revision) }));
}

/**
 * What other tiers of the contracts that price rows would save in a year, from the results that pricing stored with each row. Rows with a typed price
 * stay as they are. Throws 403 for accounts without the GPO Contracts tab, and 404 if the user does not see the analysis.
 */
async function getTierSavings(
  context: { db: Db; user: Caller; services: Services },
  id: number,
): Promise<OutputOf<typeof Savings.GetTierSavings>> {
  const { db, user } = context;
  await requireContracts(context);
  await requireAnalysis(db, user, id);
  const { rows } = await sql<OutputOf<typeof Savings.GetTierSavings>[number]>`
    with counted as (
      select r.id, r.our_year, t.* from savings_row r join savings_analysis a on a.id = r.analysis_id,
             jsonb_to_recordset(r.tiers) as t("contractId" int, "tierId" int, year numeric, "isNow" boolean)
       where r.analysis_id = ${id} and ${COUNTS} and r.their_year is not null and r.our_year is not null and r.typed_price is null),
    used as (
      select "contractId", count(*)::int as rows, sum(our_year) as ours, array_agg(distinct "tierId") as "nowIds"
      from counted where "isNow" group by 1),
    found as (
      select "contractId", "tierId", count(*)::int as rows, sum(our_year - year) as saving from counted
       where not "isNow" group by 1, 2 having sum(our_year - year) > 0)
    select u."contractId", c.number, u.rows, u.ours,
           (select coalesce(json_agg(json_build_object('tierNo', t.tier_no, 'tierName', t.name) order by t.tier_no), '[]')
              from contract_tier t where t.id = any(u."nowIds")) as now,
           (select coalesce(json_agg(json_build_object('tierId', t.id, 'tierNo', t.tier_no, 'tierName', t.name,
                'requirement', t.requirement, 'needsLoc', t.needs_loc, 'rows', f.rows, 'saving', f.saving)
                order by f.saving, t.tier_no), '[]')
              from found f join contract_tier t on t.id = f."tierId" where f."contractId" = u."contractId") as tiers
      from used u join gpo_contract c on c.id = u."contractId"
     order by u.ours desc, c.number`.execute(db);
  return rows;
}

/**
 * Previews which approval rules would fire on quotes made from an analysis, and who decides. Throws 404 if the user does not see the analysis, and
 * 422 if no row is included, and for anything that prevents a quote.
 */
async function previewQuotes(
  context: ReadContext,
  { id, quantities, rows }: ParsedInputOf<typeof Savings.PreviewQuotes>,
): Promise<OutputOf<typeof Savings.PreviewQuotes>> {
  const { db, services, user } = context;
  const analysis = await requireAnalysis(db, user, id);
  const parts = await countedParts(db, id, rows);
  const edit = await openDraft(context, analysis);
  const quotes: OutputOf<typeof Savings.PreviewQuotes>['quotes'] = [];
  const approvers = await readApprovers(db, services);
  for (const part of parts) {
    const inputs = linesToMake(part, quantities);
    const { quote, fired } = await draftQuote(edit, inputs);
    quotes.push({
      lines: part.length,
      totalAmount: quote.total_amount,
      validUntil: quote.valid_until,
      rules: fired.map((rule) => ({
        ...rule,
        decides: awaitedNames(awaitedFor(rule.role, quote, user.id, approvers)),
      })),
    });
  }
  return { quotes };
}
