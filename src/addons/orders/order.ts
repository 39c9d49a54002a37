// Defines an order for the ERP: the agreement at the time the quote was won (docs/decisions/0038).
import { z } from 'zod';

export const ORDER_STATES = ['Waiting', 'Sent', 'Acknowledged', 'Rejected', 'Withdrawn'] as const;
export type OrderState = (typeof ORDER_STATES)[number];
export const ORDER_FORMATS = ['json', 'csv', 'x12'] as const;
export type OrderFormat = (typeof ORDER_FORMATS)[number];

const Place = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
});
export type OrderPlace = z.infer<typeof Place>;

const OrderLine = z.object({
  lineNo: z.number().int(),
  lineId: z.number().int(),
  /** A free line belongs to another line. A custom line has no item of ours. */
  type: z.enum(['item', 'custom', 'free']),
  itemNumber: z.string(),
  /** The customer's number for the item. Empty in orders made before this field. */
  customerItemNumber: z.string().default(''),
  description: z.string(),
  qty: z.number(),
  unit: z.string(),
  /** The price before the share of the quote's discount. */
  unitPrice: z.number().nullable(),
  /** The price after that share. Null for free lines without one, and in orders made before this field. */
  netPrice: z.number().nullable().default(null),
  /** This line's share of the quote's discount. */
  quoteDiscount: z.number(),
  /** Quantity times unit price, minus the share. */
  lineTotal: z.number(),
  notes: z.string(),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const Order = z.object({
  /** The number and revision of the quote. No other order has the same key. */
  key: z.string(),
  quoteNumber: z.number().int(),
  revision: z.number().int(),
  wonAt: z.string(),
  quoteDate: z.string(),
  /** Empty if the customer signed without one. */
  poNumber: z.string(),
  signedBy: z.string(),
  customerReference: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  account: z.object({ acctNo: z.string(), name: z.string(), parentAcctNo: z.string() }),
  billTo: Place,
  shipTo: Place,
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  salesRep: z.object({ name: z.string(), email: z.string() }),
  terms: z.object({ payment: z.string(), freight: z.string() }),
  lines: z.array(OrderLine),
  subtotal: z.number(),
  freight: z.number(),
  tax: z.number(),
  total: z.number(),
  /** The key of an earlier revision's order that the ERP may have, because the quote was reopened after it. */
  replaces: z.string(),
});
export type Order = z.infer<typeof Order>;

/** '104000-R1' */
export function orderKey(num: number, revision: number): string {
  return `${num}-R${revision}`;
}
