// Creates the records of a quote's story: events, requests for approval with their decisions, sent revisions, and backups of earlier ones.
import { randomBytes } from 'node:crypto';
import { contentHash } from '#core/quoting/approvals/content-hash.server.ts';
import type { Decision, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import type { Judgement } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { documentOf } from '#core/quoting/quote-pdf/build-document.server.ts';
import { customerActor } from '#core/quoting/quotes/events/event-words.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { LOST_REASONS, type LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { QuoteContext } from './demo-quote-lines.server.ts';
import type { Step } from './demo-quote-story.server.ts';

export type Rows = {
  quotes: QuoteRecord[];
  lines: Line[];
  events: Record<string, unknown>[];
  revisions: Record<string, unknown>[];
  backups: Record<string, unknown>[];
  requests: Record<string, unknown>[];
};
export const noRows = (): Rows => ({ quotes: [], lines: [], events: [], revisions: [], backups: [], requests: [] });

/** A quote in one of its states: a header with its lines. */
export type Version = { quote: QuoteRecord; lines: Line[] };

export type Past = {
  /** The quote in its current state. */
  now: Version;
  /** The quote as it was started, with fewer lines. */
  begun: Version;
  /** Its sent revisions before the current one, oldest first. */
  sent: Version[];
  story: Step[];
  judgement: Judgement;
  /** True if the customer accepted or declined on the page, false if the rep recorded it. */
  byCustomer: boolean;
};

/** Reasons for approval requests, with the answers. */
const APPROVAL_WORDS: [asked: string, answer: string][] = [
  ['The competitor quoted 8% less on the same category.', 'Approved for this order. Ask again before the next one.'],
  ['They take two years of volume at once.', 'Approved. Mention the volume in the message to the customer.'],
  ['A new account: the first order decides.', 'Approved for the first order only.'],
  ['The beds replace a recalled model of ours.', 'Approved. Charge the recall.'],
];

export function leaveTraces(rows: Rows, context: QuoteContext, past: Past): void {
  const { quote } = past.now;
  const [query = '', answer = ''] = APPROVAL_WORDS[quote.id % APPROVAL_WORDS.length] ?? [];
  const request: Omit<AskedFor, 'step'> = { asked: query, answer };
  let open: AskedFor | null = null;
  for (const step of past.story) {
    if (step.action === 'ApproveDiscount' && open) {
      approve(rows, context, past, open, step);
      open = null;
    } else if (step.action === 'RejectDiscount' && open) {
      reject(rows, context, past, open, step);
      open = null;
    } else {
      rows.events.push(eventOf(context, past, step, query));
      if (step.action === 'RequestApproval') open = { ...request, step };
      if (step.action === 'Send') rows.revisions.push(revisionOf(context, past, step));
    }
  }
  if (open) rows.requests.push(requestOf(past, open, { state: 'Pending', decisions: [], at: null }));
  for (const { quote: was, lines } of past.sent)
    rows.backups.push({
      quote_id: quote.id,
      revision: was.revision,
      quote: was,
      items: lines,
      saved_at: was.updated_at,
    });
}

type Who = { id: number | null; name: string };

function whoTook(context: QuoteContext, { now: { quote }, byCustomer }: Past, step: Step): Who {
  if (byCustomer && (step.action === 'MarkWon' || step.action === 'MarkLost'))
    return { id: null, name: customerActor(quote.contact_name) };
  const id =
    step.by === 'rep'
      ? quote.sales_rep_id
      : step.by === 'admin'
        ? (context.world.places.users.get('salesadmin') ?? null)
        : (quote.assignee_id ?? quote.is_rep_id);
  return { id, name: context.people.get(id ?? 0)?.full_name ?? 'Quoteboard' };
}

function eventRow({ now: { quote } }: Past, step: Step, who: Who, more: { comment?: string; changes?: FieldChange[] }) {
  return {
    quote_id: quote.id,
    at: step.at,
    user_id: who.id,
    actor: who.name,
    action: step.action,
    from_status: step.from,
    to_status: step.to,
    revision: step.revision,
    comment: more.comment ?? step.comment ?? '',
    changes: more.changes ?? [],
  };
}

function eventOf(context: QuoteContext, past: Past, step: Step, request: string) {
  const { quote } = past.now;
  const who = whoTook(context, past, step);
  if (step.action === 'Edit') return eventRow(past, step, who, { changes: editChanges(past, step) });
  if (step.action === 'RequestApproval') return eventRow(past, step, who, { comment: request });
  if (step.action === 'Revise') {
    const changes = [{ field: 'Revision', before: String(step.revision - 1), after: String(step.revision) }];
    return eventRow(past, step, who, { changes });
  }
  if (step.action !== 'MarkLost') return eventRow(past, step, who, {});
  const price = quote.lost_competitor_price;
  const comment =
    quote.lost_reason === 'other' ? 'Other: The department closes.' : LOST_REASONS[quote.lost_reason as LostReason];
  return eventRow(past, step, who, {
    comment,
    changes: [
      ...(quote.lost_competitor ? [{ field: 'Competitor', before: '', after: quote.lost_competitor }] : []),
      ...(price === null
        ? []
        : [{ field: 'Competitor’s price', before: '', after: formatAmount(price, quote.currn_idx) }]),
    ],
  });
}

/**
 * The total before and after. The first edit starts the quote, the second completes the first revision, and the last one of a revision changes it.
 */
function editChanges(past: Past, step: Step): FieldChange[] {
  const { story, begun } = past;
  const words = (amount: number) => formatAmount(amount, begun.quote.currn_idx);
  const totalAfter = (at: Step) => (at.has === 'begun' ? begun : versionOf(past, at.revision)).quote.total_amount;
  const before = story.slice(0, story.indexOf(step)).findLast(({ action }) => action === 'Edit');
  const [was, is] = [before ? totalAfter(before) : 0, totalAfter(step)];
  if (was !== is) return [{ field: 'Total', before: words(was), after: words(is) }];
  const { customer_message: message, contact_name: contact } = begun.quote;
  return [{ field: message ? 'Message to the customer' : 'Contact', before: '', after: message || contact }];
}

function versionOf({ now, sent }: Past, revision: number): Version {
  return sent.find(({ quote }) => quote.revision === revision) ?? now;
}

type AskedFor = { step: Step; asked: string; answer: string };

/** Each of the approvers decides all rules of their role. The last decision approves the quote. */
function approve(rows: Rows, context: QuoteContext, past: Past, request: AskedFor, step: Step): void {
  const byRole = Map.groupBy(past.judgement.fired, ({ role }) => role);
  const [from, until] = [Date.parse(request.step.at), Date.parse(step.at)];
  const decisions: Decision[] = [];
  const deciders = [...byRole.values()];
  for (const [index, rules] of deciders.entries()) {
    const isLast = index === deciders.length - 1;
    const at = new Date(from + ((until - from) * (index + 1)) / deciders.length).toISOString();
    const who = approverOf(context, past, rules);
    decisions.push(...rules.map((rule) => decisionOf(rule, 'Approved', who, at, request.answer)));
    rows.events.push(
      eventRow(past, { ...step, at, to: isLast ? step.to : 'Processing' }, who, {
        comment: request.answer,
        changes: rules.map(({ name }) => ({ field: name, before: 'Pending', after: 'Approved' })),
      }),
    );
  }
  rows.requests.push(requestOf(past, request, { state: 'Approved', decisions, at: step.at }));
}

function reject(rows: Rows, context: QuoteContext, past: Past, request: AskedFor, step: Step): void {
  const rules = past.judgement.fired.slice(0, 1);
  const who = approverOf(context, past, rules);
  const comment = step.comment ?? '';
  rows.events.push(
    eventRow(past, step, who, {
      changes: rules.map(({ name }) => ({ field: name, before: 'Pending', after: 'Rejected' })),
    }),
  );
  const decisions = rules.map((rule) => decisionOf(rule, 'Rejected', who, step.at, comment));
  rows.requests.push(requestOf(past, { ...request, answer: comment }, { state: 'Rejected', decisions, at: step.at }));
}

function approverOf({ world, people }: QuoteContext, { now: { quote } }: Past, rules: readonly FiredRule[]): Who {
  const { users, managers } = world.places;
  const role = rules[0]?.role;
  const id =
    role === 'contractdept'
      ? users.get('contracts')
      : role === 'salesQuoteManager'
        ? managers.get(quote.region_id ?? 0)
        : users.get('salesadmin');
  return { id: id ?? null, name: people.get(id ?? 0)?.full_name ?? '' };
}

function decisionOf(rule: FiredRule, state: Decision['state'], who: Who, at: string, comment: string): Decision {
  return { ruleId: rule.ruleId, state, by: who.id ?? 0, name: who.name, forId: null, forName: null, at, comment };
}

function requestOf(
  { now: { quote, lines }, judgement }: Past,
  { step, asked, answer }: AskedFor,
  { state, decisions, at }: { state: string; decisions: Decision[]; at: string | null },
) {
  return {
    quote_id: quote.id,
    revision: quote.revision,
    state,
    requested_by: quote.assignee_id ?? quote.is_rep_id,
    requested_at: step.at,
    decided_by: decisions.at(-1)?.by ?? null,
    decided_at: at,
    comment: at === null ? asked : answer,
    content_hash: contentHash(quote, lines),
    rules: judgement.fired,
    figures: judgement.figures,
    decisions,
  };
}

function revisionOf(context: QuoteContext, past: Past, step: Step) {
  const { quote, lines } = versionOf(past, step.revision);
  const seller = context.people.get(quote.sales_rep_id ?? 0);
  if (!seller) throw new Error('a quote of the demo has a sales rep');
  const sent = { ...quote, revision: step.revision };
  const after = past.story.slice(past.story.indexOf(step) + 1);
  const superseded = after.find(({ action }) => action === 'Revise')?.at ?? null;
  const decided = superseded === null ? after.at(-1) : undefined;
  const won = decided?.action === 'MarkWon' ? decided.at : null;
  return {
    quote_id: quote.id,
    revision: step.revision,
    doc_id: randomBytes(16).toString('base64url'),
    document: documentOf({ company: context.company, terms: context.terms, seller }, sent, lines),
    content_hash: contentHash(sent, lines),
    valid_until: quote.valid_until,
    total_amount: quote.total_amount,
    sent_at: step.at,
    sent_by: quote.assignee_id ?? quote.is_rep_id,
    superseded_at: superseded,
    accepted_at: won,
    declined_at: decided?.action === 'MarkLost' && past.byCustomer ? decided.at : null,
    acceptance:
      won !== null && past.byCustomer
        ? { name: quote.contact_name, title: 'Buyer', poNumber: quote.po_number, at: won }
        : null,
  };
}
