// Exact decimal money: every amount is computed in whole ten-thousandths (bigint); a JS number only carries the result.

/**
 * An amount, a price or a quantity with at most four decimals, carried by a JS number (exact to 15 significant digits).
 * Never add, multiply or compare carriers with `+`, `*`, `===` on results: use the functions of this file.
 */
export type Decimal = number;

const SCALE = 10_000n;
const CENT = 100n;

/** The number of ten-thousandths in a decimal. Throws a RangeError for anything that has no exact four-place value. */
export function toUnits(value: Decimal): bigint {
  if (!Number.isFinite(value) || Math.abs(value) > 99_999_999_999) throw new RangeError('amount out of range');
  return BigInt(Math.round(value * 10_000));
}

export function fromUnits(units: bigint): Decimal {
  return Number(units) / 10_000;
}

/** n / d rounded half away from zero, the one rounding rule of the product (design 4). */
export function divideRounded(n: bigint, d: bigint): bigint {
  if (d < 0n) return divideRounded(-n, -d);
  return n >= 0n ? (2n * n + d) / (2n * d) : -((-2n * n + d) / (2n * d));
}

/** Rounds to whole cents, half away from zero. */
export function roundAmount(value: Decimal): Decimal {
  return fromUnits(centsOf(toUnits(value)) * CENT);
}

function centsOf(units: bigint): bigint {
  return divideRounded(units, CENT);
}

/** Sum of decimals, exact. */
export function add(...values: Decimal[]): Decimal {
  let sum = 0n;
  for (const value of values) sum += toUnits(value);
  return fromUnits(sum);
}

/** a - b, exact. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  return fromUnits(toUnits(a) - toUnits(b));
}

/** Extended amount of a line: unit price × quantity, rounded once to cents. */
export function extend(unitPrice: Decimal, qty: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(unitPrice) * toUnits(qty), SCALE * CENT) * CENT);
}

/** A unit price less a percentage, four places: 10.0000 less 12.5 % is 8.7500. */
export function lessPercent(price: Decimal, percent: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(price) * (100n * SCALE - toUnits(percent)), 100n * SCALE));
}

/** `percent` of an amount, in cents: the tax on a subtotal. */
export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(amount) * toUnits(percent), 100n * SCALE * CENT) * CENT);
}

/** By how many percent `price` lies below `base`, two places; negative when it lies above; 0 when there is no base. */
export function percentBelow(price: Decimal, base: Decimal): Decimal {
  const from = toUnits(base);
  if (from === 0n) return 0;
  return fromUnits(divideRounded((from - toUnits(price)) * 100n * SCALE, from * CENT) * CENT);
}

/** A price of one unit turned into the price of another: price × toFactor / fromFactor (factors in base units), four places. */
export function convertPrice(price: Decimal, fromFactor: Decimal, toFactor: Decimal): Decimal {
  const from = toUnits(fromFactor);
  if (from <= 0n || toFactor <= 0) throw new RangeError('a unit factor must be above zero');
  return fromUnits(divideRounded(toUnits(price) * toUnits(toFactor), from));
}

/** -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const difference = toUnits(a) - toUnits(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Spreads an amount (in cents) over weights in proportion, to the cent, the remainder to the largest weight (design 4, step 7).
 * The parts always sum to the amount. All zero weights give all zero parts.
 */
export function spread(amount: Decimal, weights: Decimal[]): Decimal[] {
  const total = weights.reduce((sum, weight) => sum + toUnits(weight), 0n);
  if (total === 0n) return weights.map(() => 0);
  const cents = centsOf(toUnits(amount));
  const parts = weights.map((weight) => divideRounded(cents * toUnits(weight), total));
  const rest = cents - parts.reduce((sum, part) => sum + part, 0n);
  let largest = 0;
  weights.forEach((weight, index) => {
    if (toUnits(weight) > toUnits(weights[largest] ?? 0)) largest = index;
  });
  parts[largest] = (parts[largest] ?? 0n) + rest;
  return parts.map((part) => fromUnits(part * CENT));
}

/** The specification's currency index of the euro; any other index means US dollars (section 9). */
export const EURO_INDEX = 1009;
/** The currency index of prices and quotes that name none: US dollars. */
export const DOLLAR_INDEX = 1007;

export type Currency = 'USD' | 'EUR';

export function currencyOf(currnIdx: number | null | undefined): Currency {
  return currnIdx === EURO_INDEX ? 'EUR' : 'USD';
}

const amountFormats = new Map<string, Intl.NumberFormat>();

/** An amount as people read it, two decimals: $1,234.50 or €1,234.50. */
export function formatAmount(value: Decimal, currnIdx?: number | null): string {
  return formatter(currencyOf(currnIdx), 2).format(value);
}

/** A unit price: two decimals, up to four when it has them. */
export function formatPrice(value: Decimal, currnIdx?: number | null): string {
  return formatter(currencyOf(currnIdx), 4).format(value);
}

function formatter(currency: Currency, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${currency}${maximumFractionDigits}`;
  let format = amountFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits });
    amountFormats.set(key, format);
  }
  return format;
}
