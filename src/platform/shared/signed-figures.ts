// Formats changes of amounts. The customer's page does not load this file.
import { type Decimal, formatAmount } from './money.ts';

/** Formats a change of an amount: +$20.00, −$100.00, or $0.00. */
export function signedAmount(value: Decimal, currnIdx?: number | null): string {
  return `${value > 0 ? '+' : ''}${formatAmount(value, currnIdx)}`;
}
