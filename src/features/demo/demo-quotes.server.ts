// The demo company's quotes in all ten statuses, priced by the product's own rules, with a year of events, approvals and sent revisions.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { loadCompany } from '#features/company/company/company.server.ts';
import { contentHash } from '#features/quoting/approvals/content-hash.server.ts';
import { loadRules } from '#features/quoting/approvals/evaluate.server.ts';
import { judge } from '#features/quoting/approvals/judge.server.ts';
import { withNet } from '#features/quoting/quote-edit/lines/line-price.server.ts';
import { quoteTotals } from '#features/quoting/quotes/totals/quote-totals.ts';
import { documentOf } from '#features/quoting/quote-pdf/build-document.server.ts';
import type { Line, QuoteRecord } from '#features/quoting/quotes/records.ts';
import type { StatusId } from '#features/quoting/quotes/status.ts';
import { addDays, earliest, type IsoDate } from '#shared/dates.ts';
import type { Role } from '#shared/roles.ts';
import type { DemoFacility } from './demo-places.server.ts';
import { type DemoWorld, linesOf, type QuoteContext } from './demo-quote-lines.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.server.ts';

type Rows = {
  quotes: QuoteRecord[];
  lines: Line[];
  events: Record<string, unknown>[];
  revisions: Record<string, unknown>[];
  requests: Record<string, unknown>[];
};

const MIX: [StatusId, number][] = [
  ['Editing', 8],
  ['WaitingForProcess', 5],
  ['Processing', 9],
  ['NeedMoreInfo', 3],
  ['DiscountApproved', 2],
  ['SentToCustomer', 18],
  ['Revising', 2],
  ['Won', 33],
  ['Lost', 14],
  ['Cancelled', 6],
];

/** Why an approval was asked for, and what was said to it. */
const APPROVAL_WORDS: [asked: string, answer: string][] = [
  ['The competitor quoted 8 % less on the same category.', 'Approved for this order. Ask again before the next one.'],
  ['They take two years of volume at once.', 'Approved. Mention the volume in the message to the customer.'],
  ['A new account: the first order decides.', 'Approved for the first order only.'],
  ['The beds replace a recalled model of ours.', 'Approved. Charge the recall.'],
];

export async function fillQuotes(db: Db, random: Random, world: DemoWorld, count: number): Promise<void> {
  const context = {
    world,
    random,
    company: await loadCompany(db),
    terms: await db.selectFrom('terms_text').select(['id', 'body']).orderBy('id', 'desc').executeTakeFirstOrThrow(),
    people: new Map(
      (await db.selectFrom('app_user').select(['id', 'full_name', 'user_name', 'phone']).execute()).map((user) => [
        user.id,
        user,
      ]),
    ),
    rules: await loadRules(db),
    accountPrices: Map.groupBy(world.accountPrices, (price) => `${price.facilityId} ${price.itemId}`),
    itemsByClass: Map.groupBy(
      world.items.filter((item) => item.active),
      (item) => item.classIndex,
    ),
    lineId: 0,
  };
  const statuses = MIX.flatMap(([status, share]) => Array<StatusId>(share).fill(status));
  let rows: Rows = { quotes: [], lines: [], events: [], revisions: [], requests: [] };
  for (let n = 0; n < count; n++) {
    addQuote(rows, context, n + 1, random.pick(statuses));
    if (rows.quotes.length === 500 || n === count - 1) {
      await store(db, rows);
      rows = { quotes: [], lines: [], events: [], revisions: [], requests: [] };
    }
  }
  await keepSentRevisions(db);
  await followIds(db, 'quote');
  await followIds(db, 'quote_item');
  await sql`select setval('quote_num', ${104_000 + count})`.execute(db);
}

/** Quotes under revision as they were when sent, so that a person can discard the revision. */
async function keepSentRevisions(db: Db): Promise<void> {
  await sql`
    insert into quote_revision_backup (quote_id, revision, quote, items)
    select quote.id, 1,
           to_jsonb(quote) || '{"revision": 1, "status_id": "SentToCustomer", "revised_from": null, "revised_by": null}',
           (select jsonb_agg(to_jsonb(quote_item) order by line_no) from quote_item where quote_id = quote.id)
    from quote where status_id = 'Revising'`.execute(db);
}

async function store(db: Db, rows: Rows): Promise<void> {
  await insertRows(db, 'quote', rows.quotes);
  await insertRows(db, 'quote_item', rows.lines);
  await insertRows(db, 'quote_event', rows.events);
  await insertRows(db, 'quote_revision', rows.revisions);
  await insertRows(db, 'approval_request', rows.requests);
}

