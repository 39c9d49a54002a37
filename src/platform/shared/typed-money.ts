// Parses a price, an amount or a percentage as users type it, with or without its sign: '$1,200', '12 EUR', '12.5%'. It is separate because most
// screens need only numbers.
import { type Currency, currencyOf, currencyWords } from './money.ts';
import { type NumberLimits, readNumber, type ReadNumber } from './typed-number.ts';

/** The largest price or amount that can be typed, the same as in wire.ts. Larger ones cannot be computed with. */
export const MAX_TYPED_AMOUNT = 9_999_999_999;

const SIGNS: readonly [Currency, RegExp][] = [
  ['USD', /^(?:US ?\$|\$|USD\b)|(?:\$|\bUSD)$/i],
  ['EUR', /^(?:€|EUR\b)|(?:€|\bEUR)$/i],
];

/** Parses a price or an amount of a currency, with or without its sign: '$1,200', '12 EUR'. */
export function readMoney(
  text: string,
  currnIdx: number,
  { decimals = 4 }: Pick<NumberLimits, 'decimals'> = {},
): ReadNumber {
  const typed = text.trim();
  const limits = { min: 0, max: MAX_TYPED_AMOUNT, decimals };
  const [stated, sign] = SIGNS.find(([, pattern]) => pattern.test(typed)) ?? [];
  if (!stated || !sign) return readNumber(typed, limits);
  const currency = currencyOf(currnIdx);
  if (stated !== currency)
    return {
      value: null,
      problem: `'${typed}' is in ${currencyWords(stated)}, the quote in ${currencyWords(currency)}`,
    };
  return readNumber(typed.replace(sign, ''), limits);
}

/** Parses a percentage from 0 to 100, with or without its sign: '12.5%'. */
export function readPercent(text: string): ReadNumber {
  return readNumber(text.trim().replace(/%$/, ''), { min: 0, max: 100 });
}
