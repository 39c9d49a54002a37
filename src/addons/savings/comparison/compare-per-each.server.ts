// Compares the cost of a row with us and with the current supplier, per each and per year.
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
  /** Per the customer's unit. `price_each`: per each. Null if the file does not contain it. */
  price: Decimal | null;
  price_each: Decimal | null;
  /** The number of eaches in the customer's unit. */
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

/** The quantity of a year in our units. Null if a size or the quantity is unknown, or if it is too large. */
export function yearInOurUnits({ their_eaches: theirs, qty_year: qty }: Theirs, ours: Decimal | null): Decimal | null {
  if (theirs === null || qty === null || ours === null || ours <= 0) return null;
  const eaches = (qty * theirs) / ours;
  return eaches > 9_999_999 ? null : fromUnits(toUnits(eaches));
}

/** Amounts per year have cents, prices per each have four decimals. A row with a missing part has no amount per year. */
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

/** The decimals of a quantity per year, as in its column. A file of 7 months results in a quantity with unlimited decimals. */
export const YEAR_PLACES = 10;
const YEAR = 10n ** BigInt(YEAR_PLACES);

/** A quantity per year as a whole number of its smallest decimals, so that only the amount is rounded. */
const yearUnits = (qty: number): bigint => BigInt(qty.toFixed(YEAR_PLACES).replace('.', ''));

/** An amount per year, rounded once, to cents: price × quantity, in our units if the sizes of both are given. Null if it is too large. */
function spent(
  price: Decimal,
  qty: number,
  { theirs, ours }: { theirs: Decimal | null; ours: Decimal | null } = { theirs: 1, ours: 1 },
): Decimal | null {
  const [from, to] = [toUnits(theirs ?? 1), toUnits(ours ?? 1)];
  const cents = divideRounded(toUnits(price) * yearUnits(qty) * from, 100n * YEAR * to);
  return cents > toUnits(MOST / 10) / 100n ? null : fromUnits(cents * 100n);
}

/** If two prices per each differ by this factor, one of them is probably for another unit. */
const UNITS_APART = 8;

/** Whether prices per each differ so much that the customer's price may be for another unit than the row says. */
export function isUnlikely({ their_each: theirs, our_each: ours }: Pick<Compared, 'their_each' | 'our_each'>): boolean {
  if (theirs === null || ours === null || compare(theirs, 0) <= 0 || compare(ours, 0) <= 0) return false;
  return theirs / ours >= UNITS_APART || ours / theirs >= UNITS_APART;
}
