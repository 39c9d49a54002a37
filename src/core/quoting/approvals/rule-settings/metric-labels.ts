// The labels of the figures in approval rules.
import type { Metric } from '../approval-shapes.ts';

export const METRIC_LABELS: Record<Metric, string> = {
  discountPct: 'Discount %',
  offListPct: 'Off list %',
  marginPct: 'Margin %',
  underFloor: 'Unit price below floor by',
  quoteTotal: 'Quote total',
  customLine: 'Custom items',
  belowContract: 'Below contract price by',
  provisional: 'Amount pending eligibility approval',
  paymentTermsDays: 'Payment terms in days',
  validityDays: 'Validity in days',
};
