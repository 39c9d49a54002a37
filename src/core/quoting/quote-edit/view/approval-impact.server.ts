// Computes what an approver needs besides the request: the affected lines, earlier prices at this facility, margin and floor.
import { sql } from 'kysely';
import type { OutputOf } from '#platform/api/endpoint.ts';
import type { Db } from '#platform/db/database.server.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { compare, convertPrice, type Decimal, extend, percentBelow } from '#platform/shared/money.ts';
import { AGREED, askedOf } from '#core/quoting/quote-workflow/approval-actions/approval-summary.server.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import { isUnderFloor, quoteMargin } from '#core/quoting/quotes/totals/line-figures.server.ts';
import { netOf, netPriceOf } from '#core/quoting/quotes/totals/net-price.ts';
import { asTotalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import type { QuoteEdit } from '../quote-edit.contract.ts';
import { loadMissingItems } from '../settle/known-items.server.ts';
import type { ItemFactsById } from '../settle/settle-quote.server.ts';
import type { ReadContext } from './quote-view.server.ts';

type Impact = OutputOf<typeof QuoteEdit.GetApprovalImpact>;

const LAST = 3;

/**
 * The lines with a manual price, and the lines on which rules fired (of the pending request, or else of the current quote). Throws 404 when the user
 * cannot see the quote.
 */
export async function approvalImpact({ db, services, user }: ReadContext, { id }: { id: number }): Promise<Impact> {
  const quote = await requireQuote(db, user, id);
  const lines = await quoteLines(db, id);
  const state = await readQuoteState(db, services, user, quote, lines);
  const rules = state.request?.state === 'Pending' ? state.request.rules : state.judgement.fired;
  const rulesOn = (line: Line) => rules.filter((rule) => rule.lines.includes(line.line_no)).map((rule) => rule.text);
  const visible = lines.filter(
    (line) =>
      line.active && (line.type === 'item' || line.type === 'custom') && (rulesOn(line).length > 0 || isByHand(line)),
  );
  const last = await lastPrices(db, quote.facility_id, quote.id, visible);
  const nets = new Map(lines.map((line) => [line.id, netOf(asTotalled(line), quote.discount_pct)]));
  const figures = visible.map((line) => ({
    lineNo: line.line_no,
    itemNumber: line.item_number,
    description: line.description,
    qty: line.qty,
    unit: line.unit,
    lineTotal: line.line_total,
    rules: rulesOn(line),
    systemPrice: line.system_price,
    unitPrice: line.unit_price,
    netPrice: null,
    netDiscountPct: 0,
    ...nets.get(line.id),
    discountPct: line.discount_pct,
    reason: line.price_reason,
    marginPct:
      line.cost === null || line.line_total <= 0 ? null : percentBelow(extend(line.cost, line.qty), line.line_total),
    underFloor: isUnderFloor(line, quote.discount_pct),
    floorPrice: line.floor_price,
    contractPrice: line.contract_price,
    lastPrices: last.get(line.id) ?? [],
  }));
  return {
    asked: await askedOf(db, quote, lines, state.request?.state === 'Pending' ? state.request : undefined),
    // The most important lines come first: those below the floor, then those on which rules fired, each group by the size of the reduction.
    lines: figures.toSorted(
      (a, b) =>
        Number(b.underFloor) - Number(a.underFloor) ||
        Math.sign(b.rules.length) - Math.sign(a.rules.length) ||
        b.netDiscountPct - a.netDiscountPct ||
        a.lineNo - b.lineNo,
    ),
    quoteMarginPct: quoteMargin(lines),
    discountTotal: quote.discount_total,
    totalAmount: quote.total_amount,
  };
}

function isByHand(line: Line): boolean {
  return (
    line.quote_discount !== 0 ||
    (line.unit_price !== null && line.system_price !== null && compare(line.unit_price, line.system_price) !== 0)
  );
}

type LastPrice = Impact['lines'][number]['lastPrices'][number];
type FoundPrice = {
  itemId: number;
  num: number;
  revision: number;
  date: string;
  unitPrice: Decimal;
  optional: boolean;
  quoteDiscountPct: Decimal;
  unit: string;
  outcome: string;
};

/** The newest won or approved prices of each item at the facility and its parent, in the line's unit. */
async function lastPrices(
  db: Db,
  facilityId: number | null,
  quoteId: number,
  lines: readonly Line[],
): Promise<Map<number, LastPrice[]>> {
  const itemIds = [...new Set(lines.map((line) => line.item_id).filter((id) => id !== null))];
  if (facilityId === null || itemIds.length === 0) return new Map();
  const { rows } = await sql<FoundPrice>`
    select * from (
      select qi.item_id as "itemId", q.num, q.revision, q.quote_date as date, qi.unit_price as "unitPrice", qi.optional,
             q.discount_pct as "quoteDiscountPct", qi.unit,
             case when q.status_id = 'Won' then 'Won' else 'Approved' end as outcome,
             row_number() over (partition by qi.item_id order by q.quote_date desc, q.id desc, qi.id) as nth
        from quote_item qi join quote q on q.id = qi.quote_id
       where qi.item_id = any(${itemIds}::int[]) and qi.type = 'item' and qi.active and qi.unit_price is not null
         and q.id <> ${quoteId}
         and (q.facility_id = ${facilityId} or q.facility_id = (select parent_id from facility where id = ${facilityId}))
         and ${AGREED}
    ) found where nth <= ${LAST} order by nth`.execute(db);
  const items: ItemFactsById = new Map();
  await loadMissingItems(db, items, itemIds);
  return new Map(
    lines.map((line) => [
      line.id,
      rows
        .filter((row) => row.itemId === line.item_id)
        .map((row) => ({
          ...inUnit(row, line, items),
          number: quoteNumber(row.num, row.revision),
          date: row.date,
          outcome: row.outcome,
        })),
    ]),
  );
}

/** Converts a price to the line's unit if the item has the factors. Otherwise keeps the price's own unit. */
function inUnit(row: FoundPrice, line: Line, items: ItemFactsById): { price: Decimal; unit: string } {
  const units = items.get(row.itemId)?.units ?? [];
  const factor = (unit: string) => units.find((candidate) => candidate.unit === unit)?.factor;
  const [from, to] = [factor(row.unit), factor(line.unit)];
  const paid = netPriceOf({ type: 'item', active: true, ...row }, row.quoteDiscountPct) ?? row.unitPrice;
  if (from === undefined || to === undefined) return { price: paid, unit: row.unit };
  return { price: convertPrice(paid, from, to), unit: line.unit };
}
