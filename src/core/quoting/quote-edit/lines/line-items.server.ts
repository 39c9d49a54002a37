// Saves typed lines: input rules, manual prices, saving one line, applying a promotion.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import { allowedActions } from '#core/quoting/quote-workflow/workflow.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import { blankLine, type Line, MAX_QUOTE_LINES, type QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { AmountOutOfRange, compare, type Decimal, MOST, type PricePlaces } from '#platform/shared/money.ts';
import type { QuoteItemInput } from './quote-item.ts';
import type { QuoteEdit, QuoteEditData, SavedQuoteItem } from '../quote-edit.contract.ts';
import {
  closeEdit,
  type Edit,
  type Edited,
  openEdit,
  repriceLine,
  requireRight,
  staleError,
  reserveIds,
  editableCopy,
} from '../settle/edit-quote.server.ts';
import { loadMissingItems, loadMissingPrices } from '../settle/known-items.server.ts';
import { isManual } from '../settle/settle-quote.server.ts';
import { approvalsOf, readQuote, viewOf } from '../view/load-quote.server.ts';
import { type ReadContext, viewLines, viewTotals } from '../view/quote-view.server.ts';
import { applyConfigured, lockedParts } from './configured-line.server.ts';
import { placeLines } from './line-order.server.ts';
import { rememberLines } from './line-cache.server.ts';
import { readProofs } from './quote-lines.server.ts';
import { convertTyped, keptTypedAs, sameTypedAs } from './typed-as.server.ts';

const REQUIRED = 'This field is required';
const DEFAULT_UNIT = 'EA';

/**
 * Applies typed lines to the draft: new ones (id 0) at the end or at their `lineNo`, changed ones, removed ones. Returns the ids in the given order.
 * Throws 409 for a stale version, and 422 for what a quote cannot contain.
 */
export async function applyLines(
  edit: Edit,
  values: readonly QuoteItemInput[],
  pathOf: (index: number) => string,
): Promise<number[]> {
  const { context, draft } = edit;
  requireOwnKeys(values, pathOf);
  const byKey = new Map(draft.lines.map((line) => [line.client_key, line]));
  const inputs = values.map((input) => sentBefore(byKey, input));
  const byId = new Map(draft.lines.map((line) => [line.id, line]));
  for (const input of inputs) {
    if (input.id === 0) continue;
    const line = byId.get(input.id);
    if (!line && input.remove) continue;
    if (!line || input.version !== line.version) {
      throw await staleError(edit, { line: input.id });
    }
  }
  const newLines = inputs.filter((input) => input.id === 0 && !input.remove);
  await loadMissingPrices(
    context.db,
    draft,
    newLines.map((input) => input.itemId),
  );
  await loadMissingItems(context.db, draft.items, [
    ...inputs.map((input) => input.itemId),
    ...inputs.map((input) => (input.unit === undefined && !input.typedAs ? null : byId.get(input.id)?.item_id)),
  ]);
  const returning = await promotionsTakenOff(edit, newLines);
  const ours = await ownNumbers(edit, newLines);
  const newIds = await reserveIds(edit, newLines.length);
  if (draft.lines.length + newLines.length > MAX_QUOTE_LINES) {
    throw new HttpError(422, `A quote has at most ${MAX_QUOTE_LINES.toLocaleString('en-US')} lines.`);
  }

  const errors: FieldError[] = [];
  const places = new Map<number, number>();
  const removed = new Set<number>();
  let overwritten: number | undefined;
  const ids = inputs.map((input, index) => {
    const path = pathOf(index);
    const known = byId.get(input.id);
    if (input.remove) {
      if (known?.type === 'free') errors.push({ path: `${path}id`, message: freeLineMessage });
      else if (known) {
        requireRight(edit, 'commercial');
        removed.add(known.id);
      }
      return input.id;
    }
    let line = known && editableCopy(edit, known);
    if (line) byId.set(line.id, line);
    if (!line) {
      requireRight(edit, 'commercial');
      line = { ...blankLine(newIds.shift() ?? 0, draft.quote.id, newType(input)), client_key: input.clientKey ?? null };
      draft.lines.push(line);
      repriceLine(edit, line.id);
    }
    edit.paths.set(line.id, path);
    const own = known || !mayMeanItem(input) ? undefined : ours.get(input.itemNumber?.toLowerCase() ?? '');
    if (own) {
      const message = `${own} is an existing item. Send its itemId, or the type 'custom' for a custom item.`;
      errors.push({ path: `${path}itemId`, message });
    }
    errors.push(...applyLine(edit, line, input, !known).map((error) => ({ ...error, path: `${path}${error.path}` })));
    // A repeated request may set a line only while the line is unchanged since it was added. This line has been edited since.
    if (known && input.isSentAgain && known.version > 1 && differ(known, line)) overwritten = known.id;
    if (!known && returning.has(`${line.item_id} ${input.promotionId}`)) line.promotion_id = input.promotionId ?? null;
    if (input.lineNo && input.lineNo !== line.line_no) {
      if (known) requireRight(edit, 'commercial');
      places.set(line.id, input.lineNo);
    }
    return line.id;
  });
  if (errors.length > 0) throw invalid(errors);
  if (overwritten !== undefined) throw await staleError(edit, { line: overwritten });
  draft.lines = placeLines(
    draft.lines.filter((line) => !removed.has(line.id) && (line.parent_id === null || !removed.has(line.parent_id))),
    places,
  );
  return ids;
}

