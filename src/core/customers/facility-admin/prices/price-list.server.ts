// Computes the price list of a facility, one page of items at a time, by the same rules as the lines of a quote.
import { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { type Db, ONE_PLAN } from '#platform/db/database.server.ts';
import { countedPages } from '#platform/db/page.server.ts';
import { allItems, type Found, type ItemFilter, stretchOfItems } from '#core/catalog/items/find-items.server.ts';
import { pricePlacesOf, today } from '#platform/company/company.server.ts';
import { loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import { type PricedItem, type PriceTerms, priceFactsOf } from '#core/prices/pricing/priced-item.server.ts';
import { resolvePrice } from '#core/prices/pricing/resolve-price.server.ts';
import { promotedPrice, promotionOffer, roundedPromotion } from '#core/prices/promotions/promotion.ts';
import type { RunningPromotion } from '#core/prices/promotions/promotions.server.ts';
import { csvLine } from '#platform/shared/csv.ts';
import { formatDate, type IsoDate, parseDate } from '#platform/shared/dates.ts';
import { currencyOf, type Decimal, type PricePlaces, percentBelow, subtract } from '#platform/shared/money.ts';
import type { Sort } from '#platform/shared/wire.ts';
import type { FacilityPrice, FacilityPriceCriteria } from '../facility-view.contract.ts';

const EXPORT_LIMIT = 200_000;
const EXPORT_STEP = 500;
const BY_NUMBER: Sort = { field: 'itemNumber', dir: 'asc' };

type Asked = { db: Db; services: Services };

/** Prices a page of the active items of visible classes. Throws 404 if the facility does not exist. */
export async function facilityPrices(context: Asked, criteria: FacilityPriceCriteria) {
  const { db, services } = context;
  const { context: terms } = await facilityTerms(context, criteria);
  const { page, pageSize } = criteria;
  const [filter, sort] = [filterOf(criteria), criteria.sort ?? BY_NUMBER];
  const now = services.clock.now();
  const range = { offset: (page - 1) * pageSize, limit: pageSize, sort };
  const { rows, total } = await stretchOfItems(services, (...results) => itemsOf(db, ...results), filter, now, range);
  return { records: await priced(db, terms, rows), ...countedPages(total, pageSize), date: terms.priceDate };
}

/** Returns the whole list as a file. It prices items in batches during the download and keeps only their ids in memory. */
export async function facilityPricesFile(context: Asked, criteria: FacilityPriceCriteria): Promise<FileAnswer> {
  const { context: terms, acctNo } = await facilityTerms(context, criteria);
  const range = { limit: EXPORT_LIMIT, sort: criteria.sort ?? BY_NUMBER };
  const ids = await allItems(context.db, filterOf(criteria), context.services.clock.now(), range);
  const account = acctNo.replaceAll(/[^\w-]+/g, '-');
  return { name: `prices-${account}-${terms.priceDate}.csv`, bytes: Readable.from(csvOf(context.db, terms, ids)) };
}

function filterOf({ keyword, classId }: FacilityPriceCriteria): ItemFilter {
  return { keyword, classId, hasRecentSaleOnly: false };
}

/** The price terms of the facility in its currency, for today if the criteria have no day. */
async function facilityTerms(
  { db, services }: Asked,
  { facilityId, date }: FacilityPriceCriteria,
): Promise<{ context: PriceTerms; acctNo: string }> {
  const known = await db
    .selectFrom(['facility', 'company'])
    .select(['facility.currn_idx', 'facility.acct_no', 'company.time_zone', 'company.price_places'])
    .where('facility.id', '=', facilityId)
    .executeTakeFirst();
  if (!known) throw notFound('facility');
  const priceDate: IsoDate = parseDate(date ?? '') ?? today(services, known);
  return {
    context: { facilityId, currnIdx: known.currn_idx, priceDate, places: pricePlacesOf(known) },
    acctNo: known.acct_no,
  };
}

type ItemRow = { id: number; item_number: string; description: string; class_name: string | null };

async function itemsOf(
  db: Db,
  result: RawBuilder<unknown>,
  order = sql`page.id`,
  onePlan = false,
): Promise<(ItemRow & Found)[]> {
  const { rows } = await sql<ItemRow & Found>`
    select item.item_number, item.description, (select name from item_class where id = item.class_id) as class_name, page.*
    from (${result}) page left join item on item.id = page.id order by ${order} ${onePlan ? ONE_PLAN : sql``}`.execute(
    db,
  );
  return rows;
}

async function priced(db: Db, terms: PriceTerms, items: ItemRow[]): Promise<FacilityPrice[]> {
  const prices = await loadPricedItems(
    db,
    terms,
    items.map(({ id }) => id),
  );
  return items.flatMap((item) => {
    const facts = prices.get(item.id);
    return facts ? [priceOf(item, facts, terms)] : [];
  });
}

/** The price of one base unit on a quote of that day, before promotions and discounts. */
function priceOf(
  { id, item_number, description, class_name }: ItemRow,
  facts: PricedItem,
  terms: PriceTerms,
): FacilityPrice {
  const resolved = resolvePrice(priceFactsOf(facts, terms, { itemId: id, unit: '', qty: 1 }));
  const { listPrice, systemPrice: price } = resolved;
  const both = price !== null && listPrice !== null;
  return {
    id,
    itemNumber: item_number,
    description,
    className: class_name ?? '',
    unit: facts.base_unit,
    currnIdx: terms.currnIdx,
    listPrice,
    price,
    priceSource: resolved.priceSource,
    source: resolved.proof.find(({ step }) => step === 'Resolved')?.source ?? '',
    problem: resolved.problem,
    priceEnds: resolved.priceEnds,
    saving: both ? subtract(listPrice, price) : null,
    savingPct: both ? percentBelow(price, listPrice) : null,
    promotions: facts.promotions.map((promotion) => ({
      offer: offerOf(promotion, terms.currnIdx),
      price: price === null ? null : promotedUnit(promotion, facts.base_unit, price, terms.places),
    })),
  };
}

/** 'buy 10, get 1 free, from 10 BX, to 12/31/2026' */
function offerOf(promotion: RunningPromotion, currnIdx: number): string {
  const { minQty, maxQty, uom, validTo } = promotion;
  return [
    promotionOffer(promotion, currnIdx),
    minQty > 1 ? `from ${[minQty, uom].join(' ').trim()}` : uom && `per ${uom}`,
    maxQty > 0 ? `up to ${[maxQty, uom].join(' ').trim()}` : '',
    validTo ? `to ${formatDate(validTo)}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The price of a base unit under a matching promotion. */
function promotedUnit(promotion: RunningPromotion, unit: string, price: Decimal, places: PricePlaces): Decimal | null {
  const promoted = promotion.uom === '' || promotion.uom === unit ? promotedPrice(promotion, price) : null;
  return promoted === null ? null : roundedPromotion(promotion, promoted, price, places);
}

const TITLES = [
  'Item #',
  'Description',
  'Class',
  'Unit',
  'List price',
  'Price',
  'Currency',
  'Price source',
  'Saving',
  'Saving %',
  'Price ends',
  'Promotions',
];

/** The byte order mark lets a spreadsheet program recognize UTF-8. */
async function* csvOf(db: Db, terms: PriceTerms, ids: number[]): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(TITLES)}`;
  for (let first = 0; first < ids.length; first += EXPORT_STEP) {
    const step = ids.slice(first, first + EXPORT_STEP);
    const byId = new Map((await itemsOf(db, idsAsRows(step))).map((item) => [item.id, item]));
    const prices = await priced(
      db,
      terms,
      step.flatMap((id) => byId.get(id) ?? []),
    );
    yield prices.map((price) => csvLine(csvCells(price))).join('');
  }
}

function idsAsRows(ids: number[]) {
  return sql<{ id: number }>`select unnest(${ids}::int[]) as id`;
}

function csvCells(price: FacilityPrice) {
  return [
    price.itemNumber,
    price.description,
    price.className,
    price.unit,
    price.listPrice,
    price.price,
    currencyOf(price.currnIdx),
    price.problem || price.source,
    price.saving,
    price.savingPct,
    formatDate(price.priceEnds),
    price.promotions.map(({ offer }) => offer).join('; '),
  ];
}
