// A sent quote as the customer sees it: frozen with the revision, shown on the public page, printed as PDF (design 2 and 7).
import { z } from 'zod';
import { Logo } from '#shared/logo.ts';
import { Address } from '#shared/wire.ts';

/** The files of a line's picture: within 160 and 640 pixels for the page, and for the PDF, null where there is none. */
export const LinePicture = z.object({
  small: z.number().int(),
  large: z.number().int(),
  print: z.number().int().nullable(),
});
export type LinePicture = z.infer<typeof LinePicture>;

export const DocumentLine = z.object({
  lineNo: z.number().int(),
  type: z.enum(['item', 'custom', 'section', 'note', 'free']),
  itemNumber: z.string(),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  listPrice: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** unitPrice × qty, rounded; before the quote discount. */
  amount: z.number(),
  /** Not in the total. */
  optional: z.boolean(),
  /** 'Contract V-2231, tier 2': the short form of the price proof; empty when list price. */
  priceNote: z.string(),
  /** The price without the eligibility request that the shown one hangs on, null when there is none; left out: the price is firm. */
  withoutRequest: z.object({ unitPrice: z.number().nullable() }).nullable().default(null),
  /** Null: none, or the quote was sent without pictures. */
  picture: LinePicture.nullable().default(null),
});
export type DocumentLine = z.infer<typeof DocumentLine>;

export const QuoteDocument = z.object({
  company: z.object({
    name: z.string(),
    address: z.string(),
    phone: z.string(),
    email: z.string(),
    /** Null, as in what was sent before there were logos: the initial stands in its place. */
    logo: Logo.nullable().default(null),
  }),
  /** '104512-R2' */
  number: z.string(),
  num: z.number().int(),
  revision: z.number().int(),
  quoteDate: z.string(),
  validUntil: z.string(),
  currnIdx: z.number().int(),
  facilityName: z.string(),
  facilityAcctNo: z.string(),
  billTo: Address,
  shipTo: Address,
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  preparedBy: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  paymentTerms: z.string(),
  freightTerms: z.string(),
  customerReference: z.string(),
  message: z.string(),
  /** Whether the lines have room for pictures. */
  pictures: z.boolean().default(false),
  /** What the customer would save at other tiers of its contracts; on the page only, and only when the sender chose to say so. */
  nextTiers: z
    .array(z.object({ contract: z.string(), tier: z.string(), requirement: z.string(), saving: z.number() }))
    .default([]),
  /** What prices hung on when the quote was sent; null: they were firm. `total`: without that, null when a line has no other price. */
  provisional: z.object({ text: z.string(), total: z.number().nullable() }).nullable().default(null),
  lines: z.array(DocumentLine),
  totals: z.object({
    listTotal: z.number(),
    /** Sum of the lines' amounts. */
    linesTotal: z.number(),
    quoteDiscount: z.number(),
    /** Percent off the whole quote; null in what was sent before it was noted. */
    quoteDiscountPct: z.number().nullable().default(null),
    subtotal: z.number(),
    freightAmount: z.number(),
    taxRate: z.number(),
    taxExempt: z.boolean(),
    taxAmount: z.number(),
    totalAmount: z.number(),
    savings: z.number(),
  }),
  terms: z.object({ version: z.number().int(), text: z.string() }),
});
export type QuoteDocument = z.infer<typeof QuoteDocument>;
