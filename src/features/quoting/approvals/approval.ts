// Approval rules and requests as they travel (design 2 and 4).
import { z } from 'zod';
import { ROLES } from '#shared/roles.ts';

export const METRICS = [
  'discountPct',
  'offListPct',
  'marginPct',
  'underFloor',
  'quoteTotal',
  'customLine',
  'belowContract',
] as const;
export type Metric = (typeof METRICS)[number];

/** A rule that fired: which, on what figure, against what limit, who must approve. */
export const FiredRule = z.object({
  ruleId: z.number().int(),
  name: z.string(),
  metric: z.string(),
  /** The worst figure; percent for percentages, money for prices and totals, a count for lines. */
  figure: z.number(),
  limit: z.number(),
  role: z.enum(ROLES),
  /** Line numbers it fired on; empty for a rule on the whole quote. */
  lines: z.array(z.number().int()),
  /** 'Discount 12 % > 5 %'. */
  text: z.string(),
});
export type FiredRule = z.infer<typeof FiredRule>;

export const Approval = z.object({
  id: z.number().int(),
  state: z.enum(['Pending', 'Approved', 'Rejected', 'Recalled', 'Void']),
  requestedBy: z.string(),
  requestedAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  rules: z.array(FiredRule),
});
export type Approval = z.infer<typeof Approval>;
