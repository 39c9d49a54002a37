// Defines the calls for products: the list, a product's page, changes to many, merging and splitting (specification section 7).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import type { Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  Named,
  PageInput,
  pageOf,
  QueryId,
  RequiredText,
  Text,
  Version,
} from '#platform/shared/wire.ts';
import { ChosenStatus, ProductStatus } from './product-status.ts';

export const CATALOG_WRITERS: readonly Role[] = ['systemadmin', 'salesadmin'];
/** The roles that may read products. The contract department links documents to products, so it may read them here, too. */
export const CATALOG_READERS: readonly Role[] = [...CATALOG_WRITERS, 'contractdept'];

/** The most products that one call may change. */
const MANY = 200;

export const MISSING = ['image', 'text', 'document', 'item'] as const;

export const ProductCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  classId: Id.nullish(),
  productType: Text(100).nullish(),
  brand: Text(200).nullish(),
  /** Null means all except merged ones. */
  status: ProductStatus.nullish(),
  /** Only products that lack this completely. */
  missing: z.enum(MISSING).nullish(),
});
export type ProductCriteria = z.infer<typeof ProductCriteria>;

export const ProductRow = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  brand: z.string(),
  productType: z.string(),
  className: z.string(),
  manufacturer: z.string(),
  manufacturerNo: z.string(),
  status: ProductStatus,
  replacedBy: Named.nullable(),
  items: z.number().int(),
  documents: z.number().int(),
  hasText: z.boolean(),
  hasImage: z.boolean(),
  updatedAt: z.string(),
});
export type ProductRow = z.infer<typeof ProductRow>;

/** The fields of a product's form. Omitted fields stay unchanged. A new product is a draft and otherwise empty. */
export const ProductEdit = z
  .object({
    id: Id.or(z.literal(0)),
    version: Version.optional(),
    name: RequiredText(300),
    description: Text(10_000).optional(),
    brand: Text(200).optional(),
    productType: Text(100).optional(),
    /** Null for none. */
    classId: Id.nullish(),
    manufacturer: Text(200).optional(),
    manufacturerNo: Text(100).optional(),
    status: ChosenStatus.optional(),
    /** Null for none. Only a discontinued product keeps it. */
    replacedById: Id.nullish(),
  })
  .check(changesOverVersion);
export type ProductEdit = z.infer<typeof ProductEdit>;

/** A product as stored. For a merged product the server returns the one it was merged into. */
export const SavedProduct = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  description: z.string(),
  brand: z.string(),
  productType: z.string(),
  classId: z.number().int().nullable(),
  manufacturer: z.string(),
  manufacturerNo: z.string(),
  status: ProductStatus,
  replacedById: z.number().int().nullable(),
});
export type SavedProduct = z.infer<typeof SavedProduct>;

export const ProductItem = z.object({
  id: z.number().int(),
  version: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  manufacturerNo: z.string(),
  status: z.string(),
  lastSold: z.string().nullable(),
});
export type ProductItem = z.infer<typeof ProductItem>;

export const ProductPageData = z.object({
  product: SavedProduct,
  className: z.string(),
  replacedBy: Named.nullable(),
  /** The products that this one replaces. */
  replaces: z.array(Named),
  /** The requested product, if it was merged into this one. */
  mergedFrom: Named.nullable(),
  /** The first 200 by number. */
  items: z.array(ProductItem),
  itemCount: z.number().int(),
  documents: z.array(
    z.object({
      linkId: z.number().int(),
      docId: z.number().int(),
      title: z.string(),
      category: z.string(),
      /** The item's number, if the link belongs to one of the product's items. */
      itemNumber: z.string().nullable(),
    }),
  ),
  quoteCount: z.number().int(),
});
export type ProductPageData = z.infer<typeof ProductPageData>;

const Many = z.array(Id).min(1).max(MANY);

/** The former state of many changed products, which a call can restore. */
const Before = z.array(
  z.object({
    id: z.number().int(),
    /** The version after the change. Restoring is refused if another user has changed the product since. */
    version: z.number().int(),
    productType: z.string(),
    status: ProductStatus,
    replacedById: z.number().int().nullable(),
  }),
);
const Changed = z.object({
  changed: z.number().int(),
  before: Before,
});

const writes = { access: CATALOG_WRITERS, writes: true } as const;

