// Describes changes of a quote, and their reverse, as data, so that the board can undo and redo them.
import type { InputOf } from '#platform/api/endpoint.ts';
import type { LinePatch, QuoteItem, QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEdit, QuoteEditData, QuotePatch } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { currencyOf } from '#platform/shared/money.ts';

/** A line of a bulk change. `was` is the id of a removed line that the change restores. */
type BulkLine = QuoteItemInput & { was?: number };

export type Operation =
  /** Changes fields of one line or of the quote itself. The board shows them immediately and sends them one after the other. */
  | { kind: 'line'; id: number; patch: LinePatch }
  | { kind: 'quote'; patch: QuotePatch }
  /** Saves new (id 0), changed and removed lines and fields of the quote, all or none. Then puts all lines into `order`, if given. */
  | { kind: 'lines'; lines: readonly BulkLine[]; order?: readonly number[]; quote?: QuotePatch }
  | { kind: 'promotion'; id: number; promotionId: number | null }
  /** A step of an add-on, which may add, change and remove any lines. */
  | { kind: 'step'; step: BoardStep }
  /** Adds `count` lines of a template. */
  | { kind: 'template'; templateId: number; items?: TemplateItems; count: number };

/** The lines of a template to add, as `SaveQuoteTemplateForQuote` names them. */
export type TemplateItems = NonNullable<InputOf<typeof QuoteEdit.SaveQuoteTemplateForQuote>['items']>;

/** Calls the server for the given version of the quote and returns the quote. The server refuses any other version. */
export type BoardStep = (at: { quoteId: number; version: number }) => Promise<QuoteEditData>;

/** A change of fields, which the board shows before the server responds. */
export type FieldOperation = Extract<Operation, { kind: 'line' | 'quote' }>;
/** A change that the board shows only after the server responds. */
export type BulkOperation = Extract<Operation, { kind: 'lines' | 'promotion' | 'template' | 'step' }>;

/**
 * The patch that restores the line's current state after a change of `fields`. `stored` is the line without unsaved changes. Its price belongs to the
 * stored unit and item, not to unsaved ones whose price the server has yet to convert.
 */
export function lineBack(item: QuoteItem, fields: readonly string[], stored = item): LinePatch {
  const back: Record<string, unknown> = {};
  for (const field of fields) {
    if (field in item && !PRICE_FIELDS.includes(field)) back[field] = item[field as keyof QuoteItem];
  }
  const isPriceKnown = item.unit === stored.unit && item.itemId === stored.itemId;
  const setsPrice = fields.some((field) => PRICE_FIELDS.includes(field) || field === 'unit' || field === 'itemId');
  return isPriceKnown && setsPrice ? { ...back, ...priceBack(item) } : back;
}

const PRICE_FIELDS = ['unitPrice', 'discountPct', 'discountAmount', 'priceReason', 'typedAs'];

/** Restores the typed price or percentage, or the system price. */
function priceBack(item: QuoteItem): LinePatch {
  const { typedPct, unitPrice, priceReason } = item;
  if (typedPct !== null) return { discountPct: typedPct, priceReason };
  return hasTypedAmount(item) ? { unitPrice, priceReason, ...typedFor(item) } : { unitPrice: null };
}

/** The price and unit as the user typed them. */
function typedFor({ typedAs }: QuoteItem): Pick<LinePatch, 'typedAs'> {
  return typedAs === null ? {} : { typedAs: { price: typedAs.price, unit: typedAs.unit } };
}

function hasTypedAmount({ type, priceSource, typedPct }: QuoteItem): boolean {
  return type === 'custom' || (priceSource === 'Manual' && typedPct === null);
}

/** Choosing a facility also sets these fields. */
const OF_FACILITY = [
  'contactName',
  'contactEmail',
  'phone',
  'salesRepId',
  'csRepId',
  'isRepId',
  'currnIdx',
  'paymentTerms',
  'freightTerms',
  'taxRate',
  'taxExempt',
];

/** The patch that restores the quote's own `fields`. */
export function quoteBack(quote: QuoteEditData['quote'], fields: readonly string[]): QuotePatch {
  const all = fields.includes('facilityId') ? [...new Set([...fields, ...OF_FACILITY])] : fields;
  return Object.fromEntries(all.map((field) => [field, quote[field as keyof typeof quote]]));
}

