// The words for risks on screens.
import type { Tone } from '#platform/ui/tones.ts';
import type { RiskKind } from '../risk-kinds.ts';

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
