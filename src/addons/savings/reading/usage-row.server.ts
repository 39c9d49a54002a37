// Reads a row of a usage file. Nothing is guessed silently: values that contradict each other become a doubt with both readings.
import {
  type CellContext,
  type CellParser,
  cleaned,
  code,
  cut,
  price as money,
  quantity,
} from '#platform/data-import/reading/cell-values.server.ts';
import { GONE, TAKEN_BACK } from '#platform/data-import/reading/column-questions.server.ts';
import { gtin as gtinCell } from '#platform/data-import/reading/gtin.server.ts';
import { type Header, tableWatch } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { reportReason } from '#platform/data-import/reading/report-rows.server.ts';
import type { Row } from '#platform/data-import/reading/table-file.server.ts';
import {
  compare,
  convertPrice,
  currencyOf,
  type Decimal,
  extend,
  formatAmount,
  formatPrice,
  fromUnits,
  MOST,
  toUnits,
} from '#platform/shared/money.ts';
import { isUnit, readUnit, unitCode } from '#platform/shared/unit-of-measure.ts';
import { type UsageField, USAGE_LABELS } from '../savings-words.ts';
import { isAnnual, isInEaches, isMonthly, isPriceUnit, USAGE } from './usage-columns.server.ts';
import { YEAR_PLACES } from '../comparison/compare-per-each.server.ts';

/** A row as it is stored. */
export type UsageRow = {
  row_no: number;
  item_no: string;
  distributor: string;
  catalog_no: string;
  maker: string;
  maker_no: string;
  description: string;
  unit: string;
  eaches: Decimal | null;
  pack: string;
  /** True if the row contains two different sizes of its unit. */
  sizes_differ: boolean;
  qty_year: Decimal | null;
  price: Decimal | null;
  price_each: Decimal | null;
  gtin: string;
  ndc: string;
  hcpcs: string;
  their_number: string;
  read_doubts: string[];
};

type Reading = { header: Header; months: number; isBook: boolean; currnIdx: number };

/** A doubt is added if prices or sums differ by more than this factor. */
const FAR = 1.5;

/** The headings of columns with a mark or an amount for returns. */
const TAKES_BACK =
  /\b(?:credit(?:ed|s)?|returns?|returned|refund(?:ed|s)?|void(?:ed)?|cancell?ed|reversed|reversal|deleted?)\b/i;
const IS_MARKED = /^(?:y|yes|x|t|true|\(?[-$]?\d[\d.,]*\)?)$/i;

/** The doubts about whether a row was really bought, from cells in columns that are otherwise not read. */
function takenBack({ headings, columns }: Header): (cells: readonly string[]) => string[] {
  const used = new Set(columns.values());
  const others = headings.flatMap((heading, at) => (used.has(at) ? [] : [{ at, heading: heading.trim() }]));
  return (cells) =>
    others.flatMap(({ at, heading }) => {
      const text = cleaned(cells[at] ?? '');
      const isMark = TAKES_BACK.test(heading) && IS_MARKED.test(text) && /[^0.,$() -]/.test(text);
      if (!isMark && !GONE.test(text) && !TAKEN_BACK.test(text)) return [];
      return [`'${heading || `Column ${at + 1}`}' says '${cut(text, 60)}'. The row may not be a purchase.`];
    });
}

