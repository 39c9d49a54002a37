// Builds the API view of an approval request: the state of each rule, and whose decision it still awaits.
import type { Approval, ApprovalState, Decision, FiredRule } from './approval-shapes.ts';
import { awaitedFor, type KnownApprover } from './whose-decision.ts';
import { capacityFor, type DecidedQuote, type Decider } from './may-decide.ts';

type StoredRequest = {
  id: number;
  state: string;
  requested_by: number;
  requestedBy: string;
  requested_at: string;
  decidedBy: string | null;
  decided_at: string | null;
  comment: string;
  reminded_at: string | null;
  escalated_at: string | null;
  rules: FiredRule[];
  decisions: Decision[];
};

const NOBODY_AWAITED = { awaited: null, mine: false, deputyFor: null };

/** The request as the caller sees it. `approvers` are needed only while the request is Pending. */
export function approvalOf(
  record: StoredRequest,
  quote: DecidedQuote,
  approvers: readonly KnownApprover[],
  reader: Decider,
): Approval {
  const state = record.state as ApprovalState;
  return {
    id: record.id,
    state,
    requestedBy: record.requestedBy,
    requestedAt: record.requested_at,
    decidedBy: lastDecider(record),
    decidedAt: record.decided_at,
    comment: record.comment,
    remindedAt: record.reminded_at,
    escalatedAt: record.escalated_at,
    rules: record.rules.map((rule) => {
      const decision = decisionOn(record, rule);
      if (decision) {
        const { state: decided, at, comment } = decision;
        return { ...rule, state: decided, decidedBy: deciderOf(decision), decidedAt: at, comment, ...NOBODY_AWAITED };
      }
      const pending = state === 'Pending';
      const as = pending ? capacityFor(reader, rule.role, quote, record.requested_by) : null;
      return {
        ...rule,
        state,
        // Rejecting one rule rejects all of them.
        decidedBy: pending ? null : lastDecider(record),
        decidedAt: pending ? null : record.decided_at,
        comment: '',
        awaited: pending ? awaitedFor(rule.role, quote, record.requested_by, approvers) : null,
        mine: as !== null,
        deputyFor: as?.deputyFor?.fullName ?? null,
      };
    }),
  };
}

export function decisionOn(request: Pick<StoredRequest, 'decisions'>, rule: FiredRule): Decision | undefined {
  return request.decisions.find(({ ruleId }) => ruleId === rule.ruleId);
}

/** The rules of a request that nobody has decided yet. */
export function undecided(request: Pick<StoredRequest, 'decisions' | 'rules'>): FiredRule[] {
  return request.rules.filter((rule) => !decisionOn(request, rule));
}

/** 'Kim Lee', or 'Kim Lee for Pat Doe'. */
export function deciderOf({ name, forName }: Pick<Decision, 'name' | 'forName'>): string {
  return forName === null ? name : `${name} for ${forName}`;
}

function lastDecider({ state, decisions, decidedBy }: StoredRequest): string | null {
  const last = decisions.at(-1);
  return last && (state === 'Approved' || state === 'Rejected') ? deciderOf(last) : decidedBy;
}
