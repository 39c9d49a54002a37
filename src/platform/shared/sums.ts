// Sums over many quotes, which may exceed the limit of stored amounts.
import { divideRounded } from './money.ts';

const SCALE = 10_000;

/** Returns ten-thousandths, exact to the digits of a JS number. */
const unitsOf = (value: number): bigint => BigInt(Math.round(value * SCALE));

/** Returns the sum, without the limit of stored amounts. */
export function addSums(...values: number[]): number {
  return Number(values.reduce((sum, value) => sum + unitsOf(value), 0n)) / SCALE;
}

/** Returns how many percent `part` is below `whole`, to two places, like `percentBelow`, but for sums of any size; 0 if `whole` is 0. */
export function percentBelowSum(part: number, whole: number): number {
  const from = unitsOf(whole);
  return from === 0n ? 0 : Number(divideRounded((from - unitsOf(part)) * 10_000n, from)) / 100;
}
