// Compares what a row costs with us and with them, per each and in a year.
import {
  compare,
  convertPrice,
  type Decimal,
  divideRounded,
  fromUnits,
  MOST,
  toUnits,
} from '#platform/shared/money.ts';

export type Theirs = {
  /** Of their unit, and of an each; null when the file does not say. */
  price: Decimal | null;
  price_each: Decimal | null;
  /** Eaches in their unit. */
  their_eaches: Decimal | null;
  /** With ten decimals. */
  qty_year: number | null;
};
/** Price and cost of our unit, which has `our_eaches`. */
export type Ours = { price: Decimal | null; cost: Decimal | null; our_eaches: Decimal | null };

export type Compared = {
  their_each: Decimal | null;
  our_each: Decimal | null;
  their_year: Decimal | null;
  our_year: Decimal | null;
  cost_year: Decimal | null;
};

/** How many of our units a year takes; null when a size or the quantity is not known, or it is too many. */
export function yearInOurUnits({ their_eaches: theirs, qty_year: qty }: Theirs, ours: Decimal | null): Decimal | null {
  if (theirs === null || qty === null || ours === null || ours <= 0) return null;
  const eaches = (qty * theirs) / ours;
  return eaches > 9_999_999 ? null : fromUnits(toUnits(eaches));
}

/** Money of a year has cents, prices per each have four places. A row with a part missing has no year. */
export function compareRow(theirs: Theirs, { price, cost, our_eaches: ours }: Ours): Compared {
  const { price: paid, price_each: each, their_eaches: eaches, qty_year: qty } = theirs;
  const theirEach = each ?? (paid !== null && eaches !== null ? convertPrice(paid, eaches, 1) : null);
  const ourEach = price !== null && ours !== null ? convertPrice(price, ours, 1) : null;
  const theirUnit = paid ?? (each !== null && eaches !== null ? convertPrice(each, 1, eaches) : null);
  const year = yearInOurUnits(theirs, ours);
  const isWhole = theirUnit !== null && qty !== null && year !== null && price !== null;
  return {
    their_each: theirEach,
    our_each: ourEach,
    their_year: isWhole ? spent(theirUnit, qty) : null,
    our_year: isWhole ? spent(price, qty, { theirs: eaches, ours }) : null,
    cost_year: isWhole && cost !== null ? spent(cost, qty, { theirs: eaches, ours }) : null,
  };
}

/** The decimals of a quantity of a year, as its column has them: 7 months of a file make a year without an end. */
export const YEAR_PLACES = 10;
const YEAR = 10n ** BigInt(YEAR_PLACES);

/** A quantity of a year in its whole decimals, so that only the money is rounded. */
const yearUnits = (qty: number): bigint => BigInt(qty.toFixed(YEAR_PLACES).replace('.', ''));

/** Money of a year, rounded once, to cents: price × quantity, in our units when the sizes of both are given; null when it is too much. */
function spent(
  price: Decimal,
  qty: number,
  { theirs, ours }: { theirs: Decimal | null; ours: Decimal | null } = { theirs: 1, ours: 1 },
): Decimal | null {
  const [from, to] = [toUnits(theirs ?? 1), toUnits(ours ?? 1)];
  const cents = divideRounded(toUnits(price) * yearUnits(qty) * from, 100n * YEAR * to);
  return cents > toUnits(MOST / 10) / 100n ? null : fromUnits(cents * 100n);
}

/** So far apart per each, one of both prices is probably of another unit. */
const UNITS_APART = 8;

/** Whether prices per each are so far apart that their price may be of another unit than the row says. */
export function isUnlikely({ their_each: theirs, our_each: ours }: Pick<Compared, 'their_each' | 'our_each'>): boolean {
  if (theirs === null || ours === null || compare(theirs, 0) <= 0 || compare(ours, 0) <= 0) return false;
  return theirs / ours >= UNITS_APART || ours / theirs >= UNITS_APART;
}
