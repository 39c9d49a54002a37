// Parses cells into values: prices, phones, units, roles. Pure, with one function per kind of cell.
import { currencyOf, EURO_INDEX, fromUnits, toUnits } from '#platform/shared/money.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { gtinOf } from './gtin-digits.server.ts';
import { Refusal } from './refusal.server.ts';
import { readUnit } from './unit-text.server.ts';

export type Value = string | number | boolean | string[];

/**
 * Counts a correction, with a sentence part for one and for several. For a correction that loses data, `detail` contains the value and the problem,
 * and the note names the line.
 */
export type NoteCorrection = (one: string, many: string, detail?: string) => void;

/** The context of a parser and its callbacks. */
export type CellContext = {
  /** The column's heading in the file. */
  heading: string;
  /** Counts a correction, such as a restored leading zero of a ZIP code. */
  noteCorrection: NoteCorrection;
  /** Reports a decimal comma in this cell. Amounts of the column that can be read in two ways are then refused. */
  decimalComma?: (text: string) => void;
  /** Reports an amount such as 1.234, which has another value in a file with decimal commas. */
  thousands?: () => void;
  /** The user confirmed that the file uses decimal commas, as in 1.234,50. */
  isComma?: boolean;
  /** The user confirmed that a pack size in a unit, such as '100/bx', means a unit of that size. */
  makesUnits?: boolean;
  /** Reports the currency of an amount of money. */
  currency?: (index: number) => void;
  /** Reports the unit that the heading of a price names. */
  priceUnit?: (unit: string) => void;
  /** Reports which date formats the cell fits. */
  notation?: (notation: DayProof, text: string) => void;
  /** The date format of the column, derived from all rows of the file. 'mixed' means that both formats occur. Left out: month first. */
  dates?: DateNotation | 'mixed';
  /** The cell comes from a workbook, whose date cells have no format. */
  isBook?: boolean;
};

/** 02/05/2026 is February 5 with the month first, May 2 with the day first. */
export type DateNotation = 'month' | 'day';
/**
 * The formats that a cell fits. 02/05/2026 fits 'either'. 'whole' is a date cell of a workbook that no spreadsheet can have swapped, such as February
 * 13.
 */
export type DayProof = DateNotation | 'either' | 'whole';

/** The values of several fields from one cell. */
export class Several {
  readonly values: Readonly<Record<string, Value>>;
  constructor(values: Readonly<Record<string, Value>>) {
    this.values = values;
  }
}

/** Parses one cell that is cleaned and not blank. Null means that the cell has no value. */
export type CellParser = (text: string, context: CellContext) => Value | Several | Refusal | null;

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;
/** Joiners (ZWJ, ZWNJ) are part of Telugu, Persian and other scripts and of emoji; after a Latin letter or a space they are noise. */
const LOOSE_JOINERS = /(?<![^\0-\x7f\s\u200c\u200d])[\u200c\u200d]+/gu;
const NOTHING = /^(?:not available|not applicable|n\/?a|#n\/a|none|null|unknown|-+|\.)$/i;

/** Reduces a text to one line: single spaces, no invisible characters, no spaces at the ends. Returns '' for 'NOT AVAILABLE' and the like. */
export function cleaned(cell: string): string {
  // Most cells are plain ASCII without double spaces and need no cleaning.
  const text = /^[!-~]+(?: [!-~]+)*$/.test(cell)
    ? cell
    : cell
        .toWellFormed()
        .replace(CONTROL, ' ')
        .replace(INVISIBLE, '')
        .replace(LOOSE_JOINERS, '')
        .replace(/\s+/g, ' ')
        .trim();
  if (NOTHING.test(text)) return '';
  // Programs write ="00123" so that a spreadsheet keeps the leading zeros.
  const formula = /^="([^"]*)"$/.exec(text)?.[1];
  if (formula !== undefined) return cleaned(formula);
  // Our own exports put an apostrophe before text that a spreadsheet would evaluate.
  return /^'[=+\-@＝＋－＠]/.test(text) ? text.slice(1) : text;
}