/**
 * The 'item promotion' pairs of lines removed from this quote, read only when a new line names a promotion. Undoing a removal restores the promotion,
 * regardless of who applied it. Only users with the right to apply promotions may apply any other one.
 */
async function promotionsTakenOff({ context, draft }: Edit, newLines: readonly QuoteItemInput[]): Promise<Set<string>> {
  if (!newLines.some(({ promotionId }) => promotionId)) return new Set();
  const { rows } = await sql<{ pair: string }>`
    select distinct concat(c -> 'promotion' ->> 'itemId', ' ', p.id) as pair
      from quote_event e cross join jsonb_array_elements(e.changes) c
      join promotion p on p.id = (c -> 'promotion' ->> 'promotionId')::int
     where e.quote_id = ${draft.quote.id}::int and c ? 'promotion'`.execute(context.db);
  return new Set(rows.map(({ pair }) => pair));
}

/** Returns whether a new line has a number but does not specify whether it is a custom item or one of ours. */
const mayMeanItem = ({ type, itemId, itemNumber }: QuoteItemInput): boolean =>
  type === undefined && !itemId && Boolean(itemNumber);

/** Our item numbers among these lines, keyed by lower case. */
async function ownNumbers({ context }: Edit, newLines: readonly QuoteItemInput[]): Promise<Map<string, string>> {
  const numbers = newLines.filter(mayMeanItem).map(({ itemNumber = '' }) => itemNumber.toLowerCase());
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: string }>`
    select item_number as number from item where lower(item_number) = any(${numbers})`.execute(context.db);
  return new Map(rows.map(({ number }) => [number.toLowerCase(), number]));
}

