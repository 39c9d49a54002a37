// The shapes in which the API returns approval rules and requests (design 2 and 4).
import { z } from 'zod';
import { ROLES } from '#platform/shared/roles.ts';

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

/** A rule that fired, with its figure, its limit, and the role that must approve. */
export const FiredRule = z.object({
  ruleId: z.number().int(),
  name: z.string(),
  metric: z.string(),
  /** The worst figure: a percentage, an amount for prices and totals, a count of lines, or days. Null when it cannot be read. */
  figure: z.number().nullable(),
  limit: z.number(),
  role: z.enum(ROLES),
  /** The numbers of the lines on which the rule fired. Empty for a rule about the whole quote. */
  lines: z.array(z.number().int()),
  /** 'Discount 12% > 5%'. */
  text: z.string(),
});
export type FiredRule = z.infer<typeof FiredRule>;

const ApprovalState = z.enum(['Pending', 'Approved', 'Rejected', 'Recalled', 'Void']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** The effect of a request as a whole, over the lines that are included in the total. */
export const Asked = z.object({
  /** Empty until approval is requested. */
  requestedBy: z.string(),
  /** The comment of the request, and the reason for a discount on the whole quote. */
  comment: z.string(),
  /** The total at system prices, and the reductions by hand and by the quote discount. Excludes lines without a system price. */
  systemTotal: z.number(),
  discount: z.number(),
  discountPct: z.number(),
  /** The margin at system prices and at the requested prices. Null when no line has a cost. */
  marginBefore: z.number().nullable(),
  marginAfter: z.number().nullable(),
  /** The number of lines below their floor price. */
  underFloor: z.number().int(),
  /** The discount percentage of the facility's newest other quote that was won or approved. Null when there is none. */
  lastDiscountPct: z.number().nullable(),
});
export type Asked = z.infer<typeof Asked>;

/** One decision, as the request stores it. Later changes of names do not affect it. */
export const Decision = z.object({
  ruleId: z.number().int(),
  state: z.enum(['Approved', 'Rejected']),
  by: z.number().int(),
  name: z.string(),
  /** The absent user for whom a deputy decided. Null when no deputy was involved. */
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
  /** The name of the absent user for whom this user is the deputy. Null when this user is not acting as a deputy. */
  deputyFor: z.string().nullable(),
});
export type AwaitedPerson = z.infer<typeof AwaitedPerson>;

/** The users who decide a rule, and the users above them who can also decide it. */
export const Awaited = z.object({
  role: z.enum(ROLES),
  people: z.array(AwaitedPerson),
  orAsk: z.array(AwaitedPerson),
});
export type Awaited = z.infer<typeof Awaited>;

/** A rule of a request and its state. */
export const RequestedRule = FiredRule.extend({
  state: ApprovalState,
  /** 'Kim Lee', or 'Kim Lee for Pat Doe' when a deputy decided. */
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  /** Null once the rule is decided. */
  awaited: Awaited.nullable(),
  /** Whether the caller may decide it now. */
  mine: z.boolean(),
  /** The absent user for whom the caller would decide as a deputy. Null when the caller would decide for themselves. */
  deputyFor: z.string().nullable(),
});
export type RequestedRule = z.infer<typeof RequestedRule>;

export const Approval = z.object({
  id: z.number().int(),
  state: ApprovalState,
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** The user who made the last decision. */
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  remindedAt: z.string().nullable(),
  escalatedAt: z.string().nullable(),
  rules: z.array(RequestedRule),
});
export type Approval = z.infer<typeof Approval>;
