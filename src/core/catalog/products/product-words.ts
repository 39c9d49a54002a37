// The words that screens use for products: statuses with their tones, and missing parts.
import type { Tone } from '#platform/ui/tones.ts';
import type { MISSING } from './products.contract.ts';
import type { ProductStatus } from './product-status.ts';

export const STATUS_TONES: Record<ProductStatus, Tone> = {
  Draft: 'blue',
  Active: 'green',
  Discontinued: 'orange',
  Merged: 'violet',
};

export const MISSING_LABELS: Record<(typeof MISSING)[number], string> = {
  image: 'Without a picture',
  text: 'Without a text',
  document: 'Without a document',
  item: 'Without an item',
};