/** The reverse of a change of the quote's own `fields`. Another currency drops typed prices and freight, so this restores them as well. */
export function quoteChangeBack({ quote, items }: Shown, fields: readonly string[]): Operation {
  const patch = quoteBack(quote, fields);
  if (patch.currnIdx === undefined) return { kind: 'quote', patch };
  const typed = items.filter((item) => hasTypedAmount(item) && item.unitPrice !== null);
  return {
    kind: 'lines',
    lines: typed.map((item) => ({ ...priceBack(item), id: item.id })),
    quote: { ...patch, freightAmount: quote.freightAmount },
  };
}

/** The reverse of a bulk change. `added` contains the lines it made, in order. `after` contains all lines, if no other user changed any. */
export function bulkBack(
  op: BulkOperation,
  before: QuoteEditData,
  added: readonly QuoteItem[],
  after: readonly QuoteItem[] = [],
): Operation {
  if (op.kind === 'step') return { kind: 'lines', lines: linesBack(before.items, after) };
  const items = new Map(before.items.map((item) => [item.id, item]));
  const off = added.map(takenOff);
  if (op.kind === 'template') return { kind: 'lines', lines: off };
  if (op.kind === 'promotion') {
    return { kind: 'promotion', id: op.id, promotionId: items.get(op.id)?.promotionId ?? null };
  }
  const moves = op.order !== undefined || op.lines.some(({ id, lineNo }) => id && lineNo !== undefined);
  const changed = op.lines.flatMap((line): BulkLine[] => {
    const item = line.id ? items.get(line.id) : undefined;
    if (!item) return [];
    if (line.remove) return [broughtBack(item)];
    const back = lineBack(
      item,
      Object.keys(line).filter((field) => !NOT_CONTENT.includes(field)),
    );
    return Object.keys(back).length > 0 ? [{ ...back, id: item.id }] : [];
  });
  return {
    kind: 'lines',
    lines: [...off, ...changed],
    ...(moves ? { order: ownLines(before.items).map(({ id }) => id) } : {}),
    ...(op.quote ? { quote: quoteBack(before.quote, Object.keys(op.quote)) } : {}),
  };
}

/** The lines that restore `before` from `after`. */
function linesBack(before: readonly QuoteItem[], after: readonly QuoteItem[]): BulkLine[] {
  const now = new Map(after.map((item) => [item.id, item]));
  const was = new Set(before.map(({ id }) => id));
  return [
    ...ownLines(after)
      .filter(({ id }) => !was.has(id))
      .map(takenOff),
    ...ownLines(before).flatMap((item): BulkLine[] => {
      const next = now.get(item.id);
      if (!next) return [broughtBack(item)];
      const fields = STEP_FIELDS.filter((field) => JSON.stringify(item[field]) !== JSON.stringify(next[field]));
      return fields.length > 0 ? [{ ...lineBack(item, fields), id: item.id }] : [];
    }),
  ];
}

/** The fields of a line that a step of an add-on may change. */
const STEP_FIELDS = [
  'itemId',
  'itemNumber',
  'description',
  'qty',
  'unit',
  'notes',
  'unitPrice',
  'priceReason',
  'configured',
] as const;

const NOT_CONTENT = ['id', 'version', 'lineNo', 'clientKey', 'was'];

/** The input that restores a removed line on the quote, with its promotion and its position in a configuration. */
function broughtBack(item: QuoteItem): BulkLine {
  return { ...asInput(item), promotionId: item.promotionId, configured: item.configured, was: item.id };
}

/** The input that removes a line. */
export function takenOff({ id }: Pick<QuoteItem, 'id'>): BulkLine {
  return { id, remove: true };
}

