// Exact decimal money: computes every amount in whole ten-thousandths (bigint). A JS number only carries the result.

/**
 * An amount, a price or a quantity with at most four decimals, carried by a JS number (exact to 15 significant digits).
 * Never add, multiply or compare carriers with `+`, `*`, `===` on results: use the functions of this file.
 */
export type Decimal = number;

const SCALE = 10_000n;
const CENT = 100n;
/** The largest amount, which is also the limit of the quote columns. */
export const MOST = 99_999_999_999;

/** An amount is too large to compute with and store. The server answers 422. */
export class AmountOutOfRange extends RangeError {
  constructor() {
    super('An amount is too large.');
    this.name = 'AmountOutOfRange';
  }
}

/** The number of ten-thousandths in a decimal, rounded to four places. Throws AmountOutOfRange from 100 billion on, and for NaN. */
export function toUnits(value: Decimal): bigint {
  const size = Math.abs(value);
  if (!(size <= MOST)) throw new AmountOutOfRange();
  const units = BigInt(Math.round(size * 10_000));
  return value < 0 ? -units : units;
}

/** The decimal of a number of ten-thousandths. Throws AmountOutOfRange from 100 billion on. */
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

/** n / d rounded half away from zero, the one rounding rule of the product (design 4). */
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

/** A computed unit price rounded to the company's places, half away from zero. */
export function roundPrice(price: Decimal, places: PricePlaces): Decimal {
  return places === 2 && Math.abs(price) >= 1 ? roundAmount(price) : price;
}

/** A discounted unit price rounded to the company's places, unless rounding takes it past the price before the discount. */
export function roundDiscounted(price: Decimal, before: Decimal, places: PricePlaces): Decimal {
  const rounded = roundPrice(price, places);
  return compare(rounded, before) === -compare(price, before) ? price : rounded;
}

function centsOf(units: bigint): bigint {
  return divideRounded(units, CENT);
}

/** Sum of decimals, exact. */
export function add(...values: Decimal[]): Decimal {
  return fromUnits(sum(values.map(toUnits)));
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

/** How many percent `price` is below `base`, two places; negative when it is above; 0 without a base. At most ±MOST. */
export function percentBelow(price: Decimal, base: Decimal): Decimal {
  const from = toUnits(base);
  if (from === 0n) return 0;
  return withinMost(divideRounded((from - toUnits(price)) * 100n * SCALE, from * CENT) * CENT);
}

/** How far a price is from another of the same unit, for a sentence: '20 times' or '1/20 of'. Empty up to three times as much, and down to a third. */
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
 * Spreads an amount (in cents) in proportion to non-negative weights, to the cent; the largest weight takes the remainder (design 4,
 * step 7). The parts always add up to the amount. All-zero weights give all-zero parts.
 *
 * Many small parts that all round the same way can leave a large remainder. When it exceeds a hundredth of the largest part, single cents
 * go to the largest parts that were rounded the other way, so that no part is more than a cent off its share, below 0, or above its weight.
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

/** The specification's currency index of the euro; any other index means US dollars (section 9). */
export const EURO_INDEX = 1009;
/** The currency index of prices and quotes that name none: US dollars. */
export const DOLLAR_INDEX = 1007;

export type Currency = 'USD' | 'EUR';

export function currencyOf(currnIdx: number | null | undefined): Currency {
  return currnIdx === EURO_INDEX ? 'EUR' : 'USD';
}

const CURRENCY_WORDS: Record<Currency, string> = { USD: 'US dollars', EUR: 'euros' };
export const currencyWords = (currency: Currency): string => CURRENCY_WORDS[currency];

const amountFormats = new Map<string, Intl.NumberFormat>();

/** A figure with the minus sign of all screens, emails and documents, which is as wide as a plus. */
export const withMinus = (figure: string): string => figure.replace('-', '−');

/** An amount for people, two decimals: $1,234.50, −$3.00 or €1,234.50. */
export function formatAmount(value: Decimal, currnIdx?: number | null): string {
  return withMinus(formatter(currencyOf(currnIdx), 2).format(value));
}

/** A space as wide as a digit. */
export const FIGURE_SPACE = '\u2007';

/** Decimals that a unit price shows: two to four. */
function decimalsOf(price: Decimal): number {
  const text = price.toFixed(4);
  return text.endsWith('00') ? 2 : text.endsWith('0') ? 3 : 4;
}

/**
 * A unit price for people: two decimals, up to four when it has them. A price that was only worked out, such as a price per each, has two
 * from 1.00 on, unless the `agreed` price it comes from says more. With `places`, figure spaces make it as long as a price with so many.
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

/** A price of a column, and the agreed price it comes from. */
type InColumn = { price: Decimal | null | undefined; agreed?: Decimal | null };

/** Writes the unit prices of one column, so that their decimal points line up. `column` holds all of them. */
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
