// Prices a quote and adds it up: system prices of the lines that need one, free lines, quote discount, totals, how long it is valid.
import type { Db } from '#db/database.server.ts';
import {
  type ItemFacts,
  loadItemFacts,
  loadPricedItems,
  type PricedItem,
  priceFactsOf,
} from '#features/prices/pricing/price-lines.server.ts';
import { resolvePrice } from '#features/prices/pricing/resolve-price.ts';
import type { DatedPromotion } from '#features/prices/promotions/promotion.ts';
import { blankLine, type Line, type QuoteRecord } from '#features/quoting/quotes/records.ts';
import { addDays, earliest } from '#shared/dates.ts';
import { AmountOutOfRange, convertPrice, type Decimal, extend } from '#shared/money.ts';
import { freeProof, priceLine, withNet } from '../lines/line-price.ts';
import { newLineIds, numberLines, readProofs } from '../lines/quote-lines.server.ts';
import { quoteTotals } from './quote-totals.ts';

export type ItemFactsById = Map<number, ItemFacts & Partial<PricedItem>>;

/** Reads the items that are not known yet. */
export async function knowItems(db: Db, known: ItemFactsById, ids: Iterable<number | null | undefined>): Promise<void> {
  const missing = lacking(known, ids);
  for (const [id, item] of await loadItemFacts(db, missing)) known.set(id, item);
}

/** Reads the prices and promotions that items have on this quote, where they are not known yet, and the items with them. */
export async function knowPrices(db: Db, draft: Draft, ids: Iterable<number | null | undefined>): Promise<void> {
  const { facility_id: facilityId, currn_idx: currnIdx, quote_date: priceDate } = draft.quote;
  const of = `${facilityId} ${currnIdx} ${priceDate}`;
  if (draft.prices?.of !== of) draft.prices = { of, items: new Map() };
  const { items } = draft.prices;
  const missing = lacking(items, ids);
  for (const [id, item] of await loadPricedItems(db, { facilityId, currnIdx, priceDate }, missing)) {
    items.set(id, item);
    draft.items.set(id, item);
  }
}

function lacking(known: ReadonlyMap<number, unknown>, ids: Iterable<number | null | undefined>): number[] {
  return [...ids].filter((id) => id !== null && id !== undefined).filter((id) => !known.has(id));
}

/** Who typed the price of a line in this edit, by line id; the others' is in their proof. */
export type TypedBy = ReadonlyMap<number, string>;

/** A quote while it is edited, all of it in memory. */
export type Draft = {
  quote: QuoteRecord;
  lines: Line[];
  items: ItemFactsById;
  /** Items with their prices; `of`: for which facility, currency and day. */
  prices?: { of: string; items: Map<number, PricedItem> };
  /** How long a quote is valid when nobody says so. */
  validityDays: number;
};

/**
 * Prices the lines named (or all), then free lines, quote discount, totals and validity of the whole draft, in place. Nothing is
 * written. Throws LineTooLarge or AmountOutOfRange when an amount is beyond what can be
 * stored.
 */
export async function settle(
  db: Db,
  draft: Draft,
  reprice: 'all' | ReadonlySet<number>,
  typedBy: TypedBy,
): Promise<void> {
  const needing = draft.lines.filter((line) => line.type !== 'free' && (reprice === 'all' || reprice.has(line.id)));
  await priceLines(db, draft, needing, typedBy);
  draft.lines = numberLines(draft.lines);
  await total(db, draft);
  limitValidity(draft);
}

/** The amount of one line is beyond what can be stored. */
export class LineTooLarge extends AmountOutOfRange {
  readonly line: Line;
  constructor(line: Line) {
    super();
    this.line = line;
  }
}

function withinStorage<T>(line: Line, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw error instanceof AmountOutOfRange ? new LineTooLarge(line) : error;
  }
}

async function priceLines(db: Db, draft: Draft, lines: readonly Line[], typedBy: TypedBy): Promise<void> {
  const { quote } = draft;
  const items = lines.filter((line) => line.type === 'item' && line.item_id !== null);
  await knowPrices(
    db,
    draft,
    items.map((line) => line.item_id),
  );
  await readProofs(
    db,
    lines.filter((line) => isManual(line) && !typedBy.has(line.id) && line.price_proof === null),
  );
  const terms = { facilityId: quote.facility_id, currnIdx: quote.currn_idx, priceDate: quote.quote_date };

  const earned = new Map<number, { promotion: DatedPromotion; qty: Decimal }>();
  for (const line of lines) {
    if (line.type === 'section' || line.type === 'note') continue;
    const item = line.item_id === null ? undefined : draft.prices?.items.get(line.item_id);
    const promotion = item?.promotions.find(({ id }) => id === line.promotion_id) ?? null;
    const by = typedBy.get(line.id) ?? line.price_proof?.find(({ step }) => step === 'Manual')?.source ?? '';
    const price = withinStorage(line, () =>
      priceLine({
        qty: line.qty,
        unit: line.unit,
        date: quote.quote_date,
        resolved:
          line.type === 'item' && line.item_id !== null
            ? resolvePrice(priceFactsOf(item, terms, { itemId: line.item_id, unit: line.unit, qty: line.qty }))
            : null,
        promotion,
        promotionId: line.promotion_id,
        manual: {
          price: line.manual_price,
          discountPct: line.manual_discount_pct,
          discountAmount: line.manual_discount_amount,
          reason: line.price_reason,
          by,
        },
      }),
    );
    const facts = line.item_id === null ? undefined : draft.items.get(line.item_id);
    Object.assign(line, {
      list_price: price.listPrice,
      system_price: price.systemPrice,
      unit_price: price.unitPrice,
      discount_pct: price.discountPct,
      price_source: price.priceSource,
      price_proof: price.proof,
      price_problem: price.problem,
      contract_price: price.contractPrice,
      contract_line_id: price.contractLineId,
      price_ends: price.priceEnds,
      cost: withinStorage(line, () => perUnit(facts, facts?.cost, line.unit)),
      floor_price: withinStorage(line, () => perUnit(facts, facts?.floor_price, line.unit)),
    });
    withinStorage(line, () => [extend(line.unit_price ?? 0, line.qty), extend(line.list_price ?? 0, line.qty)]);
    if (promotion && price.freeQty > 0) earned.set(line.id, { promotion, qty: price.freeQty });
  }
  await giveFreeLines(db, draft, lines, earned);
}

