// Drafts in memory the quote that rows of an analysis would make today, and checks its approval rules. Writes nothing, reserves no number.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import { loadCompany, pricePlacesOf, today } from '#platform/company/company.server.ts';
import type { FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { loadRules } from '#core/quoting/approvals/load-rules.server.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { blankQuote } from '#core/quoting/quote-edit/make/blank-quote.server.ts';
import { changeFacility } from '#core/quoting/quote-edit/save-quote.server.ts';
import { beginEdit, type Edit, settleOrRefuse } from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import { loadMissingPrices } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import { approvalNeeded } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { blankLine, type QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { Decimal } from '#platform/shared/money.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { AnalysisRecord } from '../analysis-sight.server.ts';

type ForAnalysis = Pick<AnalysisRecord, 'facility_id' | 'sales_rep_id'>;

/** The quote with these lines, with totals, and the rules that fire on it, in the form that the user may read. Throws 422 if it cannot be a quote. */
export async function draftQuote(
  edit: Edit,
  inputs: readonly QuoteItemInput[],
): Promise<{ quote: QuoteRecord; fired: FiredRule[] }> {
  const { context, known } = edit;
  const draft = { ...edit.draft };
  draft.lines = inputs.map((input, at) => ({
    ...blankLine(at + 1, 0, input.type === 'section' ? 'section' : 'item'),
    item_id: input.itemId ?? null,
    description: input.description ?? '',
    unit: input.unit ?? '',
    qty: input.qty ?? 0,
    manual_price: input.unitPrice ?? null,
    price_reason: input.priceReason ?? '',
  }));
  await loadMissingPrices(
    context.db,
    draft,
    draft.lines.map((line) => line.item_id),
  );
  const settled = { ...edit, draft };
  settleOrRefuse(settled, 'all');
  const { quote, lines, items } = settled.draft;
  const classes = new Map([...items].map(([id, item]) => [id, item.class_id]));
  return { quote, fired: approvalNeeded(context.user, known.rules, quote, lines, classes) };
}

/** An empty quote for the facility of the analysis, like a new one. Throws 422 if the facility is no longer active. */
export async function openDraft(context: ReadContext, analysis: ForAnalysis): Promise<Edit> {
  const { db, user, services } = context;
  const company = await loadCompany(db);
  const validityDays = company.default_validity_days;
  const quote = blankQuote(user, today(services, company), validityDays, services.clock.now().toISOString());
  const edit = await beginEdit(context, quote, {
    lines: [],
    writers: [],
    writer: 0,
    request: undefined,
    rules: await loadRules(db),
    assigneeActive: false,
    validityDays,
    places: pricePlacesOf(company),
    timeZone: company.time_zone,
    newIds: [],
  });
  const errors = await changeFacility(edit, analysis.facility_id);
  if (errors.length > 0) throw invalid(errors);
  if (analysis.sales_rep_id !== null) edit.draft.quote.sales_rep_id = analysis.sales_rep_id;
  return edit;
}

type Typed = { id: number; itemId: number; unit: string; qty: Decimal; unitPrice: Decimal; priceReason: string };

/** For rows with a typed price: the rules that the price breaks as a line with a month's quantity, each with the role that decides. */
export async function approvalsOfRows(
  context: ReadContext,
  analysisId: number,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const { db } = context;
  const { rows } = await sql<Typed & ForAnalysis>`
    select r.id, r.item_id as "itemId", r.our_unit as unit,
           greatest(1, ceil(coalesce(r.qty_year * r.their_eaches / nullif(r.our_eaches, 0), 12) / 12)) as qty,
           r.typed_price as "unitPrice", r.price_reason as "priceReason", a.facility_id, a.sales_rep_id
      from savings_row r join savings_analysis a on a.id = r.analysis_id
     where r.analysis_id = ${analysisId} and r.id = any(${[...ids]}::int[]) and r.typed_price is not null
       and r.item_id is not null and r.our_unit <> ''`.execute(db);
  const [first] = rows;
  const result = new Map<number, string[]>();
  if (!first) return result;
  try {
    const { fired } = await draftQuote(
      await openDraft(context, first),
      rows.map(({ itemId, unit, qty, unitPrice, priceReason }) => ({
        id: 0,
        itemId,
        unit,
        qty,
        unitPrice,
        priceReason,
      })),
    );
    for (const { name, role, lines } of fired)
      for (const line of lines) {
        const row = rows[line - 1];
        if (row) result.set(row.id, [...(result.get(row.id) ?? []), `${name} → ${ROLE_LABELS[role]}`]);
      }
  } catch (error) {
    // The rows are shown even if they cannot become a quote. The preview and the creation of the quote list every problem.
    if (!(error instanceof HttpError)) throw error;
  }
  return result;
}
