// Fills the demo company's quotes in all ten statuses, priced by the product's own rules, with two years of history.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { loadRules } from '#core/quoting/approvals/load-rules.server.ts';
import { judge } from '#core/quoting/approvals/rules-that-fire.server.ts';
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import type { RunningPromotion } from '#core/prices/promotions/promotions.server.ts';
import { withNet } from '#core/quoting/quote-edit/lines/price-line.server.ts';
import { quoteTotals, type TotalledQuote } from '#core/quoting/quotes/totals/quote-totals.ts';
import { blankTexts } from '#core/quoting/quotes/quote-fields.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { addDays, dayIn, earliest, type IsoDate } from '#platform/shared/dates.ts';
import { roundAmount } from '#platform/shared/money.ts';
import { decisionDay, type Loss, wonOrWhy, tenders, traitsOf } from './demo-market.server.ts';
import type { DemoFacility, DemoTerritory } from './demo-places.server.ts';
import { type DemoWorld, quoteLines, type QuoteContext } from './demo-quote-lines.server.ts';
import { storyOf, withoutApproval } from './demo-quote-story.server.ts';
import { leaveTraces, noRows, type Rows, type Version } from './demo-quote-traces.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.server.ts';

/** 'Decided': won or lost, by chance. */
type Share = Exclude<StatusId, 'Won' | 'Lost'> | 'Decided';
/** The territory and the decision day of a quote that the demo always needs. */
type FixedStory = { territoryId: number; day?: IsoDate };
/** The territory of the demo's own rep. */
const OWN_TERRITORY = 1;
const MIX: [Share, number][] = [
  ['Editing', 6],
  ['WaitingForProcess', 3],
  ['Processing', 6],
  ['NeedMoreInfo', 2],
  ['DiscountApproved', 2],
  ['SentToCustomer', 12],
  ['Revising', 2],
  ['Decided', 62],
  ['Cancelled', 5],
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
    agreed: {
      account: new Map(
        [...Map.groupBy(world.accountPrices, ({ facilityId }) => facilityId)].map(([id, prices]) => [
          id,
          prices.map(({ itemId }) => itemId),
        ]),
      ),
      contract: new Map(world.contracts.contracts.map(({ id, lines }) => [id, [...lines.keys()]])),
    },
    promotions: await lowerPrices(db),
    lineId: 0,
  };
  const statuses = MIX.flatMap(([status, share]) => Array<Share>(share).fill(status));
  // All other quotes are random.
  const stories: (FixedStory & { share: Share })[] = [
    { share: 'Editing', territoryId: OWN_TERRITORY },
    { share: 'Editing', territoryId: OWN_TERRITORY },
    ...tenders(world.today).map((tender) => ({ share: 'Decided' as const, ...tender })),
  ];
  let rows = noRows();
  for (let n = 0; n < count; n++) {
    const fixed = stories[n];
    addQuote(rows, context, n + 1, fixed?.share ?? random.pick(statuses), fixed);
    if (rows.quotes.length === 500 || n === count - 1) {
      await storeQuotes(db, rows);
      rows = noRows();
    }
  }
  await followIds(db, 'quote');
  await followIds(db, 'quote_item');
  await sql`select setval('quote_num', ${104_000 + count})`.execute(db);
}

/** The promotions that lower a price, by item. */
async function lowerPrices(db: Db): Promise<Map<number, DatedPromotion>> {
  const { rows } = await sql<RunningPromotion>`
    select p.id, p.item_id as "itemId", item.item_number as "itemNumber", p.promotion_type as "promotionType",
           p.buy_qty as "buyXGetYFreeBuyQty", p.get_qty as "buyXGetYFreeGetQty", p.amount as "promotionAmt", p.min_qty as "minQty",
           p.max_qty as "maxQty", p.uom, p.valid_from as "validFrom", p.valid_to as "validTo"
      from promotion p join item on item.id = p.item_id where p.promotion_type <> 'BuyXGetYFree' order by p.id desc`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.itemId, row]));
}

