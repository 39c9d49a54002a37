// The answers of ItemSearch: items by number or name, their prices, pictures and documents.
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { invalid, notFound } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { loadCompany, today } from '#features/company/company.server.ts';
import { loadPriceFacts, resolvePrices } from '#features/pricing/price-lines.server.ts';
import { priceLadder } from '#features/pricing/resolve-price.ts';
import { promotionMessage } from '#features/promotions/promotion.ts';
import { promotionsFor } from '#features/promotions/promotions.server.ts';
import { csvLine } from '#shared/csv.ts';
import { formatDate, type IsoDate } from '#shared/dates.ts';
import { currencyOf, DOLLAR_INDEX } from '#shared/money.ts';
import { bestItems, findItems, isVisible } from './find-items.server.ts';
import { firstPicture, imageFile, imagesOf, imageUrl } from './item-images.server.ts';
import { type ItemAdvancedHit, ItemCriteria, type ItemHit, type ItemSearch, MIN_KEYWORD } from './items.contract.ts';

const BEST = 200;
const EXPORT_LIMIT = 20_000;
const EXPORT_STEP = 1_000;
const SCREEN = 'item-search';

type Context = { db: Db; services: Services; user: Pick<Caller, 'id' | 'roles'> };

export const itemSearchAnswers: Answers<typeof ItemSearch> = {
  /** A page of items with their price for the facility, else their list price; the criteria are remembered for this person. */
  SearchItemAdvanced: async (context, criteria) => {
    const { db, user } = context;
    const terms = await priceTerms(context, criteria.facilityId);
    await remember(db, user.id, criteria);
    const { page, pageSize, sort } = criteria;
    const { ids, total } = await findItems(db, criteria, terms.priceDate, {
      offset: (page - 1) * pageSize,
      limit: pageSize,
      sort,
    });
    return { records: await advancedHits(context, ids, terms), pageCount: Math.ceil(total / pageSize), total };
  },

  /** The best 200 items whose number or description holds every word; none for fewer than 3 characters (specification section 5). */
  SearchItemByNumber: async (context, { number, hasRecentSaleOnly }) => {
    const keyword = number.trim();
    if (keyword.length < MIN_KEYWORD) return [];
    const day = today(context.services, await loadCompany(context.db));
    const ids = await bestItems(context.db, { keyword, hasRecentSaleOnly }, day, BEST);
    const hits = await hitsById(context, ids);
    return ids.flatMap((id) => hits.get(id)?.hit ?? []);
  },

  /**
   * One item with every price that stands today for the facility (else list prices), why which is used for the quantity (1) and unit
   * (the base unit), promotions, pictures and documents. 404 for items of hidden classes; discontinued ones are shown as such.
   */
  SearchItemPrices: async (context, input) => {
    const { db, services, user } = context;
    const { itemId = null, itemNumber = null, facilityId } = input;
    const [qty, unit] = [input.qty ?? 1, input.unit ?? ''];
    if (itemId === null && itemNumber === null)
      throw invalid([{ path: 'itemNumber', message: 'This field is required' }]);
    const item = await db
      .selectFrom('item')
      .leftJoin('product', 'product.id', 'item.product_id')
      .select(['item.id', 'item.product_id as productId', 'product.description as longDescription', 'product.brand'])
      .where((eb) =>
        itemId === null
          ? eb(sql`lower(item.item_number)`, '=', (itemNumber ?? '').trim().toLowerCase())
          : eb('item.id', '=', itemId),
      )
      .where(isVisible)
      // Numbers may differ by case alone: the one written as asked comes first.
      .orderBy(sql`item.item_number = ${itemNumber?.trim() ?? ''}`, 'desc')
      .executeTakeFirst();
    if (!item) throw notFound('item');
    const terms = await priceTerms(context, facilityId);
    const [hit] = await advancedHits(context, [item.id], terms);
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
        images: productId === null ? [] : await imagesOf(db, services, user, productId),
      },
      prices: rows,
      resolved,
      promotions: promotions.map((promotion) => ({
        ...promotion,
        message: promotionMessage(promotion, terms.currnIdx),
      })),
      documents: productId === null ? [] : await documentsOf(db, productId),
    };
  },

  /** The result of the same criteria as CSV, in the order of the list. */
  ExportItems: async (context, criteria) => {
    const terms = await priceTerms(context, criteria.facilityId);
    const { ids } = await findItems(context.db, criteria, terms.priceDate, {
      offset: 0,
      limit: EXPORT_LIMIT,
      sort: criteria.sort,
    });
    return { name: `items-${terms.priceDate}.csv`, bytes: Readable.from(csvOf(context, ids, terms)) };
  },

  /** What this person last searched for (a class or facility that is gone is left out), and the visible classes. */
  GetItemSearchDefaults: async ({ db, user }) => {
    const classes = await db
      .selectFrom('item_class')
      .select(['id', 'name'])
      .where('visible_in_web_quote', '=', true)
      .orderBy(sql`lower(name)`)
      .execute();
    const saved = await db
      .selectFrom('saved_criteria')
      .select('criteria')
      .where('user_id', '=', user.id)
      .where('screen', '=', SCREEN)
      .executeTakeFirst();
    const criteria = ItemCriteria.safeParse(saved?.criteria).data ?? ItemCriteria.parse({});
    const facility = criteria.facilityId ? await facilityTerms(db, criteria.facilityId) : undefined;
    return {
      criteria: {
        ...criteria,
        classId: classes.some(({ id }) => id === criteria.classId) ? criteria.classId : null,
        facilityId: facility ? criteria.facilityId : null,
      },
      classes,
    };
  },

  GetItemImage: async ({ db, user, services }, { id }) => {
    const file = await imageFile(db, user, id);
    return {
      name: file.name,
      mediaType: file.media_type,
      bytes: await services.files.get(file.storage_key),
      inline: true,
    };
  },

  GetItemDocument: async ({ db, services }, { id }) => {
    const file = await db
      .selectFrom('product_document')
      .innerJoin('file', 'file.id', 'product_document.file_id')
      .select(['file.storage_key', 'file.name', 'file.media_type'])
      .where('product_document.id', '=', id)
      .executeTakeFirst();
    if (!file) throw notFound('document');
    return { name: file.name, mediaType: file.media_type, bytes: await services.files.get(file.storage_key) };
  },
};

