// Exact decimal money: computes every amount in whole ten-thousandths (bigint). A JS number only carries the result.

/**
 * An amount, a price or a quantity with at most four decimals, carried by a JS number (exact to 15 significant digits). Never add, multiply or
 * compare these numbers with operators such as `+`, `*` or `===`; use the functions of this file.
 */
export type Decimal = number;

const SCALE = 10_000n;
const CENT = 100n;
/** The largest amount, which is also the limit of the quote columns. */
export const MOST = 99_999_999_999;

/** Thrown if an amount is too large to compute with and store. The server answers 422. */
export class AmountOutOfRange extends RangeError {
  constructor() {
    super('An amount is too large.');
    this.name = 'AmountOutOfRange';
  }
}

/** Returns the number of ten-thousandths in a decimal, rounded to four places. Throws AmountOutOfRange from 100 billion on, and for NaN. */
export function toUnits(value: Decimal): bigint {
  const size = Math.abs(value);
  if (!(size <= MOST)) throw new AmountOutOfRange();
  const units = BigInt(Math.round(size * 10_000));
  return value < 0 ? -units : units;
}

/** Returns the decimal of a number of ten-thousandths. Throws AmountOutOfRange from 100 billion on. */
export function fromUnits(units: bigint): Decimal {
  const value = Number(units) / 10_000;
  if (!(Math.abs(value) <= MOST)) throw new AmountOutOfRange();
  return value;
}

/**
 * Like `fromUnits`, for a percentage that only describes a price: caps at MOST, so that the percentage never blocks saving the price.
 */
export function withinMost(units: bigint): Decimal {
  const most = toUnits(MOST);
  return fromUnits(units > most ? most : units < -most ? -most : units);
}

/** Returns n / d rounded half away from zero, the only rounding rule of the product (design 4). */
export function divideRounded(n: bigint, d: bigint): bigint {
  if (d < 0n) return divideRounded(-n, -d);
  return n >= 0n ? (2n * n + d) / (2n * d) : -((-2n * n + d) / (2n * d));
}

/** Rounds to whole cents, half away from zero. */
export function roundAmount(value: Decimal): Decimal {
  return fromUnits(centsOf(toUnits(value)) * CENT);
}

/** The decimal places of a company's computed unit prices. Prices below one always keep four. */
export type PricePlaces = 2 | 4;

/** Rounds a computed unit price to the company's places, half away from zero. */
export function roundPrice(price: Decimal, places: PricePlaces): Decimal {
  return places === 2 && Math.abs(price) >= 1 ? roundAmount(price) : price;
}

/** Rounds a discounted unit price to the company's places, unless rounding would move it past the price before the discount. */
export function roundDiscounted(price: Decimal, before: Decimal, places: PricePlaces): Decimal {
  const rounded = roundPrice(price, places);
  return compare(rounded, before) === -compare(price, before) ? price : rounded;
}

function centsOf(units: bigint): bigint {
  return divideRounded(units, CENT);
}

/** Returns the exact sum of decimals. */
export function add(...values: Decimal[]): Decimal {
  return fromUnits(sum(values.map(toUnits)));
}

/** Returns a - b, exactly. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  return fromUnits(toUnits(a) - toUnits(b));
}

/** Returns the extended amount of a line: unit price × quantity, rounded once to cents. */
export function extend(unitPrice: Decimal, qty: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(unitPrice) * toUnits(qty), SCALE * CENT) * CENT);
}

/** Returns a unit price less a percentage, to four places: 10.0000 less 12.5% is 8.7500. */
export function lessPercent(price: Decimal, percent: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(price) * (100n * SCALE - toUnits(percent)), 100n * SCALE));
}

/** Returns `percent` of an amount, in cents, such as the tax on a subtotal. */
export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  return fromUnits(divideRounded(toUnits(amount) * toUnits(percent), 100n * SCALE * CENT) * CENT);
}

/** Returns how many percent `price` is below `base`, to two places; negative if it is above; 0 if the base is 0. At most ±MOST. */
export function percentBelow(price: Decimal, base: Decimal): Decimal {
  const from = toUnits(base);
  if (from === 0n) return 0;
  return withinMost(divideRounded((from - toUnits(price)) * 100n * SCALE, from * CENT) * CENT);
}

/**
 * Compares a price with another one of the same unit, for a sentence: '20 times' or '1/20 of'. Returns '' between a third and three times the other
 * price.
 */
export function priceJump(price: Decimal, other: Decimal): string {
  const words = (ratio: number) => ratio.toLocaleString('en-US', { maximumFractionDigits: ratio < 10 ? 1 : 0 });
  if (other <= 0 || price <= 0) return '';
  if (price > 3 * other) return `${words(price / other)} times`;
  return 3 * price < other ? `1/${words(other / price)} of` : '';
}

/** Converts a price from one unit to another: price × toFactor / fromFactor (factors in base units), four places. */
export function convertPrice(price: Decimal, fromFactor: Decimal, toFactor: Decimal): Decimal {
  const [from, to] = [toUnits(fromFactor), toUnits(toFactor)];
  if (from <= 0n || to <= 0n) throw new RangeError('a unit factor must be above zero');
  return fromUnits(divideRounded(toUnits(price) * to, from));
}