function addQuote(rows: Rows, context: QuoteContext, id: number, status: StatusId): void {
  const { random, world } = context;
  const facility = random.pick(world.places.facilities);
  const territory = world.places.territories[facility.territoryId - 1];
  if (!territory) return;
  const closed = status === 'Won' || status === 'Lost' || status === 'Cancelled';
  const age = closed ? random.int(5, 360) : random.int(0, status === 'SentToCustomer' ? 75 : 25);
  const quoteDate = addDays(world.today, -age);
  const discounted = random.chance(0.25) || status === 'DiscountApproved';
  const pending = status === 'Processing' && random.chance(0.2);
  const lines = linesOf(context, id, facility, quoteDate, discounted || pending);
  const quote = quoteOf(context, { id, status, facility, territory, quoteDate, lines, age });
  rows.quotes.push(quote);
  rows.lines.push(...lines);
  leaveTraces(rows, context, quote, lines, { pending, csRole: 'csrep' });
}

type HeadInput = {
  id: number;
  status: StatusId;
  facility: DemoFacility;
  territory: { id: number; regionId: number; salesRepId: number; csRepId: number; isRepId: number };
  quoteDate: IsoDate;
  lines: Line[];
  age: number;
};

function quoteOf(context: QuoteContext, { id, status, facility, territory, quoteDate, lines }: HeadInput): QuoteRecord {
  const { random } = context;
  const head = {
    discountPct: random.chance(0.06) ? 2 : 0,
    freightAmount: random.chance(0.3) ? random.pick([45, 120, 240.5]) : 0,
    taxRate: facility.taxRate,
    taxExempt: facility.taxExempt,
  };
  const totals = quoteTotals(
    lines.map((line) => ({
      type: 'item' as const,
      active: true,
      optional: false,
      qty: line.qty,
      listPrice: line.list_price,
      unitPrice: line.unit_price,
    })),
    head,
  );
  lines.forEach((line, index) => {
    const share = totals.lines[index];
    line.quote_discount = share?.quoteDiscount ?? 0;
    line.line_total = share?.lineTotal ?? 0;
    line.price_proof = withNet(
      line.price_proof ?? [],
      { unitPrice: line.unit_price, qty: line.qty, quoteDiscount: line.quote_discount, lineTotal: line.line_total },
      head.discountPct,
    );
  });
  const claimed = !['Editing', 'WaitingForProcess', 'Cancelled'].includes(status);
  const { place } = facility;
  const contact = random.pick(facility.contacts);
  const address = { city: place.city, state: place.state, zip: place.zip };
  const at = `${quoteDate}T${String(random.int(14, 21)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}:00Z`;
  return {
    id,
    num: 104_000 + id - 1,
    revision: status === 'Revising' ? 2 : 1,
    status_id: status,
    revised_from: status === 'Revising' ? 'SentToCustomer' : null,
    revised_by: status === 'Revising' ? territory.salesRepId : null,
    facility_id: facility.id,
    facility_name: facility.name,
    facility_acct_no: facility.acctNo,
    bill_to: { line1: 'Accounts Payable', line2: facility.street, ...address },
    ship_to: { line1: facility.street, line2: 'Receiving dock', ...address },
    contact_name: contact.name,
    contact_email: contact.email,
    phone: contact.phone,
    owner_id: territory.salesRepId,
    assignee_id: claimed ? (random.chance(0.5) ? territory.isRepId : territory.csRepId) : null,
    sales_rep_id: territory.salesRepId,
    cs_rep_id: territory.csRepId,
    is_rep_id: territory.isRepId,
    region_id: territory.regionId,
    territory_id: territory.id,
    quote_date: quoteDate,
    valid_until: earliest(addDays(quoteDate, 60), ...lines.map((line) => line.price_ends)) ?? addDays(quoteDate, 60),
    valid_until_typed: false,
    currn_idx: facility.currnIdx,
    payment_terms: 'Net 30',
    freight_terms: head.freightAmount > 0 ? 'Prepaid and added' : 'FOB Destination',
    freight_amount: head.freightAmount,
    tax_rate: head.taxRate,
    tax_exempt: head.taxExempt,
    customer_reference: random.chance(0.2) ? `RFQ ${random.int(1000, 9999)}` : '',
    po_number: status === 'Won' ? `PO-${random.int(100_000, 999_999)}` : '',
    customer_message: random.chance(0.3)
      ? 'Thank you for the opportunity to quote. Please call with any questions.'
      : '',
    internal_notes: random.chance(0.15) ? 'Ask about standing orders for next year.' : '',
    discount_pct: head.discountPct,
    discount_reason: head.discountPct > 0 ? 'Standing agreement with the group' : '',
    list_total: totals.listTotal,
    discount_total: totals.discountTotal,
    subtotal: totals.subtotal,
    tax_amount: totals.taxAmount,
    total_amount: totals.totalAmount,
    savings: totals.savings,
    fallback_total: null,
    won_by: status === 'Won' ? contact.name : '',
    lost_reason: status === 'Lost' ? random.pick(['price', 'competitor', 'timing', 'budget']) : '',
    lost_competitor: '',
    lost_competitor_price: null,
    template_id: null,
    cloned_from: null,
    version: 1,
    created_at: at,
    updated_at: at,
    name_id: 0,
  };
}

