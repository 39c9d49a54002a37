// Defines the calls that find items and their prices: the Item search group of the specification (section 7).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { PRICE_SOURCES, ResolvedPrice } from '#core/prices/pricing/price-proof.ts';
import { Promotion } from '#core/prices/promotions/promotion.ts';
import { Id, Named, PageInput, pageOf, Quantity, QueryId, Text } from '#platform/shared/wire.ts';

/** A search for an item needs this many characters (specification sections 5 and 9). */
export const MIN_KEYWORD = 3;

/** Why the filter for recent sales starts off. */
export const NO_SALES = 'Off because no item was sold in the last 24 months. Import sales to use it.';

/** One found item, as the picker and the product search show it. */
export const ItemHit = z.object({
  id: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  /** The product's name if it differs from the description; else empty. */
  productName: z.string(),
  imgThumbnailUrl: z.string().nullable(),
  /** 'NEW' or the rank as text. */
  sellingRank: z.string(),
  /** 0 to 5, for the stars. */
  sellingRankNum: z.number(),
  /** Units the item is sold in, base unit first. */
  units: z.array(z.object({ unit: z.string(), factor: z.number() })),
  /**
   * Which of the item's numbers the keyword is: 'Item number', 'Manufacturer number 77-1', 'GTIN 00812345678902', 'Your reference: Medline MDS1234 =
   * our 10023, equivalent'. Empty if only words match.
   */
  foundBy: z.string(),
  /** True if the keyword is a number of this item and of no other. */
  isMeant: z.boolean(),
  /** True if the keyword only refers to this item as an equivalent or a substitute, or differs by zeros, so that the user must choose it. */
  mustChoose: z.boolean(),
  /** The unit that a cross-reference assigns to the keyword: '' if there is none, '?' if references name different ones. */
  saidUnit: z.string(),
});
export type ItemHit = z.infer<typeof ItemHit>;

export const ItemAdvancedHit = ItemHit.extend({
  className: z.string(),
  status: z.string(),
  unit: z.string(),
  /** The price for the facility, or the list price without a facility. Null if there is none. */
  price: z.number().nullable(),
  currnIdx: z.number().int(),
  hasDocs: z.boolean(),
  lastSold: z.string().nullable(),
});
export type ItemAdvancedHit = z.infer<typeof ItemAdvancedHit>;

/** What an item costs a facility today, and what the facility last bought it for. */
export const ItemAtFacility = z.object({
  itemId: z.number().int(),
  /** The base unit, to which `price` applies. */
  unit: z.string(),
  /** The price of one unit. Null if there is none. */
  price: z.number().nullable(),
  currnIdx: z.number().int(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  /** 'buy 10, get 1 free', for each promotion valid today. */
  offers: z.array(z.string()),
  /** The newest line with the item on a won quote of the facility that the user can see. The price is net of the quote discount. */
  lastWon: z
    .object({
      number: z.string(),
      date: z.string(),
      qty: z.number(),
      unit: z.string(),
      price: z.number(),
      currnIdx: z.number().int(),
    })
    .nullable(),
});
export type ItemAtFacility = z.infer<typeof ItemAtFacility>;

/** The most items of one `GetItemsAtFacility`: a page of the picker. */
export const ITEMS_AT_ONCE = 50;

export const ItemCriteria = PageInput.extend({
  keyword: Text(200).default(''),
  classId: Id.nullish(),
  hasRecentSaleOnly: z.boolean().default(true),
  facilityId: Id.nullish(),
  pageSize: z.number().int().min(1).max(200).default(10),
});
export type ItemCriteria = z.infer<typeof ItemCriteria>;

/** A picture of an item's product that the user may see. `alt` is empty if the item's name describes it. */
export const ItemImage = z.object({
  id: z.number().int(),
  alt: z.string(),
  url: z.string(),
  thumbUrl: z.string(),
  largeUrl: z.string(),
});
export type ItemImage = z.infer<typeof ItemImage>;

export const ItemPrices = z.object({
  item: ItemAdvancedHit.extend({
    longDescription: z.string(),
    brand: z.string(),
    /** The product that replaces its discontinued product; else empty. */
    replacedBy: z.string(),
    images: z.array(ItemImage),
  }),
  /** The price ladder: every price that could apply today, and which one is in use. */
  prices: z.array(
    z.object({
      source: z.enum(['List', 'Account', 'Contract']),
      unit: z.string(),
      minQty: z.number(),
      price: z.number(),
      /** Per requested unit; null if the item has no factor for it. */
      amount: z.number().nullable(),
      currnIdx: z.number().int(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      ref: z.string(),
      used: z.boolean(),
      /** A short sentence: why this price is used or not. */
      why: z.string(),
    }),
  ),
  resolved: ResolvedPrice.nullable(),
  promotions: z.array(Promotion.extend({ message: z.string() })),
  documents: z.array(
    z.object({
      id: z.number().int(),
      title: z.string(),
      category: z.string(),
      /** 'Rev. C' */
      label: z.string(),
      name: z.string(),
      size: z.number(),
    }),
  ),
});
export type ItemPrices = z.infer<typeof ItemPrices>;

export const ItemSearch = {
  SearchItemAdvanced: post('/api/ItemSearch/SearchItemAdvanced', ItemCriteria, pageOf(ItemAdvancedHit), {
    access: 'user',
  }),
  SearchItemByNumber: post(
    '/api/ItemSearch/SearchItemByNumber',
    z.object({ number: Text(200), hasRecentSaleOnly: z.boolean().default(true), facilityId: Id.nullish() }),
    z.array(ItemHit),
    {
      access: 'user',
      summary:
        'Items by any of their numbers, or by words of their description, brand and manufacturer (at least 3 characters); best 200. With a facility, numbers of other customers are ignored.',
    },
  ),
  SearchItemPrices: post(
    '/api/ItemSearch/SearchItemPrices',
    z.object({
      itemNumber: Text(100).nullish(),
      itemId: Id.nullish(),
      facilityId: Id.nullish(),
      qty: Quantity.nullish(),
      unit: Text(20).nullish(),
    }),
    ItemPrices,
    { access: 'user' },
  ),
  GetItemsAtFacility: post(
    '/api/ItemSearch/GetItemsAtFacility',
    z.object({ facilityId: Id, itemIds: z.array(Id).max(ITEMS_AT_ONCE) }),
    z.array(ItemAtFacility),
    {
      access: 'user',
      summary:
        'The price of one base unit of each item for the facility today, its promotions, and the last won quote line. Hidden items are omitted.',
    },
  ),
  ExportItems: post('/api/ItemSearch/ExportItems', ItemCriteria, Bytes, {
    access: 'user',
    file: 'text/csv',
    summary: 'The whole result as CSV, at most 20,000 rows.',
  }),
  GetItemSearchDefaults: post(
    '/api/ItemSearch/GetItemSearchDefaults',
    Nothing,
    z.object({
      criteria: ItemCriteria,
      classes: z.array(Named),
      /** Whether any item has a recent sale. If none has, the filter for recent sales starts off. */
      hasSales: z.boolean(),
    }),
    { access: 'user', summary: 'The last criteria of the user and the visible classes.' },
  ),
  GetItemImage: post('/api/ItemSearch/GetItemImage', QueryId, Bytes, { access: 'user', in: 'query', file: 'image/*' }),
  GetItemDocument: post('/api/ItemSearch/GetItemDocument', QueryId, Bytes, {
    access: 'user',
    in: 'query',
    file: 'application/octet-stream',
  }),
};
