// Prices rows of an analysis like lines of a new quote for the facility on that day.
import type { Db } from '#platform/db/database.server.ts';
import { pricePlacesOf } from '#platform/company/company.server.ts';
import { tierThatCounts } from '#core/prices/pricing/choose-contract.server.ts';
import { loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { tierPrices } from '#core/quoting/next-tier/next-tier.server.ts';
import { priceItemAtTier, type TierPrices } from '#core/quoting/next-tier/total-at-tier.server.ts';
import { priceOfItem } from '#core/quoting/quote-edit/lines/item-price.server.ts';
import { convertPrice, type Decimal } from '#platform/shared/money.ts';
import { type Compared, compareRow, type Theirs, yearInOurUnits } from './compare-per-each.server.ts';

export type PriceDay = { facility_id: number; currn_idx: number; price_date: string };
export type RowToPrice = Theirs & { item_id: number | null; our_unit: string; typed_price: Decimal | null };
export type PricedRow = Compared & {
  our_eaches: Decimal | null;
  our_price: Decimal | null;
  price_source: string;
  price_problem: string;
  cost: Decimal | null;
  /** The amount per year of the row, at the system's prices, in each tier of the contracts that offer its item. */
  tiers: TierYear[];
};
/** `isNow`: the tier that prices the row today. Other tiers are listed if their amount per year differs. */
export type TierYear = { contractId: number; tierId: number; year: Decimal; isNow: boolean };

const UNTYPED = { price: null, discountPct: null, discountAmount: null, reason: '', by: '' };
/** The number of items to read at once, because an item with many contracts is large. */
const AT_ONCE = 500;
const NO_PRICE: PricedRow = {
  our_eaches: null,
  our_price: null,
  price_source: '',
  price_problem: '',
  cost: null,
  tiers: [],
  their_each: null,
  our_each: null,
  their_year: null,
  our_year: null,
  cost_year: null,
};

/** One result for each row, in order. Prices are for a month's quantity, because that is closer to an order than a year's. */
export async function priceRows(db: Db, day: PriceDay, rows: readonly RowToPrice[]): Promise<PricedRow[]> {
  const company = await db.selectFrom('company').select('price_places').executeTakeFirstOrThrow();
  const context = { facilityId: day.facility_id, currnIdx: day.currn_idx, priceDate: day.price_date };
  const terms = { ...context, places: pricePlacesOf(company) };
  const ids = [...new Set(rows.flatMap(({ item_id: id, our_unit: unit }) => (id === null || unit === '' ? [] : [id])))];
  const items = new Map<number, PricedItem>();
  const tiers = new Map<number, TierPrices[]>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const loaded = await loadPricedItems(db, context, ids.slice(from, from + AT_ONCE));
    const offered = [...loaded.values()].flatMap((item) => offersOf(item).map(({ lineId }) => lineId));
    const prices = offered.length === 0 ? [] : await tierPrices(db, day.price_date, offered, [...loaded.keys()]);
    const byContract = Map.groupBy(prices, ({ contractId }) => contractId);
    for (const [id, item] of loaded) {
      items.set(id, item);
      const contractIds = new Set(offersOf(item).map(({ contractId }) => contractId));
      tiers.set(
        id,
        [...contractIds].flatMap((contractId) => byContract.get(contractId) ?? []),
      );
    }
  }
  return rows.map((row) => {
    const item = row.item_id === null ? undefined : items.get(row.item_id);
    const factor = item?.units.find(({ unit }) => unit === row.our_unit)?.factor;
    if (!item || factor === undefined)
      return { ...NO_PRICE, their_each: compareRow(row, { price: null, cost: null, our_eaches: null }).their_each };
    const year = yearInOurUnits(row, factor);
    const line = { itemId: item.id, unit: row.our_unit, promotionId: null, manual: UNTYPED, qty: monthOf(year) };
    const { price } = priceOfItem(item, terms, line);
    const yearAt = (unitPrice: Decimal | null) =>
      compareRow(row, { price: unitPrice, cost: null, our_eaches: factor }).our_year;
    const cost = item.cost === null ? null : convertPrice(item.cost, 1, factor);
    const ours = { price: row.typed_price ?? price.unitPrice, cost, our_eaches: factor };
    return {
      our_eaches: factor,
      our_price: price.unitPrice,
      price_source: price.priceSource,
      price_problem: price.problem,
      cost,
      tiers: tierYears(item, tiers.get(item.id) ?? [], price, (asIf) =>
        yearAt(asIf === item ? price.unitPrice : priceOfItem(asIf, terms, line).price.unitPrice),
      ),
      ...compareRow(row, ours),
    };
  });
}

const offersOf = ({ contracts }: PricedItem) => contracts.filter(({ listedBy }) => listedBy !== 'excluded');

/** `yearAs` returns the amount per year for an item, either the current one or a variant of it. */
function tierYears(
  item: PricedItem,
  tiers: readonly TierPrices[],
  { contractLineId, priceSource }: { contractLineId: number | null; priceSource: string },
  yearAs: (asIf: PricedItem) => Decimal | null,
): TierYear[] {
  const now = yearAs(item);
  if (now === null) return [];
  const used = priceSource === 'Contract' ? item.contracts.find(({ lineId }) => lineId === contractLineId) : undefined;
  const usedTier = used && tierThatCounts(used).tier?.id;
  return tiers.flatMap(({ prices, ...tier }): TierYear[] => {
    const { contractId, tierId } = tier;
    if (tierId === usedTier) return [{ contractId, tierId, year: now, isNow: true }];
    const year = yearAs(priceItemAtTier(item, tier, prices));
    return year === null || year === now ? [] : [{ contractId, tierId, year, isNow: false }];
  });
}

/** A month's quantity in whole units, or 1 if it is unknown. */
export function monthOf(year: Decimal | null): Decimal {
  return year === null ? 1 : Math.max(1, Math.ceil(year / 12 - 0.000_05));
}
