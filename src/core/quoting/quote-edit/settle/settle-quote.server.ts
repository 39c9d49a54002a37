// Settles a quote in memory: line prices, free lines, quote discount, totals, validity.
import type { ItemFacts, PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import { blankLine, type Line, type LineFallback, type QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { totalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import { addDays, earliest } from '#platform/shared/dates.ts';
import { AmountOutOfRange, convertPrice, type Decimal, extend, type PricePlaces } from '#platform/shared/money.ts';
import { type ItemPrice, priceOfItem } from '../lines/item-price.server.ts';
import { freeProof, priceLine } from '../lines/price-line.server.ts';
import { numberLines } from '../lines/line-order.server.ts';

export type ItemFactsById = Map<number, ItemFacts & Partial<PricedItem>>;

/** A quote during an edit, all in memory. */
export type Draft = {
  quote: QuoteRecord;
  lines: Line[];
  items: ItemFactsById;
  /** Items with their prices. `of` is the facility, currency and day of the prices. */
  prices?: { of: string; items: Map<number, PricedItem> };
  /** The default validity of a quote, in days. */
  validityDays: number;
  /** The decimal places of computed unit prices. */
  places: PricePlaces;
};

/** The name of the user who typed a line's price in this edit, by line id. For other lines, the proof contains the name. */
export type TypedBy = ReadonlyMap<number, string>;

/** Thrown when the amount of one line is too large to store. */
export class LineTooLarge extends AmountOutOfRange {
  readonly line: Line;
  constructor(line: Line) {
    super();
    this.line = line;
  }
}

/** The lines that need a price: all except free lines, which follow from their parents. */
export function linesToPrice(lines: readonly Line[], reprice: 'all' | ReadonlySet<number>): Line[] {
  return lines.filter((line) => line.type !== 'free' && (reprice === 'all' || reprice.has(line.id)));
}

/**
 * Prices the given (or all) lines, then settles free lines, quote discount, totals and validity. The caller must have read the prices of these items
 * and the proofs of lines that already had a manual price. Reads nothing and mutates nothing. An unchanged line remains the same object. A new free
 * line has its parent's negated id. Throws LineTooLarge or AmountOutOfRange for amounts too large to store.
 */
export function settle(
  draft: Draft,
  reprice: 'all' | ReadonlySet<number>,
  typedBy: TypedBy,
): { quote: QuoteRecord; lines: Line[] } {
  const needing = new Set(linesToPrice(draft.lines, reprice));
  const gifts = new Map<number, Gift>();
  const priced = draft.lines.map((line) => {
    if (!needing.has(line) || line.type === 'section' || line.type === 'note') return line;
    const { line: settled, gift } = pricedLine(draft, line, typedBy);
    if (gift) gifts.set(line.id, gift);
    return settled;
  });
  const looked = new Set([...needing].map(({ id }) => id));
  const { quote, lines } = totalled(draft.quote, numberLines(withFreeLines(priced, looked, gifts)));
  return { quote: { ...quote, valid_until: validUntil(quote, lines, draft.validityDays) }, lines };
}

type Gift = { promotion: DatedPromotion; qty: Decimal };

function pricedLine(draft: Draft, line: Line, typedBy: TypedBy): { line: Line; gift: Gift | null } {
  const { quote, places } = draft;
  const { item_id: itemId, unit, qty } = line;
  const item = itemId === null ? undefined : draft.prices?.items.get(itemId);
  const facts = itemId === null ? undefined : draft.items.get(itemId);
  const promotion = item?.promotions.find(({ id }) => id === line.promotion_id) ?? null;
  const terms = { facilityId: quote.facility_id, currnIdx: quote.currn_idx, priceDate: quote.quote_date, places };
  try {
    const manual = {
      price: line.manual_price,
      discountPct: line.manual_discount_pct,
      discountAmount: line.manual_discount_amount,
      reason: line.price_reason,
      typedAs: line.typed_as,
      by: typedBy.get(line.id) ?? line.price_proof?.find(({ step }) => step === 'Manual')?.source ?? '',
    };
    const typedOnly = {
      currnIdx: quote.currn_idx,
      qty,
      unit,
      date: quote.quote_date,
      promotion: null,
      promotionId: line.promotion_id,
      places,
      manual,
    };
    const { price, hangsOn } =
      line.type === 'item' && itemId !== null
        ? priceOfItem(item, terms, { itemId, unit, qty, promotionId: line.promotion_id, manual })
        : { price: priceLine({ ...typedOnly, resolved: null }), hangsOn: null };
    const fallback = hangsOn ? fallbackOf(line, hangsOn) : null;
    const settled: Line = {
      ...line,
      list_price: price.listPrice,
      system_price: price.systemPrice,
      unit_price: price.unitPrice,
      discount_pct: price.discountPct,
      price_source: price.priceSource,
      price_proof: price.proof,
      price_problem: price.problem,
      price_choice: price.choice,
      contract_price: price.contractPrice,
      contract_line_id: price.contractLineId,
      price_ends: hangsOn ? earliest(price.priceEnds, hangsOn.price.priceEnds) : price.priceEnds,
      eligibility_request_id: hangsOn?.requestId ?? null,
      fallback,
      cost: perUnit(facts, facts?.cost, unit),
      floor_price: perUnit(facts, facts?.floor_price, unit),
    };
    extend(settled.unit_price ?? 0, qty);
    extend(settled.list_price ?? 0, qty);
    extend(settled.cost ?? 0, qty);
    return { line: settled, gift: promotion && price.freeQty > 0 ? { promotion, qty: price.freeQty } : null };
  } catch (error) {
    throw error instanceof AmountOutOfRange ? new LineTooLarge(line) : error;
  }
}

/** Returns the line's existing fallback object when nothing in it changed, so that the line is treated as unchanged. */
function fallbackOf(line: Line, { tierId, tierPrice, price }: NonNullable<ItemPrice['hangsOn']>) {
  const { unitPrice, systemPrice, discountPct, priceSource, contractPrice, contractLineId, priceEnds, problem } = price;
  const now: LineFallback = {
    unitPrice,
    systemPrice,
    discountPct,
    priceSource,
    contractPrice,
    contractLineId,
    priceEnds,
    problem,
    tierId,
    tierPrice,
  };
  const { fallback } = line;
  const same =
    fallback !== null && Object.entries(now).every(([name, value]) => fallback[name as keyof LineFallback] === value);
  return same ? fallback : now;
}

export function isManual(line: Line): boolean {
  return line.manual_price !== null || line.manual_discount_pct !== null || line.manual_discount_amount !== null;
}

function perUnit(facts: ItemFacts | undefined, perBase: Decimal | null | undefined, unit: string): Decimal | null {
  const factor = facts?.units.find((candidate) => candidate.unit === unit)?.factor;
  return perBase === null || perBase === undefined || factor === undefined ? null : convertPrice(perBase, 1, factor);
}

/**
 * Makes one free line for each line of `looked` that earns free units. It is active and optional like that line. Removes the free lines of the other
 * lines in `looked`. Free lines of lines outside `looked` stay.
 */
function withFreeLines(lines: readonly Line[], looked: ReadonlySet<number>, gifts: ReadonlyMap<number, Gift>): Line[] {
  const free = new Map(lines.filter(({ type }) => type === 'free').map((line) => [line.parent_id, line]));
  const present = new Set(lines.map(({ id }) => id));
  const remaining = lines.filter(
    ({ type, parent_id: parentId }) =>
      type !== 'free' || parentId === null || (present.has(parentId) && !looked.has(parentId)),
  );
  const gifted = lines.flatMap((line) => {
    const gift = gifts.get(line.id);
    if (!gift) return [];
    return [freeLine(free.get(line.id) ?? blankLine(-line.id, line.quote_id, 'free'), line, gift)];
  });
  return [...remaining, ...gifted];
}

function freeLine(stored: Line, parent: Line, { promotion, qty }: Gift): Line {
  return {
    ...stored,
    parent_id: parent.id,
    item_id: parent.item_id,
    item_number: parent.item_number,
    description: parent.description,
    qty,
    unit: parent.unit,
    active: parent.active,
    optional: parent.optional,
    promotion_id: promotion.id,
    list_price: parent.list_price,
    system_price: 0,
    unit_price: 0,
    price_source: 'Promotion',
    price_proof: freeProof(promotion, { qty: parent.qty, unit: parent.unit, freeQty: qty }),
    cost: parent.cost,
  };
}

/** The last valid day: the typed day, or else the quote date plus the company's days, but never after the end of a price or promotion in use. */
function validUntil(quote: QuoteRecord, lines: readonly Line[], validityDays: number): string {
  const wished = quote.valid_until_typed ? quote.valid_until : addDays(quote.quote_date, validityDays);
  const limited = earliest(wished, priceEnds(lines)) ?? wished;
  return limited < quote.quote_date ? quote.quote_date : limited;
}

/** The earliest end of a price or promotion that an active line uses. */
export function priceEnds(lines: readonly Pick<Line, 'active' | 'price_ends'>[]): string | null {
  return earliest(...lines.filter((line) => line.active).map((line) => line.price_ends));
}
