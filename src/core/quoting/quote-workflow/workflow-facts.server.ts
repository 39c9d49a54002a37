// Collects the facts for the workflow table: the quote, its lines, its approval request, and the current rules.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import type { FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { decisionOn } from '#core/quoting/approvals/approval-view.server.ts';
import { type ApprovalRecord, contentHash, latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import { judgeQuote, loadRules } from '#core/quoting/approvals/load-rules.server.ts';
import type { Judgement, Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { type Capacity, capacityFor } from '#core/quoting/approvals/may-decide.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { isOwnerSide, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { isExpired, StatusId } from '#core/quoting/quotes/status.ts';
import type { WorkflowFacts } from './workflow.ts';

export type QuoteState = {
  quote: QuoteRecord;
  items: Line[];
  /** The newest request of the current revision, in any state. */
  request: ApprovalRecord | undefined;
  /** The rules that fire for this user, and every tested figure. */
  judgement: Judgement;
  rules: readonly Rule[];
  /** The hash of the current commercial content. */
  readonly hash: string;
  /** The undecided rules of a pending request that this user may decide, and the capacity in which they may. */
  toDecide: readonly { rule: FiredRule; as: Capacity }[];
  facts: WorkflowFacts;
};

/**
 * Reads the state of a quote for the workflow, for a user or for the customer. `known` contains facts already read about the revision's newest
 * request, the rules and the assignee.
 */
export async function readQuoteState(
  db: Db,
  services: Pick<Services, 'clock'>,
  user: Viewer | 'customer',
  quote: QuoteRecord,
  items?: Line[],
  known?: { request: ApprovalRecord | undefined; rules: readonly Rule[]; assigneeActive: boolean },
): Promise<QuoteState> {
  const lines = items ?? (await quoteLines(db, quote.id));
  const { request } = known ?? { request: await latestRequest(db, quote.id, quote.revision) };
  const rules = known?.rules ?? (await loadRules(db));
  const judgement = await judgeQuote(db, quote, lines, user === 'customer' ? [] : user.roles, rules);
  const assignee =
    quote.assignee_id !== null &&
    (known?.assigneeActive ??
      (await db
        .selectFrom('app_user')
        .select('id')
        .where('id', '=', quote.assignee_id)
        .where('active', '=', true)
        .executeTakeFirst()));
  const expired = quote.status_id === 'SentToCustomer' && isExpired(quote, today(services, await loadCompany(db)));
  return buildQuoteState(user, {
    quote,
    items: lines,
    request,
    judgement,
    rules,
    assigneeThere: Boolean(assignee),
    expired,
  });
}

/** Builds the state of a quote from data already read. An assignee who has left is ignored. */
export function buildQuoteState(
  user: Viewer | 'customer',
  read: Pick<QuoteState, 'quote' | 'items' | 'request' | 'judgement' | 'rules'> & {
    assigneeThere: boolean;
    expired: boolean;
  },
): QuoteState {
  const { quote, items, request, judgement, rules, assigneeThere, expired } = read;
  let hash: string | undefined;
  const hashed = () => (hash ??= contentHash(quote, items));
  const pending = request?.state === 'Pending' ? request : undefined;
  const requestedById = pending?.requested_by ?? null;
  const query = (pending?.rules ?? judgement.fired).map((rule) => ({
    rule,
    decided: pending !== undefined && decisionOn(pending, rule) !== undefined,
    as: user === 'customer' ? null : capacityFor(user, rule.role, quote, requestedById),
  }));
  return {
    quote,
    items,
    request,
    judgement,
    rules,
    // Lazy, because hashing a thousand lines takes a while and few callers need it.
    get hash() {
      return hashed();
    },
    toDecide: query.flatMap(({ rule, decided, as }) => (pending && !decided && as ? [{ rule, as }] : [])),
    facts: {
      statusId: StatusId.parse(quote.status_id),
      user: user === 'customer' ? user : { id: user.id, roles: user.roles },
      ownerSide: user !== 'customer' && isOwnerSide(user, quote),
      assigneeId: assigneeThere ? quote.assignee_id : null,
      pending: pending !== undefined,
      requestedById,
      rules: query.map(({ decided, as }) => ({ decided, mine: as !== null })),
      approvedHashMatches: request?.state === 'Approved' && request.content_hash === hashed(),
      expired,
      revisedById: quote.revised_by,
      revisedFrom: quote.revised_from === null ? null : StatusId.parse(quote.revised_from),
    },
  };
}
