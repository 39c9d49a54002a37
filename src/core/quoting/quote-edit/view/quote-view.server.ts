// Converts rows to what a board shows, with or without the internal figures (design 3 and 6).
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { looksOf, PLAIN, shownLook } from '#core/catalog/items/item-look.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import type { PriceStep } from '#core/prices/pricing/price-proof.ts';
import { type DatedPromotion, promotionMessage } from '#core/prices/promotions/promotion.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import { INTERNAL_TEXTS, OPEN_TEXTS, textsOf } from '#core/quoting/quotes/quote-fields.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import type { Address } from '#platform/shared/wire.ts';
import { withNet } from '../lines/price-line.server.ts';
import type { QuoteItem } from '../lines/quote-item.ts';
import { priceIn } from '../lines/typed-as.server.ts';
import type { Quote, QuoteTotals } from '../quote-edit.contract.ts';
import { isUnderFloor, lineMargin, quoteMargin } from '#core/quoting/quotes/totals/line-figures.server.ts';
import { netOf } from '#core/quoting/quotes/totals/net-price.ts';
import { asTotalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import { loadMissingItems } from '../settle/known-items.server.ts';
import { type ItemFactsById, priceEnds } from '../settle/settle-quote.server.ts';

/** 'public' excludes all costs, margins, floors and internal notes. */
export type View = 'public' | 'internal';

export type ReadContext = {
  db: Db;
  services: Services;
  user: Caller;
  /** Whether the change is one of many that share a single notification. */
  isOneOfMany?: boolean;
};

/** Lines as the server returns them, in the given order. The caller must have read their proofs. */
export async function viewLines(
  { db, services, user }: ReadContext,
  quote: Pick<QuoteRecord, 'currn_idx' | 'quote_date' | 'discount_pct'>,
  lines: readonly Line[],
  view: View,
  items: ItemFactsById = new Map(),
): Promise<QuoteItem[]> {
  const itemIds = [...new Set(lines.map((line) => line.item_id).filter((id) => id !== null))];
  await loadMissingItems(db, items, itemIds);
  const promotions = await promotionsOf(db, items, itemIds, { currnIdx: quote.currn_idx, date: quote.quote_date });
  const looks = await looksOf(
    db,
    user,
    itemIds.filter((id) => (items.get(id)?.product_id ?? null) !== null),
  );
  return shownLines(quote, lines, view, (id) => ({
    units: items.get(id)?.units ?? [],
    promotions: promotions.get(id) ?? [],
    look: shownLook(services, user, looks.get(id) ?? PLAIN),
  }));
}

type ShownOfItem = Pick<ItemFacts, 'units'> & {
  promotions: readonly DatedPromotion[];
  look: Pick<QuoteItem, 'productName' | 'imgThumbnailUrl'>;
};

/** Builds the lines from items already read. */
export function shownLines(
  quote: Pick<QuoteRecord, 'currn_idx' | 'discount_pct'>,
  lines: readonly Line[],
  view: View,
  itemOf: (id: number) => ShownOfItem,
): QuoteItem[] {
  return lines.map((line) => shownLine(quote, line, view, line.item_id === null ? null : itemOf(line.item_id)));
}

/** Adds the last steps of a proof, which are not stored because any other line of the quote may change them. */
function provenNet(
  quote: Pick<QuoteRecord, 'currn_idx' | 'discount_pct'>,
  line: Line,
  proof: PriceStep[],
): PriceStep[] {
  const { unit_price: unitPrice, qty, quote_discount: quoteDiscount, line_total: lineTotal } = line;
  const terms = { discountPct: quote.discount_pct, currnIdx: quote.currn_idx };
  return withNet(proof, { unitPrice, qty, quoteDiscount, lineTotal }, terms);
}

function shownLine(
  quote: Pick<QuoteRecord, 'currn_idx' | 'discount_pct'>,
  line: Line,
  view: View,
  item: ShownOfItem | null,
): QuoteItem {
  return {
    id: line.id,
    quoteId: line.quote_id,
    lineNo: line.line_no,
    type: line.type,
    parentId: line.parent_id,
    itemId: line.item_id,
    itemNumber: line.item_number,
    customerItemNumber: line.customer_item_number,
    description: line.description,
    qty: line.qty,
    unit: line.unit,
    units: item?.units.map(({ unit }) => unit) ?? [],
    notes: line.notes,
    active: line.active,
    optional: line.optional,
    listPrice: line.list_price,
    systemPrice: line.system_price,
    unitPrice: line.unit_price,
    discountPct: line.discount_pct,
    typedPct: line.manual_discount_pct,
    typedAs: shownTypedAs(line, item?.units ?? []),
    ...netOf(asTotalled(line), quote.discount_pct),
    quoteDiscount: line.quote_discount,
    lineTotal: line.line_total,
    priceSource: line.price_source,
    priceProof: line.price_proof === null ? [] : provenNet(quote, line, line.price_proof),
    priceProblem: line.price_problem,
    priceChoice: line.price_choice,
    priceReason: line.price_reason,
    fallback:
      line.fallback === null || line.eligibility_request_id === null
        ? null
        : {
            requestId: line.eligibility_request_id,
            unitPrice: line.fallback.unitPrice,
            priceSource: line.fallback.priceSource,
          },
    promotionId: line.promotion_id,
    promotions:
      line.type === 'item' && item
        ? item.promotions.map((promotion) => ({
            ...promotion,
            message: promotionMessage(promotion, quote.currn_idx),
            applied: promotion.id === line.promotion_id,
          }))
        : [],
    productName: item?.look.productName ?? '',
    imgThumbnailUrl: item?.look.imgThumbnailUrl ?? null,
    configured: line.configured,
    ...(view === 'internal'
      ? { cost: line.cost, marginPct: lineMargin(line), underFloor: isUnderFloor(line, quote.discount_pct) }
      : {}),
    version: line.version,
  };
}

/** The typed price in its own unit, and the price of that unit at the line's rounded price. */
function shownTypedAs(line: Line, units: ItemFacts['units']): QuoteItem['typedAs'] {
  const { typed_as: typedAs, manual_price: price, unit } = line;
  if (typedAs === null || price === null) return null;
  const atUnitPrice = priceIn({ price, unit }, typedAs.unit, units, 4);
  return atUnitPrice === null ? null : { ...typedAs, atUnitPrice };
}

/** The current promotions of items. An edit that priced the items has already read them. */
async function promotionsOf(db: Db, items: ItemFactsById, ids: number[], terms: { currnIdx: number; date: string }) {
  const running = await promotionsFor(
    db,
    ids.filter((id) => items.get(id)?.promotions === undefined),
    terms,
  );
  for (const id of ids) {
    const known = items.get(id)?.promotions;
    if (known) running.set(id, known);
  }
  return running;
}

export function viewTotals(quote: QuoteRecord, lines: readonly Line[], view: View): QuoteTotals {
  return {
    listTotal: quote.list_total,
    discountTotal: quote.discount_total,
    subtotal: quote.subtotal,
    freightAmount: quote.freight_amount,
    taxAmount: quote.tax_amount,
    totalAmount: quote.total_amount,
    savings: quote.savings,
    fallbackTotal: quote.fallback_total,
    endsWithPrice: priceEnds(lines) === quote.valid_until,
    ...(view === 'internal' ? { marginPct: quoteMargin(lines) } : {}),
  };
}

export function viewQuote(
  quote: QuoteRecord,
  lines: readonly Line[],
  view: View,
  known: { names: ReadonlyMap<number, string>; expired: boolean; docId: string | null },
): Quote {
  const person = (id: number | null) => ({ id, name: (id !== null && known.names.get(id)) || '' });
  return {
    id: quote.id,
    num: quote.num,
    revision: quote.revision,
    statusId: StatusId.parse(quote.status_id),
    facilityId: quote.facility_id,
    facilityName: quote.facility_name,
    facilityAcctNo: quote.facility_acct_no,
    billTo: wholeAddress(quote.bill_to),
    shipTo: wholeAddress(quote.ship_to),
    salesRep: person(quote.sales_rep_id),
    csRep: person(quote.cs_rep_id),
    isRep: person(quote.is_rep_id),
    owner: person(quote.owner_id),
    assignee: person(quote.assignee_id),
    salesRepId: quote.sales_rep_id,
    csRepId: quote.cs_rep_id,
    isRepId: quote.is_rep_id,
    regionId: quote.region_id,
    territoryId: quote.territory_id,
    quoteDate: quote.quote_date,
    validUntil: quote.valid_until,
    expired: known.expired,
    currnIdx: quote.currn_idx,
    ...textsOf(OPEN_TEXTS, quote),
    ...(view === 'internal' ? textsOf(INTERNAL_TEXTS, quote) : {}),
    taxRate: quote.tax_rate,
    taxExempt: quote.tax_exempt,
    discountPct: quote.discount_pct,
    docId: known.docId,
    version: quote.version,
    ...viewTotals(quote, lines, view),
  };
}

/** A stored address, with missing parts empty. */
export function wholeAddress(stored: unknown): Address {
  const { line1 = '', line2 = '', city = '', state = '', zip = '' } = (stored ?? {}) as Partial<Address>;
  return { line1, line2, city, state, zip };
}
