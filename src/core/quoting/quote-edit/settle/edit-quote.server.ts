// Runs one edit of a quote from lock to event: opens it, changes it in memory, prices and totals it, checks its approval, writes it.
import { HttpError, invalid } from '#platform/api/http-error.ts';
import { notify } from '#platform/notifications/notify.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type ApprovalRecord, contentHash } from '#core/quoting/approvals/content-hash.server.ts';
import { judgeQuote } from '#core/quoting/approvals/load-rules.server.ts';
import { noWorse } from '#core/quoting/approvals/rules-that-fire.server.ts';
import { eventWords } from '#core/quoting/quotes/events/event-words.ts';
import {
  type Doing,
  type FieldChange,
  lastChangeOf,
  lastMoveOf,
  type StoredEvent,
} from '#core/quoting/quotes/events/events.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { refuseKeyThatMoves, requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { AmountOutOfRange, compare, currencyOf, type Decimal, MOST } from '#platform/shared/money.ts';
import type { Role } from '#platform/shared/roles.ts';
import { type LineChanges, lineChanges, newLineIds, readProofs } from '../lines/quote-lines.server.ts';
import { rightsOf, viewOf } from '../view/load-quote.server.ts';
import type { OpenQuote } from '../view/quote-facts.server.ts';
import { type ReadContext, viewLines, viewQuote } from '../view/quote-view.server.ts';
import {
  type Additions,
  type EditFacts,
  loadEditFacts,
  type NewQuoteKey,
  writeChanges,
  writeNewQuote,
} from './edit-facts.server.ts';
import { lineEvents, lineName, quoteEvents } from './edit-words.server.ts';
import { loadMissingPrices, rememberPrices } from './known-items.server.ts';
import type { EditRights } from './may-edit.server.ts';
import { type Draft, isManual, type ItemFactsById, linesToPrice, LineTooLarge, settle } from './settle-quote.server.ts';

export type Edit = {
  context: ReadContext;
  /** The stored state. */
  before: { quote: QuoteRecord; lines: readonly Line[] };
  /** The new state. */
  draft: Draft;
  /** The newest request of the revision, as it will be after the edit. */
  request: ApprovalRecord | undefined;
  known: EditFacts;
  rights: EditRights;
  /** Who moved the quote to a status in which it cannot be edited. */
  mover: Doing | undefined;
  /** Whether the edit changed anything that affects prices, totals or validity. */
  commercial: boolean;
  /** Lines that need a new price. */
  reprice: Set<number> | 'all';
  /** Lines whose price was set manually in this edit, with the name of the user who set it. */
  typedBy: Map<number, string>;
  /** The percentage that a caller sent together with a typed price. */
  typedPct: Map<number, Decimal>;
  /** The path of each line in the input, for errors: 'items.3.', or empty for a single line. */
  paths: Map<number, string>;
  /** The client's key for a new quote. */
  key: NewQuoteKey | null;
  /** The names of users that this edit has read, by id. */
  names: Map<number, string>;
  /** Other open quotes of the facility, read after the edit changes it. */
  openQuotes: OpenQuote[];
  /** Facilities that look the same as its facility and have their own prices. */
  alike: string[];
};

/** Locks the quote and reads everything that the edit is known to need. Throws 404 when the user cannot see it. */
export async function openEdit(
  context: ReadContext,
  quoteId: number,
  { newLines = 0, itemIds = [] }: Partial<Additions> = {},
): Promise<Edit> {
  const quote = await requireQuote(context.db, context.user, quoteId, { lock: true });
  // Reads after the lock, because a statement does not see what other transactions write while it waits for the lock.
  const { priced, ...known } = await loadEditFacts(context, quote, { newLines, itemIds });
  const edit = await beginEdit(context, quote, known);
  rememberPrices(edit.draft, priced);
  return edit;
}

/** Starts the edit of a quote that is either locked or new. */
export async function beginEdit(context: ReadContext, quote: QuoteRecord, known: EditFacts): Promise<Edit> {
  const { lines, request } = known;
  const rights = rightsOf(context.user, {
    quote,
    facts: { statusId: StatusId.parse(quote.status_id), pending: request?.state === 'Pending' },
  });
  return {
    context,
    before: { quote, lines },
    draft: {
      quote: { ...quote },
      lines: [...lines],
      items: new Map(),
      validityDays: known.validityDays,
      places: known.places,
    },
    request,
    known,
    rights,
    mover: rights.locked ? await lastMoveOf(context.db, quote.id) : undefined,
    commercial: false,
    reprice: new Set(),
    typedBy: new Map(),
    typedPct: new Map(),
    paths: new Map(),
    key: null,
    names: new Map([[context.user.id, context.user.fullName]]),
    openQuotes: [],
    alike: [],
  };
}