/** Rejects the same key on two new lines, because a repeated call would find only one of them. */
function requireOwnKeys(input: readonly QuoteItemInput[], pathOf: (index: number) => string): void {
  const keys = new Set<string>();
  const errors = input.flatMap(({ id = 0, clientKey }, index) => {
    if (id !== 0 || !clientKey) return [];
    if (keys.has(clientKey)) {
      return [{ path: `${pathOf(index)}clientKey`, message: `Another line in this request has the key ${clientKey}.` }];
    }
    keys.add(clientKey);
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/** Treats a new line that is already stored as an edit of that line. This happens when the first response was lost. */
function sentBefore(byKey: ReadonlyMap<string | null, Line>, input: QuoteItemInput) {
  const { id = 0, clientKey } = input;
  const stored = id === 0 && clientKey ? byKey.get(clientKey) : undefined;
  if (!stored) return { ...input, id, isSentAgain: false };
  return { ...input, id: stored.id, version: stored.version, isSentAgain: true };
}

const differ = (before: Line, after: Line): boolean =>
  (Object.keys(after) as (keyof Line)[]).some((name) => after[name] !== before[name]);

const freeLineMessage = 'A free line comes from its promotion and cannot be edited.';

function newType(input: QuoteItemInput): Line['type'] {
  if (input.type === 'section' || input.type === 'note') return input.type;
  return input.itemId ? 'item' : 'custom';
}

/** Applies typed values to one line. Returns errors by field. */
function applyLine(edit: Edit, line: Line, input: QuoteItemInput, isNew: boolean): FieldError[] {
  if (line.type === 'free') return freeLineTouched(line, input) ? [{ path: 'id', message: freeLineMessage }] : [];
  if (input.type === 'free') return [{ path: 'type', message: freeLineMessage }];
  if (input.notes !== undefined && input.notes !== line.notes) {
    if (!isNew) requireRight(edit, 'notes');
    line.notes = input.notes;
  }
  const before: Line = { ...line };
  const plain = line.type === 'section' || line.type === 'note';
  const errors = plain
    ? applyText(line, input)
    : [...applyWhat(edit, line, input, isNew), ...applyQuantity(line, input)];
  const isSame = applyConfigured(line, input.configured);
  if (!plain) errors.push(...lockedParts(line, isNew || !isSame ? null : before));
  line.active = input.active ?? line.active;
  if (!plain) line.customer_item_number = input.customerItemNumber ?? line.customer_item_number;
  line.optional = input.optional ?? line.optional;
  if (!plain) errors.push(...customDiscount(line, input, before));
  const isTyped = !plain && errors.length === 0 && applyPrice(line, input, before);
  if (!plain && errors.length === 0 && input.typedAs) {
    const units = edit.draft.items.get(line.item_id ?? 0)?.units ?? [];
    const typedAs = keptTypedAs(line, input.typedAs, units, edit.draft.places);
    if (typedAs && !sameTypedAs(line.typed_as, typedAs)) line.typed_as = typedAs;
  }
  if (isTyped) {
    edit.typedBy.set(line.id, edit.context.user.fullName);
    const saidBoth = line.manual_price !== null && typesPct(input, before);
    if (saidBoth) edit.typedPct.set(line.id, input.discountPct ?? 0);
  }
  if (!isNew && differ(before, line)) {
    requireRight(edit, 'commercial');
    repriceLine(edit, line.id);
  }
  return errors;
}

/** A caller may send back a free line unchanged. */
function freeLineTouched(line: Line, input: QuoteItemInput): boolean {
  const same = <T>(input: T | undefined, stored: T) => input === undefined || input === stored;
  return !(
    same(input.itemId ?? line.item_id, line.item_id) &&
    same(input.qty, line.qty) &&
    same(input.unit, line.unit) &&
    same(input.description, line.description) &&
    same(input.active, line.active) &&
    same(input.optional, line.optional) &&
    same(input.unitPrice ?? line.unit_price, line.unit_price)
  );
}

function applyText(line: Line, input: QuoteItemInput): FieldError[] {
  if (input.type !== undefined && input.type !== line.type) {
    return [{ path: 'type', message: 'A section or note cannot become an item.' }];
  }
  line.description = input.description ?? line.description;
  return line.description === '' ? [{ path: 'description', message: REQUIRED }] : [];
}

/** Sets the item, or the text of a custom item. */
function applyWhat(edit: Edit, line: Line, input: QuoteItemInput, isNew: boolean): FieldError[] {
  if (input.type === 'section' || input.type === 'note') {
    return [{ path: 'type', message: 'An item cannot become a section or note.' }];
  }
  const itemId = input.itemId === undefined ? line.item_id : input.itemId;
  if (itemId === null) {
    if (line.type === 'item' || (isNew && input.type === 'item')) {
      // The panel's checkbox makes a line custom. A new line of type 'item' without an item is incomplete.
      if (isNew) return [{ path: 'itemNumber', message: 'Pick an item.' }];
      line.type = 'custom';
      line.item_id = null;
      line.promotion_id = null;
      typePrice(line, line.unit_price, null, null);
    }
    line.item_number = input.itemNumber ?? line.item_number;
    line.description = input.description ?? line.description;
    line.unit = input.unit ?? (line.unit || DEFAULT_UNIT);
    return [
      ...(line.item_number === '' ? [{ path: 'itemNumber', message: REQUIRED }] : []),
      ...(line.description === '' ? [{ path: 'description', message: REQUIRED }] : []),
    ];
  }
  const facts = edit.draft.items.get(itemId);
  if (itemId !== line.item_id) {
    if (!facts) return [{ path: 'itemId', message: 'This item does not exist.' }];
    const problem = notOffered(facts);
    if (problem) return [{ path: 'itemId', message: problem }];
    line.type = 'item';
    line.item_id = itemId;
    line.item_number = facts.item_number;
    line.description = facts.description;
    line.promotion_id = null;
    line.price_reason = '';
    typePrice(line, null, null, null);
    if (input.unit === undefined && !facts.units.some(({ unit }) => unit === line.unit)) line.unit = facts.base_unit;
  }
  if (input.description) line.description = input.description;
  return [...otherNumber(line, input, facts), ...applyUnit(line, input.unit, facts, edit.draft.places)];
}

/** Rejects an item number that belongs to another item than the id. A line keeps the number that its item had when it was added. */
function otherNumber({ item_number: own }: Line, { itemNumber }: QuoteItemInput, facts?: ItemFacts): FieldError[] {
  const isOwn = [own, facts?.item_number].some((number) => number?.toLowerCase() === itemNumber?.toLowerCase());
  if (!itemNumber || isOwn) return [];
  return [
    { path: 'itemNumber', message: `The item of this line is ${own}. Send the itemId of ${itemNumber} to change it.` },
  ];
}

/** Returns why an item cannot be added to a quote. Empty when it can. */
export function notOffered(facts: Pick<ItemFacts, 'item_number' | 'status' | 'visible'>): string {
  if (facts.status === 'Discontinued') return `${facts.item_number} is discontinued and cannot be added.`;
  if (!facts.visible) return `${facts.item_number} is not offered in quotes.`;
  return '';
}

/** Returns a sentence about why a line of this item in this unit cannot be added to a quote. Empty when it can. */
export function notAddable(facts: ItemFacts | undefined, unit: string): string {
  if (!facts) return 'This item does not exist.';
  const units = facts.units.map((entry) => entry.unit);
  const isSold = units.some((candidate) => candidate.toLowerCase() === unit.toLowerCase());
  if (notOffered(facts) || isSold) return notOffered(facts);
  return `${facts.item_number} is not sold by ${unit}. Its units: ${units.join(', ')}.`;
}

/** Changes the unit, and converts a typed price by the item's factors. */
function applyUnit(
  line: Line,
  typed: string | undefined,
  facts: ItemFacts | undefined,
  places: PricePlaces,
): FieldError[] {
  if (typed === undefined || typed === line.unit || !facts) return [];
  const wanted = typed === '' ? facts.base_unit : typed;
  const next = facts.units.find(({ unit }) => unit.toLowerCase() === wanted.toLowerCase());
  if (!next) {
    const units = facts.units.map(({ unit }) => unit).join(', ');
    return [{ path: 'unit', message: `${facts.item_number} is not sold by ${typed}. Its units: ${units}.` }];
  }
  if (line.unit !== '' && next.unit !== line.unit) {
    try {
      Object.assign(line, convertTyped(line, next.unit, facts.units, places));
    } catch (error) {
      if (!(error instanceof AmountOutOfRange)) throw error;
      const most = MOST.toLocaleString('en-US');
      return [{ path: 'unit', message: `The typed price per ${next.unit} would be more than ${most}.` }];
    }
  }
  line.unit = next.unit;
  return [];
}

function applyQuantity(line: Line, input: QuoteItemInput): FieldError[] {
  line.qty = input.qty ?? line.qty;
  if (line.qty > 0) return [];
  return [{ path: 'qty', message: input.qty === undefined ? REQUIRED : 'The quantity must be above 0' }];
}

/** Returns whether the input types a percentage: one that differs from the stored one. */
function typesPct({ discountPct }: QuoteItemInput, before: Line): boolean {
  return discountPct !== undefined && compare(discountPct, before.discount_pct) !== 0;
}

/** A custom item has only the price that the user types. */
function customDiscount(line: Line, input: QuoteItemInput, before: Line): FieldError[] {
  if (line.type !== 'custom') return [];
  const path = typesPct(input, before) ? 'discountPct' : input.discountAmount ? 'discountAmount' : null;
  const message = 'A custom item has no price to discount. Send the price after the discount.';
  return path ? [{ path, message }] : [];
}

/**
 * Applies manual prices. A value that differs from the stored one is treated as typed. `unitPrice: null` and a discount of 0 restore the system
 * price. Returns whether the input set a price, percentage or amount.
 */
function applyPrice(line: Line, input: QuoteItemInput, before: Line): boolean {
  const set = (price: Decimal | null, pct: Decimal | null, off: Decimal | null) => typePrice(line, price, pct, off);
  const { unitPrice, discountPct, discountAmount } = input;
  let typed = true;
  if (unitPrice === null) set(null, null, null);
  else if (unitPrice !== undefined && (before.unit_price === null || compare(unitPrice, before.unit_price) !== 0)) {
    set(unitPrice, null, null);
  } else if (line.type !== 'item') typed = false;
  else if (discountAmount !== undefined) set(null, null, discountAmount > 0 ? discountAmount : null);
  else if (typesPct(input, before) && discountPct !== undefined) {
    set(null, discountPct === 0 ? null : discountPct, null);
  } else typed = false;
  if (!isManual(line)) line.price_reason = '';
  else line.price_reason = input.priceReason ?? line.price_reason;
  return typed && isManual(line);
}

function typePrice(line: Line, price: Decimal | null, pct: Decimal | null, off: Decimal | null): void {
  line.manual_price = price;
  line.manual_discount_pct = pct;
  line.manual_discount_amount = off;
  line.typed_as = null;
}

type SaveQuoteItemInput = ParsedInputOf<typeof QuoteEdit.SaveQuoteItem>;

/** Saves one line (specification section 7): prices only that line and updates the totals. Also returns other lines that changed. */
export async function saveQuoteItem(context: ReadContext, input: SaveQuoteItemInput): Promise<SavedQuoteItem> {
  const { db, services, user } = context;
  const edit = await openEdit(context, input.quoteId, {
    newLines: input.id === 0 ? 1 : 0,
    itemIds: input.itemId ? [input.itemId] : [],
  });
  const was = edit.before.lines.find((line) => line.id === input.id);
  const [id = 0] = await applyLines(edit, [input], () => '');
  const edited = await closeEdit(edit, { action: 'Edit' });
  remember(edit, edited);
  const view = viewOf(user);
  const { changed, added, removed } = edited.changes;
  const line = edited.lines.find((candidate) => candidate.id === id) ?? was;
  if (!line) throw notFound('line');
  const others = [...added, ...changed].filter((candidate) => candidate.id !== line.id);
  const visible = [line, ...others];
  await readProofs(db, visible);
  const [item, ...changedItems] = await viewLines(context, edited.quote, visible, view, edited.items);
  if (!item) throw notFound('line');
  const state = await readQuoteState(db, services, user, edited.quote, edited.lines, edited);
  return {
    item,
    quote: {
      id: edited.quote.id,
      version: edited.quote.version,
      statusId: StatusId.parse(edited.quote.status_id),
      validUntil: edited.quote.valid_until,
      ...viewTotals(edited.quote, edited.lines, view),
    },
    promotions: item.promotions,
    changedItems,
    removedIds: removed.map((entry) => entry.id),
    allowedActions: allowedActions(state.facts),
    ...(await approvalsOf(context, state, view)),
    ...(await wholeIfNewer(context, edit, edited.quote, input.sinceVersion)),
  };
}

/** Remembers the lines for the next save of a line. No other code writes lines in this transaction. */
function remember({ context: { db, services }, known }: Edit, { quote, lines, changes }: Edited): void {
  afterCommit(db, () => rememberLines(services, quote.id, lines, { before: known, changes, writer: known.writer }));
}

/** Returns the whole quote if another user changed it since the caller's version, so that no stale line appears beside the new total. */
async function wholeIfNewer(
  context: ReadContext,
  { before }: Edit,
  quote: QuoteRecord,
  sinceVersion: number | undefined,
): Promise<{ whole?: QuoteEditData }> {
  const stored = before.quote.version;
  if (sinceVersion === undefined || sinceVersion >= stored) return {};
  return { whole: await readQuote(context, quote, viewOf(context.user), { after: sinceVersion, upTo: stored }) };
}

/** Applies a promotion to a line, or removes it (null). Only internal users may (design 4, step 5). Throws 422 when it has no effect on the line. */
export async function applyPromotion(
  context: ReadContext,
  input: ParsedInputOf<typeof QuoteEdit.ApplyPromotionToQuoteItem>,
): Promise<QuoteEditData> {
  const { db, user } = context;
  const owner = await db
    .selectFrom('quote_item')
    .innerJoin('quote', 'quote.id', 'quote_item.quote_id')
    .select('quote_id')
    .where('quote_item.id', '=', input.quoteItemId)
    .where(inSight(user))
    .executeTakeFirst();
  if (!owner) throw notFound('line');
  const edit = await openEdit(context, owner.quote_id);
  requireRight(edit, 'promotions');
  const line = edit.draft.lines.find(({ id }) => id === input.quoteItemId);
  if (!line || line.version !== input.version) throw await staleError(edit, { line: input.quoteItemId });
  const refuse = (message: string) => invalid([{ path: 'promotionId', message }]);
  if (line.type !== 'item' || line.item_id === null) throw refuse('A promotion can only be applied to an item.');
  if (input.promotionId !== null) {
    const { currn_idx: currnIdx, quote_date: date } = edit.draft.quote;
    const running = await promotionsFor(db, [line.item_id], { currnIdx, date });
    if (!running.get(line.item_id)?.some(({ id }) => id === input.promotionId)) {
      throw refuse('This promotion is not valid for this item on the quote date.');
    }
  }
  requireRight(edit, 'commercial');
  editableCopy(edit, line).promotion_id = input.promotionId;
  repriceLine(edit, line.id);
  const edited = await closeEdit(edit, { action: 'ApplyPromotion' });
  const settled = edited.lines.find(({ id }) => id === line.id);
  const step = settled?.price_proof?.find((candidate) => candidate.step === 'Promotion');
  if (input.promotionId !== null && step?.note.startsWith('Not applied')) throw refuse(`${step.note}.`);
  return readQuote(context, edited.quote, viewOf(user));
}
