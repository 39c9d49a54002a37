// A line of a quote, as the server returns it and as callers save it.
import { z } from 'zod';
import { PRICE_SOURCES, PriceProof } from '#core/prices/pricing/price-proof.ts';
import { Promotion } from '#core/prices/promotions/promotion.ts';
import { LINE_TYPES } from '#core/quoting/quotes/quote-rows.ts';
import type { Stored } from '#platform/shared/conflict.ts';
import { Decimal, Id, Price, Quantity, RequiredText, Text, Version } from '#platform/shared/wire.ts';

/** The maximum length of a line's description, also in a template. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

/** A promotion on a line's item, with the message a rep reads. */
export const LinePromotion = Promotion.extend({ message: z.string(), applied: z.boolean() });
export type LinePromotion = z.infer<typeof LinePromotion>;

/** The origin of a line that a configurator made. */
export const Configured = z.object({
  configId: RequiredText(100),
  /** The position within the configuration. Empty for the configuration's section. */
  position: Text(100),
  /** Whether the configuration sets item, quantity and unit. False after a user unlinks the line. */
  linked: z.boolean(),
  /** The item as it came from the configurator. Null for the section. */
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
  /** The customer's own number for the item. Empty if unknown. */
  customerItemNumber: z.string(),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  units: z.array(z.string()),
  notes: z.string(),
  active: z.boolean(),
  optional: z.boolean(),
  listPrice: z.number().nullable(),
  /** The system's price: contract, account or list price, or the price of the applied promotion. */
  systemPrice: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** The percentage by which unitPrice is below systemPrice. */
  discountPct: z.number(),
  /** The typed discount in percent. Null when the price is not discounted, or is typed as a price or an amount off. */
  typedPct: z.number().nullable(),
  /**
   * The typed price in its own unit, when the line is now sold in another unit. Otherwise null. `atUnitPrice` is what that unit costs at the line's
   * rounded price. The board knows it only after the server responds.
   */
  typedAs: z.object({ price: z.number(), unit: z.string(), atUnitPrice: z.number().optional() }).nullable(),
  /** What the customer pays per unit after the quote discount, and the percentage by which that is below systemPrice. */
  netPrice: z.number().nullable(),
  netDiscountPct: z.number(),
  /** This line's share of the quote discount. lineTotal = unitPrice × qty, rounded, less this share. */
  quoteDiscount: z.number(),
  lineTotal: z.number(),
  priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
  priceProof: PriceProof,
  /** The problem with the price, in a sentence. Empty when there is none. */
  priceProblem: z.string(),
  /** What the user must choose before a contract price can apply: 'Two GPOs: choose. …'. Empty when there is nothing to choose. */
  priceChoice: z.string(),
  priceReason: z.string(),
  /** The line's price without the eligibility request that its price depends on. Null when the price is firm. */
  fallback: z
    .object({
      requestId: z.number().int(),
      unitPrice: z.number().nullable(),
      priceSource: z.enum(PRICE_SOURCES).or(z.literal('')),
    })
    .nullable(),
  promotionId: z.number().int().nullable(),
  promotions: z.array(LinePromotion),
  /** The product's name if it adds to the item's description. Otherwise empty. */
  productName: z.string(),
  imgThumbnailUrl: z.string().nullable(),
  /** Null when no configurator made the line. */
  configured: ConfiguredRead.nullable(),
  /** Internal only. Absent for public users. */
  cost: z.number().nullable().optional(),
  marginPct: z.number().nullable().optional(),
  underFloor: z.boolean().optional(),
  version: z.number().int(),
});
export type QuoteItem = z.infer<typeof QuoteItem>;

/**
 * A line to save. Id 0 is a new line. Omitted fields keep their value. The server ignores derived and unknown fields, so a caller may send back what
 * it read. A `unitPrice` that differs from the stored one is a typed price, and a differing `discountPct` is a manual discount. Both need a
 * `priceReason`. `unitPrice: null` restores the system price.
 */
export const QuoteItemInput = z.object({
  id: z.number().int().min(0).default(0),
  /** The caller's key for a new line. Sending it again after a lost response does not add a second line. */
  clientKey: RequiredText(64).nullish(),
  version: Version.optional(),
  lineNo: z.number().int().min(1).max(100_000).optional(),
  type: z.enum(LINE_TYPES).optional(),
  itemId: Id.nullish(),
  itemNumber: Text(100).optional(),
  /** The customer's own number for the item. Documents print it as 'Your item #'. */
  customerItemNumber: Text(100).optional(),
  description: Text(MAX_DESCRIPTION_LENGTH).optional(),
  /** Above 0, except for sections and notes, which have no quantity (0). */
  qty: z.union([Quantity, z.literal(0)], { error: 'The quantity must be above 0' }).optional(),
  unit: Text(20).optional(),
  notes: Text(2000).optional(),
  active: z.boolean().optional(),
  optional: z.boolean().optional(),
  unitPrice: Price.nullish(),
  /**
   * The original price and unit when `unitPrice` is converted from another unit. The server keeps them and converts from them when the unit changes
   * again. Ignored unless they convert to the price.
   */
  typedAs: z.object({ price: Price, unit: Text(20) }).nullish(),
  discountPct: Decimal.max(100, 'At most 100').optional(),
  /** For a new line that was on the quote before, restores its promotion. Otherwise ignored. */
  promotionId: Id.nullish(),
  /**
   * For a line that a configurator made, `linked: false` unlocks its quantity, and null makes it an ordinary line. For a new line, the value from
   * before its removal.
   */
  configured: Configured.nullish(),
  /** An amount off the system unit price. Write-only. */
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
