// The demo company's quotes in all ten statuses, priced by the product's own rules, with a year of events, approvals and sent revisions.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { loadCompany, pricePlacesOf } from '#features/company/company/company.server.ts';
import { resolvePrice } from '#features/prices/pricing/resolve-price.ts';
import { contentHash } from '#features/quoting/approvals/content-hash.server.ts';
import { loadRules } from '#features/quoting/approvals/evaluate.server.ts';
import { judge, type Rule } from '#features/quoting/approvals/evaluate.ts';
import { priceLine, withNet } from '#features/quoting/quote-edit/lines/line-price.ts';
import { quoteTotals } from '#features/quoting/quotes/totals/quote-totals.ts';
import { documentOf } from '#features/quoting/quote-pdf/build-document.server.ts';
import type { Line, QuoteRecord } from '#features/quoting/quotes/records.ts';
import type { StatusId } from '#features/quoting/quotes/status.ts';
import { addDays, earliest, type IsoDate } from '#shared/dates.ts';
import { type Decimal, divideRounded, fromUnits, toUnits } from '#shared/money.ts';
import type { Role } from '#shared/roles.ts';
import type { CatalogItem, DemoAccountPrice, DemoContracts } from './demo-catalog.server.ts';
import type { DemoFacility, DemoPlaces } from './demo-places.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.ts';