export const Products = {
  searchProdDbItems: post('/api/ItemProdDb/searchProdDbItems', ProductCriteria, pageOf(ProductRow), {
    access: CATALOG_READERS,
    summary: 'Products by name, brand, type or number; also those that lack a picture, text, documents or items.',
  }),
  ExportProdDbItems: post('/api/ItemProdDb/ExportProdDbItems', ProductCriteria, Bytes, {
    access: CATALOG_READERS,
    file: 'text/csv',
  }),
  GetProductChoices: post(
    '/api/ItemProdDb/GetProductChoices',
    Nothing,
    z.object({ classes: z.array(Named), types: z.array(z.string()), brands: z.array(z.string()) }),
    { access: CATALOG_READERS, summary: 'Item classes, product types and the most used brands to choose from.' },
  ),
  GetProduct: post('/api/ItemProdDb/GetProduct', QueryId, ProductPageData, {
    access: CATALOG_READERS,
    in: 'query',
    summary: 'A product with its items and documents; for a merged one, the product it was merged into.',
  }),
  GetProductQuotes: post(
    '/api/ItemProdDb/GetProductQuotes',
    PageInput.extend({ productId: Id }),
    pageOf(
      z.object({
        id: z.number().int(),
        number: z.string(),
        facilityName: z.string(),
        statusId: z.string(),
        quoteDate: z.string(),
        /** In base units, for sorting. A unit that the item no longer has is treated as one base unit. */
        qty: z.number(),
        /** The quantities of its lines, by unit. As in the totals of the quote, optional and inactive lines are excluded. */
        quantities: z.array(z.object({ unit: z.string(), qty: z.number() })),
        amount: z.number(),
        currnIdx: z.number().int(),
      }),
    ),
    { access: CATALOG_WRITERS, summary: 'Quotes with an item of the product, newest first.' },
  ),
  SaveProduct: post('/api/ItemProdDb/SaveProduct', ProductEdit, SavedProduct, writes),
  saveItemProdType: post(
    '/api/ItemProdDb/saveItemProdType',
    z
      .object({
        productIds: Many.optional(),
        productType: Text(100).optional(),
        /** Edits the list of types instead: adds `name`, renames `before` to it, or removes it if no product has it. */
        type: z
          .object({ name: RequiredText(100), before: Text(100).nullish(), remove: z.boolean().optional() })
          .nullish(),
      })
      .refine(({ productIds, productType, type }) => Boolean(type) || (productIds && productType !== undefined), {
        path: ['productType'],
        message: 'Enter the products and their type, or the type to keep.',
      }),
    Changed.extend({ types: z.array(z.string()) }),
    { ...writes, summary: 'Gives products a type, or keeps the list of types.' },
  ),
  saveItemStatus: post(
    '/api/ItemProdDb/saveItemStatus',
    z.object({ productIds: Many, status: ChosenStatus, replacedById: Id.nullish() }),
    Changed,
    { ...writes, summary: 'Gives products a status, and says what replaces discontinued ones.' },
  ),
  RestoreProducts: post(
    '/api/ItemProdDb/RestoreProducts',
    z.object({
      products: z
        .array(
          z.object({
            id: Id,
            version: Version,
            productType: Text(100),
            status: ChosenStatus,
            replacedById: Id.nullable(),
          }),
        )
        .min(1)
        .max(MANY),
    }),
    z.object({ restored: z.number().int(), kept: z.array(Named) }),
    {
      ...writes,
      summary: 'Undoes a change to many products; products changed since then are skipped and returned.',
    },
  ),
  GetMergePreview: post(
    '/api/ItemProdDb/GetMergePreview',
    z.object({ fromIds: Many, intoId: Id }),
    z.object({
      into: z.object({ id: z.number().int(), version: z.number().int(), name: z.string() }),
      from: z.array(
        z.object({
          id: z.number().int(),
          version: z.number().int(),
          name: z.string(),
          items: z.number().int(),
          documents: z.number().int(),
          pictures: z.number().int(),
        }),
      ),
      /** The values that the remaining product lacks and gets from the others. */
      fills: z.array(z.object({ field: z.string(), value: z.string() })),
    }),
    { access: CATALOG_WRITERS, summary: 'Previews a merge. Changes nothing.' },
  ),
  MergeProducts: post(
    '/api/ItemProdDb/MergeProducts',
    z.object({
      into: z.object({ id: Id, version: Version }),
      from: z
        .array(z.object({ id: Id, version: Version }))
        .min(1)
        .max(MANY),
    }),
    z.object({ product: SavedProduct, items: z.number().int() }),
    {
      ...writes,
      summary: 'Merges products: items, pictures and documents move to one product, and the old addresses lead to it.',
    },
  ),
  SplitItem: post(
    '/api/ItemProdDb/SplitItem',
    z.object({ productId: Id, version: Version, itemIds: Many }),
    SavedProduct,
    { ...writes, summary: 'Creates a new product from some of a product’s items.' },
  ),
};
