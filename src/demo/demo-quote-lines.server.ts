// Creates the lines of the demo company's quotes, priced by the product's own rules.
import { type loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import { resolvePrice } from '#core/prices/pricing/resolve-price.server.ts';
import type { Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { type DatedPromotion, promotionApplies } from '#core/prices/promotions/promotion.ts';
import { priceLine } from '#core/quoting/quote-edit/lines/price-line.server.ts';
import type { Line } from '#core/quoting/quotes/quote-rows.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { type Decimal, divideRounded, fromUnits, toUnits } from '#platform/shared/money.ts';
import type { DemoAccountPrice, DemoContracts } from './demo-agreed-prices.server.ts';
import type { CatalogItem } from './demo-catalog.server.ts';
import type { DemoFacility, DemoPlaces } from './demo-places.server.ts';
import type { Random } from './random.server.ts';

export type DemoWorld = {
  places: DemoPlaces;
  items: CatalogItem[];
  contracts: DemoContracts;
  accountPrices: DemoAccountPrice[];
  today: IsoDate;
  /** The instant of today's fill. */
  now: number;
};

/** The data from which the quotes are made and judged. */
export type QuoteContext = {
  world: DemoWorld;
  random: Random;
  company: Awaited<ReturnType<typeof loadCompany>>;
  terms: { id: number; body: string };
  people: Map<number, { id: number; full_name: string; user_name: string; phone: string }>;
  rules: Rule[];
  accountPrices: Map<string, DemoAccountPrice[]>;
  itemsByClass: Map<number, CatalogItem[]>;
  /** The items with agreed prices, by facility and by contract. */
  agreed: { account: Map<number, number[]>; contract: Map<number, number[]> };
  /** Lower prices, by item. */
  promotions: Map<number, DatedPromotion>;
  lineId: number;
};

const REASONS = [
  'Volume for the year',
  'Match of a competing offer',
  'New unit opening',
  'Goodwill after a late delivery',
];

/** One to eight lines, sometimes many more, priced by the product's rules. */
export function quoteLines(
  context: QuoteContext,
  quoteId: number,
  facility: DemoFacility,
  date: IsoDate,
  { discounted, promoted }: { discounted: boolean; promoted: boolean },
): Line[] {
  const { random } = context;
  const classes = [random.int(0, 11), random.int(0, 11)];
  const count = random.chance(0.03) ? random.int(20, 45) : random.int(1, 8);
  const lines: Line[] = [];
  const used = new Set<number>();
  for (let n = 0; n < count; n++) {
    const choice = context.itemsByClass.get(classes[n % 2] ?? 0) ?? [];
    const item = (random.chance(0.4) && agreedItem(context, facility, date)) || random.pick(choice);
    if (used.has(item.id)) continue;
    used.add(item.id);
    const unit = random.pick(Object.keys(item.units));
    const qty = item.listPrice > 500 ? random.int(1, 6) : random.int(1, 40);
    lines.push(
      demoLine(context, {
        quoteId,
        lineNo: lines.length + 1,
        item,
        unit,
        qty,
        facility,
        date,
        percent: discounted && random.chance(0.5) ? random.pick([3, 5, 7.5, 10, 12, 18]) : null,
        promotion: (promoted && facility.currnIdx === 1007 && context.promotions.get(item.id)) || null,
      }),
    );
  }
  return lines;
}

/** Prefers items with agreed prices, because a facility mostly buys those. */
function agreedItem(
  { random, world, agreed }: QuoteContext,
  facility: DemoFacility,
  date: IsoDate,
): CatalogItem | undefined {
  const lists = world.contracts.contracts.filter(
    (contract) => contract.from <= date && date <= contract.to && contract.roster.has(facility.id),
  );
  const ids =
    random.chance(0.25) || lists.length === 0
      ? agreed.account.get(facility.id)
      : agreed.contract.get(random.pick(lists).id);
  const item = ids?.length ? world.items[random.pick(ids) - 1] : undefined;
  return item?.active ? item : undefined;
}

type LineStory = {
  quoteId: number;
  lineNo: number;
  item: CatalogItem;
  unit: string;
  qty: number;
  facility: DemoFacility;
  date: IsoDate;
  percent: number | null;
  /** Applied if it matches. */
  promotion: DatedPromotion | null;
};

function demoLine(context: QuoteContext, input: LineStory): Line {
  const { quoteId, lineNo, item, unit, qty, facility, date, percent } = input;
  const promotion = input.promotion && promotionApplies(input.promotion, { qty, unit, date }) ? input.promotion : null;
  const { contracts, gpoNames, memberships } = context.world.contracts;
  const places = pricePlacesOf(context.company);
  const chiefs = memberships.get(facility.id)?.filter(({ isPrimary }) => isPrimary) ?? [];
  const primary = { declared: true, gpos: chiefs.map(({ gpoId }) => gpoNames[gpoId - 1] ?? '') };
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
      const tier = contract.tiers.find((candidate) => candidate.id === place?.tierId);
      if (!line || !place || !tier) return [];
      const member = memberships.get(facility.id)?.find((candidate) => candidate.gpoId === contract.gpoId);
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
          membership: member ? { from: '2022-01-01', to: null } : null,
          primary,
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
            : [tier, ...contract.tiers.filter((candidate) => tier.needsLoc && candidate.tierNo === tier.tierNo - 1)]
          ).map((entry) => ({
            id: entry.id,
            no: entry.tierNo,
            needsLoc: entry.needsLoc,
            loc:
              entry !== tier || place.locState === null
                ? null
                : { state: place.locState, from: contract.from, to: null },
            price: line.prices.get(entry.id) ?? null,
            from: contract.from,
            to: null,
          })),
        },
      ];
    }),
  });
  const reason = percent === null ? '' : context.random.pick(REASONS);
  const price = priceLine({
    currnIdx: facility.currnIdx,
    qty,
    unit,
    date,
    resolved,
    promotion,
    promotionId: promotion?.id ?? null,
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
    promotion_id: promotion?.id ?? null,
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
    price_choice: price.choice,
    cost: item.cost === null ? null : perUnit(item.cost),
    floor_price: perUnit(item.floor),
    contract_price: price.contractPrice,
    contract_line_id: price.contractLineId,
    price_ends: price.priceEnds,
    eligibility_request_id: null,
    fallback: null,
    configured: null,
    typed_as: null,
    version: 1,
    client_key: null,
    customer_item_number: '',
  };
}
