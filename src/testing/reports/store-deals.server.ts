// Stores the random companies of the proof of reports: their quotes with lines, histories and requests.
import type { Db } from '#platform/db/database.server.ts';
import { blankTexts } from '#core/quoting/quotes/quote-fields.ts';
import { insertRows } from '#demo/insert-rows.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import {
  type Asking,
  type Cents,
  type Company,
  type Deal,
  type DealLine,
  lineTotal,
  nowOf,
  subtotalOf,
} from './random-deals.server.ts';

const amount = (cents: Cents | null) => (cents === null ? null : cents / 100);

/** Stores the companies' quotes with their lines, histories and requests. */
export async function storeDeals(db: Db, companies: readonly Company[]): Promise<void> {
  const all = companies.flatMap((company) => company.deals.map((deal) => ({ company, deal })));
  await insertRows(
    db,
    'quote',
    all.map(({ company, deal }) => quoteRow(company, deal)),
  );
  await insertRows(
    db,
    'quote_item',
    all.flatMap(({ deal }) => deal.lines.map((line, index) => lineRow(deal, line, index))),
  );
  await insertRows(
    db,
    'quote_event',
    all.flatMap(({ deal }) => eventRows(deal)),
  );
  await insertRows(
    db,
    'approval_request',
    all.flatMap(({ company, deal }) => deal.askings.map((asking) => requestRow(company, deal, asking))),
  );
}

function quoteRow({ regionId, reps }: Company, deal: Deal) {
  const { total, status, revision, validUntil, loss } = nowOf(deal);
  const subtotal = subtotalOf(deal.lines);
  return {
    id: deal.id,
    num: deal.id,
    revision,
    status_id: status,
    facility_id: deal.facility.id,
    facility_name: 'Random Hospital',
    bill_to: {},
    ship_to: {},
    owner_id: deal.repId,
    sales_rep_id: deal.repId,
    assignee_id: assigneeOf(reps, deal),
    region_id: regionId,
    territory_id: deal.territoryId,
    quote_date: deal.quoteDate,
    valid_until: validUntil,
    currn_idx: deal.currnIdx,
    freight_amount: amount(deal.freight),
    subtotal: amount(subtotal),
    // Whatever is left; no report asks how it came about.
    tax_amount: amount(total - subtotal - deal.freight),
    total_amount: amount(total),
    lost_reason: loss?.reason ?? '',
    lost_competitor: loss?.competitor ?? '',
    lost_competitor_price: amount(loss?.price ?? null),
    created_at: iso(deal.createdAt),
    updated_at: iso(nowOf(deal).at),
    ...DEFAULTS,
  };
}

/** Columns that the database fills by itself in ordinary inserts. */
const DEFAULTS = {
  facility_acct_no: '',
  ...blankTexts(),
  valid_until_typed: false,
  tax_rate: 0,
  tax_exempt: false,
  discount_pct: 0,
  list_total: 0,
  discount_total: 0,
  savings: 0,
  won_by: '',
  version: 1,
  name_id: 0,
};

function lineRow(deal: Deal, line: DealLine, index: number) {
  const { contractLineId, tierId, resolved, system } = line;
  const proof = [
    ...(resolved === null
      ? []
      : [
          {
            step: 'Resolved',
            source: contractLineId === null ? 'List' : 'Contract',
            ref: contractLineId === null ? '' : `contract_line ${contractLineId} tier ${tierId}`,
            amount: amount(resolved),
            note: '',
          },
        ]),
    ...(line.promotionId !== null
      ? [{ step: 'Promotion', source: 'Offer', ref: '', amount: amount(system), note: '' }]
      : []),
  ];
  return {
    id: line.id,
    quote_id: deal.id,
    line_no: index + 1,
    type: line.type,
    item_id: line.itemId,
    item_number: '',
    description: '',
    qty: line.qty,
    unit: 'EA',
    notes: '',
    // One of the two ways in which a line does not count.
    active: line.counts || line.id % 2 === 0,
    optional: !line.counts && line.id % 2 === 0,
    promotion_id: line.promotionId,
    price_reason: '',
    list_price: amount(line.list),
    system_price: amount(system),
    unit_price: amount(line.unit),
    discount_pct: 0,
    quote_discount: amount(line.share),
    line_total: amount(lineTotal(line)),
    price_source: contractLineId === null ? 'List' : 'Contract',
    price_proof: proof,
    price_problem: '',
    price_choice: '',
    cost: amount(line.cost),
    contract_line_id: contractLineId,
    version: 1,
  };
}

function eventRows(deal: Deal) {
  return deal.acts.map((act, index) => {
    const [was, is] = [deal.states[index - 1], deal.states[index]];
    const changes = [];
    if (was && is && act.action === 'Edit') {
      const words = (cents: Cents) => formatAmount(cents / 100, deal.currnIdx);
      if (was.total !== is.total) changes.push({ field: 'Total', before: words(was.total), after: words(is.total) });
      if (was.validUntil !== is.validUntil)
        changes.push({ field: 'Valid until', before: formatDate(was.validUntil), after: formatDate(is.validUntil) });
    }
    const byCustomer = act.action === 'Question';
    return {
      quote_id: deal.id,
      at: iso(act.at),
      user_id: act.byPerson && !byCustomer ? deal.repId : null,
      actor: 'Somebody',
      action: act.action,
      from_status: act.from,
      to_status: act.to,
      revision: is?.revision ?? 1,
      comment: '',
      changes,
    };
  });
}

function requestRow({ reps }: Company, deal: Deal, { at, decisions }: Asking) {
  const index = deal.acts.findIndex((act) => act.at === at && act.action === 'RequestApproval');
  const [decision] = decisions;
  const next = deal.acts[index + 1]?.action;
  const waiting = next === undefined ? pendingRoles(deal) : [];
  const state = decision
    ? next === 'ApproveDiscount'
      ? 'Approved'
      : 'Rejected'
    : waiting.length > 0
      ? 'Pending'
      : 'Void';
  return {
    quote_id: deal.id,
    revision: deal.states[index]?.revision ?? 1,
    requested_by: reps[0],
    requested_at: iso(at),
    state,
    decided_by: decision?.by ?? null,
    decided_at: decision ? iso(decision.at) : null,
    comment: '',
    content_hash: 'x',
    rules: [
      ...decisions.map(({ rule }) => ({ rule, role: 'salesadmin' })),
      ...waiting.map((role, at) => ({ rule: -1 - at, role })),
    ].map(({ rule, role }) => ({
      ruleId: rule,
      name: `Rule ${rule}`,
      metric: 'discountPct',
      figure: 9,
      limit: 5,
      role,
      lines: [],
      text: '',
    })),
    figures: {},
    decisions: decisions.map((entry) => ({
      ruleId: entry.rule,
      state,
      by: entry.by,
      name: 'Approver',
      forId: null,
      forName: null,
      at: iso(entry.at),
      comment: '',
    })),
  };
}

/** Who has taken a quote in hand. */
export const assigneeOf = (reps: readonly number[], deal: Deal): number | null =>
  deal.id % 3 === 0 ? null : (reps[deal.id % reps.length] ?? null);

/** The roles that have to decide when the last act of a quote asked them. */
export const pendingRoles = (deal: Deal): string[] =>
  deal.acts.at(-1)?.action === 'RequestApproval'
    ? ['salesadmin', ...(deal.id % 2 === 0 ? ['salesQuoteManager'] : [])]
    : [];

const iso = (at: number) => new Date(at).toISOString();