/** Cuts a text to a number of characters without splitting a surrogate pair. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}

export function textOf(longest: number): CellParser {
  return (text) => {
    if (/^#(?:REF|VALUE|NAME|DIV\/0|NUM|NULL|SPILL|CALC)[!?]/.test(text)) return new Refusal('is an Excel error');
    return text.length > longest ? new Refusal(`has ${text.length} characters, but at most ${longest} fit`) : text;
  };
}

/** 1.23E+12, as a spreadsheet shows a long number. A spreadsheet always writes the sign, so 1E10 was typed. */
const SHORTENED = /^\d(?:\.\d+E[+-]?|E[+-])\d+$/i;
/** 3/10/2026, 10-Mar, Mar-10 and 2026-03-10: the forms in which a spreadsheet shows a text that it mistook for a date. */
const DAY_OF_SPREADSHEET =
  /^(?:\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-\d\d-\d\d(?:T.*)?|(?=.*\d)(?:\d{1,2}-)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d{2,4})?)$/;

/** TRUE, 12:30 and 8%: how a spreadsheet shows cells that are not text. */
const NO_CODE = /^(?:true|false|\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?|-?\d+(?:\.\d+)? ?%)$/i;

/** Account and item numbers. They are text, never numbers, so that leading zeros stay. */
export const code: CellParser = (text, context) => {
  if (NO_CODE.test(text)) return new Refusal('is a truth value, a time or a percentage, not a number');
  if (SHORTENED.test(text)) return new Refusal('was shortened by a spreadsheet (1.23E+12): its digits are lost');
  if (DAY_OF_SPREADSHEET.test(text))
    return new Refusal(
      'is a date that a spreadsheet made of a number: format the column as text and type the number again',
    );
  return textOf(60)(text, context);
};

/** A number that another company uses for an item. A cell with several numbers would be stored as one that nobody uses. */
export const oneNumber: CellParser = (text, context) =>
  /\S[,;] |;| (?:\/|\||or|and|&) /i.test(text)
    ? new Refusal('may be several numbers: write a row for each')
    : code(text, context);