/** Compares two decimals: -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const difference = toUnits(a) - toUnits(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Spreads an amount (in cents) in proportion to non-negative weights, to the cent; the largest weight gets the remainder (design 4, step 7). The
 * parts always add up to the amount. If all weights are zero, all parts are zero.
 *
 * Many small parts that all round in the same direction can leave a large remainder. If it exceeds a hundredth of the largest part, single cents go
 * to the largest parts that were rounded the other way, so that no part is more than a cent off its share, below 0, or above its weight.
 */
export function spread(amount: Decimal, weights: Decimal[]): Decimal[] {
  const cents = centsOf(toUnits(amount));
  const sign = cents < 0n ? -1n : 1n;
  const sizes = weights.map(toUnits);
  const total = sum(sizes);
  if (total === 0n) return weights.map(() => 0);

  const parts = sizes.map((size) => divideRounded(sign * cents * size, total));
  const rest = sign * cents - sum(parts);
  const largest = sizes.reduce((best, size, index) => (size > (sizes[best] ?? 0n) ? index : best), 0);
  const whole = (parts[largest] ?? 0n) + rest;
  if ((rest < 0n ? -rest : rest) * 100n <= (parts[largest] ?? 0n) && whole * CENT <= (sizes[largest] ?? 0n)) {
    parts[largest] = whole;
  } else {
    const step = rest < 0n ? -1n : 1n;
    const roundedTheOtherWay = (index: number) =>
      (sign * cents * (sizes[index] ?? 0n) - (parts[index] ?? 0n) * total) * step > 0n;
    const takers = sizes
      .map((_size, index) => index)
      .filter(roundedTheOtherWay)
      .toSorted((a, b) => Number((sizes[b] ?? 0n) - (sizes[a] ?? 0n)));
    for (const index of takers.slice(0, Number(rest * step))) parts[index] = (parts[index] ?? 0n) + step;
  }
  return parts.map((part) => fromUnits(sign * part * CENT));
}

function sum(values: bigint[]): bigint {
  return values.reduce((whole, value) => whole + value, 0n);
}

/** The specification's currency index of the euro. Any other index means US dollars (section 9). */
export const EURO_INDEX = 1009;
/** The currency index of prices and quotes without one: US dollars. */
export const DOLLAR_INDEX = 1007;

export type Currency = 'USD' | 'EUR';

export function currencyOf(currnIdx: number | null | undefined): Currency {
  return currnIdx === EURO_INDEX ? 'EUR' : 'USD';
}

const CURRENCY_WORDS: Record<Currency, string> = { USD: 'US dollars', EUR: 'euros' };
export const currencyWords = (currency: Currency): string => CURRENCY_WORDS[currency];

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Returns a figure with the minus sign of all screens, emails and documents, which is as wide as a plus. */
export const withMinus = (figure: string): string => figure.replace('-', '−');

/** Formats an amount with two decimals: $1,234.50, −$3.00 or €1,234.50. */
export function formatAmount(value: Decimal, currnIdx?: number | null): string {
  return withMinus(formatter(currencyOf(currnIdx), 2).format(value));
}

/** A space as wide as a digit. */
export const FIGURE_SPACE = '\u2007';

/** Returns how many decimals a unit price shows: two to four. */
function decimalsOf(price: Decimal): number {
  const text = price.toFixed(4);
  return text.endsWith('00') ? 2 : text.endsWith('0') ? 3 : 4;
}

/**
 * Formats a unit price with two decimals, or up to four if it has more. A price that was only computed, such as a price per each, has two decimals
 * from 1.00 on, unless the `agreed` price that it is based on has more. With `places`, figure spaces pad it to the width of a price with that many
 * decimals.
 */
export function formatPrice(
  price: Decimal,
  currnIdx?: number | null,
  { agreed = price, places = 2 }: { agreed?: Decimal | null; places?: number } = {},
): string {
  const visible = shownPrice(price, agreed ?? price);
  const text = withMinus(formatter(currencyOf(currnIdx), 4).format(visible));
  return text + FIGURE_SPACE.repeat(Math.max(0, places - decimalsOf(visible)));
}

function shownPrice(price: Decimal, agreed: Decimal): Decimal {
  return decimalsOf(agreed) === 2 ? roundPrice(price, 2) : price;
}

/** A price in a column, and the agreed price that it is based on. */
type InColumn = { price: Decimal | null | undefined; agreed?: Decimal | null };

/** Formats the unit prices of one column, so that their decimal points line up. `column` contains all of them. */
export function pricesAligned(column: Iterable<InColumn>) {
  const decimals = [...column].flatMap(({ price, agreed }) =>
    price === null || price === undefined ? [] : [decimalsOf(shownPrice(price, agreed ?? price))],
  );
  const places = Math.max(2, ...decimals);
  return (price: Decimal, currnIdx?: number | null, agreed: Decimal | null = price) =>
    formatPrice(price, currnIdx, { agreed, places });
}

function formatter(currency: Currency, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${currency}${maximumFractionDigits}`;
  let format = amountFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      // An amount that rounds to zero has no sign.
      signDisplay: 'negative',
      minimumFractionDigits: 2,
      maximumFractionDigits,
    });
    amountFormats.set(key, format);
  }
  return format;
}
