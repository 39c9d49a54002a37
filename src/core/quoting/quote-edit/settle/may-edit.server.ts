// Determines who may edit a quote in which status (design 2), and the reason to show all other users (docs/quoting.md).
import { EDITABLE_STATUSES, stateSentence } from '#core/quoting/quote-workflow/workflow.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { hasRole, isInternal, type Role } from '#platform/shared/roles.ts';

export type EditFacts = {
  statusId: StatusId;
  /** Whether an approval request is pending. */
  pending: boolean;
  user: { roles: readonly Role[] };
  /**
   * Whether the user is on the owner side, as in the workflow: the sales representative, anyone who supports that representative, the quote manager
   * of the region, or the author.
   */
  ownerSide: boolean;
  /** Whether the user is salesQuoteManager of the quote's region. */
  managesRegion: boolean;
};

export type EditRights = {
  /** Lines, prices, discounts, facility, dates, currency, terms, freight, tax. */
  commercial: boolean;
  /** Contact, references, messages, notes, representatives. */
  notes: boolean;
  /** Applying promotions. */
  promotions: boolean;
  /** Why something is not allowed, in a sentence. Empty when everything is allowed. */
  reason: string;
  /** Whether nobody may edit in this status (409). If false, other users may, but not this user (403). */
  locked: boolean;
};

const PROCESSED: readonly StatusId[] = ['Processing', 'DiscountApproved'];

/** Returns what a user may edit now. A pending approval request locks the commercial content for all users. */
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
