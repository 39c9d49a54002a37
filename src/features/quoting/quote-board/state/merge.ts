// Merges two people's changes of one record, and asks only about fields that both changed differently.

/** The quote's record or a line, as the server has it. */
export type Stored = Record<string, unknown>;

const PRICE_FIELDS: readonly string[] = ['unitPrice', 'discountPct', 'discountAmount', 'priceReason'];
const QUANTITY_FIELDS: readonly string[] = ['qty', 'unit'];

/** The values a change depends on: a quantity depends on its unit, and a price that nobody set follows from everything else. */
function standing(field: string, record: Stored): unknown {
  if (PRICE_FIELDS.includes(field) && 'priceSource' in record) {
    const isTyped = record['priceSource'] === 'Manual' || record['type'] === 'custom';
    return isTyped ? `${String(record['unitPrice'])} ${String(record['priceReason'])}` : null;
  }
  if (QUANTITY_FIELDS.includes(field)) return `${String(record['qty'])} ${String(record['unit'])}`;
  return record[field] ?? null;
}

/** What a person saw of the fields they change. */
export function seen(patch: object, record: Stored): Stored {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, standing(field, record)]));
}

/** Fields that somebody else changed since, to something else than this person did. */
export function clashes({ patch, base }: { patch: Stored; base: Stored }, record: Stored): string[] {
  return Object.keys(patch).filter(
    (field) => !same(standing(field, record), base[field]) && !same(record[field], patch[field]),
  );
}

/** What is seen once an own change `saved` has arrived as `record`; the rest as it was seen. */
export function seenAfter(base: Stored, saved: object, record: Stored): Stored {
  const fields = Object.keys(saved);
  const groupOf = (field: string) => [PRICE_FIELDS, QUANTITY_FIELDS].find((group) => group.includes(field)) ?? [field];
  const touched = (field: string) => groupOf(field).some((one) => fields.includes(one));
  return Object.fromEntries(
    Object.entries(base).map(([field, value]) => [field, touched(field) ? standing(field, record) : value]),
  );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
