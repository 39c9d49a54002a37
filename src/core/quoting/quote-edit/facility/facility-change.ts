// What a quote takes from its facility, in parts, and a part that has changed at the facility since.
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

/** The fields of a quote that each part sets. Price level and parent only decide prices. */
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

/** The words of each part: as a heading, and after 'Use the new'. */
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

/** A part that the facility has otherwise now than when the quote took it, and otherwise than the quote has it. */
export const FacilityChange = z.object({
  part: FacilityPart,
  /** As the quote has it, in words; empty for nothing. */
  quote: z.string(),
  /** As the facility has it now. */
  facility: z.string(),
  /** This user may use the new value. */
  isUsable: z.boolean(),
});
export type FacilityChange = z.infer<typeof FacilityChange>;
