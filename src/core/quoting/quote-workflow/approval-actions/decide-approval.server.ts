// Requests approval of a quote, decides its rules, and recalls the request.
import { HttpError } from '#platform/api/http-error.ts';
import type { Decision } from '#core/quoting/approvals/approval-shapes.ts';
import { remindLater } from '#core/quoting/approvals/reminder-settings.server.ts';
import { requireReady } from '../readiness.server.ts';
import type { Effect, Work } from '../action-in-progress.server.ts';

/** Requests approval of the current quote, with the rules that fired. */
export async function requestApproval(work: Work): Promise<Effect> {
  const { db, services, state, userId, comment } = work;
  requireReady(work);
  if (userId === null) throw new Error('only a person with an account asks for approval');
  const request = await db
    .insertInto('approval_request')
    .values({
      quote_id: state.quote.id,
      revision: state.quote.revision,
      requested_by: userId,
      requested_at: services.clock.now(),
      comment,
      content_hash: state.hash,
      rules: JSON.stringify(state.judgement.fired),
      figures: JSON.stringify(state.judgement.figures),
    })
    .returning(['id', 'requested_at', 'reminded_at', 'escalated_at'])
    .executeTakeFirstOrThrow();
  await remindLater(db, services, request);
  return {};
}

/** Decides the rules that this user may decide. The last approval approves the request. One rejection rejects it. */
export async function decide(work: Work, decision: Decision['state']): Promise<Effect> {
  const { db, services, state, userId, comment } = work;
  const { request } = state;
  if (!request || userId === null || !('user' in work.performer)) throw new Error('a person decides a pending request');
  // A pending request locks the quote, so this happens only if something bypassed the lock. Nobody may approve what they have not seen.
  if (decision === 'Approved' && request.content_hash !== state.hash) {
    throw new HttpError(409, 'The quote has changed since approval was requested. Reject or recall the request first.');
  }
  const now = services.clock.now();
  const taken = state.toDecide.map(({ rule, as }) => ({
    ruleId: rule.ruleId,
    state: decision,
    by: userId,
    name: work.performedBy,
    forId: as.deputyFor?.id ?? null,
    forName: as.deputyFor?.fullName ?? null,
    at: now.toISOString(),
    comment,
  }));
  const over = decision === 'Rejected' || work.to === 'DiscountApproved';
  await db
    .updateTable('approval_request')
    .set({
      decisions: JSON.stringify([...request.decisions, ...taken]),
      ...(over ? { state: decision, decided_by: userId, decided_at: now, comment: comment || request.comment } : {}),
    })
    .where('id', '=', request.id)
    .execute();
  return {
    changes: state.toDecide.map(({ rule, as }) => ({
      field: rule.name,
      before: 'Pending',
      after: as.deputyFor ? `${decision} for ${as.deputyFor.fullName}` : decision,
    })),
  };
}

export async function recallApproval({ db, services, state, userId, comment }: Work): Promise<Effect> {
  const { request } = state;
  if (!request) throw new Error('a pending quote has a request');
  await db
    .updateTable('approval_request')
    .set({
      state: 'Recalled',
      decided_by: userId,
      decided_at: services.clock.now(),
      comment: comment || request.comment,
    })
    .where('id', '=', request.id)
    .execute();
  return {};
}