export type DemoWorld = {
  places: DemoPlaces;
  items: CatalogItem[];
  contracts: DemoContracts;
  accountPrices: DemoAccountPrice[];
  today: IsoDate;
};

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
const REASONS = [
  'Volume for the year',
  'Match of a competing offer',
  'New unit opening',
  'Goodwill after a late delivery',
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

type QuoteContext = {
  world: DemoWorld;
  random: Random;
  company: Awaited<ReturnType<typeof loadCompany>>;
  terms: { id: number; body: string };
  people: Map<number, { id: number; full_name: string; user_name: string; phone: string }>;
  rules: Rule[];
  accountPrices: Map<string, DemoAccountPrice[]>;
  itemsByClass: Map<number, CatalogItem[]>;
  lineId: number;
};

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

/** One to eight lines, sometimes a long quote; priced by the product's rules. */
function linesOf(
  context: QuoteContext,
  quoteId: number,
  facility: DemoFacility,
  date: IsoDate,
  discounted: boolean,
): Line[] {
  const { random } = context;
  const classes = [random.int(0, 11), random.int(0, 11)];
  const count = random.chance(0.03) ? random.int(20, 45) : random.int(1, 8);
  const lines: Line[] = [];
  const used = new Set<number>();
  for (let n = 0; n < count; n++) {
    const choice = context.itemsByClass.get(classes[n % 2] ?? 0) ?? [];
    const item = random.pick(choice);
    if (used.has(item.id)) continue;
    used.add(item.id);
    const unit = random.pick(Object.keys(item.units));
    const qty = item.listPrice > 500 ? random.int(1, 6) : random.int(1, 40);
    lines.push(
      lineOf(context, {
        quoteId,
        lineNo: lines.length + 1,
        item,
        unit,
        qty,
        facility,
        date,
        percent: discounted && random.chance(0.5) ? random.pick([3, 5, 7.5, 10, 12, 18]) : null,
      }),
    );
  }
  return lines;
}

type LineInput = {
  quoteId: number;
  lineNo: number;
  item: CatalogItem;
  unit: string;
  qty: number;
  facility: DemoFacility;
  date: IsoDate;
  percent: number | null;
};

function lineOf(context: QuoteContext, { quoteId, lineNo, item, unit, qty, facility, date, percent }: LineInput): Line {
  const { contracts, gpoNames, memberships } = context.world.contracts;
  const places = pricePlacesOf(context.company);
  const resolved = resolvePrice({
    itemNumber: item.number,
    baseUnit: 'EA',
    units: Object.entries(item.units).map(([name, factor]) => ({ unit: name, factor })),
    unit,
    qty,
    currnIdx: facility.currnIdx,
    priceDate: date,
    places,
    list: item.prices.map((price) => ({ ...price, from: '2020-01-01', to: null })),
    account: (context.accountPrices.get(`${facility.id} ${item.id}`) ?? []).map((price) => ({
      id: price.id,
      unit: price.unit,
      minQty: 1,
      price: price.price,
      currnIdx: 1007,
      from: '2023-01-01',
      to: null,
      holder: 'own' as const,
      facilityName: facility.name,
      reference: 'Price agreement',
    })),
    contracts: contracts.flatMap((contract) => {
      const line = contract.lines.get(item.id);
      const place = contract.roster.get(facility.id);
      const tier = contract.tiers.find((one) => one.id === place?.tierId);
      if (!line || !place || !tier) return [];
      const member = memberships.get(facility.id)?.find((one) => one.gpoId === contract.gpoId);
      return [
        {
          contractId: contract.id,
          number: contract.number,
          predecessorIds: [],
          currnIdx: 1007,
          from: contract.from,
          to: contract.to,
          day: date,
          gpoName: contract.gpoId === null ? null : (gpoNames[contract.gpoId - 1] ?? ''),
          membership: member ? { isPrimary: member.isPrimary, from: '2022-01-01', to: null } : null,
          listedBy: place.excluded ? ('excluded' as const) : ('roster' as const),
          parent: place.coveredBy ?? '',
          listedFrom: contract.from,
          listedTo: null,
          lineId: line.id,
          unit: line.unit,
          lineFrom: null,
          lineTo: null,
          // A tier that needs a letter of commitment falls back to the one below it.
          tiers: (place.excluded
            ? []
            : [tier, ...contract.tiers.filter((one) => tier.needsLoc && one.tierNo === tier.tierNo - 1)]
          ).map((one) => ({
            id: one.id,
            no: one.tierNo,
            needsLoc: one.needsLoc,
            loc:
              one !== tier || place.locState === null ? null : { state: place.locState, from: contract.from, to: null },
            price: line.prices.get(one.id) ?? null,
            from: contract.from,
            to: null,
          })),
        },
      ];
    }),
  });
  const reason = percent === null ? '' : context.random.pick(REASONS);
  const price = priceLine({
    qty,
    unit,
    date,
    resolved,
    promotion: null,
    promotionId: null,
    places,
    manual: { price: null, discountPct: percent, discountAmount: null, reason, by: 'Inside sales' },
  });
  const perUnit = (value: Decimal) =>
    fromUnits(divideRounded(toUnits(value) * toUnits(item.units[unit] ?? 1), 10_000n));
  return {
    id: ++context.lineId,
    quote_id: quoteId,
    line_no: lineNo,
    type: 'item',
    parent_id: null,
    item_id: item.id,
    item_number: item.number,
    description: item.description,
    qty,
    unit,
    notes: '',
    active: true,
    optional: false,
    promotion_id: null,
    manual_price: null,
    manual_discount_pct: percent,
    manual_discount_amount: null,
    price_reason: reason,
    list_price: price.listPrice,
    system_price: price.systemPrice,
    unit_price: price.unitPrice,
    discount_pct: price.discountPct,
    quote_discount: 0,
    line_total: 0,
    price_source: price.priceSource,
    price_proof: price.proof,
    price_problem: price.problem,
    cost: perUnit(item.cost),
    floor_price: perUnit(item.floor),
    contract_price: price.contractPrice,
    contract_line_id: price.contractLineId,
    price_ends: price.priceEnds,
    eligibility_request_id: null,
    fallback: null,
    configured: null,
    version: 1,
    client_key: null,
  };
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
    list_total: totals.listTotal,
    discount_total: totals.discountTotal,
    subtotal: totals.subtotal,
    tax_amount: totals.taxAmount,
    total_amount: totals.totalAmount,
    savings: totals.savings,
    fallback_total: null,
    won_by: status === 'Won' ? contact.name : '',
    lost_reason: status === 'Lost' ? random.pick(['price', 'competitor', 'timing', 'budget']) : '',
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
    event(desk, 'RequestApproval', 'Processing', 'Processing');
    if (approved) event(manager, 'ApproveDiscount', 'Processing', 'DiscountApproved');
    rows.requests.push({
      quote_id: quote.id,
      revision: 1,
      state: approved ? 'Approved' : 'Pending',
      requested_by: desk,
      requested_at: laterBy(quote.created_at, 90),
      decided_by: approved ? manager : null,
      decided_at: approved ? laterBy(quote.created_at, 200) : null,
      comment: '',
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
