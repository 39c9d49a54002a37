// A contract's line and its dated prices as they are saved.
import { z } from 'zod';
import { changesOverVersion, Id, Price, Text, TypedDate, Version } from '#shared/wire.ts';

/** A last day; empty: no end of its own. */
const LastDay = TypedDate.or(z.literal('')).nullish();

export const LineInput = z
  .object({
    /** 0: a new one. Item and unit of one that exists stay. */
    id: Id.or(z.literal(0)).default(0),
    contractId: Id,
    itemNumber: Text(100).default(''),
    /** Empty: the item's base unit. */
    unit: Text(20).default(''),
    /** Empty: from the contract's first day on. */
    from: LastDay,
    /** Empty: as long as the contract. */
    to: LastDay,
    /** Takes the line and its prices away, if no quote refers to it. */
    remove: z.boolean().default(false),
    /** The line's. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ id, itemNumber }) => id !== 0 || itemNumber !== '', {
    message: 'This field is required',
    path: ['itemNumber'],
  })
  .refine(({ from, to }) => !from || !to || to >= from, { message: 'The last day is before the first', path: ['to'] });
export type LineInput = z.output<typeof LineInput>;

export const PriceInput = z
  .object({
    /** 0: a new price. One that exists is corrected or taken away until the day on which it begins, while no sent or won quote has it. */
    id: Id.or(z.literal(0)).default(0),
    lineId: Id,
    tierId: Id,
    /** Per unit of the line. */
    price: Price,
    from: TypedDate,
    /** Empty: until the next price begins, else as long as the line. */
    to: LastDay,
    /** Takes the price away. */
    remove: z.boolean().default(false),
    /** Then the price that ends on its eve goes on in its days. */
    beforeGoesOn: z.boolean().default(true),
    /** The price's. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ from, to }) => !to || to >= from, { message: 'The last day is before the first', path: ['to'] });
export type PriceInput = z.output<typeof PriceInput>;
