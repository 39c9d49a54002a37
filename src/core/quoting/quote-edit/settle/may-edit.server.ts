// Who may edit a quote in which status (design 2), and the reason to show everybody else (docs/quoting.md).
import { EDITABLE_STATUSES, stateSentence } from '#core/quoting/quote-workflow/workflow.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { hasRole, isInternal, type Role } from '#platform/shared/roles.ts';

export type EditFacts = {
  statusId: StatusId;
  /** An approval request is pending. */
  pending: boolean;
  user: { roles: readonly Role[] };
  /** The owner side, as in the workflow: the sales rep, who supports that rep, the quote manager of the region, the author. */
  ownerSide: boolean;
  /** salesQuoteManager of the quote's region. */
  managesRegion: boolean;
};

export type EditRights = {
  /** Lines, prices, discounts, facility, dates, currency, terms, freight, tax. */
  commercial: boolean;
  /** Contact, references, messages, notes, representatives. */
  notes: boolean;
  /** Applying promotions. */
  promotions: boolean;
  /** Why something is not allowed, in a sentence; empty when everything is. */
  reason: string;
  /** Nobody may edit in this status (409); if false, others may, but not this user (403). */
  locked: boolean;
};

const PROCESSED: readonly StatusId[] = ['Processing', 'DiscountApproved'];

/** What a user may edit now. A pending approval request locks the commercial content for everybody. */
export function editRights({ statusId, pending, user, ownerSide, managesRegion }: EditFacts): EditRights {
  const none = { commercial: false, notes: false, promotions: false };
  if (!EDITABLE_STATUSES.includes(statusId)) return { ...none, reason: closedReason(statusId), locked: true };
  const processed = PROCESSED.includes(statusId);
  const staff = isInternal(user) || hasRole(user, 'salesadmin');
  if (!staff && !(processed ? managesRegion : ownerSide)) {
    const reason = processed
      ? `${stateSentence({ statusId, pending })} Ask the person who is processing it to change it.`
      : 'You can read this quote but not edit it.';
    return { ...none, reason, locked: false };
  }
  if (pending) {
    const reason = 'A discount approval is pending. Prices and lines are locked until it is decided or recalled.';
    return { ...none, notes: true, reason, locked: true };
  }
  return { commercial: true, notes: true, promotions: isInternal(user), reason: '', locked: false };
}

function closedReason(statusId: StatusId): string {
  const sentence = stateSentence({ statusId, pending: false });
  return statusId === 'WaitingForProcess' ? `${sentence} Recall it, or start processing it, to edit it.` : sentence;
}