/** The input for a new line with the same content and position. */
export function asInput(item: QuoteItem): QuoteItemInput {
  const isTyped = item.priceSource === 'Manual' || item.type === 'custom';
  return {
    id: 0,
    lineNo: item.lineNo,
    type: item.type,
    itemId: item.itemId,
    itemNumber: item.itemNumber,
    ...(item.customerItemNumber ? { customerItemNumber: item.customerItemNumber } : {}),
    description: item.description,
    ...(item.qty > 0 ? { qty: item.qty } : {}),
    unit: item.unit,
    notes: item.notes,
    active: item.active,
    optional: item.optional,
    ...(isTyped && item.unitPrice !== null
      ? { unitPrice: item.unitPrice, priceReason: item.priceReason, ...typedFor(item) }
      : {}),
  };
}

/** The lines that users added to the quote. Free lines come from promotions. */
export function ownLines(items: readonly QuoteItem[]): QuoteItem[] {
  return items.filter((item) => item.type !== 'free');
}

/** The quote and its lines as the board shows them. */
type Shown = { quote: QuoteEditData['quote']; items: readonly QuoteItem[] };

/** Adapts an operation to the quote's current lines. Returns null when it would change nothing. `nowOf` returns the new id of a restored line. */
export function applicable(op: Operation, visible: Shown, nowOf: (id: number) => number): Operation | null {
  const items = new Map(visible.items.map((item) => [item.id, item]));
  switch (op.kind) {
    case 'quote':
      return differs(op.patch, quoteBack(visible.quote, Object.keys(op.patch))) ? op : null;
    case 'line': {
      const item = items.get(nowOf(op.id));
      const now = item && lineBack(item, Object.keys(op.patch));
      return now && differs(op.patch, now) ? { ...op, id: nowOf(op.id) } : null;
    }
    case 'promotion':
      return items.has(nowOf(op.id)) ? { ...op, id: nowOf(op.id) } : null;
    case 'lines': {
      if (op.quote && currencyOf(op.quote.currnIdx) === currencyOf(visible.quote.currnIdx)) {
        const { freightAmount: _stayed, ...patch } = op.quote;
        return applicable({ kind: 'quote', patch }, visible, nowOf);
      }
      const lines = op.lines
        .map((line) => (line.id ? { ...line, id: nowOf(line.id) } : line))
        .filter(({ id }) => !id || items.has(id));
      const order = op.order?.map(nowOf).filter((id) => items.has(id));
      const moves = order !== undefined && placesFor(order, visible.items).length > 0;
      const { quote } = op;
      if (lines.length === 0 && !moves && !quote) return null;
      return { kind: 'lines', lines, ...(order ? { order } : {}), ...(quote ? { quote } : {}) };
    }
    default:
      return op;
  }
}

function differs(patch: object, now: object): boolean {
  const values: Record<string, unknown> = { ...now };
  return Object.entries(patch).some(([field, value]) => JSON.stringify(value) !== JSON.stringify(values[field]));
}

/** The line numbers that bring the lines into an order. Lines that the order does not name stay where they are. */
function placesFor(order: readonly number[], items: readonly QuoteItem[]): { id: number; lineNo: number }[] {
  const places = new Map(items.map(({ id, lineNo }) => [id, lineNo]));
  return order
    .filter((id) => places.has(id))
    .map((id, index) => ({ id, lineNo: index + 1 }))
    .filter(({ id, lineNo }) => places.get(id) !== lineNo);
}

/** The lines of a bulk change as sent: known ones with their versions, all with their places in the requested order. */
export function sentLines(
  { lines, order }: { lines: readonly BulkLine[]; order?: readonly number[] },
  items: readonly QuoteItem[],
): QuoteItemInput[] {
  const versions = new Map(items.map(({ id, version }) => [id, version]));
  const places = new Map(order ? placesFor(order, items).map(({ id, lineNo }) => [id, lineNo]) : []);
  const known = (line: QuoteItemInput): QuoteItemInput => {
    const [version, lineNo] = [versions.get(line.id ?? 0), places.get(line.id ?? 0)];
    return { ...line, ...(version === undefined ? {} : { version }), ...(lineNo === undefined ? {} : { lineNo }) };
  };
  const ids = new Set(lines.map(({ id }) => id));
  const moved = [...places.keys()].filter((id) => !ids.has(id)).map((id) => ({ id }));
  return [...lines.map(({ was: _was, ...line }) => line), ...moved].map(known);
}
