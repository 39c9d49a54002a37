// Records what a sender approved by their own limit: the rules that would require approval from others, on a quote that is not the sender's own.
import type { Decision, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { decisionOn } from '#core/quoting/approvals/approval-view.server.ts';
import { judgeQuote } from '#core/quoting/approvals/load-rules.server.ts';
import { capacityFor } from '#core/quoting/approvals/may-decide.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import type { Work } from '../action-in-progress.server.ts';

export const BY_OWN_LIMIT = 'Approved within own limit';

/**
 * Adds a decision for each rule that would have required approval from other users, but not from this sender. Adds it to the quote's approved
 * request, or else to a new request. Returns the changes for the history. A limit covers its holder's own quotes without a record.
 */
export async function approveByOwnLimit(work: Work, hash: string): Promise<FieldChange[]> {
  const { db, services, state, performer, userId, performedBy } = work;
  const { quote, request, judgement } = state;
  if (userId === null || !('user' in performer) || (quote.sales_rep_id ?? quote.owner_id) === userId) return [];
  const rules = await limitsOf(work);
  if (rules.length === 0) return [];
  const now = services.clock.now();
  const decisions: Decision[] = rules.map(({ ruleId }) => ({
    ruleId,
    state: 'Approved',
    by: userId,
    name: performedBy,
    forId: null,
    forName: null,
    at: now.toISOString(),
    comment: BY_OWN_LIMIT,
  }));
  if (request?.state === 'Approved') {
    await db
      .updateTable('approval_request')
      .set({
        rules: JSON.stringify([...request.rules, ...rules]),
        decisions: JSON.stringify([...request.decisions, ...decisions]),
      })
      .where('id', '=', request.id)
      .execute();
  } else {
    await db
      .insertInto('approval_request')
      .values({
        quote_id: quote.id,
        revision: quote.revision,
        requested_by: userId,
        requested_at: now,
        decided_by: userId,
        decided_at: now,
        state: 'Approved',
        comment: BY_OWN_LIMIT,
        content_hash: hash,
        rules: JSON.stringify(rules),
        figures: JSON.stringify(judgement.figures),
        decisions: JSON.stringify(decisions),
      })
      .execute();
  }
  return rules.map(({ name }) => ({ field: name, before: '', after: BY_OWN_LIMIT }));
}

/** The rules that fire for the users whom they name, but not for the sender, who holds the role that approves them. */
async function limitsOf({ db, state, performer }: Work): Promise<FiredRule[]> {
  if (!('user' in performer)) return [];
  const { quote, items, rules, request, judgement } = state;
  const limits = rules.filter(({ filters }) => (filters.requesterRoles ?? []).length > 0);
  if (limits.length === 0) return [];
  const forAll = limits.map((rule) => ({ ...rule, filters: { ...rule.filters, requesterRoles: [] } }));
  const { fired } = await judgeQuote(db, quote, items, [], forAll, judgement.figures);
  const known = request?.state === 'Approved' ? request : undefined;
  return fired.filter(
    (rule) =>
      judgement.fired.every(({ ruleId }) => ruleId !== rule.ruleId) &&
      (known === undefined || decisionOn(known, rule) === undefined) &&
      capacityFor(performer.user, rule.role, quote, null)?.deputyFor === null,
  );
}