async function storeQuotes(db: Db, rows: Rows): Promise<void> {
  await insertRows(db, 'quote', rows.quotes);
  await insertRows(db, 'quote_item', rows.lines);
  await insertRows(db, 'quote_event', rows.events);
  await insertRows(db, 'quote_revision', rows.revisions);
  await insertRows(db, 'quote_revision_backup', rows.backups);
  await insertRows(db, 'approval_request', rows.requests);
}

/** How long ago the last step of an open quote was, in days: the first limit for most quotes, the second for some. */
const WAITS: Partial<Record<StatusId, [most: number, some: number]>> = {
  Editing: [12, 110],
  WaitingForProcess: [2, 9],
  Processing: [4, 30],
  NeedMoreInfo: [9, 40],
  DiscountApproved: [3, 12],
  SentToCustomer: [45, 100],
  Revising: [5, 20],
};

/** Decides the outcome of a quote first, then its story backwards from its last step, then its lines at the prices of the day it began. */
function addQuote(rows: Rows, context: QuoteContext, id: number, share: Share, fixed?: FixedStory): void {
  const { random, world } = context;
  const { facilities } = world.places;
  // A very small company has territories without facilities.
  const here = facilities.filter(({ territoryId }) => territoryId === fixed?.territoryId);
  const facility = random.pick(here.length > 0 ? here : facilities);
  const territory = world.places.territories[facility.territoryId - 1];
  if (!territory) return;
  const { discounts, pace } = traitsOf(territory.id);
  const discounted = random.chance(discounts) || share === 'DiscountApproved';
  const isClosed = share === 'Decided' || share === 'Cancelled';
  const day = isClosed ? (fixed?.day ?? decisionDay(random, territory.id, world.today)) : world.today;
  const loss = share === 'Decided' ? wonOrWhy(random, { facility, day, today: world.today, discounted }) : null;
  const planned: StatusId = share === 'Decided' ? (loss ? 'Lost' : 'Won') : share;
  const [most, least] = WAITS[planned] ?? [0, 0];
  const wait = random.next() * (random.chance(0.85) ? most : least) * 24 * 3_600_000;
  const end = isClosed ? instantIn(random, day) : world.now - wait;
  const revisions = planned === 'Revising' ? 2 : isSent(planned) && random.chance(0.22) ? random.pick([2, 2, 2, 3]) : 1;
  const needsApproval =
    planned === 'DiscountApproved' || (planned === 'Processing' && discounted && random.chance(0.6));
  const plot = storyOf({
    status: planned,
    revisions,
    asked: needsApproval,
    pace,
    end: Math.min(end, world.now),
    random,
  });
  const quoteDate = dayIn(context.company.time_zone, new Date(plot[0]?.at ?? end));
  const lines = quoteLines(context, id, facility, quoteDate, {
    discounted,
    // Prices of open quotes are computed again in many places, so only closed quotes use the promotions.
    promoted: isClosed,
  });
  const head = {
    discountPct: random.chance(0.06) || (revisions > 1 && random.chance(0.4)) ? 2 : 0,
    freightAmount: random.chance(0.3) ? random.pick([45, 120, 240.5]) : 0,
    taxRate: facility.taxRate,
    taxExempt: facility.taxExempt,
  };
  const input = { id, status: planned, facility, territory, quoteDate, revisions, loss };
  const quote = quoteOf(context, input, head, lines);
  const judgement = judge(
    context.rules,
    quote,
    lines.map((line) => ({ ...line, class_id: null })),
    ['csrep'],
  );
  const story = judgement.fired.length > 0 ? plot : withoutApproval(plot);
  quote.status_id = story.at(-1)?.to ?? planned;
  quote.created_at = story[0]?.at ?? quote.created_at;
  quote.updated_at = story.at(-1)?.at ?? quote.updated_at;
  rows.quotes.push(quote);
  rows.lines.push(...lines);
  // The last line and the quote discount came with the last revision, or with the second edit.
  const begun = earlier(quote, head, lines, 1);
  const sent = [...Array(revisions - 1).keys()].map((index) =>
    planned === 'Revising' ? asSent({ ...quote, revision: 1 }, lines) : earlier(quote, head, lines, index + 1),
  );
  const byCustomer = loss ? loss.competitor === '' && random.chance(0.4) : random.chance(0.6);
  leaveTraces(rows, context, { now: { quote, lines }, begun, sent, story, judgement, byCustomer });
}

