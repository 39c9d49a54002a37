// Reads rows pasted from a spreadsheet or a mail and guesses each column's meaning (item number, quantity, unit, price) without losing a cell.
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { isRequest, readRequest } from '#core/quoting/request-text/request-text.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { isUnit, unitCode } from '#platform/shared/unit-of-measure.ts';

export const COLUMN_ROLES = ['item', 'qty', 'unit', 'price', 'unused'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/**
 * `titles` contains the cells of the heading, '' without one. `unsure` contains the columns from which the user must choose the quantity, `prices`
 * those for the price. `more` is the number of further rows that are not read. `aside` contains lines of a mail that are not rows.
 */
export type PastedTable = {
  titles: string[];
  rows: string[][];
  roles: ColumnRole[];
  unsure: number[];
  prices: number[];
  more: number;
  aside: string[];
};

/** A row for the lookup: the cells by role, and the unused cells with their column. */
export type PastedLine = {
  itemNumber: string;
  qty: string;
  unit: string;
  price: string;
  unused: { column: number; text: string }[];
};

/** Returns whether a clipboard text is a table or a list, not just words for a field. */
export function isTable(text: string): boolean {
  return /\t/.test(text) || text.trim().includes('\n') || (requestIn(text)?.rows.length ?? 0) > 1;
}

/** The rows that a mail requests in words. Null when it requests none. */
function requestIn(text: string): PastedTable | null {
  const request = readRequest(text);
  if (!isRequest(request)) return null;
  const rows = request.lines.map(({ itemNumber, qty, unit, description }) => [itemNumber, qty, unit, description]);
  return {
    titles: ['Item #', 'Qty.', 'Unit', 'Description'],
    rows: rows.slice(0, MAX_QUOTE_LINES),
    roles: ['item', 'qty', 'unit', 'unused'],
    unsure: [],
    prices: [],
    more: Math.max(0, rows.length - MAX_QUOTE_LINES),
    aside: request.aside,
  };
}

/** Reads pasted text: every row with a cell, and a guess at what its columns mean. */
export function parsePaste(text: string): PastedTable {
  const { rows: all, more } = cellsOf(text, MAX_QUOTE_LINES + 1);
  const [first = []] = all;
  const width = Math.max(0, ...all.map((cells) => cells.length));
  const columns = [...Array(width).keys()];
  const heading = headingOf(first);
  const rows = heading ? all.slice(1) : all.slice(0, MAX_QUOTE_LINES);
  const places = heading ?? guess(rows, columns);
  const isWords = !heading && places.qty === -1 && !text.includes('\t');
  const request = isWords ? requestIn(text) : null;
  if (request) return request;
  const prices = pricesOf(heading ? first : [], rows, columns).filter(
    (column) => ![places.item, places.qty, places.unit, ...(heading?.unsure ?? [])].includes(column),
  );
  return {
    titles: columns.map((column) => (heading ? (first[column] ?? '') : '')),
    rows,
    roles: columns.map((column) => {
      if (column === places.item) return 'item';
      if (column === places.qty) return 'qty';
      if (column === places.unit) return 'unit';
      return prices.length === 1 && column === prices[0] ? 'price' : 'unused';
    }),
    unsure: heading?.unsure ?? [],
    prices: prices.length > 1 ? prices : [],
    more: more + all.length - rows.length - (heading ? 1 : 0),
    aside: [],
  };
}

/** The rows of a table by the roles of its columns. */
export function linesOf({ rows }: Pick<PastedTable, 'rows'>, roles: readonly ColumnRole[]): PastedLine[] {
  const [item, qty, unit, price] = (['item', 'qty', 'unit', 'price'] as const).map((role) => roles.indexOf(role));
  const cell = (cells: readonly string[], column = -1) => cells[column] ?? '';
  return rows.map((cells) => ({
    itemNumber: cell(cells, item),
    ...quantityAndUnit(cell(cells, qty), cell(cells, unit)),
    price: cell(cells, price),
    unused: cells.flatMap((text, column) => (text !== '' && roles[column] === 'unused' ? [{ column, text }] : [])),
  }));
}

/** '2 cs', '2cs' and '2 CS of 10' are a quantity and its unit. '10/CS' and '50 EA/CA' are units alone. */
const WITH_UNIT = /^([\d.,]+) ?([a-z].*)$/i;

/** Splits a quantity followed by a unit. Null for any other text. */
function quantityWithUnit(cell: string): { qty: string; unit: string } | null {
  const [, qty = '', unit = ''] = WITH_UNIT.exec(cell) ?? [];
  return unit !== '' && isUnit(unit) && readQuantity(qty).qty !== null ? { qty, unit } : null;
}

/**
 * The quantity and unit that a row requests. A unit after the quantity applies unless another cell of the row names a different unit. In that case
 * the user corrects it.
 */
function quantityAndUnit(qty: string, unit: string): { qty: string; unit: string } {
  const both = quantityWithUnit(qty);
  if (!both) return { qty, unit };
  if (unit === '') return both;
  return unitCode(both.unit) === unitCode(unit) ? { qty: both.qty, unit } : { qty, unit };
}

/** The separator between cells, and a cell's content, bare or in quotes. The first separator found in a text applies. */
const TABS = { found: /\t/, between: /\t/y, bare: /[^\t\r\n]*/y, quoted: /"((?:[^"\t]|"")*)" *(?=[\t\r\n]|$)/y };
const SEMICOLONS = { found: /;/, between: /;/y, bare: /[^;\r\n]*/y, quoted: /"((?:[^"\r\n]|"")*)" *(?=[;\r\n]|$)/y };
const COMMAS = { between: /,/y, bare: /[^,\r\n]*/y, quoted: /"((?:[^"\r\n]|"")*)" *(?=[,\r\n]|$)/y };
const SPACES = {
  between: / {2,}/y,
  bare: /(?:(?! {2})[^\r\n])*/y,
  quoted: /"((?:[^"\r\n]|"")*)"(?= {2}|[\r\n]|$)/y,
};
const LINE_BREAK = /\r\n|\r|\n/y;

