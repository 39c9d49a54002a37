// The shape of a sent quote as the customer sees it. The revision freezes it, and the public page and the PDF show it (design 2 and 7).
import { z } from 'zod';
import { byName, DOCUMENT_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { Logo } from '#platform/shared/logo.ts';
import { Address } from '#platform/shared/wire.ts';

/** The files of a line's picture: up to 160 and 640 pixels for the page, and one for the PDF (null when there is none). */
export const LinePicture = z.object({
  small: z.number().int(),
  large: z.number().int(),
  print: z.number().int().nullable(),
});
export type LinePicture = z.infer<typeof LinePicture>;

export const DocumentLine = z.object({
  /**
   * The line number that the customer sees, from 1. A section or note has the number of the line above it and does not show it. Revisions that were
   * sent earlier have the numbers of the board, as their PDFs do.
   */
  lineNo: z.number().int(),
  type: z.enum(['item', 'custom', 'section', 'note', 'free']),
  itemNumber: z.string(),
  /** The customer's own number for the item. Empty in documents from before this field existed. */
  customerItemNumber: z.string().default(''),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  listPrice: z.number().nullable(),
  unitPrice: z.number().nullable(),
  /** unitPrice × qty, rounded, before the quote discount. */
  amount: z.number(),
  /** Whether the line is excluded from the total. */
  optional: z.boolean(),
  /** 'Contract V-2231, tier 2': the short form of the price proof. Empty for a list price. */
  priceNote: z.string(),
  /**
   * The price without the eligibility request that the shown price depends on. `unitPrice` is null when there is none. The object is null for a firm
   * price.
   */
  withoutRequest: z.object({ unitPrice: z.number().nullable() }).nullable().default(null),
  /** Null when there is none, or when the quote was sent without pictures. */
  picture: LinePicture.nullable().default(null),
});
export type DocumentLine = z.infer<typeof DocumentLine>;

export const QuoteDocument = z.object({
  company: z.object({
    name: z.string(),
    address: z.string(),
    phone: z.string(),
    email: z.string(),
    /** Null when the document shows the initial, as all documents from before logos existed do. */
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
  /** Empty in documents from before the text existed. */
  ...byName(DOCUMENT_TEXTS, () => z.string().default('')),
  message: z.string(),
  /** Whether the sender chose to show pictures. If no item has a picture, the lines reserve no space for them. */
  pictures: z.boolean().default(false),
  /** What the customer would save at other tiers of its contracts. Only the page shows it, and only if the sender chose to. */
  nextTiers: z
    .array(z.object({ contract: z.string(), tier: z.string(), requirement: z.string(), saving: z.number() }))
    .default([]),
  /**
   * What prices depended on when the quote was sent. Null when they were firm. `total` is the total without it, or null when a line has no other
   * price.
   */
  provisional: z.object({ text: z.string(), total: z.number().nullable() }).nullable().default(null),
  lines: z.array(DocumentLine),
  totals: z.object({
    listTotal: z.number(),
    /** Sum of the lines' amounts. */
    linesTotal: z.number(),
    quoteDiscount: z.number(),
    /** Percent off the whole quote. Null in documents sent before this field existed. */
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
