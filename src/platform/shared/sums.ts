// Sums over many quotes, which may be larger than any amount that is stored.
import { divideRounded } from './money.ts';

const SCALE = 10_000;

/** Ten-thousandths, exact up to the digits that a JS number carries. */
const unitsOf = (value: number): bigint => BigInt(Math.round(value * SCALE));

/** The sum, without the limit of stored amounts. */
export function addSums(...values: number[]): number {
  return Number(values.reduce((sum, value) => sum + unitsOf(value), 0n)) / SCALE;
}

/** How many percent `part` is below `whole`, two places, as `percentBelow`, for sums of any size; 0 without a whole. */
export function percentBelowSum(part: number, whole: number): number {
  const from = unitsOf(whole);
  return from === 0n ? 0 : Number(divideRounded((from - unitsOf(part)) * 10_000n, from)) / 100;
}