export function isManual(line: Line): boolean {
  return line.manual_price !== null || line.manual_discount_pct !== null || line.manual_discount_amount !== null;
}

function perUnit(facts: ItemFacts | undefined, perBase: Decimal | null | undefined, unit: string): Decimal | null {
  const factor = facts?.units.find((one) => one.unit === unit)?.factor;
  return perBase === null || perBase === undefined || factor === undefined ? null : convertPrice(perBase, 1, factor);
}

/** One free line for each of `lines` that earns free units, none for those that do not; as active and optional as the line itself. */
async function giveFreeLines(
  db: Db,
  draft: Draft,
  lines: readonly Line[],
  earned: ReadonlyMap<number, { promotion: DatedPromotion; qty: Decimal }>,
): Promise<void> {
  const looked = new Set(lines.map((line) => line.id));
  const there = new Map(draft.lines.filter(({ type }) => type === 'free').map((line) => [line.parent_id, line]));
  const lacking = lines.filter((line) => earned.has(line.id) && !there.has(line.id));
  const ids = await newLineIds(db, lacking.length);
  lacking.forEach((line, index) => {
    const free = blankLine(ids[index] ?? 0, draft.quote.id, 'free');
    free.parent_id = line.id;
    there.set(line.id, free);
    draft.lines.push(free);
  });
  for (const line of lines) {
    const [free, gift] = [there.get(line.id), earned.get(line.id)];
    if (!free || !gift) continue;
    Object.assign(free, {
      item_id: line.item_id,
      item_number: line.item_number,
      description: line.description,
      qty: gift.qty,
      unit: line.unit,
      active: line.active,
      optional: line.optional,
      promotion_id: gift.promotion.id,
      list_price: line.list_price,
      system_price: 0,
      unit_price: 0,
      price_source: 'Promotion',
      price_proof: freeProof(gift.promotion, { qty: line.qty, unit: line.unit, freeQty: gift.qty }),
      cost: line.cost,
    });
  }
  const present = new Set(draft.lines.map((line) => line.id));
  draft.lines = draft.lines.filter((line) => {
    if (line.type !== 'free' || line.parent_id === null) return true;
    return present.has(line.parent_id) && (!looked.has(line.parent_id) || earned.has(line.parent_id));
  });
}

/** Shares of the quote discount, line totals and the quote's totals; completes the proofs of the lines whose net price moved. */
async function total(db: Db, draft: Draft): Promise<void> {
  const { quote, lines } = draft;
  const totals = quoteTotals(
    lines.map((line) => ({
      type: line.type,
      active: line.active,
      optional: line.optional,
      qty: line.qty,
      listPrice: line.list_price,
      unitPrice: line.unit_price,
    })),
    {
      discountPct: quote.discount_pct,
      freightAmount: quote.freight_amount,
      taxRate: quote.tax_rate,
      taxExempt: quote.tax_exempt,
    },
  );
  const moved: Line[] = [];
  lines.forEach((line, index) => {
    const { quoteDiscount = 0, lineTotal = 0 } = totals.lines[index] ?? {};
    if (line.price_proof === null && line.quote_discount === quoteDiscount && line.line_total === lineTotal) return;
    line.quote_discount = quoteDiscount;
    line.line_total = lineTotal;
    moved.push(line);
  });
  await readProofs(db, moved);
  for (const line of moved) {
    const { unit_price: unitPrice, qty, quote_discount: quoteDiscount, line_total: lineTotal } = line;
    line.price_proof = withNet(
      line.price_proof ?? [],
      { unitPrice, qty, quoteDiscount, lineTotal },
      quote.discount_pct,
    );
  }
  Object.assign(quote, {
    list_total: totals.listTotal,
    discount_total: totals.discountTotal,
    subtotal: totals.subtotal,
    tax_amount: totals.taxAmount,
    total_amount: totals.totalAmount,
    savings: totals.savings,
  });
}

/** The last valid day: as typed, else the company's days after the quote date; never past the end of a price or promotion that is used. */
function limitValidity({ quote, lines, validityDays }: Draft): void {
  const ends = priceEnds(lines);
  const wished = quote.valid_until_typed ? quote.valid_until : addDays(quote.quote_date, validityDays);
  const limited = earliest(wished, ends) ?? wished;
  quote.valid_until = limited < quote.quote_date ? quote.quote_date : limited;
}

/** The earliest end of a price or promotion that an active line uses. */
export function priceEnds(lines: readonly Pick<Line, 'active' | 'price_ends'>[]): string | null {
  return earliest(...lines.filter((line) => line.active).map((line) => line.price_ends));
}