/**
 * Checks the right to a kind of change. Throws 409 when nobody has it in this status (the message names the status and who moved the quote), and 403
 * when only this user lacks it.
 */
export function requireRight(edit: Edit, kind: 'commercial' | 'notes' | 'promotions'): void {
  const { rights, mover } = edit;
  if (!rights[kind]) {
    const who = rights.locked && mover ? `${mover.actor} ${eventWords(mover)}. ` : '';
    throw new HttpError(
      rights.locked ? 409 : 403,
      `${who}${rights.reason || 'You do not have permission to do this.'}`,
    );
  }
  if (kind === 'commercial') edit.commercial = true;
}

/** Ids for added lines: first the ids read with the quote, then new ones. */
export async function reserveIds({ known, context }: Edit, count: number): Promise<number[]> {
  const ids = known.newIds.splice(0, count);
  return [...ids, ...(await newLineIds(context.db, count - ids.length))];
}

/** Copies a line of the draft for a change. Other lines remain the objects that were read and need not be compared or written. */
export function editableCopy({ draft }: Edit, line: Line): Line {
  const own = { ...line };
  draft.lines[draft.lines.indexOf(line)] = own;
  return own;
}

/** Marks a line for pricing. */
export function repriceLine(edit: Edit, id: number): void {
  if (edit.reprice !== 'all') edit.reprice.add(id);
}

/** A quote after an edit, with everything read for it. */
export type Edited = {
  quote: QuoteRecord;
  lines: Line[];
  changes: LineChanges;
  request: ApprovalRecord | undefined;
  rules: EditFacts['rules'];
  assigneeActive: boolean;
  items: ItemFactsById;
  /** The event of a new quote. */
  event?: StoredEvent;
  /** False when the edit changed nothing. */
  isWritten: boolean;
};

/**
 * Ends the edit: settles prices, totals, validity and the approval, and writes rows and one event. Writes nothing if nothing changed. Throws 422 for
 * a manual price without a reason, or a discount without a price.
 */
export async function closeEdit(
  edit: Edit,
  event: { action: string; to?: string; comment?: string; changes?: FieldChange[] },
): Promise<Edited> {
  const { context, before, draft } = edit;
  const { db, services, user } = context;
  if (edit.commercial) {
    await readForPricing(edit);
    settleOrRefuse(edit, edit.reprice);
    settleTyped(edit);
    await assignIds(edit);
  }
  const { lines, ...changes } = await lineChanges(db, before.lines, draft.lines);
  draft.lines = lines;
  const patch = quotePatch(before.quote, draft.quote);
  const count = changes.added.length + changes.changed.length + changes.removed.length;
  const { rules, assigneeActive } = edit.known;
  const edited = { lines: draft.lines, changes, rules, assigneeActive, items: draft.items };
  const isNew = before.quote.version === 0;
  if (!isNew) refuseKeyThatMoves(user, before.quote, draft.quote);
  if (!isNew && count === 0 && Object.keys(patch).length === 0) {
    return { ...edited, quote: before.quote, request: edit.request, isWritten: false };
  }
  const fate = await approvalFate(edit);
  if (fate === 'void' && before.quote.status_id === 'DiscountApproved') draft.quote.status_id = 'Processing';
  draft.quote.version = before.quote.version + 1;
  draft.quote.updated_at = services.clock.now().toISOString();
  const entry = {
    quoteId: draft.quote.id,
    userId: user.id,
    actor: user.fullName,
    action: event.action,
    // Only an event that moved the quote names statuses, so the last such event says who moved it.
    ...(event.to ? { to: event.to } : {}),
    ...(before.quote.status_id === draft.quote.status_id
      ? {}
      : { from: before.quote.status_id, to: draft.quote.status_id }),
    revision: draft.quote.revision,
    comment: event.comment ?? '',
    changes: event.changes ?? [
      ...(await quoteEvents(before.quote, draft.quote, (ids) => userNames(db, ids))),
      ...lineEvents(before.lines, draft.lines, changes, {
        before: before.quote.currn_idx,
        after: draft.quote.currn_idx,
      }),
      ...(fate === 'void' ? [{ field: 'Approval', before: 'Approved', after: 'Void' }] : []),
    ],
  };
  const ended = { ...edited, quote: draft.quote, request: edit.request, isWritten: true };
  const written = { lines: changes, event: entry };
  if (isNew) {
    const stored = await writeNewQuote(db, draft.quote, { ...written, key: edit.key });
    await tellAssigned(edit, isNew);
    return { ...ended, event: stored };
  }
  await writeChanges(db, draft.quote.id, { ...written, patch: quotePatch(before.quote, draft.quote) });
  await tellAssigned(edit, isNew);
  return ended;
}