/** Returns (256) 845-3150, with any extension. A foreign number (+44 …) stays unchanged. */
export const phone: CellParser = (text) => {
  const [, main = '', extension] = /^(.*?)(?:\s{0,5}(?:ext\.?|x|#)\s{0,5}(\d{1,7}))?$/i.exec(text) ?? [];
  const digits = main.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  if (main.trimStart().startsWith('+') && !/^\+\s*1\b/.test(main.trim()) && digits.length >= 8)
    return text.slice(0, 40);
  if (digits.length !== 10) return new Refusal('is not a phone number of ten digits');
  const plain = `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  return extension ? `${plain} x${extension}` : plain;
};

const AMOUNT =
  /^(?<minus>-?)(?<before>USD|EUR|US\$|\$|€)? ?(?<minus2>-?)(?<whole>\d{1,3}(?:,\d{3})+|\d*)(?<part>\.\d*)?(?<power>e[+-]?\d+)? ?(?<after>USD|EUR|\$|€)?$/i;

/** 1.234,50, 1.234.567, 12,50, 0,125: not amounts with a decimal point in any reading. */
const DECIMAL_COMMA =
  /^\D{0,4}(?:\d{1,3}(?:[. ]\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d{1,2}|0,\d+|\d{4,},\d+)\D{0,4}$/;
/** 1,234 and 1.234, which have different values with a decimal comma and with a decimal point. */
export const TWO_AMOUNTS = /^\D*\d{1,3}(?:,\d{3})+\D*$|^\D*\d{1,3}\.\d{3}\D*$/;
/** 1.234, which is 1234 in a file with decimal commas. */
export const THOUSANDS = /^\D*\d{1,3}\.\d{3}\D*$/;
/** A decimal point that cannot be a thousands separator. */
const DECIMAL_POINT = /\d\.(?:\d{1,2}|\d{4,})\D*$|\.\d{3}$(?<=\d{4,}\.\d{3})/;

/** Converts an amount from 1.234,50 to 1234.50. */
function withPoint(text: string, { isBook }: CellContext): string | Refusal {
  if (!/\d[.,]|[.,]\d/.test(text)) return text;
  if (!text.includes(',') && DECIMAL_POINT.test(text))
    // A number cell has no format.
    return isBook ? text : new Refusal('has a decimal point, but you chose decimal commas for this file');
  if (!/^[^\d.,]*(?:\d{1,3}(?:[. ]\d{3})+|\d*)(?:,\d*)?[^\d.,]*$/.test(text)) return new Refusal('is not an amount');
  return text.replace(/(?<=\d)[. ](?=\d)/g, '').replace(',', '.');
}

type Amount = { amount: string; currency: number | null };

/** Returns an amount as decimal text, and the currency that its cell names: `$1,141.40` is 1141.40 in dollars, `(12.00)` is -12.00. */
function amountIn(input: string, context: CellContext): Amount | Refusal {
  const { noteCorrection, decimalComma, isComma, isBook } = context;
  if (!isComma && !isBook && THOUSANDS.test(input)) context.thousands?.();
  const text = isComma ? withPoint(input, context) : input;
  if (text instanceof Refusal) return text;
  if (!isComma && DECIMAL_COMMA.test(text)) {
    decimalComma?.(text);
    return new Refusal('is written with a decimal comma: write 1,234.50, or choose decimal commas for the file');
  }
  const bracketed = /^\((.*)\)$/.exec(text)?.[1];
  const result = AMOUNT.exec(bracketed ?? text)?.groups;
  const digits = `${result?.['whole'] ?? ''}${result?.['part'] ?? ''}`;
  if (!result || !/\d/.test(digits)) {
    return new Refusal(RANGE.test(text) ? 'is a range, not one price' : 'is not an amount');
  }
  const sign = result['before'] ?? result['after'];
  const currency = sign === undefined ? null : /€|EUR/i.test(sign) ? EURO_INDEX : DOLLAR_INDEX;
  const plain = `${digits.replaceAll(',', '')}${result['power'] ?? ''}`;
  const value = Number(plain);
  if (value >= 10_000_000_000) return new Refusal('is larger than 9,999,999,999.9999');
  const minus = bracketed !== undefined || result['minus'] || result['minus2'] ? '-' : '';
  if (!result['power'] && (result['part'] ?? '').length <= 5)
    return { amount: minus + plain.replace(/^\./, '0.').replace(/\.$/, ''), currency };
  const rounded = fromUnits(toUnits(value));
  if (rounded !== value)
    noteCorrection('amount rounded to four decimal places', 'amounts rounded to four decimal places');
  return { amount: minus + rounded.toFixed(4), currency };
}

/** Returns a decimal as text. More than four places are rounded to four and counted as a correction. An amount of money is refused. */
export function decimalOf(text: string, context: CellContext): string | Refusal {
  const read = amountIn(text, context);
  if (read instanceof Refusal) return read;
  return read.currency === null ? read.amount : new Refusal('is an amount of money');
}

const RANGE = /^(?<low>[^-–]{0,30}\d[^-–]{0,30}?) ?(?:-|–|to) ?(?<high>\D?\d[^-–]*)$/;

const isNegative = (amount: string): boolean => amount.startsWith('-') && Number(amount) !== 0;

function notNegative(text: string, context: CellContext): string | Refusal {
  const value = decimalOf(text, context);
  return typeof value === 'string' && isNegative(value) ? new Refusal('is negative') : value;
}

/** Fee schedules write 0 if a state, a rural area, the ceiling or the floor has no price. */
const ZERO_IS_NO_PRICE = /\((?:N?R)\)$|^(?:ceiling|floor)$/i;

/** Returns a price of 0 or more. Reports its currency if its cell names one. */
export const price: CellParser = (text, context) => {
  const read = amountIn(text, context);
  if (read instanceof Refusal) return read;
  if (isNegative(read.amount)) return new Refusal('is negative');
  if (Number(read.amount) === 0 && ZERO_IS_NO_PRICE.test(context.heading.trim())) return null;
  const { currency, units, unit: per } = moneyOf(context.heading);
  if (currency instanceof Refusal) return currency;
  if (units !== 1) return new Refusal(`is the price of ${units} by its heading: write the price of one unit`);
  if (currency !== null && read.currency !== null && currency !== read.currency)
    return new Refusal(`is in ${currencyOf(read.currency)} under a heading that says ${currencyOf(currency)}`);
  const stated = read.currency ?? currency;
  if (stated !== null) context.currency?.(stated);
  if (per !== null) context.priceUnit?.(per);
  return read.amount;
};

type HeadingMoney = { currency: number | null | Refusal; units: number; unit: string | null };
const HEADINGS = new Map<string, HeadingMoney>();

/** Returns what a heading of prices says about them. Cached, because it is needed for each cell. */
function moneyOf(heading: string): HeadingMoney {
  const known = HEADINGS.get(heading);
  if (known) return known;
  const result = {
    currency: currencyOfHeading(heading),
    units: unitsOfHeading(heading),
    unit: unitOfHeading(heading),
  };
  if (HEADINGS.size > 1000) HEADINGS.clear();
  HEADINGS.set(heading, result);
  return result;
}

/**
 * Returns the currency that a heading of prices names, such as 'Price (EUR)', a Refusal for a currency that is not quoted here, or null if it names
 * none.
 */
function currencyOfHeading(heading: string): number | null | Refusal {
  if (/€|\bEUR(?:O|OS)?\b/i.test(heading)) return EURO_INDEX;
  if (/¢|\bcents?\b/i.test(heading)) return new Refusal('is in cents by its heading: write dollars');
  if (/(?<![\d,.])0{3}'?s?\b|\bthousands\b/i.test(heading))
    return new Refusal('is in thousands by its heading: write dollars');
  if (/[£¥]|\b(?:GBP|CAD|AUD|CHF|JPY|MXN)\b/.test(heading))
    return new Refusal('is in a currency that is not quoted here (USD or EUR)');
  return /\$|\bUSD\b/i.test(heading) ? DOLLAR_INDEX : null;
}

/** Returns the number of units in a heading such as 'Price per 100', or 1 if it names none. */
function unitsOfHeading(heading: string): number {
  const [, count = '1'] = /(?:\bper|(?<!\d)\/) ?(\d{1,3}(?:,\d{3})+|\d+)\b/i.exec(heading) ?? [];
  return /(?:\bper |\/ ?)(?:C|hundred)\b/.test(heading)
    ? 100
    : /(?:\bper |\/ ?)(?:M|thousand)\b/.test(heading)
      ? 1000
      : Number(count.replaceAll(',', ''));
}

const UNIT_WORD =
  '(each|ea|case|cs|box|bx|carton|ctn|pack|pk|bag|bottle|pair|dozen|roll|tube|tray|vial|kit|pouch)(?:e?s)?\\b';
const PRICED_IN = [
  `(?:\\bper|/) ?${UNIT_WORD}`,
  `^${UNIT_WORD}(?: (?:list|net|unit|contract|selling))? (?:price|cost|px|charge)`,
  `(?:price|cost|px|charge)s?\\W{1,3}${UNIT_WORD}\\W*$`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Returns the unit that a heading such as 'Case Price' or 'Price per EA' names, or null if it names none. */
function unitOfHeading(heading: string): string | null {
  const word = PRICED_IN.map((pattern) => pattern.exec(heading.replaceAll('_', ' '))?.[1]).find(Boolean);
  const read = word === undefined ? null : readUnit(word);
  return read === null || read instanceof Refusal ? null : read.unit;
}

/** Parses the lower or the higher end of a range '1.00 - 5.00'. A single price is both. */
export function endOfRange(end: 'low' | 'high'): CellParser {
  return (text, context) => price(RANGE.exec(text)?.groups?.[end]?.trim() ?? text, context);
}

/** A quantity or a factor above zero. */
export const quantity: CellParser = (text, context) => {
  const value = notNegative(text, context);
  return typeof value === 'string' && Number(value) === 0 ? new Refusal('must be above zero') : value;
};

/** 1-9, 50+, 50 or more: the quantities to which a price applies. */
const QUANTITIES = /^(?<low>\d[\d.,]*) ?(?:(?:-|–|to) ?\d[\d.,]*|\+|(?:or|and) (?:more|up|over|above))$/i;

/** Returns the quantity from which a price applies: the lower end of a range such as 1-9, because the next row says where it ends. */
export const fromQuantity: CellParser = (text, context) => {
  const low = QUANTITIES.exec(text)?.groups?.['low'];
  if (low === undefined) return quantity(text, context);
  context.noteCorrection(
    'range of quantities read from its lower end',
    'ranges of quantities read from their lower end',
  );
  return quantity(low, context);
};

/** Any decimal, such as net pieces sold. */
export const decimal: CellParser = (text, context) => decimalOf(text, context);

/**
 * Returns a percentage from 0 to 100, with or without its sign. Without the sign, a value between 0 and 1 is refused, because 0.0825 may be a
 * fraction.
 */
export const percent: CellParser = (text, context) => {
  const value = notNegative(text.replace(/ ?%$/, ''), context);
  if (typeof value !== 'string') return value;
  if (Number(value) > 100) return new Refusal('is more than 100 percent');
  return Number(value) > 0 && Number(value) < 1 && !text.endsWith('%')
    ? new Refusal(`may be ${fromUnits(toUnits(Number(value) * 100))}% or ${Number(value)}%: write it with the sign %`)
    : value;
};

/** Parses degrees of latitude (up to 90) or longitude (up to 180) to six places. */
export function degrees(most: number): CellParser {
  return (text) => {
    const value = Number(text);
    return Number.isFinite(value) && Math.abs(value) <= most
      ? value.toFixed(6)
      : new Refusal(`is not a number between -${most} and ${most}`);
  };
}

/** The currency index of the ERP. 1009 is the euro, 1007 the US dollar; every other index means US dollars and is stored unchanged. */
export const DOLLAR_INDEX = 1007;
export const currency: CellParser = (text) => {
  if (/^(?:EUR|€|euros?|1009)$/i.test(text)) return EURO_INDEX;
  if (/^(?:USD?|USD?\$|\$|(?:U\.?S\.? )?dollars?|1007|Z-US\$)$/i.test(text)) return DOLLAR_INDEX;
  if (/^10\d\d$/.test(text)) return Number(text);
  return new Refusal('is not a currency quoted here (USD or EUR)');
};

/** Headings under which Yes means inactive: 'Inactive', 'Closed', 'Taxable'. */
const OPPOSITE = /\b(?:inactive|disabled|closed|deleted|blocked|discontinued|obsolete|terminated|taxable)\b/i;
const PLAIN = /\b(?:active|enabled|open|exempt)\b/i;
const isOpposite = (heading: string): boolean => OPPOSITE.test(heading) && !PLAIN.test(heading);
const WORD = /^(?:y|yes|true|t|1|x|n|no|false|f|0)$/i;

/** Some codes have these meanings only under 'Status'. */
const IS_STATUS = /\bstatus\b/i;

/** Returns yes or no from the words of exports, including `OPEN` and `CLOSED`. Under a heading such as 'Inactive', Yes means no. */
export const yesNo: CellParser = (text, { heading }) => {
  const flips = WORD.test(text) && isOpposite(heading);
  if (IS_STATUS.test(heading) && /^(?:a|i|terminated|deleted|not[ -]active)$/i.test(text)) return /^a$/i.test(text);
  if (/^(?:y|yes|true|t|1|x|active|open|enabled|exempt)$/i.test(text)) return !flips;
  if (/^(?:n|no|false|f|0|inactive|closed|disabled|taxable)$/i.test(text)) return flips;
  return new Refusal('is neither yes nor no');
};

/** Returns Active or Discontinued. An item that the ERP has on hold or no longer distributes is discontinued. */
export const itemStatus: CellParser = (text, { heading }) => {
  const flips = WORD.test(text) && isOpposite(heading);
  if (/^(?:active|a|available|current|in commercial distribution|y|yes|true|1)$/i.test(text))
    return flips ? 'Discontinued' : 'Active';
  if (/^(?:discontinued|d|inactive|not[ -]active|i|obsolete|not in commercial distribution|n|no|false|0)$/i.test(text))
    return flips ? 'Active' : 'Discontinued';
  return new Refusal('is not a status of an item (Active or Discontinued)');
};

const NO_UNIT_TEXT = /^(?:true|false)$/i;

/** Returns a unit of measure. With a pack size it returns three fields and the whole text, so that the size can be checked. */
export const unit: CellParser = (text) => {
  const read = NO_UNIT_TEXT.test(text) ? new Refusal('is not a unit of measure') : readUnit(text);
  if (read instanceof Refusal || read.count === undefined) return read instanceof Refusal ? read : read.unit;
  const { unit: name, count, of } = read;
  return new Several({
    unit: name,
    pack_count: count,
    unit_text: cut(text, 500),
    ...(of === undefined ? {} : { pack_of: of }),
  });
};

/** The question about the meaning of a pack size in a unit. Refusals that its answer would avoid name it. */
export const PACKS_LABEL = "A unit such as '100/bx'";
export const SAY_PACKS = `or answer for the whole file: ${PACKS_LABEL}`;

/** Returns the base unit of an item. Refuses a pack size, unless the user confirmed that '100/bx' means a BX of 100 EA. */
export const baseUnit: CellParser = (text, { makesUnits }) => {
  const read = NO_UNIT_TEXT.test(text) ? new Refusal('is not a unit of measure') : readUnit(text);
  if (read instanceof Refusal || read.count === undefined) return read instanceof Refusal ? read : read.unit;
  if (makesUnits) return new Several({ base_unit: read.of ?? 'EA', made_unit: read.unit, made_factor: read.count });
  const inner = read.of ?? 'what it holds';
  return new Refusal(
    `may be ${read.unit}, or ${inner} in a ${read.unit} of ${read.count}: write the one it is counted in, ${SAY_PACKS}`,
  );
};

const EMAIL = /^[^\s@<>()",;:]+@[^\s@<>()",;:]+\.[^\s@<>()",;:.]+$/;

/** An email address in lower case. */
export const email: CellParser = (text) =>
  EMAIL.test(text) && text.length <= 254 ? text.toLowerCase() : new Refusal('is not an email address');

/** Common names of the roles. */
const ROLE_NAMES: readonly (readonly [Role, string])[] = [
  ['systemadmin', 'system admin, sysadmin'],
  ['salesadmin', 'sales admin, sales administration'],
  ['salesrep', 'sales rep, rep, field sales, field sales rep, outside sales, outside sales rep'],
  ['salessupport', 'support, sales assistant'],
  ['csrep', 'cs rep, cs, csr, customer service, customer service rep, customer support'],
  ['insiderep', 'inside rep, inside sales, inside sales rep, inside sales representative, is rep, isr'],
  ['salesQuoteManager', 'quote manager'],
  ['contractdept', 'contract dept, contracts, contracts department'],
];
const ROLE_OF = new Map<string, Role>([
  ...ROLE_NAMES.flatMap(([role, words]) => words.split(', ').map((word) => [word, role] as const)),
  ...ROLES.flatMap((role) => [[role.toLowerCase(), role] as const, [ROLE_LABELS[role].toLowerCase(), role] as const]),
]);

/** Returns roles from names or labels separated by commas, semicolons, pipes or slashes: sorted and without duplicates. */
export const roles: CellParser = (text) => {
  const result = new Set<string>();
  for (const name of text.split(/[,;|/]/)) {
    if (name.trim() === '') continue;
    const role = ROLE_OF.get(name.trim().toLowerCase().replace(/[.-]/g, ' ').replace(/\s+/g, ' ').trim());
    if (!role) return new Refusal(`has no role named '${name.trim()}' (roles: ${ROLES.join(', ')})`);
    result.add(role);
  }
  return [...result].toSorted();
};

/** A package of an item: the number of its base units, and its unit if the type is known. */
export type Pack = { unit: string; factor: string; gtin?: string };

/**
 * Returns the packages of a device in the FDA's list, `packageDI:quantity:type;…`. Refuses a missing type. Refuses several packages, because the list
 * does not say whether a case of 12 contains 12 pieces or 12 inner packs.
 */
export function packsOf(text: string): Pack[] | Refusal {
  const packs = new Map<string, Pack>();
  for (const part of text.split(';')) {
    const [, number = '', count, type = ''] = /^([^:]*):(\d+):(.*)$/.exec(part.trim()) ?? [];
    if (!count) return new Refusal("is not a list of packages 'number:quantity:type;…'");
    if (type.trim() === '') return new Refusal(`does not say what kind of package holds ${count}`);
    const read = readUnit(type.trim());
    if (read instanceof Refusal) return new Refusal(`has a package '${type.trim()}', which ${read.reason}`);
    if (read.count !== undefined)
      return new Refusal(`has a package '${type.trim()}' of ${count}: its size is stated twice`);
    if (Number(count) === 0) return new Refusal('has a package of 0');
    const gtin = /^\d{12,14}$/.test(number.trim()) ? gtinOf(number.trim()) : null;
    packs.set(`${read.unit}:${count}`, { unit: read.unit, factor: count, ...(gtin ? { gtin } : {}) });
  }
  const all = [...packs.values()];
  if (all.length > 1) {
    const list = all.map((pack) => `${pack.unit} of ${pack.factor}`).join(', ');
    return new Refusal(`has several packages (${list}) and does not say which lies in which`);
  }
  return all;
}
