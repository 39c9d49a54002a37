// The texts of the board about a line: its price source, its problem, and a section's sum.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { Net } from '#core/quoting/quotes/totals/net-price.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import type { Mark } from '../state/marks.ts';
import { formatTime } from '#platform/shared/dates.ts';
import { add, compare, type Decimal, formatPrice } from '#platform/shared/money.ts';

/** Names the proof step that set the price, such as 'Contract V-2231, tier 2'. Empty for a plain list price. */
export function priceNote(item: QuoteItem, currnIdx: number): string {
  return [provisionalNote(item, currnIdx), sourceNote(item)].filter(Boolean).join(' · ');
}

/** The notes after the description in a row, without its problem. With `isReasonAbove`, the reason is shown above the lines and left out here. */
export function notesOf(item: QuoteItem, currnIdx: number, isReasonAbove = false): string[] {
  return [
    isReasonAbove ? '' : priceNote(item, currnIdx),
    item.optional ? 'Optional, not in the total' : '',
    item.customerItemNumber ? `Customer item # ${item.customerItemNumber}` : '',
    item.notes ? `Note: ${item.notes}` : '',
    configuredNote(item),
    item.productName,
  ].filter(Boolean);
}

/** '31.4%'. Empty without a known cost. */
export function marginText(marginPct: QuoteItem['marginPct']): string {
  return marginPct === null || marginPct === undefined ? '' : formatPercent(marginPct);
}

/** 'Provisional: $45.00 without approval (Account)'. Empty for a firm price. */
function provisionalNote({ fallback }: QuoteItem, currnIdx: number): string {
  if (!fallback) return '';
  const otherwise = fallback.unitPrice === null ? 'no price' : formatPrice(fallback.unitPrice, currnIdx);
  return `Provisional: ${otherwise} without approval${fallback.priceSource ? ` (${fallback.priceSource})` : ''}`;
}

/** '$1,362.09, 12% off': what the customer pays per unit, and the discount off the system price. */
export function paidWords({ netPrice, netDiscountPct }: Net, currnIdx: number): string {
  if (netPrice === null) return 'no price';
  return `${formatPrice(netPrice, currnIdx)}${netDiscountPct > 0 ? `, ${netDiscountPct}% off` : ''}`;
}

/** The text of a price's tag. */
export function sourceTag({ fallback, priceSource }: QuoteItem): string {
  return fallback ? 'Provisional' : priceSource || 'No price';
}

function sourceNote(item: QuoteItem): string {
  if (item.type === 'free') return 'No charge (promotion)';
  if (item.priceSource === '' || item.priceSource === 'List') return '';
  const step = item.priceProof.findLast((candidate) => candidate.step === item.priceSource);
  if (item.priceSource === 'Manual') return item.priceReason && `Manual price: ${item.priceReason}`;
  return step ? [step.source, step.note.replace(/^Taken(\. )?/, '')].filter(Boolean).join(' · ') : item.priceSource;
}

/** The reasons that several manual prices share, with their lines. The board shows each reason once, above the lines. */
export function sharedReasons(items: readonly QuoteItem[]): ReadonlyMap<string, readonly QuoteItem[]> {
  const byHand = items.filter(({ priceSource, priceReason }) => priceSource === 'Manual' && priceReason !== '');
  const groups = Map.groupBy(byHand, ({ priceReason }) => priceReason);
  return new Map([...groups].filter(([, lines]) => lines.length > 1));
}

/** 'Kim Lee changed this line, 8:55 AM'. */
export function markWords({ actor, at }: Mark = { actor: '', at: null }): string {
  const time = at ? `, ${formatTime(at)}` : '';
  return `${actor || 'Someone'} changed this line${time}`;
}

/** The line's problem in one sentence. Empty when there is none. */
export function lineTrouble(item: QuoteItem, currnIdx: number): string {
  if (item.priceProblem) return item.priceProblem;
  if (item.priceChoice) return `${item.priceChoice}.`;
  if (item.underFloor) return 'Below the floor price.';
  const rounded = roundedWords(item, currnIdx);
  if (rounded) return rounded;
  if (item.priceSource === 'Manual' && item.systemPrice !== null && item.unitPrice !== null && item.type !== 'custom') {
    return item.unitPrice > item.systemPrice
      ? `Above the system price of ${formatPrice(item.systemPrice, currnIdx)}.`
      : '';
  }
  return '';
}

/** Explains that a typed price cannot be converted exactly to the line's unit, and shows the rounded result. Otherwise empty. */
function roundedWords({ typedAs, unitPrice, unit }: QuoteItem, currnIdx: number): string {
  const { price = 0, unit: own, atUnitPrice = price } = typedAs ?? {};
  if (unitPrice === null || own === unit || compare(atUnitPrice, price) === 0) return '';
  const money = (amount: Decimal) => formatPrice(amount, currnIdx);
  return `Entered as ${money(price)} per ${own}. At the rounded price of ${money(unitPrice)} per ${unit}, 1 ${own} costs ${money(atUnitPrice)}.`;
}

/** The sum of the lines from a section heading to the next. */
export function sectionTotal(items: readonly QuoteItem[], index: number): Decimal {
  const rest = items.slice(index + 1);
  const end = rest.findIndex((item) => item.type === 'section');
  const own = end === -1 ? rest : rest.slice(0, end);
  return add(...own.filter((item) => item.active && !item.optional).map((item) => item.lineTotal));
}

/** True for lines that have a quantity and a price. */
export function isPriced(item: QuoteItem): boolean {
  return item.type === 'item' || item.type === 'custom' || item.type === 'free';
}

export function mayEditPrice(item: QuoteItem): boolean {
  return item.type === 'item' || item.type === 'custom';
}

/** Whether a line has a cell to edit in a column. */
export function hasCell(item: QuoteItem, column: string): boolean {
  if (column === 'qty') return item.type === 'item' || item.type === 'custom';
  if (column === 'price') return mayEditPrice(item);
  if (column === 'discount') return item.type === 'item';
  if (column === 'description') return item.type !== 'item' && item.type !== 'free';
  return item.type !== 'free';
}

/** Whether a configuration sets the line's item, quantity and unit. */
export function isLinked({ configured }: Pick<QuoteItem, 'configured'>): boolean {
  return configured !== null && configured.linked && configured.taken !== null;
}

/** Names the configuration that a line came from and that its quantity is locked. Empty for other lines and for sections. */
export function configuredNote({ configured }: Pick<QuoteItem, 'configured'>): string {
  if (!configured?.taken) return '';
  const { configId, position, linked } = configured;
  return `Configuration ${configId}, position ${position}${linked ? ': quantity locked' : ', unlinked'}`;
}