/** Notifies the users to whom the edit assigned the quote. For a new quote, only the sales representative: the others see it in their queue. */
async function tellAssigned({ context, before, draft }: Edit, isNew: boolean): Promise<void> {
  const { db, services, user, isOneOfMany = false } = context;
  const parts = isNew ? (['sales_rep_id'] as const) : (['sales_rep_id', 'cs_rep_id', 'is_rep_id'] as const);
  const newlyAssigned = parts.filter(
    (part) => draft.quote[part] !== before.quote[part] && draft.quote[part] !== user.id,
  );
  if (newlyAssigned.length === 0) return;
  const by = { id: user.id, name: user.fullName };
  const concerns = newlyAssigned.map((part) => ({ userId: draft.quote[part], quoteId: draft.quote.id }));
  // No approval can have been requested for a quote that did not exist.
  const known = isNew ? { quote: { ...draft.quote, wasAsked: false } } : {};
  await notify(db, services, { kind: 'assigned', by, isOneOfMany, ...known }, concerns);
}

/** Reads what pricing still needs: the prices of the items, and who typed the prices that stay. */
async function readForPricing({ context: { db }, draft, reprice, typedBy }: Edit): Promise<void> {
  const lines = linesToPrice(draft.lines, reprice);
  const items = lines.filter(({ type }) => type === 'item');
  await loadMissingPrices(
    db,
    draft,
    items.map((line) => line.item_id),
  );
  await readProofs(
    db,
    lines.filter((line) => isManual(line) && !typedBy.has(line.id) && line.price_proof === null),
  );
}

/** Assigns ids to new free lines, for storing them. */
async function assignIds(edit: Edit): Promise<void> {
  const { draft } = edit;
  const count = draft.lines.filter(({ id }) => id < 0).length;
  if (count === 0) return;
  const ids = await reserveIds(edit, count);
  draft.lines = draft.lines.map((line) => (line.id < 0 ? { ...line, id: ids.shift() ?? 0 } : line));
}

/** Prices the lines and totals them. Throws 422 for the field whose amount is too large to store. */
export function settleOrRefuse({ draft, typedBy, paths }: Edit, reprice: Edit['reprice']): void {
  try {
    const { quote, lines } = settle(draft, reprice, typedBy);
    draft.quote = quote;
    draft.lines = lines;
  } catch (error) {
    if (!(error instanceof AmountOutOfRange)) throw error;
    const limit = MOST.toLocaleString('en-US');
    if (!(error instanceof LineTooLarge)) {
      throw invalid([{ path: 'totalAmount', message: `The total of a quote is at most ${limit}.` }]);
    }
    const { line } = error;
    const path = paths.get(line.id);
    const message = `The amount of a line is at most ${limit}. Lower the price or the quantity.`;
    if (path === undefined) throw invalid([{ path: 'items', message: `${lineName(line)}: ${message}` }]);
    throw invalid([{ path: `${path}${isManual(line) ? 'unitPrice' : 'qty'}`, message }]);
  }
}

