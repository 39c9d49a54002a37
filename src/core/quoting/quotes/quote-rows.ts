// The two row types of a quote, which all parts of the program use to read, price, test, show, freeze and write it.
import type { Selectable } from 'kysely';
import type { Quote, QuoteItem } from '#platform/db/tables.ts';
import type { PriceStep, ResolvedPrice } from '#core/prices/pricing/price-proof.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Decimal } from '#platform/shared/money.ts';

export type QuoteRecord = Selectable<Quote>;

/** The maximum number of lines of a quote. */
export const MAX_QUOTE_LINES = 5_000;

export const LINE_TYPES = ['item', 'custom', 'section', 'note', 'free'] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** A line of a quote. Its proof is large and rarely needed. Null means that the proof has not been read. */
export type Line = Omit<
  Selectable<QuoteItem>,
  'type' | 'price_source' | 'price_proof' | 'fallback' | 'configured' | 'typed_as'
> & {
  type: LineType;
  price_source: ResolvedPrice['priceSource'];
  price_proof: PriceStep[] | null;
  fallback: LineFallback | null;
  configured: LineConfigured | null;
  typed_as: TypedAs | null;
};

/**
 * The price, or the amount off, as the user typed it, and its unit. Kept on a line that is now sold in another unit, whose price is always converted
 * from this one, so that rounding errors do not add up. A change makes a new object.
 */
export type TypedAs = { price: Decimal; unit: string };

/** The origin of a line that a configurator made. A change to the line makes a new object. */
export type LineConfigured = {
  configId: string;
  /** The position within the configuration. Empty for the configuration's section. */
  position: string;
  /** Whether the configuration sets item, quantity and unit. False after a user unlinks the line. */
  linked: boolean;
  /** The item as it came from the configurator. Null for the section. */
  taken: TakenItem | null;
};

export type TakenItem = {
  itemNumber: string;
  description: string;
  qty: Decimal;
  unit: string;
  optionText: string;
  /** The price per unit. Null when the configurator has none. */
  price: Decimal | null;
};

/** The values of a line without the eligibility request that its price depends on, and the tier that the request must grant. */
export type LineFallback = {
  unitPrice: Decimal | null;
  systemPrice: Decimal | null;
  discountPct: Decimal;
  priceSource: ResolvedPrice['priceSource'];
  contractPrice: Decimal | null;
  contractLineId: number | null;
  priceEnds: IsoDate | null;
  /** Why there is no price without the request. Empty when there is one. */
  problem: string;
  /** The tier whose price the line shows, and that tier's contract price, per the contract line's unit. */
  tierId: number;
  tierPrice: Decimal;
};

/** An empty line. */
export function blankLine(id: number, quoteId: number, type: LineType): Line {
  return {
    id,
    quote_id: quoteId,
    line_no: 0,
    type,
    parent_id: null,
    item_id: null,
    item_number: '',
    customer_item_number: '',
    description: '',
    qty: 0,
    unit: '',
    notes: '',
    active: true,
    optional: false,
    promotion_id: null,
    manual_price: null,
    manual_discount_pct: null,
    manual_discount_amount: null,
    price_reason: '',
    list_price: null,
    system_price: null,
    unit_price: null,
    discount_pct: 0,
    quote_discount: 0,
    line_total: 0,
    price_source: '',
    price_proof: [],
    price_problem: '',
    price_choice: '',
    cost: null,
    floor_price: null,
    contract_price: null,
    contract_line_id: null,
    price_ends: null,
    eligibility_request_id: null,
    fallback: null,
    configured: null,
    typed_as: null,
    version: 1,
    client_key: null,
  };
}
