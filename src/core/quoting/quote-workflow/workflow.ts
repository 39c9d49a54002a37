// The workflow as one table of statuses, actions, targets and actors. The server enforces it, and the boards use it for their buttons (design 2).
import { z } from 'zod';
import { ActionName } from '#core/quoting/quotes/actions.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { hasRole, isInternal, type Role } from '#platform/shared/roles.ts';

/** A button on the board. It appears exactly when the server would perform the action. */
export const AllowedAction = z.object({
  action: ActionName,
  label: z.string(),
  /** Whether it is the one filled button, for the next step. */
  primary: z.boolean(),
  needsComment: z.boolean(),
  /** Requires a reason code (MarkLost) or a written reason (Cancel, Reopen, a late MarkWon). */
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

/** The statuses that allow edits of commercial content. may-edit.ts decides who may edit. */
export const EDITABLE_STATUSES: readonly StatusId[] = [
  'Editing',
  'Revising',
  'NeedMoreInfo',
  'Processing',
  'DiscountApproved',
];

/** A rule that requires approval: whether it is decided, and whether this user may decide it. */
export type RuleFacts = { decided: boolean; mine: boolean };

/** All facts that determine which actions are allowed. The server collects them, and `allowedActions` evaluates them. */
export type WorkflowFacts = {
  statusId: StatusId;
  /** A user with an account, or the customer on the public page of the current revision. */
  user: { id: number; roles: readonly Role[] } | 'customer';
  /** The quote's sales rep, a salessupport user who supports that rep, or the salesQuoteManager of its region. */
  ownerSide: boolean;
  assigneeId: number | null;
  /** Whether a request is Pending. */
  pending: boolean;
  /** The user who made the pending request. Null when none is pending. */
  requestedById: number | null;
  /** The rules of the pending request, or else those that fire on the current quote. */
  rules: readonly RuleFacts[];
  /** Whether the newest approved request's content hash equals the current one. */
  approvedHashMatches: boolean;
  /** Whether the quote is sent and validUntil has passed. */
  expired: boolean;
  revisedById: number | null;
  /** The quote's status before the revision. Only DiscardRevision needs it, and only when performed. */
  revisedFrom?: StatusId | null;
};

type Actor =
  | 'ownerSide'
  | 'internal'
  | 'assignee'
  | 'salesQuoteManager'
  | 'approver'
  | 'requester'
  | 'reviser'
  | 'salesadmin'
  | 'contractdept'
  | 'systemadmin'
  | 'customer';

type Person = { id: number; roles: readonly Role[] };

const IS: Record<Exclude<Actor, 'customer'>, (person: Person, facts: WorkflowFacts) => boolean> = {
  ownerSide: (_person, facts) => facts.ownerSide,
  internal: (person) => isInternal(person),
  assignee: (person, facts) => facts.assigneeId === person.id,
  salesQuoteManager: (person) => hasRole(person, 'salesQuoteManager'),
  approver: (_person, facts) => facts.rules.some((rule) => rule.mine),
  requester: (person, facts) => facts.requestedById === person.id,
  reviser: (person, facts) => facts.revisedById === person.id,
  salesadmin: (person) => hasRole(person, 'salesadmin'),
  contractdept: (person) => hasRole(person, 'contractdept'),
  systemadmin: (person) => hasRole(person, 'systemadmin'),
};

function is(actor: Actor, facts: WorkflowFacts): boolean {
  if (facts.user === 'customer') return actor === 'customer';
  return actor !== 'customer' && IS[actor](facts.user, facts);
}

/**
 * Some actors depend on the state of the quote. Users in these roles could be that actor in another state, so they see why the action is not possible
 * now.
 */
const COULD_BE: Partial<Record<Actor, readonly Actor[]>> = {
  approver: ['salesQuoteManager', 'salesadmin', 'contractdept', 'systemadmin'],
  requester: ['internal', 'salesQuoteManager'],
  assignee: ['internal'],
  reviser: ['ownerSide', 'internal'],
};

/** A condition on the quote, and the sentence to show when it fails. */
type Condition = { holds: (facts: WorkflowFacts) => boolean; otherwise: string };

const asksForApproval = (facts: WorkflowFacts) => facts.rules.length > 0 && !facts.approvedHashMatches;

const UNCLAIMED: Condition = {
  holds: (facts) => facts.assigneeId === null,
  otherwise: 'Another user is already processing this quote.',
};
const NO_RULE_ASKS: Condition = {
  holds: (facts) => !asksForApproval(facts),
  otherwise: 'This quote needs approval before it is sent.',
};
const A_RULE_ASKS: Condition = { holds: asksForApproval, otherwise: 'Nothing on this quote needs approval.' };
const A_RULE_IS_LEFT: Condition = {
  holds: (facts) => facts.rules.some((rule) => rule.mine && !rule.decided),
  otherwise: 'You have decided your part. Others decide the rest.',
};
const HASH_MATCHES: Condition = {
  holds: (facts) => facts.approvedHashMatches,
  otherwise: 'The quote has changed since it was approved. Request approval again.',
};
const NOT_EXPIRED: Condition = {
  holds: (facts) => !facts.expired,
  otherwise: 'This quote has expired and can no longer be accepted or declined. Ask for a new one.',
};

export type Transition = {
  action: ActionName;
  from: readonly StatusId[];
  /** If omitted, the row applies with and without a pending approval request. */
  pending?: boolean;
  to: StatusId | ((facts: WorkflowFacts) => StatusId);
  who: readonly Actor[];
  only?: Condition;
  label: string;
  /** Whether it may be the filled button. If several are allowed, the first one in the table wins. */
  next?: boolean | ((facts: WorkflowFacts) => boolean);
  needsComment?: boolean;
  needsReason?: boolean | ((facts: WorkflowFacts) => boolean);
};

const DRAFTS: readonly StatusId[] = ['Editing', 'Revising'];

/** The table of design 2, row by row, in the order in which the boards show their buttons. */
export const TRANSITIONS: readonly Transition[] = [
  { action: 'StartProcess', from: DRAFTS, to: 'Processing', who: ['internal'], label: 'Start Processing', next: true },
  {
    action: 'StartProcess',
    from: ['WaitingForProcess'],
    to: 'Processing',
    who: ['internal'],
    label: 'Start Processing',
    next: true,
  },
  { action: 'Submit', from: DRAFTS, to: 'WaitingForProcess', who: ['ownerSide'], label: 'Submit', next: true },
  {
    action: 'Recall',
    from: ['WaitingForProcess'],
    to: 'Editing',
    who: ['ownerSide'],
    only: UNCLAIMED,
    label: 'Recall',
  },
  {
    action: 'ProvideInfo',
    from: ['NeedMoreInfo'],
    to: (facts) => (facts.assigneeId === null ? 'WaitingForProcess' : 'Processing'),
    who: ['ownerSide'],
    label: 'Provide Info',
    next: true,
  },
  {
    action: 'ApproveDiscount',
    from: ['Processing'],
    pending: true,
    // Each rule needs one decision. The last one approves the quote.
    to: (facts) => (facts.rules.every((rule) => rule.decided || rule.mine) ? 'DiscountApproved' : 'Processing'),
    who: ['approver'],
    only: A_RULE_IS_LEFT,
    label: 'Approve Discount',
    next: true,
  },
  {
    action: 'RejectDiscount',
    from: ['Processing'],
    pending: true,
    to: 'Processing',
    who: ['approver'],
    only: A_RULE_IS_LEFT,
    label: 'Reject Discount',
    needsComment: true,
  },
  {
    action: 'RecallApproval',
    from: ['Processing'],
    pending: true,
    to: 'Processing',
    who: ['requester', 'systemadmin'],
    label: 'Recall Approval',
  },
  {
    action: 'RequestApproval',
    from: ['Processing'],
    pending: false,
    to: 'Processing',
    who: ['internal', 'salesQuoteManager'],
    only: A_RULE_ASKS,
    label: 'Request Approval',
    next: true,
  },
  {
    action: 'Send',
    from: ['Processing'],
    pending: false,
    to: 'SentToCustomer',
    who: ['internal', 'salesQuoteManager'],
    only: NO_RULE_ASKS,
    label: 'Send',
    next: true,
  },
  {
    action: 'Send',
    from: ['DiscountApproved'],
    to: 'SentToCustomer',
    who: ['internal', 'salesQuoteManager', 'ownerSide'],
    only: HASH_MATCHES,
    label: 'Send',
    next: true,
  },
  {
    action: 'RequestInfo',
    from: ['Processing'],
    pending: false,
    to: 'NeedMoreInfo',
    who: ['assignee', 'internal'],
    label: 'Request Info',
    needsComment: true,
  },
  {
    action: 'MarkWon',
    from: ['SentToCustomer'],
    to: 'Won',
    who: ['ownerSide', 'internal'],
    label: 'Mark Won',
    next: (facts) => !facts.expired,
    needsReason: (facts) => facts.expired,
  },
  {
    action: 'MarkLost',
    from: ['SentToCustomer'],
    to: 'Lost',
    who: ['ownerSide', 'internal'],
    label: 'Mark Lost',
    needsReason: true,
  },
  {
    action: 'MarkWon',
    from: ['SentToCustomer'],
    to: 'Won',
    who: ['customer'],
    only: NOT_EXPIRED,
    label: 'Accept',
    next: true,
  },
  {
    action: 'MarkLost',
    from: ['SentToCustomer'],
    to: 'Lost',
    who: ['customer'],
    only: NOT_EXPIRED,
    label: 'Decline',
    needsReason: true,
  },
  {
    action: 'Resend',
    from: ['SentToCustomer'],
    to: 'SentToCustomer',
    who: ['internal', 'salesQuoteManager', 'ownerSide'],
    label: 'Resend',
  },
  {
    action: 'Revise',
    from: ['SentToCustomer', 'Lost'],
    to: 'Revising',
    who: ['ownerSide', 'internal'],
    label: 'Revise',
    next: (facts) => facts.expired,
  },
  {
    action: 'DiscardRevision',
    from: ['Revising'],
    to: (facts) => facts.revisedFrom ?? 'SentToCustomer',
    who: ['reviser', 'internal'],
    label: 'Discard Revision',
  },
  {
    action: 'Cancel',
    from: ['Editing', 'NeedMoreInfo', 'WaitingForProcess', 'Processing', 'DiscountApproved', 'Revising'],
    to: 'Cancelled',
    who: ['internal'],
    label: 'Cancel Quote',
    needsReason: true,
  },
  {
    action: 'Cancel',
    from: ['Editing', 'NeedMoreInfo', 'WaitingForProcess', 'Processing', 'DiscountApproved', 'Revising'],
    to: 'Cancelled',
    who: ['ownerSide'],
    only: UNCLAIMED,
    label: 'Cancel Quote',
    needsReason: true,
  },
  {
    action: 'Reopen',
    from: ['Won'],
    to: 'Processing',
    who: ['salesadmin', 'systemadmin'],
    label: 'Reopen',
    needsReason: true,
  },
  {
    action: 'Reopen',
    from: ['Cancelled'],
    to: 'Editing',
    who: ['salesadmin', 'systemadmin'],
    label: 'Reopen',
    needsReason: true,
  },
];

/** Why an action is refused: never for this user (403), or not in this state (409, with the sentence). */
export type Refusal = { refused: 'forbidden' } | { refused: 'state'; sentence: string };

/** The table row for the action under these facts, or the refusal. */
export function transitionOf(action: ActionName, facts: WorkflowFacts): Transition | Refusal {
  const rows = TRANSITIONS.filter((row) => row.action === action);
  const here = rows.filter(
    (row) => row.from.includes(facts.statusId) && (row.pending === undefined || row.pending === facts.pending),
  );
  const couldBe = (actor: Actor) => (here.length === 0 && COULD_BE[actor]) || [actor];
  const theirs = (here.length > 0 ? here : rows).filter((row) =>
    row.who.flatMap(couldBe).some((actor) => is(actor, facts)),
  );
  if (theirs.length === 0) return { refused: 'forbidden' };
  if (here.length === 0) return { refused: 'state', sentence: stateSentence(facts) };
  return (
    theirs.find((row) => !row.only || row.only.holds(facts)) ?? {
      refused: 'state',
      sentence: theirs[0]?.only?.otherwise ?? stateSentence(facts),
    }
  );
}

const STATE_SENTENCES: Record<StatusId, string> = {
  Editing: 'This quote is still being edited.',
  WaitingForProcess: 'This quote is waiting to be processed.',
  Processing: 'This quote is being processed.',
  NeedMoreInfo: 'This quote is waiting for more information.',
  DiscountApproved: 'The discount on this quote is approved.',
  SentToCustomer: 'This quote was sent to the customer. Revise it to change it.',
  Revising: 'This quote is being revised.',
  Won: 'This quote is won. A sales administrator can reopen it.',
  Lost: 'This quote is lost. Revise it to offer it again.',
  Cancelled: 'This quote is canceled. A sales administrator can reopen it.',
};

/** Describes the state of a quote to a user whose action is not possible in it. */
export function stateSentence({ statusId, pending }: Pick<WorkflowFacts, 'statusId' | 'pending'>): string {
  return pending ? 'This quote awaits discount approval.' : STATE_SENTENCES[statusId];
}

/** The status the row leads to. */
export function destinationOf(row: Transition, facts: WorkflowFacts): StatusId {
  return typeof row.to === 'function' ? row.to(facts) : row.to;
}

const flag = (value: boolean | ((facts: WorkflowFacts) => boolean) | undefined, facts: WorkflowFacts) =>
  typeof value === 'function' ? value(facts) : (value ?? false);

/** Whether the row requires a reason under these facts. */
export function asksForReason(row: Transition, facts: WorkflowFacts): boolean {
  return flag(row.needsReason, facts);
}

/**
 * Returns the actions that this user may perform now, in the order of the buttons. At most one is primary. Exactly one is when this user has a next
 * step (design 2 and 7).
 */
export function allowedActions(facts: WorkflowFacts): AllowedAction[] {
  let primaryTaken = false;
  const allowed: AllowedAction[] = [];
  for (const action of new Set(TRANSITIONS.map((row) => row.action))) {
    const row = transitionOf(action, facts);
    if ('refused' in row) continue;
    const primary: boolean = !primaryTaken && flag(row.next, facts);
    primaryTaken ||= primary;
    const { label, needsComment = false } = row;
    allowed.push({ action, label, primary, needsComment, needsReason: asksForReason(row, facts) });
  }
  return allowed;
}