const isSent = (status: StatusId) => status === 'SentToCustomer' || status === 'Won' || status === 'Lost';

/** A time in working hours, which all time zones of the company share. */
function instantIn(random: Random, day: IsoDate): number {
  return Date.parse(`${day}T00:00:00Z`) + (random.int(14 * 60, 21 * 60) + random.next()) * 60_000;
}

/** A quote before it got its last line and its discount. */
function earlier(quote: QuoteRecord, head: TotalledQuote, lines: readonly Line[], revision: number): Version {
  const before = { ...head, discountPct: 0 };
  const fewer = (lines.length > 1 && head.discountPct === 0 ? lines.slice(0, -1) : lines).map((line) => ({ ...line }));
  return asSent({ ...quote, ...totalled(fewer, before, quote.currn_idx), revision }, fewer);
}

/** An earlier revision, as it was sent. */
function asSent(quote: QuoteRecord, lines: readonly Line[]): Version {
  const open = {
    status_id: 'SentToCustomer',
    revised_from: null,
    revised_by: null,
    po_number: '',
    won_by: '',
  } as const;
  const notLost = { lost_reason: '', lost_competitor: '', lost_competitor_price: null };
  return { quote: { ...quote, ...open, ...notLost }, lines: [...lines] };
}

type HeadInput = {
  id: number;
  status: StatusId;
  facility: DemoFacility;
  territory: DemoTerritory;
  quoteDate: IsoDate;
  revisions: number;
  loss: Loss | null;
};

/** Adds up the quote, and writes each line's share of the discount. */
function totalled(lines: Line[], head: TotalledQuote, currnIdx: number) {
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
      { discountPct: head.discountPct, currnIdx },
    );
  });
  return {
    discount_pct: head.discountPct,
    discount_reason: head.discountPct > 0 ? 'Standing agreement with the group' : '',
    list_total: totals.listTotal,
    discount_total: totals.discountTotal,
    subtotal: totals.subtotal,
    tax_amount: totals.taxAmount,
    total_amount: totals.totalAmount,
    savings: totals.savings,
  };
}

function quoteOf(context: QuoteContext, input: HeadInput, head: TotalledQuote, lines: Line[]): QuoteRecord {
  const { random } = context;
  const { id, status, facility, territory, quoteDate, revisions, loss } = input;
  const totals = totalled(lines, head, facility.currnIdx);
  const claimed = !['Editing', 'WaitingForProcess', 'Cancelled'].includes(status);
  const { place } = facility;
  const contact = random.pick(facility.contacts);
  const address = { city: place.city, state: place.state, zip: place.zip };
  const at = `${quoteDate}T15:00:00Z`;
  return {
    ...blankTexts(),
    id,
    num: 104_000 + id - 1,
    revision: revisions,
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
    ...totals,
    fallback_total: null,
    won_by: status === 'Won' ? contact.name : '',
    lost_reason: loss?.reason ?? '',
    lost_competitor: loss?.competitor ?? '',
    lost_competitor_price: loss?.share == null ? null : roundAmount(totals.total_amount * loss.share),
    facility_values: null,
    template_id: null,
    cloned_from: null,
    version: 1,
    created_at: at,
    updated_at: at,
    name_id: 0,
  };
}
