// Answers the ItemSearch calls: items by number or name, their prices, pictures and documents.
import { Readable } from 'node:stream';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { type Db, ONE_PLAN } from '#platform/db/database.server.ts';
import { countedPages } from '#platform/db/page.server.ts';
import type { Item } from '#platform/db/tables.ts';
import { itemsMeant, unsureItem } from '#core/catalog/item-finder/find-by-number.server.ts';
import { loadCompany, pricePlacesOf, today } from '#platform/company/company.server.ts';
import { loadItemFacts, loadPricedItems, loadPriceFacts } from '#core/prices/pricing/price-lines.server.ts';
import { type PricedItem, type PriceTerms, priceFactsOf } from '#core/prices/pricing/priced-item.server.ts';
import { priceLadder, resolvePrice } from '#core/prices/pricing/resolve-price.server.ts';
import { promotionMessage, promotionOffer } from '#core/prices/promotions/promotion.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import { rememberCriteria, rememberedCriteria } from '#core/quoting/quotes/list/criteria.server.ts';
import { inSight, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { netPriceOf } from '#core/quoting/quotes/totals/net-price.ts';
import { csvLine } from '#platform/shared/csv.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf, DOLLAR_INDEX } from '#platform/shared/money.ts';
import { allItems, haveRecentSales, isVisible, stretchOfItems } from './find-items.server.ts';
import {
  documentsOfItems,
  audiencesOf,
  hasDocuments,
  readableFile,
} from '#core/catalog/documents/visible-documents.server.ts';
import { imageFile, imagesOf } from './serve-pictures.server.ts';
import { type ItemLook, itemPicture, productName, shownLook } from './item-look.server.ts';
import { type ItemAdvancedHit, ItemCriteria, type ItemHit, type ItemSearch, MIN_KEYWORD } from './items.contract.ts';

const BEST = 200;
const EXPORT_LIMIT = 20_000;
const EXPORT_STEP = 1_000;

type Context = { db: Db; services: Services; user: Pick<Caller, 'id' | 'roles'> };

export const itemSearchAnswers: Answers<typeof ItemSearch> = {
  /** A page of items with their price for the facility, or else their list price. The server remembers the criteria for the user. */
  SearchItemAdvanced: async (context, criteria) => {
    const { services, user } = context;
    rememberCriteria(services, user.id, 'item-search', criteria);
    const { page, pageSize, sort, facilityId = null } = criteria;
    const now = services.clock.now();
    const range = { offset: (page - 1) * pageSize, limit: pageSize, sort };
    const { rows, total } = await stretchOfItems(
      services,
      (...results) => itemRows(context, facilityId, ...results),
      criteria,
      now,
      range,
    );
    const [first] = rows;
    const terms = first ? termsNow(services, facilityId, first) : await priceTerms(context, facilityId);
    return { records: await advancedHits(context, rows, terms), ...countedPages(total, pageSize) };
  },

  /** The best 200 items that the text may mean (`stretchOfItems`). Returns none for fewer than 3 characters (specification section 5). */
  SearchItemByNumber: async (context, { number, hasRecentSaleOnly, facilityId }) => {
    const keyword = number.trim();
    if (keyword.length < MIN_KEYWORD) return [];
    const filter = { keyword, hasRecentSaleOnly, facilityId };
    const now = context.services.clock.now();
    const { rows } = await stretchOfItems(
      context.services,
      (...results) => itemRows(context, null, ...results),
      filter,
      now,
      { offset: 0, limit: BEST },
    );
    const items = await loadItemFacts(
      context.db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => hitOf(context, row, items.get(row.id)?.units ?? []));
  },

  /**
   * One item with every price valid today for the facility (else list prices), the reason why each is used or not for the quantity (default 1) and
   * unit (default the base unit), promotions, pictures and documents. Discontinued items are marked. Throws 404 for items of hidden classes, and 422
   * for a number that matches several items.
   */
  SearchItemPrices: async (context, input) => {
    const { db, services, user } = context;
    const { itemId = null, itemNumber = null, facilityId } = input;
    const [qty, unit] = [input.qty ?? 1, input.unit ?? ''];
    if (itemId === null && itemNumber === null)
      throw invalid([{ path: 'itemNumber', message: 'This field is required' }]);
    const wanted = itemId ?? (await itemOf(db, itemNumber ?? '', facilityId));
    const item = await db
      .selectFrom('item')
      .leftJoin('product', (join) =>
        join.onRef('product.id', '=', 'item.product_id').on('product.status', '<>', 'Draft'),
      )
      .leftJoin('product as next', 'next.id', 'product.replaced_by')
      .select(['item.id', 'item.product_id as productId', 'product.description as longDescription', 'product.brand'])
      .select('next.name as replacedBy')
      .where('item.id', '=', wanted)
      .where(isVisible)
      .executeTakeFirst();
    if (!item) throw notFound('item');
    const terms = await priceTerms(context, facilityId);
    const [hit] = await advancedHits(context, await itemRowsOf(context, [item.id]), terms);
    const [facts] = await loadPriceFacts(db, terms, [{ itemId: item.id, unit, qty }]);
    if (!hit || !facts) throw notFound('item');
    const { rows, resolved } = priceLadder(facts);
    const promotions =
      (await promotionsFor(db, [item.id], { currnIdx: terms.currnIdx, date: terms.priceDate })).get(item.id) ?? [];
    const { productId } = item;
    return {
      item: {
        ...hit,
        unit: unit || hit.unit,
        price: resolved.systemPrice,
        longDescription: item.longDescription ?? '',
        brand: item.brand ?? '',
        replacedBy: item.replacedBy ?? '',
        images: productId === null ? [] : await imagesOf(db, services, user, productId),
      },
      prices: rows,
      resolved,
      promotions: promotions.map((promotion) => ({
        ...promotion,
        message: promotionMessage(promotion, terms.currnIdx),
      })),
      documents: await documentsOfItems(db, services, audiencesOf(user), [item.id]),
    };
  },

  GetItemsAtFacility: async (context, { facilityId, itemIds }) => {
    const { db, user } = context;
    const visible = await db
      .selectFrom('item')
      .select('id')
      .where('id', 'in', [0, ...itemIds])
      .where(isVisible)
      .execute();
    const ids = visible.map(({ id }) => id);
    const terms = await priceTerms(context, facilityId);
    const items = await loadPricedItems(db, terms, ids);
    const lastWon = await lastWonLines(db, user, facilityId, ids);
    return itemIds.flatMap((itemId) => {
      const item = items.get(itemId);
      if (!item) return [];
      const { systemPrice, priceSource } = resolvePrice(priceFactsOf(item, terms, { itemId, unit: '', qty: 1 }));
      const offers = item.promotions.map((promotion) => promotionOffer(promotion, terms.currnIdx));
      const { currnIdx } = terms;
      return [
        {
          itemId,
          unit: item.base_unit,
          price: systemPrice,
          currnIdx,
          priceSource,
          offers,
          lastWon: lastWon.get(itemId) ?? null,
        },
      ];
    });
  },

  /** The result of the same criteria as CSV, in the order of the list. */
  ExportItems: async (context, criteria) => {
    const terms = await priceTerms(context, criteria.facilityId);
    const range = { limit: EXPORT_LIMIT, sort: criteria.sort };
    const ids = await allItems(context.db, criteria, context.services.clock.now(), range);
    return { name: `items-${terms.priceDate}.csv`, bytes: Readable.from(csvOf(context, ids, terms)) };
  },

  /**
   * The user's last criteria, without a deleted class or facility, and the visible classes. If the company has no recent sales, the criteria do not
   * filter by them, because nothing would match.
   */
  GetItemSearchDefaults: async ({ db, user, services }) => {
    const classes = await db
      .selectFrom('item_class')
      .select(['id', 'name'])
      .where('visible_in_web_quote', '=', true)
      .orderBy(sql`lower(name)`)
      .execute();
    const criteria =
      (await rememberedCriteria(services, user.id, 'item-search', ItemCriteria)) ?? ItemCriteria.parse({});
    const facility = criteria.facilityId ? await facilityTerms(db, criteria.facilityId) : undefined;
    const hasSales = await haveRecentSales(db, services.clock.now());
    return {
      criteria: {
        ...criteria,
        hasRecentSaleOnly: criteria.hasRecentSaleOnly && hasSales,
        classId: classes.some(({ id }) => id === criteria.classId) ? criteria.classId : null,
        facilityId: facility ? criteria.facilityId : null,
      },
      classes,
      hasSales,
    };
  },

  GetItemImage: async ({ db, user, services }, { id }) => {
    const file = await imageFile(db, user, id);
    return {
      name: file.name,
      mediaType: file.media_type,
      bytes: await readStored(services, file.storage_key, 'picture'),
      inline: true,
    };
  },

  /** The revision of a document that is valid today. Throws 404 if the user is not in its audience. */
  GetItemDocument: async ({ db, services, user }, { id }) => {
    const file = await readableFile(db, services, user, id);
    if (!file) throw notFound('document');
    return {
      name: file.name,
      mediaType: file.mediaType,
      bytes: await readStored(services, file.storageKey, 'document'),
    };
  },
};

/** The id of the item that a number means for the facility, or 0 if there is none. Throws 422 if the user must choose. */
async function itemOf(db: Db, number: string, facilityId: number | null | undefined): Promise<number> {
  const meaning = (await itemsMeant(db, [number], facilityId)).get(number);
  if (meaning && !meaning.isSure) throw invalid([await unsureItem(db, number, meaning)]);
  return meaning?.fits[0]?.id ?? 0;
}

function facilityTerms(db: Db, id: number) {
  return db.selectFrom('facility').select(['id', 'currn_idx']).where('id', '=', id).executeTakeFirst();
}

/** The newest won line of each item at the facility, by item id, from the quotes that the user can see. */
async function lastWonLines(db: Db, user: Viewer, facilityId: number, itemIds: number[]) {
  const rows = await db
    .selectFrom('quote')
    .innerJoin('quote_item as line', 'line.quote_id', 'quote.id')
    .distinctOn('line.item_id')
    .select([
      'line.item_id as itemId',
      'quote.num',
      'quote.revision',
      'quote.quote_date as date',
      'quote.currn_idx as currnIdx',
    ])
    .select([
      'line.qty',
      'line.unit',
      'line.unit_price as unitPrice',
      'line.optional',
      'quote.discount_pct as quoteDiscountPct',
    ])
    .where('quote.facility_id', '=', facilityId)
    .where('quote.status_id', '=', 'Won')
    .where(inSight(user))
    .where('line.item_id', 'in', [0, ...itemIds])
    .where('line.type', '=', 'item')
    .where('line.active', '=', true)
    .where('line.unit_price', 'is not', null)
    .orderBy('line.item_id')
    .orderBy('quote.quote_date', 'desc')
    .orderBy('quote.id', 'desc')
    .orderBy('line.line_no')
    .execute();
  return new Map(
    rows.flatMap(({ itemId, num, revision, date, currnIdx, qty, unit, ...line }) => {
      const price = netPriceOf({ type: 'item', active: true, ...line }, line.quoteDiscountPct);
      if (itemId === null || price === null) return [];
      return [[itemId, { number: quoteNumber(num, revision), date, qty, unit, price, currnIdx }] as const];
    }),
  );
}

/** Today's prices for the facility in its currency, or in US dollars without one. Throws 404 if the facility does not exist. */
async function priceTerms(
  { db, services }: Pick<Context, 'db' | 'services'>,
  facilityId: number | null | undefined,
): Promise<PriceTerms> {
  const company = await loadCompany(db);
  const facility = facilityId ? await facilityTerms(db, facilityId) : undefined;
  return termsNow(services, facilityId ?? null, { ...company, currn_idx: facility?.currn_idx ?? null });
}

function termsNow(
  services: Services,
  facilityId: number | null,
  known: { time_zone: string; price_places: number; currn_idx: number | null },
): PriceTerms {
  if (facilityId !== null && known.currn_idx === null) throw notFound('facility');
  const places = pricePlacesOf(known);
  return { facilityId, currnIdx: known.currn_idx ?? DOLLAR_INDEX, priceDate: today(services, known), places };
}

type ItemRow = Pick<
  Selectable<Item>,
  'id' | 'item_number' | 'description' | 'base_unit' | 'status' | 'last_sold' | 'selling_rank' | 'selling_rank_num'
> &
  ItemLook & {
    class_name: string | null;
    has_docs: boolean;
    total: number;
    snapshot: string | null;
    fit: string | null;
    meant: boolean | null;
    said_unit: string | null;
    must_choose: boolean | null;
    time_zone: string;
    price_places: number;
    /** The currency index of the requested facility. */
    currn_idx: number | null;
  };

/** The items that `result` selects, as a list shows them, and the terms of the facility, in one statement. */
async function itemRows(
  { db, services, user }: Context,
  facilityId: number | null,
  result: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  onePlan = false,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select item.item_number, item.description, item.base_unit, item.status, item.last_sold, item.selling_rank,
      item.selling_rank_num, (select name from item_class where id = item.class_id) as class_name,
      ${itemPicture(user)} as picture,
      ${hasDocuments(user, services.clock.now())} as has_docs,
      ${productName} as "productName",
      page.id, page.total, page.snapshot, page.fit, page.meant, page.said_unit, page.must_choose,
      (select time_zone from company), (select price_places from company), (select currn_idx from facility where id = ${facilityId}::int)
    from (${result}) page left join item on item.id = page.id
    order by ${order} ${onePlan ? ONE_PLAN : sql``}`.execute(db);
  return rows;
}

async function itemRowsOf(context: Context, ids: number[]): Promise<ItemRow[]> {
  const rows = await itemRows(
    context,
    null,
    sql`select unnest(${ids}::int[]) as id, 0 as total, null as snapshot, '' as fit, false as meant, '' as said_unit, false as must_choose`,
    sql`item.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function hitOf({ services, user }: Pick<Context, 'services' | 'user'>, row: ItemRow, units: ItemHit['units']): ItemHit {
  return {
    id: row.id,
    itemNumber: row.item_number,
    description: row.description,
    ...shownLook(services, user, row),
    sellingRank: row.selling_rank,
    sellingRankNum: row.selling_rank_num,
    units,
    foundBy: row.fit ?? '',
    isMeant: row.meant ?? false,
    mustChoose: row.must_choose ?? false,
    saidUnit: row.said_unit ?? '',
  };
}

/** The items in the given order, each with the price of one base unit. */
async function advancedHits(context: Context, rows: ItemRow[], terms: PriceTerms): Promise<ItemAdvancedHit[]> {
  const items = await loadPricedItems(
    context.db,
    terms,
    rows.map(({ id }) => id),
  );
  const priceOf = (item: PricedItem | undefined, itemId: number) =>
    resolvePrice(priceFactsOf(item, terms, { itemId, unit: '', qty: 1 })).systemPrice;
  return rows.map((row) => ({
    ...hitOf(context, row, items.get(row.id)?.units ?? []),
    className: row.class_name ?? '',
    status: row.status,
    lastSold: row.last_sold,
    hasDocs: row.has_docs,
    unit: row.base_unit,
    price: priceOf(items.get(row.id), row.id),
    currnIdx: terms.currnIdx,
  }));
}

async function* csvOf(context: Context, ids: number[], terms: PriceTerms): AsyncGenerator<string> {
  const header = ['Item #', 'Description', 'Class', 'Unit', 'Price', 'Currency', 'Selling rank', 'Last sold', 'Status'];
  yield `\uFEFF${csvLine(header)}`;
  for (let first = 0; first < ids.length; first += EXPORT_STEP) {
    const hits = await advancedHits(context, await itemRowsOf(context, ids.slice(first, first + EXPORT_STEP)), terms);
    yield hits
      .map((hit) =>
        csvLine([
          hit.itemNumber,
          hit.description,
          hit.className,
          hit.unit,
          hit.price,
          currencyOf(hit.currnIdx),
          hit.sellingRank,
          formatDate(hit.lastSold),
          hit.status,
        ]),
      )
      .join('');
  }
}
