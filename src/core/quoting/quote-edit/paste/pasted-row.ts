// Rows pasted into a quote, as they travel: what was pasted, the items it may mean, and what a line of it would cost.
import { z } from 'zod';
import { Id, Quantity, Text } from '#platform/shared/wire.ts';

export const PastedRow = z.object({ itemNumber: Text(200), qty: z.number().nullish(), unit: Text(200).nullish() });
export const FoundRow = z.object({
  itemNumber: z.string(),
  qty: z.number().nullable(),
  /** The unit as pasted. Each candidate has its own reading of it. */
  unit: z.string(),
  state: z.enum(['found', 'ambiguous', 'notFound']),
  /** What the user must correct, in a sentence; empty when the row can be added unchanged. */
  problem: z.string(),
  candidates: z.array(
    z.object({
      itemId: z.number().int(),
      itemNumber: z.string(),
      description: z.string(),
      /** The unit of this item that the row means; '' when the user must choose. */
      unit: z.string(),
      /** The number of base units in each unit; the base unit comes first. */
      units: z.array(z.object({ unit: z.string(), factor: z.number() })),
      /** The item is discontinued or its class hidden: it cannot be added. */
      gone: z.boolean(),
      /** By which cross-reference the number is this item: 'Your reference: Medline MDS1234 = our 10023, equivalent'; empty by any other number. */
      reference: z.string(),
      /** Why this item or this unit of it cannot be added unchanged; empty when it can. */
      problem: z.string(),
    }),
  ),
});
export type FoundRow = z.infer<typeof FoundRow>;

/** For so many rows of a paste items are proposed by their words. */
export const MOST_PROPOSED = 50;
/** A row whose number no item has: its other words, by which items are proposed. */
export const UnknownRow = z.object({ words: Text(500), unit: Text(200).nullish() });

export const RowToPrice = z.object({ itemId: Id, unit: Text(20), qty: Quantity });
export const PricedRow = z.object({
  itemId: z.number().int(),
  unit: z.string(),
  qty: z.number(),
  /** Null: there is no price for this item in this unit. */
  unitPrice: z.number().nullable(),
});
