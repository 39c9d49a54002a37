// Mapping the ERP's items to products: what is left to map, suggestions with their reasons, mapping, ignoring, undoing.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Id, Named, PageInput, pageOf, Text, Version } from '#shared/wire.ts';
import { CATALOGUE_WRITERS } from '../products.contract.ts';

/**
 * Of items that are left to map. Suggested: products were found for it. Conflict: several products have its number, or its number changed
 * after it was mapped.
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
  /** 50 to 100; from 95 it is the item's by number. */
  score: z.number().int(),
  /** In words, the weightiest first. */
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
  /** Why it is ignored, or what is in conflict. */
  note: z.string(),
  /** Of an item whose number changed after it was mapped. */
  product: Named.nullable(),
  /** False: the suggestions are not worked out yet, or are old. */
  suggested: z.boolean(),
  suggestions: z.array(Suggestion),
});
export type NotMappedItem = z.infer<typeof NotMappedItem>;

/** How many items of the filter are in each state. */
const Counts = z.object({
  Unmapped: z.number().int(),
  Suggested: z.number().int(),
  Ignored: z.number().int(),
  Conflict: z.number().int(),
} satisfies Record<MappingState, z.ZodType>);

const Filter = z.object({ keyword: Text(100).nullish(), classId: Id.nullish() });

/** So many pairs at most in one call. */
export const MOST_PAIRS = 200;

const Pair = z.object({
  itemId: Id,
  version: Version,
  /** A product, 'new' for one made of the item, or null: without a product. */
  productId: z.union([Id, z.literal('new')]).nullable(),
  /** Of this pair; else that of the call. With `productId` null: leave the item out from now on. */
  ignoreReason: Text(300).nullish(),
  /** A product that a 'new' has made, removed while nothing else belongs to it: the undo of making it. */
  dropProductId: Id.nullish(),
});

export const ItemMapping = {
  getNotMappedGpItems: post(
    '/api/ItemProdDb/getNotMappedGpItems',
    PageInput.extend(Filter.shape).extend({
      /** Null: all but ignored ones. */
      state: MappingState.nullish(),
      /** Works out the suggestions of this page and keeps them; false answers at once with those that are kept. */
      suggest: z.boolean().default(true),
    }),
    pageOf(NotMappedItem).extend({ counts: Counts }),
    {
      access: CATALOGUE_WRITERS,
      summary: 'Items that are left to map, new and best-sold first, each with up to five products that may be theirs.',
    },
  ),
  mapGpItemToItmProdDbItem: post(
    '/api/ItemProdDb/mapGpItemToItmProdDbItem',
    z.object({
      pairs: z.array(Pair).min(1).max(MOST_PAIRS),
      ignoreReason: Text(300).nullish(),
    }),
    z.object({
      results: z.array(
        z.object({
          itemId: z.number().int(),
          version: z.number().int(),
          outcome: z.enum(['mapped', 'made', 'unmapped', 'ignored', 'refused']),
          /** Why it was refused: who was first, and what they chose. */
          message: z.string(),
          product: Named.nullable(),
          /** The pair that takes it back; null when it was refused. */
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
      access: CATALOGUE_WRITERS,
      writes: true,
      summary: 'Maps items to products, makes products of them, or leaves them out; each pair is answered for itself.',
    },
  ),
  GetExactMatches: post(
    '/api/ItemProdDb/GetExactMatches',
    Filter,
    z.object({
      /** Items that have exactly one product by number. */
      total: z.number().int(),
      /** Items that several products have the number of; they stay for a person. */
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
    { access: CATALOGUE_WRITERS, summary: 'What mapping all exact matches would do; nothing is changed.' },
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
      access: CATALOGUE_WRITERS,
      writes: true,
      summary: 'Maps items to the product that has their manufacturer number, at most 1,000 a call.',
    },
  ),
};
