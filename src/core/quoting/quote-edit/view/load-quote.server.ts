// Loads everything that a board shows of a quote, for users with or without access to the internal figures.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { notFound } from '#platform/api/http-error.ts';
import { PLAIN, shownLook } from '#core/catalog/items/item-look.server.ts';
import { alikeText } from '#core/customers/facility-finder/match-account-number.server.ts';
import type { Approval, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { approvalOf } from '#core/quoting/approvals/approval-view.server.ts';
import { readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import type { KnownApprover } from '#core/quoting/approvals/whose-decision.ts';
import { judgeStored, rulesThatFire } from '#core/quoting/approvals/load-rules.server.ts';
import type { Rule } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { allowedActions, type WorkflowFacts } from '#core/quoting/quote-workflow/workflow.ts';
import { type QuoteState, buildQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import {
  eventsBetween,
  type PastEvent,
  type StoredEvent,
  shownEvents,
} from '#core/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { inSight, isOwnerSide, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { isExpired, OPEN_STATUSES, quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { compare } from '#platform/shared/money.ts';
import { hasRole, isInternal, type Role, seesInternalFigures } from '#platform/shared/roles.ts';
import type { QuoteEdit, QuoteEditData, QuoteFile } from '../quote-edit.contract.ts';
import { type EditRights, editRights } from '../settle/may-edit.server.ts';
import { priceEnds } from '../settle/settle-quote.server.ts';
import { EVENTS, eventsRead, FILES, filesRead, ITEMS_WAIT, type QuoteFacts, quoteFacts } from './quote-facts.server.ts';
import { type ReadContext, shownLines, type View, viewQuote } from './quote-view.server.ts';

/** The view that the server returns for this user's saves. */
export function viewOf(user: Pick<Viewer, 'roles'>): View {
  return seesInternalFigures(user) ? 'internal' : 'public';
}

/**
 * Loads a whole quote. Throws 404 when the user cannot see it. 'internal' requires a user who sees the internal figures. Others get the public view.
 */
export async function loadQuoteEditData(context: ReadContext, quoteId: number, view: View): Promise<QuoteEditData> {
  return boardOf(context, await quoteFacts(context, quoteId, false), view);
}

/**
 * Loads a quote that the user is known to see, as the response to a save. `others` are the versions between which another user may have changed it.
 */
export async function readQuote(
  context: ReadContext,
  quote: QuoteRecord,
  request: View,
  others?: Versions,
): Promise<QuoteEditData> {
  return boardOf(context, await quoteFacts(context, quote.id, true), request, others);
}

/** Versions of a quote: the one that the caller has, and the last one whose events the caller wants. */
type Versions = { after: number; upTo: number };

/**
 * Returns the whole quote if it is newer than `since`. Throws 404 when the user cannot see it. `internal` is the same as when the quote was opened.
 */
export async function loadQuoteChanges(
  context: ReadContext,
  { quoteId, since, internal }: ParsedInputOf<typeof QuoteEdit.GetQuoteChanges>,
): Promise<OutputOf<typeof QuoteEdit.GetQuoteChanges>> {
  const row = await context.db
    .selectFrom('quote')
    .select(['version', ITEMS_WAIT.as('itemsWait')])
    .where('id', '=', quoteId)
    .where(inSight(context.user))
    .executeTakeFirst();
  if (!row) throw notFound('quote');
  const { itemsWait } = row;
  if (row.version <= since) return { unchanged: true, version: row.version, itemsWait };
  const read = await quoteFacts(context, quoteId, false);
  const { version } = read.quote;
  const whole = boardOf(context, read, internal ? 'internal' : 'public', { after: since, upTo: version });
  return { unchanged: false, version, itemsWait, whole };
}

/** Converts the facts of a quote to what a board shows. */
export function boardOf(
  { services, user }: ReadContext,
  read: QuoteFacts,
  request: View,
  others?: Versions,
): QuoteEditData {
  const view = request === 'internal' ? viewOf(user) : 'public';
  const { quote, lines, people, items } = read;
  const classes = classesOf(items);
  const judgement = judgeStored(read.rules, quote, lines, classes, user.roles);
  const state = buildQuoteState(user, {
    quote,
    items: lines,
    request: read.request,
    judgement,
    rules: read.rules,
    assigneeThere: people.some(({ id, active }) => active && id === quote.assignee_id),
    expired: isExpired(quote, read.today),
  });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const { locked: _locked, ...editable } = rightsOf(user, state);
  return {
    quote: viewQuote(quote, lines, view, { names, expired: state.facts.expired, docId: docIdOf(read) }),
    items: shownLines(quote, lines, view, (id) => {
      const item = items.get(id);
      return {
        units: item?.units ?? [],
        promotions: item?.promotions ?? [],
        look: shownLook(services, user, item ?? PLAIN),
      };
    }),
    allowedActions: allowedActions(state.facts),
    editable,
    ...approvalsShown(
      state,
      { user, view },
      asksForApproval(user)
        ? judgement.fired
        : judgeStored(read.rules, quote, lines, classes, ASKS_INSIDE, judgement.figures).fired,
      read.approvers,
    ),
    provisional: read.provisional,
    files: read.files,
    events: activityOf(read.events, view),
    revisions: read.revisions,
    otherOpenQuotes: isOpen(quote)
      ? read.openQuotes.map(({ id, num, revision }) => ({ id, number: quoteNumber(num, revision) }))
      : [],
    warnings: isOpen(quote) ? warningsOf(read) : [],
    configurator: {
      waits: read.itemsWait,
      offers: read.offersModels,
      connected: services.config.configuratorUrl !== undefined,
    },
    ...(others
      ? { changedSince: activityOf(eventsBetween(read.events, { now: quote.version, ...others }), view) }
      : {}),
  };
}

function classesOf(items: QuoteFacts['items']): Map<number, number | null> {
  return new Map([...items].map(([id, { classId }]) => [id, classId]));
}

/** What this user may edit now. */
export function rightsOf(
  user: Viewer,
  { quote, facts }: { quote: QuoteRecord; facts: Pick<WorkflowFacts, 'statusId' | 'pending'> },
): EditRights {
  return editRights({
    statusId: facts.statusId,
    pending: facts.pending,
    user,
    ownerSide: isOwnerSide(user, quote),
    managesRegion:
      hasRole(user, 'salesQuoteManager') && quote.region_id !== null && user.regionIds.includes(quote.region_id),
  });
}

const ASKS_INSIDE: readonly Role[] = ['csrep', 'insiderep'];

/** Returns whether the user can request approval. Other users see the rules that would stop an inside representative. */
function asksForApproval(user: Pick<Viewer, 'roles'>): boolean {
  return isInternal(user) || hasRole(user, 'salesQuoteManager');
}

/** The rules that would fire on a quote that may not be stored yet, as this user may see them. */
export function approvalNeeded(
  user: Viewer,
  rules: readonly Rule[],
  quote: QuoteRecord,
  lines: readonly Line[],
  classes: ReadonlyMap<number, number | null>,
): FiredRule[] {
  const { fired } = judgeStored(rules, quote, lines, classes, asksForApproval(user) ? user.roles : ASKS_INSIDE);
  return viewOf(user) === 'internal' ? fired : fired.map(withoutFigures);
}

type ShownApprovals = { approval: Approval | null; approvalNeeded: FiredRule[] };

/**
 * The newest request and the rules that would fire. Users who cannot request approval get the rules that would stop an inside representative. Users
 * without access to the internal figures get neither margins nor floors.
 */
export async function approvalsOf(
  { db, services, user }: ReadContext,
  state: QuoteState,
  view: View,
): Promise<ShownApprovals> {
  const { quote, items, judgement, rules, request } = state;
  const asks = asksForApproval(user);
  return approvalsShown(
    state,
    { user, view },
    asks ? judgement.fired : await rulesThatFire(db, quote, items, ASKS_INSIDE, rules, judgement.figures),
    request?.state === 'Pending' ? await readApprovers(db, services) : [],
  );
}

function approvalsShown(
  { request, quote }: QuoteState,
  { user, view }: { user: Viewer; view: View },
  fired: FiredRule[],
  approvers: readonly KnownApprover[],
): ShownApprovals {
  const approval = request ? approvalOf(request, quote, approvers, user) : null;
  if (view === 'internal') return { approval, approvalNeeded: fired };
  return {
    approval: approval && { ...approval, rules: approval.rules.map(withoutFigures) },
    approvalNeeded: fired.map(withoutFigures),
  };
}

function withoutFigures<Shown extends FiredRule>(rule: Shown): Shown {
  if (rule.metric === 'marginPct') return { ...rule, figure: 0, limit: 0, text: 'Margin below its limit' };
  if (rule.metric === 'underFloor') return { ...rule, figure: 0, limit: 0 };
  return rule;
}

function docIdOf({ quote, revisions }: QuoteFacts): string | null {
  const own = revisions.find((revision) => revision.revision === quote.revision && revision.state !== 'Revoked');
  return own?.docId ?? null;
}

function activityOf(events: readonly StoredEvent[], view: View): PastEvent[] {
  return shownEvents(events, view === 'internal');
}

/** Returns the events and files of a quote. Throws 404 when the user cannot see it. `internal` is the same as when the quote was opened. */
export async function loadActivity(
  { db, user }: ReadContext,
  { quoteId, internal }: ParsedInputOf<typeof QuoteEdit.GetQuoteActivity>,
): Promise<{ version: number; events: PastEvent[]; files: QuoteFile[] }> {
  const row = await db
    .selectFrom('quote')
    .select(['version', EVENTS.$castTo<StoredEvent[]>().as('events'), FILES.$castTo<QuoteFile[]>().as('files')])
    .where('id', '=', quoteId)
    .where(inSight(user))
    .executeTakeFirst();
  if (!row) throw notFound('quote');
  return {
    version: row.version,
    events: activityOf(eventsRead(row.events), internal ? viewOf(user) : 'public'),
    files: filesRead(row.files),
  };
}

/** The field name of the dropped promotions in the event of a copy. */
export const PROMOTIONS_DROPPED = 'Promotions';
/** The field name of what a repriced copy reset, in its event. */
export const COPY_RESET = 'Not copied';
/** The field name of a kept tax that differs from the facility's, in the event of a copy. */
export const TAX_KEPT = 'Tax';

function isOpen(quote: QuoteRecord): boolean {
  return OPEN_STATUSES.includes(StatusId.parse(quote.status_id));
}

function warningsOf({ quote, lines, items, events, alike }: QuoteFacts): string[] {
  const warnings: string[] = [];
  if (alike.length > 0) warnings.push(alikeText(alike));
  const creation = events.findLast(({ action }) => action === 'Create');
  const dropped = creation?.changes.find(({ field }) => field === PROMOTIONS_DROPPED);
  if (dropped) {
    warnings.push(`Promotions were not copied: ${dropped.before}. Please ask an IS Rep to apply them.`);
  }
  const reset = creation?.changes.find(({ field }) => field === COPY_RESET);
  if (reset) warnings.push(`This copy was repriced. Reset: ${reset.before}.`);
  const taxKept = creation?.changes.find(({ field, after }) => field === TAX_KEPT && after === 'kept');
  if (taxKept)
    warnings.push(`This copy keeps the tax of its source, which differs from the facility's: ${taxKept.before}.`);
  const active = lines.filter((line) => line.active && line.type === 'item');
  const say = (which: readonly Line[], sentence: (names: string) => string) => {
    if (which.length > 0) warnings.push(sentence(lineNames(which)));
  };
  say(active.filter(contractAboveAccount), (names) => `The contract price is higher than the account price: ${names}.`);
  const facts = (line: Line) => (line.item_id === null ? undefined : items.get(line.item_id));
  say(
    active.filter((line) => facts(line)?.status === 'Discontinued'),
    (names) => `Discontinued: ${names}.`,
  );
  say(
    active.filter((line) => facts(line)?.status === 'Active' && !facts(line)?.visible),
    (names) => `No longer offered in quotes: ${names}.`,
  );
  if (priceEnds(lines) === quote.valid_until) {
    warnings.push(
      `Valid until ${formatDate(quote.valid_until)}, when the first price or promotion of this quote ends.`,
    );
  }
  return warnings;
}

/** True when the line uses a contract price above the account price in its proof. */
function contractAboveAccount(line: Line): boolean {
  if (line.contract_line_id === null || line.contract_price === null) return false;
  const account = line.price_proof?.find(({ step }) => step === 'Account')?.amount ?? null;
  return account !== null && compare(line.contract_price, account) > 0;
}

function lineNames(lines: readonly Line[]): string {
  const visible = lines.slice(0, 5).map((line) => `line ${line.line_no} (${line.item_number})`);
  return [...visible, ...(lines.length > 5 ? [`and ${lines.length - 5} more`] : [])].join(', ');
}