type Terms = { facilityId: number | null; currnIdx: number; priceDate: IsoDate };

function facilityTerms(db: Db, id: number) {
  return db.selectFrom('facility').select(['id', 'currn_idx']).where('id', '=', id).executeTakeFirst();
}

/** Today's prices, for the facility in its currency, else in US dollars. 404 when the facility does not exist. */
async function priceTerms(
  { db, services }: Pick<Context, 'db' | 'services'>,
  facilityId: number | null | undefined,
): Promise<Terms> {
  const priceDate = today(services, await loadCompany(db));
  if (!facilityId) return { facilityId: null, currnIdx: DOLLAR_INDEX, priceDate };
  const facility = await facilityTerms(db, facilityId);
  if (!facility) throw notFound('facility');
  return { facilityId, currnIdx: facility.currn_idx, priceDate };
}

async function remember(db: Db, userId: number, criteria: ItemCriteria): Promise<void> {
  await db
    .insertInto('saved_criteria')
    .values({ user_id: userId, screen: SCREEN, criteria: JSON.stringify(criteria) })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'screen'])
        .doUpdateSet({ criteria: sql`excluded.criteria` })
        .where('saved_criteria.criteria', 'is distinct from', sql`excluded.criteria`),
    )
    .execute();
}

type Loaded = {
  hit: ItemHit;
  className: string;
  status: string;
  baseUnit: string;
  lastSold: IsoDate | null;
  hasDocs: boolean;
};

async function hitsById({ db, services, user }: Context, ids: number[]): Promise<Map<number, Loaded>> {
  if (ids.length === 0) return new Map();
  const items = await db
    .selectFrom('item')
    .leftJoin('item_class', 'item_class.id', 'item.class_id')
    .select(['item.id', 'item.item_number', 'item.description', 'item.base_unit', 'item.status', 'item.last_sold'])
    .select(['item.selling_rank', 'item.selling_rank_num', 'item_class.name as class_name'])
    .select(firstPicture(user).as('picture'))
    .select([
      sql<boolean>`exists (select from product_document where product_document.product_id = item.product_id)`.as(
        'has_docs',
      ),
      sql<
        ItemHit['units']
      >`coalesce((select json_agg(json_build_object('unit', u.unit, 'factor', u.factor) order by u.factor)
        from item_unit u where u.item_id = item.id and u.unit <> item.base_unit), '[]')`.as('other_units'),
    ])
    .where('item.id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
  return new Map(
    items.map((item) => [
      item.id,
      {
        hit: {
          id: item.id,
          itemNumber: item.item_number,
          description: item.description,
          imgThumbnailUrl: item.picture === null ? null : imageUrl(services, item.picture),
          sellingRank: item.selling_rank,
          sellingRankNum: item.selling_rank_num,
          units: [{ unit: item.base_unit, factor: 1 }, ...item.other_units],
        },
        className: item.class_name ?? '',
        status: item.status,
        baseUnit: item.base_unit,
        lastSold: item.last_sold,
        hasDocs: item.has_docs,
      },
    ]),
  );
}

/** Items in the order of the ids, each with the price of one base unit. */
async function advancedHits(context: Context, ids: number[], terms: Terms): Promise<ItemAdvancedHit[]> {
  const hits = await hitsById(context, ids);
  const prices = await resolvePrices(
    context.db,
    terms,
    ids.map((itemId) => ({ itemId, unit: '', qty: 1 })),
  );
  return ids.flatMap((id, index) => {
    const found = hits.get(id);
    if (!found) return [];
    const { hit, baseUnit, ...rest } = found;
    return { ...hit, ...rest, unit: baseUnit, price: prices[index]?.systemPrice ?? null, currnIdx: terms.currnIdx };
  });
}

async function documentsOf(db: Db, productId: number) {
  return db
    .selectFrom('product_document as d')
    .innerJoin('file', 'file.id', 'd.file_id')
    .select(['d.id', 'd.title', 'd.category', 'file.name', 'file.size'])
    .where('d.product_id', '=', productId)
    .orderBy('d.category')
    .orderBy('d.title')
    .orderBy('d.id')
    .execute();
}

async function* csvOf(context: Context, ids: number[], terms: Terms): AsyncGenerator<string> {
  yield csvLine(['Item #', 'Description', 'Class', 'Unit', 'Price', 'Currency', 'Selling rank', 'Last sold', 'Status']);
  for (let first = 0; first < ids.length; first += EXPORT_STEP) {
    const hits = await advancedHits(context, ids.slice(first, first + EXPORT_STEP), terms);
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
