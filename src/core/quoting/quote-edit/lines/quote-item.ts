// A line of a quote, as the server returns it and as callers save it.
import { z } from 'zod';
import { PRICE_SOURCES, PriceProof } from '#core/prices/pricing/price-proof.ts';
import { Promotion } from '#core/prices/promotions/promotion.ts';
import { LINE_TYPES } from '#core/quoting/quotes/quote-rows.ts';
import type { Stored } from '#platform/shared/conflict.ts';
import { Decimal, Id, Price, Quantity, RequiredText, Text, Version } from '#platform/shared/wire.ts';

/** The most characters of a line's description, also in a template. */
export const LONGEST_DESCRIPTION = 1_000;

/** A promotion on a line's item, with the message a rep reads. */
export const LinePromotion = Promotion.extend({ message: z.string(), applied: z.boolean() });
export type LinePromotion = z.infer<typeof LinePromotion>;

/** The origin of a line that a configurator made. */
export const Configured = z.object({
  configId: RequiredText(100),
  /** The position within the configuration; '': the configuration's section. */
  position: Text(100),
  /** The configuration sets item, quantity and unit; false: a user has unlinked the line. */
  linked: z.boolean(),
  /** The item as taken from the configurator; null: the section. */
  taken: z
    .object({
      itemNumber: Text(100),
      description: Text(1000),
      qty: Quantity,
      unit: Text(20),
      optionText: Text(2000),
      price: Price.nullable(),
    })
    .nullable(),
});

const ConfiguredRead = z.object({
  configId: z.string(),
  position: z.string(),
  linked: z.boolean(),
  taken: z
    .object({
      itemNumber: z.string(),
      description: z.string(),
      qty: z.number(),
      unit: z.string(),
      optionText: z.string(),
      price: z.number().nullable(),
    })
    .nullable(),
});

/** A line as the server returns it. */
export const QuoteItem = z.object({
  id: z.number().int(),
  quoteId: z.number().int(),
  lineNo: z.number().int(),
  type: z.enum(LINE_TYPES),
  parentId: z.number().int().nullable(),
  itemId: z.number().int().nullable(),
  itemNumber: z.string(),
  /** What the customer calls the item; empty if unknown. */
  customerItemNumber: z.string(),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  units: z.array(z.string()),
  notes: z.string(),
  active: z.boolean(),
  optional: z.boolean(),
  listPrice: z.number().nullable(),
  /** The system's price: contract, account or list price, or that of the applied promotion. */
  systemPrice: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** The percentage by which unitPrice is below systemPrice. */
  discountPct: z.number(),
  /** The typed discount in percent; null: the price is not discounted, or is typed as a price or an amount off. */
  typedPct: z.number().nullable(),
  /**
   * The typed price in the unit it was typed for, when the line is now sold by another one; null otherwise. `atUnitPrice`: what that unit comes to at
   * the line's rounded price; the board does not know it before the server answers.
   */
  typedAs: z.object({ price: z.number(), unit: z.string(), atUnitPrice: z.number().optional() }).nullable(),
  /** What the customer pays per unit, after the quote discount, and how many percent that is below systemPrice. */
  netPrice: z.number().nullable(),
  netDiscountPct: z.number(),
  /** This line's share of the quote discount. lineTotal = unitPrice × qty, rounded, less this share. */
  quoteDiscount: z.number(),
  lineTotal: z.number(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  priceProof: PriceProof,
  /** The problem with the price, in a sentence; empty when there is none. */
  priceProblem: z.string(),
  /** What somebody has to choose before a contract price can count: 'Two GPOs: choose. …'; empty when nothing. */
  priceChoice: z.string(),
  priceReason: z.string(),
  /** The line's price without the eligibility request that its price depends on; null: the price is firm. */
  fallback: z
    .object({
      requestId: z.number().int(),
      unitPrice: z.number().nullable(),
      priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
    })
    .nullable(),
  promotionId: z.number().int().nullable(),
  promotions: z.array(LinePromotion),
  /** The product's name when it says more than the item's description; else empty. */
  productName: z.string(),
  imgThumbnailUrl: z.string().nullable(),
  /** Null: no configurator made it. */
  configured: ConfiguredRead.nullable(),
  /** Internal only: absent for public readers. */
  cost: z.number().nullable().optional(),
  marginPct: z.number().nullable().optional(),
  underFloor: z.boolean().optional(),
  version: z.number().int(),
});
export type QuoteItem = z.infer<typeof QuoteItem>;

/**
 * A line to save; id 0 is new. Omitted fields keep their value. The server ignores derived and unknown fields, so a caller may send back what it
 * read. A `unitPrice` that differs from the stored one is a typed price, a differing `discountPct` a manual discount; both need a `priceReason`.
 * `unitPrice: null` restores the system price.
 */
export const QuoteItemInput = z.object({
  id: z.number().int().min(0).default(0),
  /** The caller's key for a new line. Sending it again after a lost answer does not add a second line. */
  clientKey: RequiredText(64).nullish(),
  version: Version.optional(),
  lineNo: z.number().int().min(1).max(100_000).optional(),
  type: z.enum(LINE_TYPES).optional(),
  itemId: Id.nullish(),
  itemNumber: Text(100).optional(),
  /** What the customer calls the item. Documents print it as 'Your item #'. */
  customerItemNumber: Text(100).optional(),
  description: Text(LONGEST_DESCRIPTION).optional(),
  /** Above 0, except for sections and notes, which have no quantity (0). */
  qty: z.union([Quantity, z.literal(0)], { error: 'The quantity must be above 0' }).optional(),
  unit: Text(20).optional(),
  notes: Text(2000).optional(),
  active: z.boolean().optional(),
  optional: z.boolean().optional(),
  unitPrice: Price.nullish(),
  /**
   * Where `unitPrice` is converted from the price of another unit: that price and unit. The server keeps it and converts from it when the unit changes
   * again. Ignored unless it converts to the price.
   */
  typedAs: z.object({ price: Price, unit: Text(20) }).nullish(),
  discountPct: Decimal.max(100, 'At most 100').optional(),
  /** For a new line that was on the quote before: restores its promotion. Ignored otherwise. */
  promotionId: Id.nullish(),
  /**
   * For a line that a configurator made: `linked: false` unlocks its quantity, null makes it an ordinary line. For a new line: its value before it
   * was removed.
   */
  configured: Configured.nullish(),
  /** An amount off the system unit price. Callers write it but never read it. */
  discountAmount: Price.optional(),
  priceReason: Text(500).optional(),
  /** Removes the line from the quote. */
  remove: z.boolean().optional(),
});
export type QuoteItemInput = z.input<typeof QuoteItemInput>;

/** The changed fields of one line. */
export type LinePatch = Omit<QuoteItemInput, 'id' | 'version'>;

/** A line edited in a form: the changed fields, and the line as it was when the user began. */
export type LineEdit = { id: number; patch: LinePatch; start: Stored };
