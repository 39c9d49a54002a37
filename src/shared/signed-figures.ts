// Changes of amounts and percentages for people, which the customer's page does without.
import { type Decimal, formatAmount, withMinus } from './money.ts';

/** A change of an amount: +$20.00, −$100.00, or $0.00. */
export function signedAmount(value: Decimal, currnIdx?: number | null): string {
  return `${value > 0 ? '+' : ''}${formatAmount(value, currnIdx)}`;
}

/** A percentage for people, one decimal: 31.4 %, −3.0 %. */
export function formatPercent(percent: number): string {
  return `${withMinus(percent.toFixed(1)).replace('−0.0', '0.0')} %`;
}
