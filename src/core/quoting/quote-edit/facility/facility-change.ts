// The parts that a quote copies from its facility, and the shape of a part that has changed at the facility since.
import { z } from 'zod';

export const FACILITY_PARTS = [
  'tax',
  'shipTo',
  'billTo',
  'contact',
  'reps',
  'paymentTerms',
  'freightTerms',
  'currency',
  'priceLevel',
  'parent',
] as const;
export const FacilityPart = z.enum(FACILITY_PARTS);
export type FacilityPart = z.infer<typeof FacilityPart>;

/** The fields of a quote that each part sets. Price level and parent affect only prices. */
export const FIELDS_OF_PART = {
  tax: ['taxRate', 'taxExempt'],
  shipTo: ['shipTo'],
  billTo: ['billTo'],
  contact: ['contactName', 'contactEmail', 'phone'],
  reps: ['salesRepId', 'csRepId', 'isRepId'],
  paymentTerms: ['paymentTerms'],
  freightTerms: ['freightTerms'],
  currency: ['currnIdx'],
  priceLevel: [],
  parent: [],
} as const satisfies Record<FacilityPart, readonly string[]>;

/** The names of each part: as a heading, and after 'Use the new'. */
export const PART_WORDS: Record<FacilityPart, { title: string; name: string }> = {
  tax: { title: 'Tax', name: 'tax status' },
  shipTo: { title: 'Ship-to', name: 'ship-to' },
  billTo: { title: 'Bill-to', name: 'bill-to' },
  contact: { title: 'Contact', name: 'contact' },
  reps: { title: 'Representatives', name: 'representatives' },
  paymentTerms: { title: 'Payment terms', name: 'payment terms' },
  freightTerms: { title: 'Freight terms', name: 'freight terms' },
  currency: { title: 'Currency', name: 'currency' },
  priceLevel: { title: 'Price level', name: 'price level' },
  parent: { title: 'Parent', name: 'parent' },
};

/** A part whose current value at the facility differs both from what the quote copied and from what is on the quote. */
export const FacilityChange = z.object({
  part: FacilityPart,
  /** The value on the quote, in words. Empty when there is none. */
  quote: z.string(),
  /** The current value at the facility. */
  facility: z.string(),
  /** Whether this user may use the new value. */
  isUsable: z.boolean(),
});
export type FacilityChange = z.infer<typeof FacilityChange>;