/**
 * Splits the text into at most `most` rows of cells and counts the rest. A quoted spreadsheet cell may contain line breaks, but no tab. An opening
 * quote without a closing one belongs to its cell.
 */
function cellsOf(pasted: string, most: number): { rows: string[][]; more: number } {
  const text = pasted.replaceAll(/^ +| +$/gm, '');
  // Descriptions also contain commas, so commas separate cells only when the heading consists of column names between commas.
  const isCsv = headingOf((/^.*/.exec(text)?.[0] ?? '').split(',').map((cell) => cell.trim())) !== undefined;
  const kind = [TABS, SEMICOLONS].find(({ found }) => found.test(text)) ?? (isCsv ? COMMAS : SPACES);
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const rows: string[][] = [];
  while (at < text.length && rows.length < most) {
    const cells: string[] = [];
    do {
      const quoted = next(kind.quoted)?.[1];
      cells.push((quoted?.replaceAll('""', '"').replaceAll(/\s+/g, ' ') ?? next(kind.bare)?.[0] ?? '').trim());
    } while (next(kind.between));
    next(LINE_BREAK);
    if (cells.some((cell) => cell !== '')) rows.push(cells);
  }
  const rest = text.slice(at).split(/\r\n|\r|\n/);
  return { rows, more: rest.filter((line) => /[^\s;"]/.test(line)).length };
}

type Places = { item: number; qty: number; unit: number };

const ITEM = [
  /^(item|part|catalog|sku|product|material|reorder|stock)s?\s*(#|no\b\.?|num|number|code|id)/i,
  /^(item|part|catalog|sku|product|material)s?$/i,
  /^(#|no\.?|number)$/i,
  /item|part|catalog|sku|product/i,
];
const QTY =
  /^((order(ed)?|ord|po|purchase|req|requested|required|needed|quoted?) )?(qty|quantity|quantities)( (order(ed)?|ord|to order|req|requested|required|needed|quoted))?$|^ordered$/i;
const MAYBE_QTY = /\b(qty|quantity|quantities)\b|^(count|order|ordered)$/i;
/** Headings of other quantities: contents of a pack, stock, or yearly usage. */
const NO_QTY =
  /\b(qty|quantity|quantities)\.?\s*\/|\b(per|in|on hand|on order|in stock|stock|inventory|pack\w*|inner|annual\w*|year\w*|yr|month\w*|usage|avail\w*|min|minimum|max|maximum)\b|\b(case|carton|box|pallet|bag)s? (qty|quantity)\b/i;
const UNIT = [/^(u\/?o?\/?m|uom|unit\s*of\s*meas.*|units?|measure|sell(ing)?\s*u\/?o?m|pack(aging)?)$/i];
const OTHER = /price|cost|amount|total|desc|name|%|pct|percent|disc|ext|date|note/i;

/** The columns that a heading names. The first row is a heading if two of its cells name columns and none is a number. Otherwise undefined. */
function headingOf(first: readonly string[]): (Places & { unsure: number[] }) | undefined {
  const find = (patterns: readonly RegExp[], taken: readonly number[]) => {
    for (const pattern of patterns) {
      const column = first.findIndex((cell, at) => !taken.includes(at) && pattern.test(cell) && !OTHER.test(cell));
      if (column !== -1) return column;
    }
    return -1;
  };
  const item = find(ITEM, []);
  const quantities = quantitiesOf(first).filter((column) => column !== item);
  const qty = quantities.length === 1 ? (quantities[0] ?? -1) : -1;
  const unit = find(UNIT, [item, ...quantities]);
  const isOther = (cell: string) => OTHER.test(cell) || MAYBE_QTY.test(spaced(cell));
  const known = [item, unit, ...quantities].filter((column) => column !== -1);
  const named = first.filter((cell, at) => known.includes(at) || isOther(cell)).length;
  if (known.length === 0 || named < 2 || first.some((cell) => /^[-$€]?\d/.test(cell))) return undefined;
  const unsure = qty === -1 ? quantities : [];
  if (item !== -1) return { item, qty, unit, unsure };
  const rest = first.findIndex((cell, at) => at !== unit && !isOther(cell) && !quantities.includes(at));
  return { item: rest, qty, unit, unsure };
}

/** The columns whose title names the quantity, or else those that may be the quantity. */
function quantitiesOf(first: readonly string[]): number[] {
  const all = first.flatMap((cell, column) => {
    const title = spaced(cell);
    if (!MAYBE_QTY.test(title) || NO_QTY.test(title) || OTHER.test(cell)) return [];
    return [{ column, isNamed: QTY.test(title.replaceAll(/[^a-z]+/gi, ' ').trim()) }];
  });
  const named = all.filter(({ isNamed }) => isNamed);
  return (named.length > 0 ? named : all).map(({ column }) => column);
}

const PRICE = /price|\bcost\b/i;
/** A requested price has priority over a paid price or a list price. */
const ASKED_PRICE = /target|net|bid|offer|quote|agreed|unit/i;
const NO_PRICE = /\b(ext|extended|total|amount|list|msrp|retail|old|last|previous)\b|%|disc/i;
const MONEY = /^[-$€]?\s?[\d,]+\.\d+$|^\D{0,3}\d[\d.,]*\s?(\/|per )|[$€]\s?\d|\d\s?[$€]|\b(usd|eur)\b/i;

/** Returns whether a cell looks like an amount of money. */
export function isMoney(cell: string): boolean {
  return MONEY.test(cell) && !cell.includes('%');
}

/** The columns that a heading calls unit prices. Without a heading, the columns with amounts of money. */
function pricesOf(titles: readonly string[], rows: readonly string[][], columns: readonly number[]): number[] {
  if (titles.length > 0) {
    const all = columns.filter(
      (column) => PRICE.test(titles[column] ?? '') && !NO_PRICE.test(spaced(titles[column] ?? '')),
    );
    const request = all.filter((column) => ASKED_PRICE.test(spaced(titles[column] ?? '')));
    return request.length === 1 ? request : all;
  }
  return columns.filter((column) => {
    const filled = rows.map((cells) => cells[column] ?? '').filter(Boolean);
    return filled.length > 0 && filled.filter(isMoney).length * 2 >= filled.length;
  });
}

/** 'order_qty' and 'OrderQty' as words. */
function spaced(title: string): string {
  return title.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}

/**
 * Guesses the columns without a heading. The item number comes first (after a running number). The quantity is in the first later column of whole
 * numbers, else of whole numbers with a unit after them, else of numbers. The unit is in a column of short words that include a unit, or in a column
 * of codes.
 */
function guess(rows: readonly string[][], columns: readonly number[]): Places {
  const share = (column: number, test: (cell: string) => boolean) => {
    const filled = rows.map((cells) => cells[column] ?? '').filter(Boolean);
    return filled.length === 0 ? 0 : filled.filter(test).length / filled.length;
  };
  const numbered = rows.length > 1 && rows.every((cells, at) => cells[0] === String(at + 1));
  const item = numbered ? 1 : 0;
  const later = columns.filter((column) => column > item);
  const qty =
    later.find((column) => share(column, isWhole) >= 0.5) ??
    later.find((column) => share(column, (cell) => isWhole(cell) || quantityWithUnit(cell) !== null) >= 0.5) ??
    later.find((column) => share(column, isFigure) >= 0.5) ??
    -1;
  const rest = later.filter((column) => column !== qty);
  const [unit] = rest
    .map((column) => ({
      column,
      units: share(column, isUnit),
      short: share(column, (cell) => isUnit(cell) || SHORT.test(cell)),
      codes: share(column, (cell) => CODE.test(cell)),
    }))
    .filter(({ units, short, codes }) => (units > 0 && short >= 0.5) || codes >= 0.6)
    .toSorted((a, b) => b.units - a.units || b.codes - a.codes);
  return { item, qty, unit: unit?.column ?? -1 };
}

const SHORT = /^(?!\d+$)\S{1,10}$/;
const CODE = /^[A-Za-z]{2,4}$/;

function isFigure(cell: string): boolean {
  const { qty, problem } = readQuantity(cell);
  return qty !== null || problem === 'The quantity must be above 0';
}

function isWhole(cell: string): boolean {
  return isFigure(cell) && !cell.includes('.');
}
