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
  'provisional',
  'paymentTermsDays',
  'validityDays',
] as const;
export type Metric = (typeof METRICS)[number];

/** A rule that fired: which, on what figure, against what limit, who must approve. */
export const FiredRule = z.object({
  ruleId: z.number().int(),
  name: z.string(),
  metric: z.string(),
  /** The worst figure: percent for percentages, money for prices and totals, a count for lines, days. Null when it cannot be read. */
  figure: z.number().nullable(),
  limit: z.number(),
  role: z.enum(ROLES),
  /** Line numbers it fired on; empty for a rule on the whole quote. */
  lines: z.array(z.number().int()),
  /** 'Discount 12 % > 5 %'. */
  text: z.string(),
});
export type FiredRule = z.infer<typeof FiredRule>;

const ApprovalState = z.enum(['Pending', 'Approved', 'Rejected', 'Recalled', 'Void']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** One decision of a request, as it is stored with it; names as they were then. */
export const Decision = z.object({
  ruleId: z.number().int(),
  state: z.enum(['Approved', 'Rejected']),
  by: z.number().int(),
  name: z.string(),
  /** Whose deputy decided; null for somebody who decided in their own right. */
  forId: z.number().int().nullable(),
  forName: z.string().nullable(),
  at: z.string(),
  comment: z.string(),
});
export type Decision = z.infer<typeof Decision>;

/** A colleague whose decision is awaited, and how to reach them. */
export const AwaitedPerson = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** Whose deputy this is while they are away. */
  deputyFor: z.string().nullable(),
});
export type AwaitedPerson = z.infer<typeof AwaitedPerson>;

/** Who decides a rule, and who above them can decide it too. */
export const Awaited = z.object({
  role: z.enum(ROLES),
  people: z.array(AwaitedPerson),
  orAsk: z.array(AwaitedPerson),
});
export type Awaited = z.infer<typeof Awaited>;

/** A rule of a request and what became of it. */
export const RequestedRule = FiredRule.extend({
  state: ApprovalState,
  /** 'Kim Lee', or 'Kim Lee for Pat Doe' when a deputy decided. */
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  /** Null once it is decided. */
  awaited: Awaited.nullable(),
  /** The reader may decide it now. */
  mine: z.boolean(),
  /** For whom the reader would decide it as a deputy; null in their own right. */
  deputyFor: z.string().nullable(),
});
export type RequestedRule = z.infer<typeof RequestedRule>;

export const Approval = z.object({
  id: z.number().int(),
  state: ApprovalState,
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** Who decided last, and when. */
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  remindedAt: z.string().nullable(),
  escalatedAt: z.string().nullable(),
  rules: z.array(RequestedRule),
});
export type Approval = z.infer<typeof Approval>;
