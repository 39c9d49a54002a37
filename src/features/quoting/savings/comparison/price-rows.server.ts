// Prices rows of an analysis as lines of a new quote for the facility would be priced on that day.
import type { Db } from '#db/database.server.ts';
import { pricePlacesOf } from '#features/company/company/company.server.ts';
import { loadPricedItems } from '#features/prices/pricing/price-lines.server.ts';
import type { PricedItem } from '#features/prices/pricing/priced-item.server.ts';
import { priceOfItem } from '#features/quoting/quote-edit/lines/item-price.server.ts';
import { convertPrice, type Decimal } from '#shared/money.ts';
import { compareRow, type Compared, type Theirs, yearInOurUnits } from './compare-row.ts';

export type PriceDay = { facility_id: number; currn_idx: number; price_date: string };
export type RowToPrice = Theirs & { item_id: number | null; our_unit: string; typed_price: Decimal | null };
export type PricedRow = Compared & {
  our_eaches: Decimal | null;
  our_price: Decimal | null;
  price_source: string;
  price_problem: string;
  cost: Decimal | null;
};

const UNTYPED = { price: null, discountPct: null, discountAmount: null, reason: '', by: '' };
/** So many items are read at once: an item of many contracts is large. */
const AT_ONCE = 500;
const NO_PRICE: PricedRow = {
  our_eaches: null,
  our_price: null,
  price_source: '',
  price_problem: '',
  cost: null,
  their_each: null,
  our_each: null,
  their_year: null,
  our_year: null,
  cost_year: null,
};

/** One answer for each row, in order. Prices are those of a month's quantity, which an order is more like than a year's. */
export async function priceRows(db: Db, day: PriceDay, rows: readonly RowToPrice[]): Promise<PricedRow[]> {
  const company = await db.selectFrom('company').select('price_places').executeTakeFirstOrThrow();
  const context = { facilityId: day.facility_id, currnIdx: day.currn_idx, priceDate: day.price_date };
  const terms = { ...context, places: pricePlacesOf(company) };
  const ids = [...new Set(rows.flatMap(({ item_id: id, our_unit: unit }) => (id === null || unit === '' ? [] : [id])))];
  const items = new Map<number, PricedItem>();
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const [id, item] of await loadPricedItems(db, context, ids.slice(from, from + AT_ONCE))) items.set(id, item);
  return rows.map((row) => {
    const item = row.item_id === null ? undefined : items.get(row.item_id);
    const factor = item?.units.find(({ unit }) => unit === row.our_unit)?.factor;
    if (!item || factor === undefined)
      return { ...NO_PRICE, their_each: compareRow(row, { price: null, cost: null, our_eaches: null }).their_each };
    const line = { itemId: item.id, unit: row.our_unit, promotionId: null, manual: UNTYPED };
    const { price } = priceOfItem(item, terms, { ...line, qty: monthOf(yearInOurUnits(row, factor)) });
    const cost = item.cost === null ? null : convertPrice(item.cost, 1, factor);
    const ours = { price: row.typed_price ?? price.unitPrice, cost, our_eaches: factor };
    return {
      our_eaches: factor,
      our_price: price.unitPrice,
      price_source: price.priceSource,
      price_problem: price.problem,
      cost,
      ...compareRow(row, ours),
    };
  });
}

/** A month's quantity in whole units; one of them when nobody knows. */
export function monthOf(year: Decimal | null): Decimal {
  return year === null ? 1 : Math.max(1, Math.ceil(year / 12 - 0.000_05));
}
