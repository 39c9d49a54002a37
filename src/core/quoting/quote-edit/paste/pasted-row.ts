// The API shapes of rows pasted into a quote: the pasted text, the items it may mean, and what a line for it would cost.
import { z } from 'zod';
import { Id, Quantity, Text } from '#platform/shared/wire.ts';

export const PastedRow = z.object({ itemNumber: Text(200), qty: z.number().nullish(), unit: Text(200).nullish() });
export const FoundRow = z.object({
  itemNumber: z.string(),
  qty: z.number().nullable(),
  /** The unit as pasted. Each candidate interprets it for its own item. */
  unit: z.string(),
  state: z.enum(['found', 'ambiguous', 'notFound']),
  /** What the user must correct, in a sentence. Empty when the row can be added unchanged. */
  problem: z.string(),
  candidates: z.array(
    z.object({
      itemId: z.number().int(),
      itemNumber: z.string(),
      description: z.string(),
      /** The unit of this item that the row means. Empty when the user must choose. */
      unit: z.string(),
      /** The number of base units in each unit. The base unit comes first. */
      units: z.array(z.object({ unit: z.string(), factor: z.number() })),
      /** Whether the item cannot be added because it is discontinued or its class is hidden. */
      gone: z.boolean(),
      /**
       * The cross-reference by which the number means this item: 'Your reference: Medline MDS1234 = our 10023, equivalent'. Empty for any other
       * number.
       */
      reference: z.string(),
      /** Why this item or this unit of it cannot be added unchanged. Empty when it can. */
      problem: z.string(),
    }),
  ),
});
export type FoundRow = z.infer<typeof FoundRow>;

/** The maximum number of rows of a paste for which items are proposed by description. */
export const MAX_PROPOSED = 50;
/** A row whose number matches no item. Items are proposed by its other words. */
export const UnknownRow = z.object({ words: Text(500), unit: Text(200).nullish() });

export const RowToPrice = z.object({ itemId: Id, unit: Text(20), qty: Quantity });
export const PricedRow = z.object({
  itemId: z.number().int(),
  unit: z.string(),
  qty: z.number(),
  /** Null when there is no price for this item in this unit. */
  unitPrice: z.number().nullable(),
});
