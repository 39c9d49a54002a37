// Reads the rows of a configurator's file without guessing. Each becomes an item as a call would post it, or a reason why it is unreadable.
import {
  type CellParser,
  cleaned,
  code,
  cut,
  price,
  quantity,
  textOf,
} from '#platform/data-import/reading/cell-values.server.ts';
import type { Field } from '#platform/data-import/kinds/kind-description.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { Currency } from '#platform/shared/money.ts';
import { PostedItem, type StagedItem } from './posted-item.ts';

/** The content of a file for one item. */
export type FileRow = {
  /** Its place in the file, for the user: 'Line 5', 'Item 3'. */
  place: string;
  /** The fields of a `PostedItem` that could be read. */
  given: Record<string, unknown>;
  /** A sentence that explains why the row could not be read. Empty if its fields could be read. */
  problem: string;
};

export type FileConfiguration = { configId: string; name: string; rows: FileRow[] };

/** Refuses a value that the database would have to round. */
const exact =
  (parse: CellParser): CellParser =>
  (text, context) => {
    let isRounded = false;
    const value = parse(text, { ...context, noteCorrection: () => (isRounded = true) });
    return isRounded ? new Refusal('has more than four decimals') : value;
  };

const OTHER_CURRENCY: Record<Currency, { sign: RegExp; words: string }> = {
  USD: { sign: /€|EUR/i, words: 'is in euros, and the quote is in dollars' },
  EUR: { sign: /\$|USD/i, words: 'is in dollars, and the quote is in euros' },
};

/** The columns of a file for a quote in this currency: the fields of `PostedItem`, and the fields that identify the row's quote and configuration. */
export function fieldsFor(currency: Currency): Readonly<Record<string, Field>> {
  const other = OTHER_CURRENCY[currency];
  const ownPrice: CellParser = (text, context) =>
    other.sign.test(text) ? new Refusal(other.words) : price(text, context);
  return {
    quoteNumber: { label: 'Quote number', names: headings('quote number, quote'), parse: textOf(40) },
    configId: {
      label: 'Configuration',
      names: headings('config id, configuration id, configuration number, config number, configuration, config'),
      parse: textOf(100),
    },
    name: {
      label: 'Configuration name',
      names: headings('configuration name, config name, section name, section'),
      parse: textOf(200),
    },
    position: {
      label: 'Position',
      names: headings('position, position number, position id, pos, pos number, line id, line number, line'),
      parse: textOf(100),
    },
    itemNumber: {
      label: 'Item number',
      names: headings('item number, item, item code, item id, part number, part, sku, product number, article number'),
      parse: code,
    },
    description: {
      label: 'Description',
      names: headings('description, item description, product description, item name, product name'),
      parse: textOf(1000),
    },
    qty: {
      label: 'Quantity',
      names: headings('quantity, order quantity, ordered quantity, quantity ordered'),
      parse: exact(quantity),
    },
    unit: { label: 'Unit', names: headings('unit, unit of measure, units, uofm'), parse: textOf(20) },
    optionText: {
      label: 'Options',
      names: headings('option text, options, option, choices, chosen options'),
      parse: textOf(2000),
    },
    price: { label: 'Price', names: headings('price, unit price, net price'), parse: exact(ownPrice) },
  };
}

/** The columns that every row needs. */
export const NEEDED = ['position', 'itemNumber', 'qty'] as const;

/** The rows to stage. Anything that would make a call fail becomes a problem of its row. */
export function stagedItems(rows: readonly FileRow[]): StagedItem[] {
  const read = rows.map((row) => ({ ...row, item: PostedItem.safeParse(row.given) }));
  const times = Map.groupBy(read, ({ given, item }) => item.data?.position ?? given['position']);
  return read.map(({ place, given, problem, item }) => {
    const result = problem || (item.success ? '' : firstProblem(item.error.issues, place));
    const twice = times.get(item.data?.position ?? given['position']) ?? [];
    if (!result && item.success && twice.length === 1) return { ...item.data, price: item.data.price ?? null };
    return {
      position: textIn(given['position'], 100),
      itemNumber: textIn(given['itemNumber'], 100),
      description: textIn(given['description'], 1000),
      qty: null,
      unit: textIn(given['unit'], 20),
      optionText: textIn(given['optionText'], 2000),
      price: null,
      problem:
        result || `${place}: Position ${textIn(given['position'], 100)} appears ${twice.length} times in the file.`,
    };
  });
}

function firstProblem(issues: readonly { path: PropertyKey[]; message: string }[], place: string): string {
  const [first] = issues;
  const field = first?.path[0];
  const words = (first?.message ?? 'This is not an item').replace(/\.$/, '');
  return `${place}${field === undefined ? '' : `, ${String(field)}`}: ${words}.`;
}

/** The value as text, cut to the longest allowed length. */
export function textIn(value: unknown, longest: number): string {
  return typeof value === 'string' || typeof value === 'number' ? cut(cleaned(String(value)), longest) : '';
}
