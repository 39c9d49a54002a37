// Parses a number as users type it: '1,200', '2.5', '−3'. Refuses other texts ('1e3', '2,5') with a sentence and never guesses a number.

const NUMBER = /^[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?$/;
const MAX_DECIMALS = 4;

/** Returns the number that a text means, or null if it is not a number. */
export function plainNumber(text: string): number | null {
  const typed = text.trim();
  if (!NUMBER.test(typed) || !/\d/.test(typed)) return null;
  return Number(typed.replaceAll(',', '').replace('−', '-'));
}

/** Returns whether a text has nonzero digits after this many decimal places. */
export function hasMoreDecimals(text: string, places: number): boolean {
  const [, decimals = ''] = text.trim().split('.');
  return /[1-9]/.test(decimals.slice(places));
}

/** `decimals` is the maximum number of decimal places, 4 by default. */
export type NumberLimits = { min?: number; max?: number; decimals?: number };
export type ReadNumber = { value: number; problem: '' } | { value: null; problem: string };

/** Parses the text of a field within its limits. */
export function readNumber(text: string, { min, max, decimals = MAX_DECIMALS }: NumberLimits): ReadNumber {
  const typed = text.trim();
  const refuse = (problem: string): ReadNumber => ({ value: null, problem });
  if (typed === '') return refuse('This field is required');
  const value = plainNumber(typed);
  if (value === null) return refuse(`'${typed}' is not a number`);
  if (min !== undefined && value < min) return refuse(`At least ${limitInWords(min)}`);
  if (max !== undefined && value > max) return refuse(`At most ${limitInWords(max)}`);
  if (hasMoreDecimals(typed, decimals))
    return refuse(decimals === 0 ? 'A whole number is expected' : `At most ${decimals} decimals`);
  return { value: value === 0 ? 0 : value, problem: '' };
}

function limitInWords(limit: number): string {
  return limit.toLocaleString('en-US');
}
