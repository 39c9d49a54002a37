// Defines the input for saving a contract's line and its dated prices.
import { z } from 'zod';
import { changesOverVersion, Id, Price, Text, TypedDate, Version } from '#platform/shared/wire.ts';

/** A last day. Empty means no last day of its own. */
const LastDay = TypedDate.or(z.literal('')).nullish();

export const ContractLineInput = z
  .object({
    /** 0 means a new line. The item and unit of an existing line never change. */
    id: Id.or(z.literal(0)).default(0),
    contractId: Id,
    itemNumber: Text(100).default(''),
    /** Empty means the item's base unit. */
    unit: Text(20).default(''),
    /** Empty means from the contract's first day. */
    from: LastDay,
    /** Empty means as long as the contract. */
    to: LastDay,
    /** Removes the line and its prices if no quote refers to it. */
    remove: z.boolean().default(false),
    /** The version of the line. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ id, itemNumber }) => id !== 0 || itemNumber !== '', {
    message: 'This field is required',
    path: ['itemNumber'],
  })
  .refine(({ from, to }) => !from || !to || to >= from, { message: 'The last day is before the first', path: ['to'] });
export type ContractLineInput = z.output<typeof ContractLineInput>;

export const PriceInput = z
  .object({
    /** 0 means a new price. An existing price can be corrected or removed until the day it begins, while no sent or won quote uses it. */
    id: Id.or(z.literal(0)).default(0),
    lineId: Id,
    tierId: Id,
    /** Per unit of the line. */
    price: Price,
    from: TypedDate,
    /** Empty means until the next price begins, or as long as the line. */
    to: LastDay,
    /** Removes the price. */
    remove: z.boolean().default(false),
    /** With `remove`, the price that ends the day before is extended through the removed price's days. */
    beforeGoesOn: z.boolean().default(true),
    /** Confirms a price of 0, or a price of more than three times or less than a third of the one that it follows. Without this, they are refused. */
    confirmed: z.boolean().optional(),
    /** The version of the price. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ from, to }) => !to || to >= from, { message: 'The last day is before the first', path: ['to'] });
export type PriceInput = z.output<typeof PriceInput>;
