// The workflow as one table (design 2): from which status, which action leads where, for whom. Enforced on the server, drawn by the boards.
import { z } from 'zod';
import type { Role } from '#shared/roles.ts';
import type { StatusId } from './status.ts';

export const ACTIONS = [
  'Submit',
  'StartProcess',
  'Recall',
  'RequestInfo',
  'ProvideInfo',
  'RequestApproval',
  'ApproveDiscount',
  'RejectDiscount',
  'RecallApproval',
  'Send',
  'Resend',
  'Revise',
  'DiscardRevision',
  'MarkWon',
  'MarkLost',
  'Cancel',
  'Reopen',
] as const;
export const ActionName = z.enum(ACTIONS);
export type ActionName = z.infer<typeof ActionName>;

/** A button of the board: drawn exactly when the server would carry the action out. */
export const AllowedAction = z.object({
  action: ActionName,
  label: z.string(),
  /** The one filled button: what comes next. */
  primary: z.boolean(),
  needsComment: z.boolean(),
  /** A reason code (MarkLost) or a reason in words (Cancel, Reopen, a late MarkWon) is asked for. */
  needsReason: z.boolean(),
});
export type AllowedAction = z.infer<typeof AllowedAction>;

/** Why a quote was lost, for MarkLost and the customer's decline. */
export const LOST_REASONS = {
  price: 'Price',
  competitor: 'Chose another supplier',
  timing: 'Bad timing or postponed',
  budget: 'No budget',
  product: 'Product does not fit',
  noResponse: 'No response',
  other: 'Other',
} as const;
export type LostReason = keyof typeof LOST_REASONS;

/** The statuses in which commercial content may be edited at all; who may is decided beside the call. */
export const EDITABLE_STATUSES: readonly StatusId[] = ['Editing', 'Revising', 'NeedMoreInfo', 'Processing', 'DiscountApproved'];

/** All that decides which actions are allowed: gathered by the server, judged by `allowedActions`. */
export type WorkflowFacts = {
  statusId: StatusId;
  user: { id: number; roles: readonly Role[] };
  /** The quote's sales rep, a salessupport user who supports that rep, or the salesQuoteManager of its region. */
  ownerSide: boolean;
  assigneeId: number | null;
  /** A request is Pending. */
  pending: boolean;
  requestedById: number | null;
  /** Roles that rules (of the pending request, else of the quote as it stands) ask for. */
  approverRoles: readonly Role[];
  /** The newest approved request's content hash equals the quote's as it stands. */
  approvedHashMatches: boolean;
  /** Sent, and past the end of validUntil. */
  expired: boolean;
  revisedById: number | null;
};
