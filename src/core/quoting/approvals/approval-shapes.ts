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

/** A rule that fired: its figure, its limit, and the role that must approve. */
export const FiredRule = z.object({
  ruleId: z.number().int(),
  name: z.string(),
  metric: z.string(),
  /** The worst figure: a percentage, money for prices and totals, a count of lines, or days. Null when it cannot be read. */
  figure: z.number().nullable(),
  limit: z.number(),
  role: z.enum(ROLES),
  /** The numbers of the lines on which it fired. Empty for a rule on the whole quote. */
  lines: z.array(z.number().int()),
  /** 'Discount 12 % > 5 %'. */
  text: z.string(),
});
export type FiredRule = z.infer<typeof FiredRule>;

const ApprovalState = z.enum(['Pending', 'Approved', 'Rejected', 'Recalled', 'Void']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** What a request asks for as a whole, in figures over the lines that count. */
export const Asked = z.object({
  /** Empty before anybody has asked. */
  requestedBy: z.string(),
  /** The request's comment, and the reason of a discount on the whole quote. */
  comment: z.string(),
  /** The lines at system prices, and what they are lowered by, by hand and by the quote discount. Lines without a system price are not counted. */
  systemTotal: z.number(),
  discount: z.number(),
  discountPct: z.number(),
  /** The margin at system prices and as asked for; null where no line has a cost. */
  marginBefore: z.number().nullable(),
  marginAfter: z.number().nullable(),
  /** How many lines are under their floor price. */
  underFloor: z.number().int(),
  /** The same discount of the newest other quote of the facility that was won or approved; null without one. */
  lastDiscountPct: z.number().nullable(),
});
export type Asked = z.infer<typeof Asked>;

/** One decision, as the request stores it. Names stay as they were at the time. */
export const Decision = z.object({
  ruleId: z.number().int(),
  state: z.enum(['Approved', 'Rejected']),
  by: z.number().int(),
  name: z.string(),
  /** The person for whom a deputy decided. Null when the decider acted in their own right. */
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
  /** The name of the absent person whose deputy this is. Null for a person in their own right. */
  deputyFor: z.string().nullable(),
});
export type AwaitedPerson = z.infer<typeof AwaitedPerson>;

/** The people who decide a rule, and the people above them who can decide it too. */
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
  /** Whether the reader may decide it now. */
  mine: z.boolean(),
  /** The person for whom the reader would decide as a deputy. Null when they decide in their own right. */
  deputyFor: z.string().nullable(),
});
export type RequestedRule = z.infer<typeof RequestedRule>;

export const Approval = z.object({
  id: z.number().int(),
  state: ApprovalState,
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** The person who decided last. */
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  remindedAt: z.string().nullable(),
  escalatedAt: z.string().nullable(),
  rules: z.array(RequestedRule),
});
export type Approval = z.infer<typeof Approval>;
