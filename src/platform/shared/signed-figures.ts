// Changes of amounts for people, which the customer's page does without.
import { type Decimal, formatAmount } from './money.ts';

/** A change of an amount: +$20.00, −$100.00, or $0.00. */
export function signedAmount(value: Decimal, currnIdx?: number | null): string {
  return `${value > 0 ? '+' : ''}${formatAmount(value, currnIdx)}`;
}
