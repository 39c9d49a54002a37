// Defines the calls that map the ERP's items to products: items left to map, suggestions with reasons, mapping, ignoring, undoing.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id, Named, PageInput, pageOf, Text, Version } from '#platform/shared/wire.ts';
import { CATALOG_WRITERS } from '../products.contract.ts';

/**
 * The states of items without a product. Suggested: there are suggestions for the item. Conflict: several products have its number, or its number
 * changed after it was mapped.
 */
export const MappingState = z.enum(['Unmapped', 'Suggested', 'Ignored', 'Conflict']);
export type MappingState = z.infer<typeof MappingState>;

export const Suggestion = z.object({
  product: z.object({
    id: z.number().int(),
    name: z.string(),
    brand: z.string(),
    className: z.string(),
    items: z.number().int(),
  }),
  /** 50 to 100. From 95 on, the product matches the item by number. */
  score: z.number().int(),
  /** The reasons in words, most important first. */
  reasons: z.array(z.string()),
});
export type Suggestion = z.infer<typeof Suggestion>;

export const NotMappedItem = z.object({
  id: z.number().int(),
  version: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  className: z.string(),
  manufacturer: z.string(),
  manufacturerNo: z.string(),
  status: z.string(),
  lastSold: z.string().nullable(),
  sellingRank: z.string(),
  sellingRankNum: z.number(),
  state: MappingState,
  /** Why the item is ignored, or what conflicts. */
  note: z.string(),
  /** The product of an item whose number changed after it was mapped. */
  product: Named.nullable(),
  /** False if the suggestions are not computed yet, or are out of date. */
  suggested: z.boolean(),
  suggestions: z.array(Suggestion),
});
export type NotMappedItem = z.infer<typeof NotMappedItem>;

/** The number of the filter's items in each state. */
const Counts = z.object({
  Unmapped: z.number().int(),
  Suggested: z.number().int(),
  Ignored: z.number().int(),
  Conflict: z.number().int(),
} satisfies Record<MappingState, z.ZodType>);

const Filter = z.object({ keyword: Text(100).nullish(), classId: Id.nullish() });

/** The most pairs that one call may contain. */
export const MAX_PAIRS = 200;

const Pair = z.object({
  itemId: Id,
  version: Version,
  /** A product, 'new' to create one from the item, or null for no product. */
  productId: z.union([Id, z.literal('new')]).nullable(),
  /** The reason for this pair; by default the call's reason. With `productId` null it excludes the item from now on. */
  ignoreReason: Text(300).nullish(),
  /** Undoes a 'new': removes the product that it created, as long as nothing else belongs to it. */
  dropProductId: Id.nullish(),
});

export const ItemMapping = {
  getNotMappedGpItems: post(
    '/api/ItemProdDb/getNotMappedGpItems',
    PageInput.extend(Filter.shape).extend({
      /** Null means all except ignored ones. */
      state: MappingState.nullish(),
      /** Computes and stores the suggestions of this page; false returns the stored ones at once. */
      suggest: z.boolean().default(true),
    }),
    pageOf(NotMappedItem).extend({ counts: Counts }),
    {
      access: CATALOG_WRITERS,
      summary: 'Items left to map, new and best-selling first, each with up to five suggested products.',
    },
  ),
  mapGpItemToItmProdDbItem: post(
    '/api/ItemProdDb/mapGpItemToItmProdDbItem',
    z.object({
      pairs: z.array(Pair).min(1).max(MAX_PAIRS),
      ignoreReason: Text(300).nullish(),
    }),
    z.object({
      results: z.array(
        z.object({
          itemId: z.number().int(),
          version: z.number().int(),
          outcome: z.enum(['mapped', 'made', 'unmapped', 'ignored', 'refused']),
          /** Why the pair was refused: who mapped the item first, and to what. */
          message: z.string(),
          product: Named.nullable(),
          /** The pair that undoes this one. Null if it was refused. */
          undo: z
            .object({
              itemId: z.number().int(),
              version: z.number().int(),
              productId: z.number().int().nullable(),
              ignoreReason: z.string().nullable(),
              dropProductId: z.number().int().nullable(),
            })
            .nullable(),
        }),
      ),
    }),
    {
      access: CATALOG_WRITERS,
      writes: true,
      summary: 'Maps items to products, creates products from them, or leaves them out. Each item gets its own result.',
    },
  ),
  GetExactMatches: post(
    '/api/ItemProdDb/GetExactMatches',
    Filter,
    z.object({
      /** The number of items with exactly one product by number. */
      total: z.number().int(),
      /** The number of items whose number several products have, so that the user must decide. */
      contested: z.number().int(),
      /** The first 50. */
      matches: z.array(
        z.object({
          itemId: z.number().int(),
          itemNumber: z.string(),
          description: z.string(),
          product: Named,
          score: z.number().int(),
        }),
      ),
    }),
    { access: CATALOG_WRITERS, summary: 'Previews mapping all exact matches. Changes nothing.' },
  ),
  MapExactMatches: post(
    '/api/ItemProdDb/MapExactMatches',
    Filter,
    z.object({
      /** At most 1,000 in one call. */
      mapped: z.array(z.object({ itemId: z.number().int(), version: z.number().int() })),
      remaining: z.number().int(),
    }),
    {
      access: CATALOG_WRITERS,
      writes: true,
      summary: 'Maps items to the product that has their manufacturer number, at most 1,000 per call.',
    },
  ),
};