/** Reads rows below the header. Returns null for a blank row, a repeated header, and a row of totals. */
export function usageReader({ header, months, isBook, currnIdx }: Reading): (row: Row) => UsageRow | null {
  const headingOf = (field: UsageField): string => header.headings[header.columns.get(field) ?? -1]?.trim() ?? '';
  /** What the last cell contains besides its value. */
  let extras: { currency?: number; comma?: true; unit?: string } = {};
  const context = (field: UsageField): CellContext => ({
    heading: headingOf(field),
    noteCorrection: () => {},
    isBook,
    currency: (currency) => (extras = { ...extras, currency }),
    priceUnit: (unit) => (extras = { ...extras, unit }),
    decimalComma: () => (extras = { ...extras, comma: true }),
  });
  const contexts = new Map([...header.columns.keys()].map((field) => [field, context(field as UsageField)]));
  const tableOf = tableWatch(header, USAGE);
  const takenBackBy = takenBack(header);
  const used = new Set(header.columns.values());
  const priceUnitAt = header.headings.findIndex((heading, at) => !used.has(at) && isPriceUnit(heading));
  const monthsOfQty = isMonthly(headingOf('qty')) ? 1 : isAnnual(headingOf('qty')) ? 12 : months;
  const monthsOfSpend = isAnnual(headingOf('spend')) ? 12 : months;

  return ({ line, cells, faults = [] }) => {
    const doubts: string[] = [];
    const thousands: string[] = [];
    let hasCommas = false;
    const cell = (field: UsageField): string => {
      const at = header.columns.get(field);
      return at === undefined ? '' : cleaned(cells[at] ?? '');
    };
    const read = (field: UsageField, parse: CellParser): string => {
      const text = cell(field);
      const known = contexts.get(field);
      if (text === '' || !known) return '';
      extras = {};
      const value = parse(text, known);
      const { currency, comma } = extras;
      if (comma) hasCommas = true;
      const doubt = (reason: string): string => {
        doubts.push(`${USAGE_LABELS[field]}: '${cut(text, 60)}' ${reason}.`);
        return '';
      };
      if (value instanceof Refusal) return doubt(value.reason);
      if (currency !== undefined && currencyOf(currency) !== currencyOf(currnIdx))
        return doubt(`is in ${currencyOf(currency)}, but the facility is quoted in ${currencyOf(currnIdx)}`);
      return typeof value === 'string' ? value : '';
    };
    const number = (field: UsageField): string => cut(read(field, code), 100);
    const amount = (field: UsageField, parse: CellParser): Decimal | null => {
      const text = read(field, parse);
      if (/^\d{1,3}\.\d{3}$/.test(cell(field))) thousands.push(`${USAGE_LABELS[field]}: '${cell(field)}'`);
      return text === '' ? null : fromUnits(toUnits(Number(text)));
    };
    if (cells.every((candidate) => cleaned(candidate) === '')) return null;
    const table = tableOf(line, cells);
    if (table === 'headings' || table === line) return null;
    if (table !== null)
      doubts.push(`The row is below a second set of headings on line ${table}. Its columns may mean something else.`);
    doubts.push(...takenBackBy(cells));
    for (const fault of faults) doubts.push(`A cell of this row cannot be read: it ${fault.reason}.`);

    const row = {
      item_no: number('itemNo'),
      distributor: cut(cell('distributor'), 200),
      catalog_no: number('catalogNo'),
      maker: cut(cell('maker'), 200),
      maker_no: number('makerNo'),
      description: cut(cell('description'), 1000),
      gtin: read('gtin', gtinCell),
      ndc: cut(cell('ndc'), 40),
      hcpcs: cut(cell('hcpcs'), 40),
    };
    const named = [row.item_no, row.catalog_no, row.maker_no, row.description, row.gtin].some((text) => text !== '');
    // The sum below a list identifies no item.
    if (!named || /^(?:grand )?totals?:?$/i.test(row.description || row.item_no)) return null;
    // A report prints group headings and totals between its rows. A line with a quantity may still be a row.
    const first = cells.findIndex((candidate) => cleaned(candidate) !== '');
    const between = reportReason(cleaned(cells[first] ?? ''), header.columns.get('description') === first);
    if (between !== '' && cell('qty') === '' && cell('qtyPerYear') === '') return null;
    if (between !== '') doubts.push(`'${cut(cleaned(cells[first] ?? ''), 60)}' ${between}.`);
    const packed = unitAndPack(
      cut(cell('unit'), 100),
      cut(cell('pack'), 200),
      amount('eachesPerUnit', quantity),
      doubts,
    );
    const quantityOf = (field: 'qty' | 'qtyPerYear') =>
      inUnits(amount(field, quantity), headingOf(field), packed, doubts);
    const spent = amount('spend', money);
    const spend = perYear(spent, monthsOfSpend);
    const written = amount('price', money);
    const priceUnit = cleaned(cells[priceUnitAt] ?? '') || extras.unit || '';
    const isEachPrice = written !== null && isEach(priceUnit) && !isEach(packed.unit) && packed.unit !== '';
    const each = amount('pricePerEach', money) ?? (isEachPrice ? written : null);
    if (
      !isEachPrice &&
      written !== null &&
      priceUnit !== '' &&
      priceUnit !== '1' &&
      unitCode(priceUnit) !== unitCode(packed.unit)
    )
      doubts.push(`The price is per '${priceUnit}', but the row's unit is '${packed.unit}'.`);
    const perUnit = isEachPrice ? null : written;
    const unitPrice =
      perUnit ?? (each !== null && packed.eaches !== null ? convertPrice(each, 1, packed.eaches) : null);
    const yearly =
      quantityOf('qtyPerYear') ??
      perYear(quantityOf('qty'), monthsOfQty) ??
      perYear(quantityFrom(spent, unitPrice, cell('qty') + cell('qtyPerYear')), monthsOfSpend);
    const paid = priceOf(perUnit, { each, spend, yearly, eaches: packed.eaches, currnIdx }, doubts);
    if (hasCommas)
      doubts.push(
        ...thousands.map((thousand) => `${thousand} may mean thousands, because the row has a decimal comma.`),
      );
    return {
      row_no: line,
      ...row,
      ...packed,
      qty_year: yearly,
      price: paid,
      price_each: each,
      their_number: theirItemKey(row.maker_no || row.catalog_no || row.gtin || row.item_no),
      read_doubts: doubts,
    };
  };
}

