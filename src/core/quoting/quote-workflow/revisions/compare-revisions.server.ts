// Describes the differences between two revisions: the header, and each line with the cause.
import type { DocumentLine, QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { DOCUMENT_TEXTS, QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { type Decimal, formatAmount, formatPrice } from '#platform/shared/money.ts';
import type { Address } from '#platform/shared/wire.ts';

export type ComparedLine = DocumentLine & {
  /** Identifies a line through all revisions. Null when unknown. */
  id: number | null;
  /** List, Account, Contract, Promotion, Manual, or empty. */
  priceSource: string;
};
export type ComparedRevision = { document: QuoteDocument; lines: ComparedLine[] };

export type Difference = {
  header: { field: string; before: string; after: string }[];
  lines: {
    change: 'added' | 'removed' | 'changed';
    itemNumber: string;
    description: string;
    causes: string[];
    before: Decimal | null;
    after: Decimal | null;
  }[];
  totalBefore: Decimal;
  totalAfter: Decimal;
  currnIdx: number;
};

/** Compares two revisions. Lines are in the order of `after`, removed ones at the end. Moving a line is not a change. */
export function compareRevisions(before: ComparedRevision, after: ComparedRevision): Difference {
  const { currnIdx } = after.document;
  const partners = pairUp(before.lines, after.lines);
  const lines: Difference['lines'] = [];
  for (const line of after.lines) {
    const was = partners.get(line);
    if (!was) {
      lines.push({ ...numberAndText(line), change: 'added', causes: [], before: null, after: line.amount });
      continue;
    }
    const causes = causesOf(was, line, before.document.currnIdx, currnIdx);
    if (causes.length > 0) {
      lines.push({ ...numberAndText(line), change: 'changed', causes, before: was.amount, after: line.amount });
    }
  }
  const paired = new Set(partners.values());
  for (const line of before.lines) {
    if (!paired.has(line))
      lines.push({ ...numberAndText(line), change: 'removed', causes: [], before: line.amount, after: null });
  }
  return {
    header: headerChanges(before.document, after.document),
    lines,
    totalBefore: before.document.totals.totalAmount,
    totalAfter: after.document.totals.totalAmount,
    currnIdx,
  };
}

const numberAndText = ({ itemNumber, description }: ComparedLine) => ({ itemNumber, description });

/** Matches lines by id, or else by the closest remaining similarity. Each line is matched once. */
function pairUp(before: readonly ComparedLine[], after: readonly ComparedLine[]): Map<ComparedLine, ComparedLine> {
  const pairs = new Map<ComparedLine, ComparedLine>();
  const free = new Set(before);
  const likenesses: ((line: ComparedLine) => string | null)[] = [
    (line) => (line.id === null ? null : String(line.id)),
    (line) => JSON.stringify([line.type, line.itemNumber, line.description, line.unit]),
    (line) => (line.itemNumber === '' ? null : JSON.stringify([line.type, line.itemNumber])),
  ];
  for (const likeness of likenesses) {
    const waiting = Map.groupBy(free, likeness);
    for (const line of after) {
      if (pairs.has(line)) continue;
      const key = likeness(line);
      const was = key === null ? undefined : waiting.get(key)?.shift();
      if (!was) continue;
      pairs.set(line, was);
      free.delete(was);
    }
  }
  return pairs;
}

function causesOf(was: ComparedLine, is: ComparedLine, currencyBefore: number, currencyAfter: number): string[] {
  const causes: string[] = [];
  const note = (what: string, before: string, after: string) => {
    if (before !== after) causes.push(`${what} ${before || '(none)'} → ${after || '(none)'}`);
  };
  note('Item', was.itemNumber, is.itemNumber);
  note('Quantity', qtyText(was.qty), qtyText(is.qty));
  note('Unit', was.unit, is.unit);
  const price = (line: ComparedLine, currnIdx: number) =>
    line.unitPrice === null ? '' : formatPrice(line.unitPrice, currnIdx);
  const [priceBefore, priceAfter] = [price(was, currencyBefore), price(is, currencyAfter)];
  const cause = is.priceSource ? ` (${is.priceSource.toLowerCase()})` : '';
  if (priceBefore !== priceAfter) {
    causes.push(`Price ${priceBefore || '(none)'} → ${priceAfter || '(none)'}${cause}`);
  } else if (was.priceSource !== is.priceSource && was.priceSource && is.priceSource) {
    causes.push(`Price from ${was.priceSource.toLowerCase()} → ${is.priceSource.toLowerCase()}`);
  }
  if (was.description !== is.description) causes.push('Description changed');
  if (was.optional !== is.optional) causes.push(is.optional ? 'Now optional' : 'No longer optional');
  return causes;
}

/** A quantity without trailing zeros. */
const qtyText = (qty: Decimal) => String(qty);

function headerChanges(before: QuoteDocument, after: QuoteDocument): Difference['header'] {
  const money = (document: QuoteDocument, value: Decimal) => formatAmount(value, document.currnIdx);
  type Reading = (document: QuoteDocument) => string;
  const fields: [string, Reading][] = [
    [
      QUOTE_LABELS.facilityId,
      ({ facilityName, facilityAcctNo }) => [facilityName, facilityAcctNo].filter(Boolean).join(', '),
    ],
    [
      QUOTE_LABELS.contactName,
      ({ contact }) => [contact.name, contact.email, contact.phone].filter(Boolean).join(', '),
    ],
    ['Bill to', ({ billTo }) => oneLine(billTo)],
    ['Ship to', ({ shipTo }) => oneLine(shipTo)],
    ['Prepared by', ({ preparedBy }) => preparedBy.name],
    [QUOTE_LABELS.quoteDate, ({ quoteDate }) => formatDate(quoteDate)],
    [QUOTE_LABELS.validUntil, ({ validUntil }) => formatDate(validUntil)],
    ...DOCUMENT_TEXTS.map(({ name, label }): [string, Reading] => [label, (document) => document[name]]),
    [QUOTE_LABELS.customerMessage, ({ message }) => message],
    ['Quote discount', (document) => money(document, document.totals.quoteDiscount)],
    [QUOTE_LABELS.freightAmount, (document) => money(document, document.totals.freightAmount)],
    ['Tax', ({ totals }) => (totals.taxExempt ? 'exempt' : `${totals.taxRate}%`)],
  ];
  return fields
    .map(([field, read]) => ({ field, before: read(before), after: read(after) }))
    .filter((change) => change.before !== change.after);
}

function oneLine({ line1, line2, city, state, zip }: Address): string {
  return [line1, line2, city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
}
