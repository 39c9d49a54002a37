// Names the fields of a quote and its lines, and formats their values.
import type { HttpError } from '#platform/api/http-error.ts';
import { QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import { formatDate } from '#platform/shared/dates.ts';

export const FIELD_WORDS: Record<string, string> = {
  itemNumber: 'Item #',
  qty: 'Qty.',
  unit: 'Unit',
  unitPrice: 'Price',
  discountPct: 'Disc.%',
  discountAmount: 'Discount per unit',
  priceReason: 'Reason',
  description: 'Description',
  notes: 'Internal Notes',
  active: 'Active',
  optional: 'Optional',
  taxRate: 'Tax rate, %',
  ...QUOTE_LABELS,
};

/** The error message of a save, with the fields under their labels on the board instead of their API names. */
export function refusalWords({ message, errors = [] }: HttpError): string {
  return errors.reduce((words, { path }) => {
    const field = path.slice(path.lastIndexOf('.') + 1);
    return words.replace(`${path}: `, `${FIELD_WORDS[field] ?? field}: `);
  }, message);
}

/** Formats a value as its field shows it. `names` contains the names of ids that may occur in it. */
export function valueWords(field: string, value: unknown, names: ReadonlyMap<unknown, string> = new Map()): string {
  if (value === undefined || value === null || value === '') return '–';
  if (field.endsWith('Id')) return names.get(value) ?? 'another one';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return JSON.stringify(value);
  return field === 'quoteDate' || field === 'validUntil' ? formatDate(value) : value;
}