/** Drops a typed price that equals the system price. A manual price needs a reason, and a discount needs a price to reduce. */
function settleTyped(edit: Edit): void {
  const typed = edit.draft.lines.filter((line) => edit.typedBy.has(line.id) && line.type === 'item');
  const same = typed.filter(
    (line) =>
      // Another unit's price may equal the system price only by rounding.
      line.typed_as === null &&
      line.manual_price !== null &&
      line.system_price !== null &&
      compare(line.manual_price, line.system_price) === 0,
  );
  const untyped = new Set(same.map((line) => line.id));
  edit.draft.lines = edit.draft.lines.map((line) =>
    untyped.has(line.id) ? { ...line, manual_price: null, price_reason: '' } : line,
  );
  const errors = edit.draft.lines.flatMap((line) => {
    if (!edit.typedBy.has(line.id) || line.type !== 'item') return [];
    const path = edit.paths.get(line.id) ?? '';
    const at = (field: string, message: string) => [{ path: `${path}${field}`, message }];
    const saidPct = edit.typedPct.get(line.id);
    if (saidPct !== undefined && Math.abs(saidPct - line.discount_pct) > 0.01) {
      // The correct discount would reveal our price.
      if (edit.context.user.mayOnlyWrite)
        return at('discountPct', 'The price and the discount do not match. Send only one of them.');
      const is = `This price is a discount of ${line.discount_pct}%, not of ${saidPct}%`;
      return at('discountPct', `${is}. Send the price or the discount.`);
    }
    const byDiscount = line.manual_discount_pct !== null || line.manual_discount_amount !== null;
    if (byDiscount && line.system_price === null) {
      return at('discountPct', 'There is no system price to discount. Enter a price.');
    }
    if (line.manual_discount_amount !== null && compare(line.manual_discount_amount, line.system_price ?? 0) > 0) {
      return at('discountAmount', 'The discount is higher than the price.');
    }
    if ((byDiscount || line.manual_price !== null) && line.price_reason === '') {
      return at('priceReason', 'Enter a reason for the price.');
    }
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
  if (untyped.size > 0) settleOrRefuse(edit, untyped);
}

/**
 * Decides whether an approval remains valid (design 2, docs/decisions/0019). It stays if the content is unchanged. It carries over to the new content
 * if every tested figure is equal or better for the seller. Any other edit voids it.
 */
async function approvalFate(edit: Edit): Promise<'none' | 'kept' | 'void'> {
  const { request, before, draft, context } = edit;
  if (request?.state !== 'Approved') return 'none';
  const hash = contentHash(draft.quote, draft.lines);
  if (hash === contentHash(before.quote, before.lines)) return 'none';
  const { db } = context;
  const { rules } = edit.known;
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', request.requested_by).execute();
  const query = roles.map(({ role }) => role as Role);
  const { figures } = await judgeQuote(db, draft.quote, draft.lines, query, rules);
  const sameDeal =
    before.quote.facility_id === draft.quote.facility_id &&
    currencyOf(before.quote.currn_idx) === currencyOf(draft.quote.currn_idx) &&
    request.content_hash === contentHash(before.quote, before.lines);
  const isKept = sameDeal && noWorse(rules, request.figures, figures);
  const outcome = isKept ? { content_hash: hash } : { state: 'Void' };
  await db.updateTable('approval_request').set(outcome).where('id', '=', request.id).execute();
  edit.request = { ...request, ...outcome };
  return isKept ? 'kept' : 'void';
}

const NEVER_WRITTEN: readonly (keyof QuoteRecord)[] = ['id', 'num', 'name_id', 'created_at'];

function quotePatch(before: QuoteRecord, after: QuoteRecord): Partial<QuoteRecord> {
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      !NEVER_WRITTEN.includes(name as keyof QuoteRecord) && value !== before[name as keyof QuoteRecord],
  );
  return Object.fromEntries(changed);
}

async function isOnAnotherQuote(db: Db, lineId: number): Promise<boolean> {
  const line = await db.selectFrom('quote_item').select('id').where('id', '=', lineId).executeTakeFirst();
  return line !== undefined;
}

export async function userNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  const people = await db.selectFrom('app_user').select(['id', 'full_name']).where('id', 'in', ids).execute();
  return new Map(people.map((person) => [person.id, person.full_name]));
}

/**
 * The 409 error for a stale version: who changed what since, and the current record as this user may see it. Returns a 404 error for a line of
 * another quote.
 */
export async function staleError(edit: Edit, what: { line: number } | 'quote'): Promise<HttpError> {
  const { context, before } = edit;
  const view = viewOf(context.user);
  const line = what === 'quote' ? undefined : before.lines.find(({ id }) => id === what.line);
  if (what !== 'quote' && !line && (await isOnAnotherQuote(context.db, what.line)))
    return new HttpError(404, 'This line is not on the quote.');
  const last = await lastChangeOf(context.db, before.quote.id, line && lineName(line));
  if (line) await readProofs(context.db, [line]);
  const [item = null] = line ? await viewLines(context, before.quote, [line], view) : [];
  const { quote } = before;
  const people = [quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id, quote.owner_id, quote.assignee_id];
  const wholeQuote = async () => {
    const names = await userNames(
      context.db,
      people.filter((id) => id !== null),
    );
    return viewQuote(quote, before.lines, view, { names, expired: false, docId: null });
  };
  const changes = (last?.changes ?? []).filter((change) => view === 'internal' || !change.internal);
  const conflict = {
    changedBy: last?.actor ?? null,
    changedAt: last?.at ?? null,
    changes: changes.map(({ field, before: was, after }) => ({ field, before: was, after })),
    current: what === 'quote' ? await wholeQuote() : item,
  };
  const who = last?.actor ?? 'Somebody';
  const detail =
    what === 'quote'
      ? `${who} changed this quote in the meantime. Nothing was saved. Compare both values and save again.`
      : line
        ? `${who} changed line ${line.line_no} in the meantime. Nothing was saved. Compare both values and save again.`
        : `${who} removed this line from the quote in the meantime. Nothing was saved.`;
  return new HttpError(409, detail, { conflict });
}
