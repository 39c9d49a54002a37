// Copies quotes and reprices lines.
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { compare } from '#platform/shared/money.ts';
import { byColumn, columnOf, QUOTE_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import { blankLine, type Line, type QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { storedValues, takenValues } from '../facility/facility-values.server.ts';
import { notOffered } from '../lines/line-items.server.ts';
import { loadLines } from '../lines/quote-lines.server.ts';
import type { QuoteEdit, QuoteEditData } from '../quote-edit.contract.ts';
import { changeFacility, created, isMade, newQuote, readMade, requireStillInSight } from '../save-quote.server.ts';
import {
  closeEdit,
  openEdit,
  repriceLine,
  requireRight,
  settleOrRefuse,
  staleError,
  reserveIds,
} from '../settle/edit-quote.server.ts';
import { otherTerms } from '../settle/edit-words.server.ts';
import { loadMissingPrices } from '../settle/known-items.server.ts';
import { isManual, type ItemFactsById } from '../settle/settle-quote.server.ts';
import { COPY_RESET, PROMOTIONS_DROPPED, readQuote, TAX_KEPT, viewOf } from '../view/load-quote.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';
import { repsToChooseFrom } from './blank-quote.server.ts';

/**
 * Makes a new quote, dated today, with the lines, facility, contact and messages of another. It copies no approvals, dates, files, references or
 * purchase orders. 'keep' keeps every price, as a typed price where today's differs, with the quote's discount, freight and tax, and records where
 * the tax differs from the facility's. 'reprice' uses today's prices and terms without discounts, and records what it reset. If the user may not
 * apply promotions, the copy has none, and this is recorded. Custom items keep their typed price. Lines of items no longer sold become inactive.
 */
export async function cloneQuote(
  context: ReadContext,
  { id, prices, clientKey }: ParsedInputOf<typeof QuoteEdit.CloneQuote>,
): Promise<QuoteEditData> {
  const { db, user } = context;
  const source = await requireQuote(db, user, id);
  const lines = await loadLines(db, id);
  const copied = lines.filter(({ type }) => type !== 'free');
  const edit = await newQuote(context, { clonedFrom: id, newLines: copied.length, clientKey, content: { id, prices } });
  if (isMade(edit)) return readMade(context, edit);
  const { draft } = edit;
  if (source.facility_id !== null) {
    const facility = await db
      .selectFrom('facility')
      .select('active')
      .where('id', '=', source.facility_id)
      .executeTakeFirst();
    if (facility?.active) await changeFacility(edit, source.facility_id);
  }
  const reps = repsToChooseFrom(user);
  if (draft.quote.sales_rep_id === null && (reps === null || reps.includes(source.sales_rep_id ?? 0))) {
    draft.quote.sales_rep_id = source.sales_rep_id;
  }
  Object.assign(draft.quote, {
    ...byColumn(
      QUOTE_TEXTS.filter((text) => 'copied' in text),
      (text) => source[columnOf(text)],
    ),
    currn_idx: source.currn_idx,
  });
  const terms = { ...draft.quote };
  if (prices === 'keep') {
    Object.assign(draft.quote, {
      discount_pct: source.discount_pct,
      discount_reason: source.discount_reason,
      freight_terms: source.freight_terms,
      freight_amount: source.freight_amount,
      tax_rate: source.tax_rate,
      tax_exempt: source.tax_exempt,
    });
  }
  keepTaken(draft.quote, source, prices);
  await loadMissingPrices(
    db,
    draft,
    lines.map((line) => line.item_id),
  );
  const ids = await reserveIds(edit, copied.length);
  const promotes = edit.rights.promotions;
  const dropped = promotes ? [] : copied.filter((line) => line.promotion_id !== null);
  draft.lines = copied.map((line, index) => {
    const copy = copyOf(line, ids[index] ?? 0, edit.draft, prices);
    return promotes ? copy : { ...copy, promotion_id: null };
  });
  edit.reprice = 'all';
  const comment = `From ${quoteNumber(source.num, source.revision)}`;
  if (prices === 'keep') {
    settleOrRefuse(edit, 'all');
    // Without its promotion, a line also loses the promotional price.
    const keeps = (line: Line) => promotes || line.price_source !== 'Promotion';
    const old = new Map(copied.map((line, index) => [ids[index] ?? 0, keeps(line) ? line.unit_price : null]));
    for (const line of draft.lines) {
      const price = old.get(line.id) ?? null;
      if (line.type !== 'item') continue;
      if (price === null) {
        if (!discountFits(line))
          Object.assign(line, { manual_discount_pct: null, manual_discount_amount: null, typed_as: null });
        continue;
      }
      if (line.unit_price !== null && compare(price, line.unit_price) === 0 && discountFits(line)) continue;
      // The price was typed, and its promotion or its amount off did not change it.
      if (line.manual_price === null || compare(line.manual_price, price) !== 0) line.typed_as = null;
      line.manual_price = price;
      line.manual_discount_pct = null;
      line.manual_discount_amount = null;
      line.price_reason = `Price kept. ${comment}`;
    }
  }
  for (const line of draft.lines) {
    if (line.manual_price !== null || line.manual_discount_pct !== null || line.manual_discount_amount !== null) {
      line.price_reason ||= comment;
      edit.typedBy.set(line.id, user.fullName);
    }
  }
  const event = created(edit, comment);
  const termChanges = prices === 'keep' ? keptTax(source, terms) : resetBy(source, draft.quote, copied);
  const changes = [
    ...(event.changes ?? []),
    ...termChanges,
    ...(dropped.length > 0 ? [promotionsDropped(dropped)] : []),
  ];
  const edited = await closeEdit(edit, { ...event, changes });
  await requireStillInSight(edit);
  return readQuote(context, edited.quote, viewOf(user));
}

/** Returns false for a typed discount without a price, or one larger than the price. A save rejects both, so a copy must not contain them. */
function discountFits(line: Line): boolean {
  const { system_price: price, manual_discount_pct: pct, manual_discount_amount: amount } = line;
  if (pct === null && amount === null) return true;
  return price !== null && compare(amount ?? 0, price) <= 0;
}

/**
 * Treats the values that a copy keeps as copied from the facility when its source copied them. The copy then shows what has changed at the facility
 * since.
 */
function keepTaken(copy: QuoteRecord, source: QuoteRecord, prices: 'keep' | 'reprice'): void {
  const now = storedValues(copy);
  if (now === null) return;
  const { contact, currency, tax, freightTerms } = takenValues(source, { values: now });
  copy.facility_values = { ...now, contact, currency, ...(prices === 'keep' ? { tax, freightTerms } : {}) };
}

/** The history's entry for a kept tax that is not the facility's. The board shows it as a warning. */
function keptTax(source: QuoteRecord, facility: QuoteRecord): FieldChange[] {
  const tax = ({ tax_rate, tax_exempt }: QuoteRecord) => ({ ...facility, tax_rate, tax_exempt });
  const others = otherTerms(tax(facility), tax(source));
  return others.length === 0 ? [] : [{ field: TAX_KEPT, before: others.join('; '), after: 'kept' }];
}

/** The history's entry for what a repriced copy does not keep: terms of the quote and typed prices. The board shows it as a warning. */
function resetBy(source: QuoteRecord, copy: QuoteRecord, lines: readonly Line[]): FieldChange[] {
  const typed = lines.filter((line) => line.type === 'item' && isManual(line)).map((line) => line.item_number);
  const reset = [...otherTerms(source, copy), ...(typed.length > 0 ? [`typed prices of ${typed.join(', ')}`] : [])];
  return reset.length === 0 ? [] : [{ field: COPY_RESET, before: reset.join('; '), after: 'reset' }];
}

/** The history's entry for promotions dropped from a copy because its author may not apply them. The board shows it as a warning. */
function promotionsDropped(lines: readonly Line[]): FieldChange {
  return { field: PROMOTIONS_DROPPED, before: lines.map((line) => line.item_number).join(', '), after: 'not copied' };
}

function copyOf(
  line: Line,
  id: number,
  { quote, items }: { quote: { id: number }; items: ItemFactsById },
  prices: 'keep' | 'reprice',
): Line {
  const facts = line.item_id === null ? undefined : items.get(line.item_id);
  const copy: Line = {
    ...blankLine(id, quote.id, line.type),
    item_id: line.item_id,
    item_number: line.item_number,
    customer_item_number: line.customer_item_number,
    description: line.description,
    qty: line.qty,
    unit: line.unit,
    notes: line.notes,
    active: line.active && (!facts || notOffered(facts) === ''),
    optional: line.optional,
    promotion_id: line.promotion_id,
  };
  if (line.type === 'custom') return { ...copy, manual_price: line.manual_price, price_reason: line.price_reason };
  if (prices === 'reprice') return copy;
  return {
    ...copy,
    manual_price: line.manual_price,
    manual_discount_pct: line.manual_discount_pct,
    manual_discount_amount: line.manual_discount_amount,
    typed_as: line.typed_as,
    price_reason: line.price_reason,
  };
}

/** Reprices lines (all, or the given ids) at the quote date. Typed prices stay. Throws 409 for a stale version. */
export async function repriceQuote(
  context: ReadContext,
  input: ParsedInputOf<typeof QuoteEdit.RepriceQuote>,
): Promise<QuoteEditData> {
  const edit = await openEdit(context, input.quoteId);
  if (input.version !== edit.before.quote.version) throw await staleError(edit, 'quote');
  requireRight(edit, 'commercial');
  if (input.itemIds) for (const id of input.itemIds) repriceLine(edit, id);
  else edit.reprice = 'all';
  const edited = await closeEdit(edit, { action: 'Reprice' });
  return readQuote(context, edited.quote, viewOf(context.user));
}
