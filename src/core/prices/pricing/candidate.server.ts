// A price that could apply to a line, and its amount in the requested unit.
import type { IsoDate } from '#platform/shared/dates.ts';
import { AmountOutOfRange, convertPrice, type Decimal, formatPrice } from '#platform/shared/money.ts';
import type { PriceFacts } from './price-facts.server.ts';

export type Candidate = {
  source: 'List' | 'Account' | 'Contract';
  name: string;
  ref: string;
  unit: string;
  minQty: Decimal;
  price: Decimal;
  currnIdx: number;
  from: IsoDate | null;
  to: IsoDate | null;
  /** Whether the price has the requested currency and is in effect. A price ladder shows only these prices. */
  isInEffect: boolean;
  /** Per requested unit. Null when it cannot be converted. */
  amount: Decimal | null;
  /** The arithmetic of a unit conversion. Empty without one. */
  arithmetic: string;
  /** Why the price is not eligible or was not used. Empty while it is eligible. */
  why: string;
  /** Lower ranks come first: own before parent, local agreement before GPO. */
  rank: number;
  /** How the facility qualifies for the price. Empty strings are ignored. */
  how: string[];
  contract: {
    id: number;
    number: string;
    lineId: number;
    /** The later of the contract's first day and the facility's first day in it. */
    from: IsoDate;
    entered: IsoDate;
    predecessorIds: number[];
    /** Whether it is in effect for the facility on the price date, even if it excludes the facility or lacks a price. The proof then mentions it. */
    inProof: boolean;
    /** Whether it has a price for the line that the facility may use on the offer's day. */
    firm: boolean;
    /** Whether it would apply if a user chose the facility's primary GPO. */
    undecided: boolean;
  } | null;
};

export function amountOf(candidate: Candidate): Decimal {
  return candidate.amount ?? 0;
}

export function inEffect(day: IsoDate, from: IsoDate | null, to: IsoDate | null): boolean {
  return (!from || from <= day) && (!to || day <= to);
}

export function factorOf(facts: PriceFacts, unit: string): Decimal | undefined {
  return facts.units.find((candidate) => candidate.unit === unit)?.factor ?? (unit === facts.baseUnit ? 1 : undefined);
}

/** Converts a price to the requested unit with the item's own factors. Without a factor there is no amount. */
export function inAskedUnit(
  facts: PriceFacts,
  { unit, price, currnIdx }: Pick<Candidate, 'unit' | 'price' | 'currnIdx'>,
): { amount: Decimal | null; arithmetic: string; why: string } {
  if (unit === facts.unit) return { amount: price, arithmetic: '', why: '' };
  const [from, to] = [factorOf(facts, unit), factorOf(facts, facts.unit)];
  if (from === undefined || to === undefined) {
    const missing = to === undefined ? facts.unit : unit;
    return {
      amount: null,
      arithmetic: '',
      why: `There is no factor for the unit ${missing}, so the price per ${unit} cannot be converted to one per ${facts.unit}`,
    };
  }
  const amount = convertedOrNull(price, from, to);
  if (amount === null)
    return { amount, arithmetic: '', why: `The price per ${unit} is too large to show per ${facts.unit}` };
  if (amount === 0 && price > 0)
    return { amount: null, arithmetic: '', why: `The price per ${unit} is too small to show per ${facts.unit}` };
  return {
    amount,
    arithmetic: `${formatPrice(price, currnIdx)} per ${unit} × ${to} ÷ ${from} = ${formatPrice(amount, currnIdx)} per ${facts.unit}`,
    why: '',
  };
}

/** Null when the price would be too large to store. */
function convertedOrNull(price: Decimal, from: Decimal, to: Decimal): Decimal | null {
  try {
    return convertPrice(price, from, to);
  } catch (error) {
    if (error instanceof AmountOutOfRange) return null;
    throw error;
  }
}

/** 0 for the requested unit, then smaller units, largest first, then larger units, smallest first. */
export function distance(facts: PriceFacts, unit: string): number {
  if (unit === facts.unit) return 0;
  const ratio = (factorOf(facts, unit) ?? 1) / (factorOf(facts, facts.unit) ?? 1);
  return ratio <= 1 ? 2 - ratio : 2 + ratio;
}