/** Events, the sent revision and the approval request that the status implies. */
function leaveTraces(
  rows: Rows,
  context: QuoteContext,
  quote: QuoteRecord,
  lines: Line[],
  options: { pending: boolean; csRole: Role },
): void {
  const nameOf = (id: number | null) => context.people.get(id ?? 0)?.full_name ?? 'Quoteboard';
  let minute = 0;
  const event = (userId: number | null, action: string, from: string | null, to: string | null, comment = '') =>
    rows.events.push({
      quote_id: quote.id,
      at: laterBy(quote.created_at, minute++ * 37),
      user_id: userId,
      actor: userId === null ? quote.contact_name : nameOf(userId),
      action,
      from_status: from,
      to_status: to,
      revision: 1,
      comment,
      changes: [],
    });
  const owner = quote.sales_rep_id;
  const desk = quote.assignee_id ?? quote.is_rep_id;
  event(owner, 'Create', null, 'Editing');
  if (quote.status_id === 'Editing') return;
  if (quote.status_id === 'Cancelled') {
    event(owner, 'Cancel', 'Editing', 'Cancelled', 'Entered twice');
    return;
  }
  event(owner, 'Submit', 'Editing', 'WaitingForProcess');
  if (quote.status_id === 'WaitingForProcess') return;
  event(desk, 'StartProcess', 'WaitingForProcess', 'Processing');
  if (quote.status_id === 'NeedMoreInfo')
    event(desk, 'RequestInfo', 'Processing', 'NeedMoreInfo', 'Which unit is this for, and who receives it?');
  const manager = context.world.places.users.get('manager') ?? null;
  const judgement = judge(
    context.rules,
    quote,
    lines.map((line) => ({ ...line, class_id: null })),
    [options.csRole],
  );
  if ((options.pending || quote.status_id === 'DiscountApproved') && judgement.fired.length > 0) {
    const approved = quote.status_id === 'DiscountApproved';
    const [asked = '', answer = ''] = APPROVAL_WORDS[quote.id % APPROVAL_WORDS.length] ?? [];
    event(desk, 'RequestApproval', 'Processing', 'Processing', asked);
    if (approved) event(manager, 'ApproveDiscount', 'Processing', 'DiscountApproved', answer);
    rows.requests.push({
      quote_id: quote.id,
      revision: 1,
      state: approved ? 'Approved' : 'Pending',
      requested_by: desk,
      requested_at: laterBy(quote.created_at, 90),
      decided_by: approved ? manager : null,
      decided_at: approved ? laterBy(quote.created_at, 200) : null,
      comment: approved ? answer : asked,
      content_hash: contentHash(quote, lines),
      rules: judgement.fired,
      figures: judgement.figures,
    });
  } else if (quote.status_id === 'DiscountApproved') quote.status_id = 'Processing';
  if (!['SentToCustomer', 'Won', 'Lost', 'Revising'].includes(quote.status_id)) return;
  event(desk, 'Send', 'Processing', 'SentToCustomer');
  const sentAt = laterBy(quote.created_at, 300);
  const won = quote.status_id === 'Won';
  const seller = context.people.get(quote.sales_rep_id ?? 0);
  if (!seller) return;
  rows.revisions.push({
    quote_id: quote.id,
    revision: 1,
    doc_id: randomBytes(16).toString('base64url'),
    document: documentOf({ company: context.company, terms: context.terms, seller }, { ...quote, revision: 1 }, lines),
    content_hash: contentHash({ ...quote, revision: 1 }, lines),
    valid_until: quote.valid_until,
    total_amount: quote.total_amount,
    sent_at: sentAt,
    sent_by: desk,
    superseded_at: quote.status_id === 'Revising' ? laterBy(quote.created_at, 1000) : null,
    accepted_at: won ? laterBy(quote.created_at, 2000) : null,
    declined_at: quote.status_id === 'Lost' ? laterBy(quote.created_at, 2000) : null,
    acceptance: won
      ? { name: quote.contact_name, title: 'Buyer', poNumber: quote.po_number, at: laterBy(quote.created_at, 2000) }
      : null,
  });
  if (quote.status_id === 'Revising') event(owner, 'Revise', 'SentToCustomer', 'Revising');
  if (won) event(null, 'MarkWon', 'SentToCustomer', 'Won');
  if (quote.status_id === 'Lost') event(owner, 'MarkLost', 'SentToCustomer', 'Lost');
}

function laterBy(instant: string, minutes: number): string {
  return new Date(Math.min(Date.parse(instant) + minutes * 60_000, Date.now())).toISOString();
}
