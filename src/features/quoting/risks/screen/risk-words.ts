// The words for risks on screens.
import { formatAmount } from '#shared/money.ts';
import type { Tone } from '#ui/tones.ts';
import type { RiskKind } from '../risk-kinds.ts';

/** '+$20.00', '−$100.00'. */
export function signed(value: number, currnIdx: number): string {
  if (value === 0) return formatAmount(0, currnIdx);
  return `${value > 0 ? '+' : '−'}${formatAmount(Math.abs(value), currnIdx)}`;
}

export const RISK_TONES: Record<RiskKind, Tone> = {
  Ends: 'orange',
  Price: 'blue',
  Tier: 'violet',
  Eligibility: 'red',
  Superseded: 'violet',
  Rejected: 'red',
  Better: 'green',
  Rebill: 'orange',
};