/** A key that is the same for rows with the same item of the customer, however the number is written. */
export function theirItemKey(number: string): string {
  return number.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The bought quantity of a row without one, from its spend and the price of its unit. An unreadable quantity is not replaced. */
function quantityFrom(spent: Decimal | null, price: Decimal | null, written: string): Decimal | null {
  if (written !== '' || spent === null || price === null || price <= 0 || spent <= 0) return null;
  const quantity = spent / price;
  return quantity > MOST ? null : Number(quantity.toFixed(YEAR_PLACES));
}

/** Keeps all stored decimals, so that only the amount per year is rounded. */
function perYear(value: Decimal | null, months: number): number | null {
  if (value === null) return null;
  const year = (value * 12) / months;
  return year > MOST ? null : Number(year.toFixed(YEAR_PLACES));
}

/** A quantity in the row's unit. If its heading means single pieces, it is divided by the size of the unit. */
function inUnits(value: Decimal | null, heading: string, { unit, eaches }: Packed, doubts: string[]): Decimal | null {
  if (value === null || !isInEaches(heading) || isEach(unit)) return value;
  if (eaches !== null) return Number((value / eaches).toFixed(YEAR_PLACES));
  doubts.push(`'${heading}' counts eaches, but the size of the row's unit '${unit}' is unknown.`);
  return null;
}

type Packed = Pick<UsageRow, 'unit' | 'pack' | 'eaches' | 'sizes_differ'>;

/**
 * The unit, the pack text, and the number of eaches in the unit, if the row contains it. Sizes in other units ('10 BX/CS') remain open until the item
 * is known. Two different sizes are a doubt, and so is a missing unit.
 */
function unitAndPack(unit: string, pack: string, column: Decimal | null, doubts: string[]): Packed {
  if (unit === '' && pack === '') {
    if (column === null) doubts.push('The row has no unit. The price may be per each, box or case.');
    return { unit, pack, eaches: column, sizes_differ: false };
  }
  const unitName = unit !== '' ? unit : (readUnit(pack)[0]?.unit ?? '').toUpperCase();
  if (unitName === '') doubts.push(`The row has no unit, and '${pack}' does not contain one.`);
  const sizes: { from: string; eaches: Decimal }[] = [];
  if (column !== null) sizes.push({ from: `'${USAGE_LABELS.eachesPerUnit}' says`, eaches: column });
  for (const text of [unit, pack]) {
    const eaches = eachesIn(text);
    if (eaches !== null) sizes.push({ from: `'${text}' says`, eaches });
  }
  const [first, ...others] = sizes;
  const other = others.find(({ eaches }) => first && compare(eaches, first.eaches) !== 0);
  if (first && other) {
    doubts.push(
      `${first.from} ${first.eaches.toLocaleString('en-US')} eaches, ${other.from} ${other.eaches.toLocaleString('en-US')}.`,
    );
    return { unit: unitName, pack, eaches: null, sizes_differ: true };
  }
  return { unit: unitName, pack, eaches: first?.eaches ?? (isEach(unitName) ? 1 : null), sizes_differ: false };
}

const isEach = (unit: string): boolean => /^(?:ea|each|pc|pcs|piece|pieces)\.?$/i.test(unit.trim());

/**
 * The number of eaches in a unit, from a text: 'BX (100 EA)', '100 EA/BX', '100'. '10/CS' may mean boxes, so it remains open until the item is known.
 */
function eachesIn(text: string): Decimal | null {
  if (/^\d{1,6}$/.test(text.trim())) return Number(text) > 0 ? Number(text) : null;
  const [reading] = readUnit(text);
  if (!reading || reading.holds === null || reading.holds === 0 || !isUnit(text)) return null;
  return isEach(reading.of) ? reading.holds : null;
}

type Paid = {
  each: Decimal | null;
  spend: Decimal | null;
  yearly: Decimal | null;
  eaches: Decimal | null;
  currnIdx: number;
};

/** The price of the customer's unit: as written, else from the price per each, else from the spend. Prices that differ are a doubt. */
function priceOf(
  written: Decimal | null,
  { each, spend, yearly, eaches, currnIdx }: Paid,
  doubts: string[],
): Decimal | null {
  const fromEach = each !== null && eaches !== null ? convertPrice(each, 1, eaches) : null;
  const fromSpend = spend !== null && yearly !== null ? divided(spend, yearly) : null;
  const show = (price: Decimal): string => formatPrice(price, currnIdx);
  if (written !== null && fromEach !== null && isFar(written, fromEach))
    doubts.push(
      `The price per unit is ${show(written)}, but ${show(each ?? 0)} per each equals ${show(fromEach)} per unit.`,
    );
  const price = written ?? fromEach;
  if (price !== null && fromSpend !== null && yearly !== null && spend !== null && isFar(price, fromSpend)) {
    const sum = formatAmount(extend(price, yearly), currnIdx);
    doubts.push(`Price times annual quantity is ${sum}, but annual spend is ${formatAmount(spend, currnIdx)}.`);
  }
  return price ?? (each === null ? fromSpend : null);
}

function divided(amount: Decimal, by: Decimal): Decimal | null {
  const price = amount / by;
  return price > 0 && price < MOST ? fromUnits(toUnits(price)) : null;
}

function isFar(decimal: Decimal, other: Decimal): boolean {
  const [low, high] = decimal < other ? [decimal, other] : [other, decimal];
  return high > low * FAR && high - low > 0.01;
}
