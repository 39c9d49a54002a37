// Describes an edit for the history of a quote: every changed field, before and after, as text for users.
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import { byColumn, columnOf, QUOTE_LABELS, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf, formatAmount, formatPrice } from '#platform/shared/money.ts';
import type { LineChanges } from '../lines/quote-lines.server.ts';
import { wholeAddress } from '../view/quote-view.server.ts';

type Names = ReadonlyMap<number, string>;
type Wording = (quote: QuoteRecord, names: Names) => string;

const date = (name: 'quote_date' | 'valid_until'): Wording => {
  return (quote) => formatDate(quote[name]);
};
const amount = (name: 'freight_amount' | 'total_amount'): Wording => {
  return (quote) => formatAmount(quote[name], quote.currn_idx);
};
const percentField = (name: 'tax_rate' | 'discount_pct'): Wording => {
  return (quote) => `${quote[name]}%`;
};
const person = (name: 'sales_rep_id' | 'cs_rep_id' | 'is_rep_id'): Wording => {
  return (quote, names) => names.get(quote[name] ?? 0) ?? '';
};
const address = (name: 'bill_to' | 'ship_to'): Wording => {
  return (quote) => {
    const { line1, line2, city, state, zip } = wholeAddress(quote[name]);
    return [line1, line2, city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
  };
};

type Field = { field: string; words: Wording; internal?: boolean };

/** The history's name and wording for each of the quote's own fields, by column. */
const FIELDS: Partial<Record<keyof QuoteRecord, Field>> = {
  facility_id: { field: QUOTE_LABELS.facilityId, words: (quote) => quote.facility_name },
  bill_to: { field: 'Bill-to', words: address('bill_to') },
  ship_to: { field: 'Ship-to', words: address('ship_to') },
  sales_rep_id: { field: QUOTE_LABELS.salesRepId, words: person('sales_rep_id') },
  cs_rep_id: { field: QUOTE_LABELS.csRepId, words: person('cs_rep_id') },
  is_rep_id: { field: QUOTE_LABELS.isRepId, words: person('is_rep_id') },
  quote_date: { field: QUOTE_LABELS.quoteDate, words: date('quote_date') },
  valid_until: { field: QUOTE_LABELS.validUntil, words: date('valid_until') },
  currn_idx: { field: 'Currency', words: (quote) => currencyOf(quote.currn_idx) },
  freight_amount: { field: QUOTE_LABELS.freightAmount, words: amount('freight_amount') },
  tax_rate: { field: 'Tax rate', words: percentField('tax_rate') },
  tax_exempt: { field: QUOTE_LABELS.taxExempt, words: (quote) => yesNo(quote.tax_exempt) },
  discount_pct: { field: 'Quote discount', words: percentField('discount_pct') },
  ...byColumn(QUOTE_TEXTS, (text): Field => {
    return { field: text.label, words: (quote) => quote[columnOf(text)], internal: text.reader === 'internal' };
  }),
  total_amount: { field: 'Total', words: amount('total_amount') },
};

/** The changes of the quote's own fields. Calls `namesOf` only when a representative changed. */
export async function quoteEvents(
  before: QuoteRecord,
  after: QuoteRecord,
  namesOf: (ids: number[]) => Promise<Names>,
): Promise<FieldChange[]> {
  const changed = (Object.keys(FIELDS) as (keyof QuoteRecord)[]).filter((name) => before[name] !== after[name]);
  const reps = ['sales_rep_id', 'cs_rep_id', 'is_rep_id'] as const;
  const ids = reps
    .filter((name) => changed.includes(name))
    .flatMap((name) => [before[name], after[name]])
    .filter((id) => id !== null);
  const names: Names = ids.length > 0 ? await namesOf(ids) : new Map();
  return changed.flatMap((name) => {
    const wording = FIELDS[name];
    if (!wording) return [];
    const { field, words, internal = false } = wording;
    return [{ field, before: words(before, names), after: words(after, names), ...(internal ? { internal } : {}) }];
  });
}

/** The terms of a quote that a copy keeps or resets, in the order in which they are listed. */
const COPIED_TERMS = ['discount_pct', 'freight_terms', 'freight_amount', 'tax_rate', 'tax_exempt'] as const;

/** The terms in which a copy differs from its source, each with both values: 'Freight $45.00 (now $0.00)'. */
export function otherTerms(source: QuoteRecord, copy: QuoteRecord): string[] {
  const names: Names = new Map();
  return COPIED_TERMS.flatMap((name) => {
    const wording = FIELDS[name];
    if (!wording || source[name] === copy[name]) return [];
    const [was, now] = [wording.words(source, names), wording.words(copy, names)];
    return [`${wording.field} ${was || 'none'} (now ${now || 'none'})`];
  });
}

function yesNo(value: boolean): string {
  return value ? 'Yes' : 'No';
}

/** The currency index of the quote before and after the edit. */
type Currencies = { before: number; after: number };

/** The lines added, removed and changed, and whether the other lines were reordered. Leaves out free lines, which follow from promotions. */
export function lineEvents(
  before: readonly Line[],
  after: readonly Line[],
  { added, changed, removed }: LineChanges,
  currencies: Currencies,
): FieldChange[] {
  const stored = new Map(before.map((line) => [line.id, line]));
  const withoutFree = (lines: readonly Line[]) => lines.filter(({ type }) => type !== 'free');
  return [
    ...withoutFree(removed).map((line) => ({
      field: lineName(line),
      before: summary(line),
      after: '',
      ...promotionOf(line),
    })),
    ...withoutFree(changed).flatMap((line) => differences(stored.get(line.id) ?? line, line, currencies)),
    ...withoutFree(added).map((line) => ({ field: lineName(line), before: '', after: summary(line) })),
    ...(reordered(before, after) ? [{ field: 'Order of lines', before: '', after: 'changed' }] : []),
  ];
}

function promotionOf({ item_id: itemId, promotion_id: promotionId }: Line): Pick<FieldChange, 'promotion'> {
  return itemId === null || promotionId === null ? {} : { promotion: { itemId, promotionId } };
}

/** A line's name in the history. */
export function lineName(line: Line): string {
  return `Line ${line.line_no}${line.item_number ? ` (${line.item_number})` : ''}`;
}

function summary(line: Line): string {
  if (line.type === 'section' || line.type === 'note') return line.description;
  return `${line.qty} ${line.unit} ${line.item_number}`.trim();
}

function differences(before: Line, after: Line, currencies: Currencies): FieldChange[] {
  const price = (line: Line, currnIdx: number) => {
    if (line.unit_price === null) return 'none';
    const by = line.price_source === 'Manual' && line.price_reason ? ` (${line.price_reason})` : '';
    return `${formatPrice(line.unit_price, currnIdx)} per ${line.unit}${by}`;
  };
  const words: [string, (line: Line, currnIdx: number) => string][] = [
    ['Item', (line) => line.item_number],
    ['Their item #', (line) => line.customer_item_number],
    ['Description', (line) => line.description],
    ['Quantity', (line) => String(line.qty)],
    ['Unit', (line) => line.unit],
    ['Price', price],
    ['Promotion', (line) => (line.promotion_id === null ? 'none' : `promotion ${line.promotion_id}`)],
    ['Active', (line) => yesNo(line.active)],
    ['Optional', (line) => yesNo(line.optional)],
    ['Notes', (line) => line.notes],
    ['Configuration', configurationOf],
  ];
  return words
    .map(([field, word]) => ({
      field: `${lineName(after)}: ${field}`,
      before: word(before, currencies.before),
      after: word(after, currencies.after),
    }))
    .filter((change) => change.before !== change.after);
}

function configurationOf({ configured }: Line): string {
  if (!configured) return '';
  return `${configured.configId} ${configured.position}`.trim() + (configured.linked ? '' : ', unlinked');
}

function reordered(before: readonly Line[], after: readonly Line[]): boolean {
  const there = new Set(after.map((line) => line.id));
  const was = new Set(before.map((line) => line.id));
  const old = before.filter((line) => there.has(line.id) && line.type !== 'free').map((line) => line.id);
  const now = after.filter((line) => was.has(line.id) && line.type !== 'free').map((line) => line.id);
  return old.some((id, index) => id !== now[index]);
}
