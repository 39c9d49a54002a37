// How products are named on screens: statuses with their tones, what is missing.
import type { Tone } from '#ui/tones.ts';
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

/** '1 product', '1,204 products' */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
