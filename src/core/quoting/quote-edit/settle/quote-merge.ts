// Defines which values a change of a quote or a line depends on, for merging the changes of two users.
import type { Stored } from '#platform/shared/conflict.ts';
import * as merge from '#platform/shared/merge.ts';

const PRICE_FIELDS: readonly string[] = ['unitPrice', 'discountPct', 'discountAmount', 'priceReason', 'typedAs'];
/** A change of these fields also changes a typed price: the server converts or drops it. */
const PRICED_BY: readonly string[] = ['unit', 'itemId'];
const QUANTITY_FIELDS: readonly string[] = ['qty', 'unit'];

/** A quantity depends on its unit. A price that was not typed follows from everything else. */
const standing: merge.Standing = (field, record) => {
  if (PRICE_FIELDS.includes(field) && 'priceSource' in record) {
    const isTyped = record['priceSource'] === 'Manual' || record['type'] === 'custom';
    return isTyped ? `${String(record['unitPrice'])} ${String(record['priceReason'])}` : null;
  }
  if (QUANTITY_FIELDS.includes(field)) return `${String(record['qty'])} ${String(record['unit'])}`;
  return record[field] ?? null;
};

/** Merges two patches into one. Null when the later one must wait, because a typed price belongs to the unit and item at that moment. */
export function onePatch(earlier: object, later: object): Record<string, unknown> | null {
  const sets = (patch: object, fields: readonly string[]) => fields.some((field) => field in patch);
  const prices = PRICE_FIELDS.filter((field) => field !== 'priceReason' && field !== 'typedAs');
  if (sets(earlier, prices) && sets(later, PRICED_BY) && !sets(later, prices)) return null;
  // If price, percentage and amount were typed, the last one applies.
  const remaining = Object.entries(earlier).filter(([field]) => !(prices.includes(field) && sets(later, prices)));
  return { ...Object.fromEntries(remaining), ...later };
}

export const seen = (patch: object, record: Stored): Stored => merge.seen(patch, record, standing);

export const clashes = (change: { patch: object; base: Stored }, record: Stored): string[] =>
  merge.clashes(change, record, standing);

/** The values that the user sees after their own change `saved` has come back as `record`. Other fields keep the values seen before. */
export function seenAfter(base: Stored, saved: object, record: Stored): Stored {
  const fields = Object.keys(saved);
  const groupOf = (field: string) => [PRICE_FIELDS, QUANTITY_FIELDS].find((group) => group.includes(field)) ?? [field];
  const touched = (field: string) =>
    [...groupOf(field), ...(PRICE_FIELDS.includes(field) ? PRICED_BY : [])].some((candidate) =>
      fields.includes(candidate),
    );
  return Object.fromEntries(
    Object.entries(base).map(([field, value]) => [field, touched(field) ? standing(field, record) : value]),
  );
}
