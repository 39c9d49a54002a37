// Tests a quote against the approval rules (design 4): every figure that a rule tests, which rules fire, and whether an approval survives an edit.
import type { Selectable } from 'kysely';
import type { Quote, QuoteItem } from '#platform/db/tables.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import {
  type Decimal,
  divideRounded,
  formatAmount,
  fromUnits,
  roundAmount,
  toUnits,
  withinMost,
  withMinus,
} from '#platform/shared/money.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { FiredRule, Metric } from './approval-shapes.ts';
import { reaches } from './may-decide.ts';
import { paymentDays } from './payment-days.server.ts';

export type Rule = {
  id: number;
  name: string;
  metric: Metric;
  operator: '>' | '>=' | '<' | '<=';
  threshold: number;
  /** An empty or missing filter matches everything. `classIds` selects lines. The others select quotes. */
  filters: { classIds?: number[]; regionIds?: number[]; facilityIds?: number[]; requesterRoles?: Role[] };
  role: Role;
};

export type TestedQuote = Pick<
  Selectable<Quote>,
  | 'facility_id'
  | 'region_id'
  | 'currn_idx'
  | 'discount_pct'
  | 'total_amount'
  | 'payment_terms'
  | 'quote_date'
  | 'valid_until'
>;
export type TestedLine = Pick<
  Selectable<QuoteItem>,
  | 'id'
  | 'line_no'
  | 'type'
  | 'item_id'
  | 'active'
  | 'optional'
  | 'qty'
  | 'list_price'
  | 'system_price'
  | 'unit_price'
  | 'manual_discount_pct'
  | 'cost'
  | 'floor_price'
  | 'contract_price'
> & {
  /** The price of the line without the eligibility request that it depends on. Missing or null when the price is firm. */
  fallback?: { unitPrice: Decimal | null } | null;
  /** The class of the item, looked up when a rule filters by class. */
  class_id?: number | null;
};

/** Every tested figure by rule: for the whole quote, and by line id. `unread` is text that should be a figure but cannot be read. */
export type Figures = Record<string, { quote?: number; unread?: string; lines: Record<string, number> }>;
export type Judgement = { fired: FiredRule[]; figures: Figures };

const WHOLE = 1_000_000n;

/**
 * Tests a quote in its current state. `requesterRoles` are the roles of the user who requests, or would request, the approval. `known` contains
 * figures already computed for the same quote and other roles.
 */
export function judge(
  rules: readonly Rule[],
  quote: TestedQuote,
  lines: readonly TestedLine[],
  requesterRoles: readonly Role[],
  known: Figures = {},
): Judgement {
  const fired: FiredRule[] = [];
  const figures: Figures = {};
  for (const rule of rules) {
    if (!concerns(rule, quote, requesterRoles)) continue;
    const tested = lines.filter((line) => line.active && inClass(rule, line));
    const result = known[rule.id] ?? testedFigures(rule.metric, quote, tested);
    figures[rule.id] = result;
    const breaches = tested.filter((line) => breaks(rule, result.lines[line.id]));
    const wholeBreaks = breaks(rule, result.quote);
    const { unread } = result;
    if (breaches.length === 0 && !wholeBreaks && unread === undefined) continue;
    const figure =
      unread === undefined
        ? worst(rule, [...breaches.map((line) => result.lines[line.id]), ...(wholeBreaks ? [result.quote] : [])])
        : null;
    const lineNos = (rule.metric === 'customLine' ? tested.filter(({ type }) => type === 'custom') : breaches)
      .map((line) => line.line_no)
      .toSorted((a, b) => a - b);
    fired.push({
      ruleId: rule.id,
      name: rule.name,
      metric: rule.metric,
      figure,
      limit: rule.threshold,
      role: rule.role,
      lines: lineNos,
      text: figure === null ? unreadText(unread ?? '') : reasonText(rule, figure, lineNos, quote.currn_idx),
    });
  }
  return { fired, figures };
}

/**
 * Returns whether an approval of the figures in `approved` still covers the quote. No tested figure may be worse for the seller than the approved
 * one, and nothing added since may need an approval. A greater total or one more custom item is harmless by itself. It matters only when it passes
 * its limit (docs/decisions/0019).
 */
export function noWorse(rules: readonly Rule[], approved: Figures, now: Figures): boolean {
  return rules.every((rule) => {
    const [then, current] = [approved[rule.id], now[rule.id]];
    if (!current) return true;
    if (current.unread !== undefined) return current.unread === then?.unread;
    const holds = (figure: number | undefined, before: number | undefined) => {
      if (figure === undefined) return true;
      const counted = rule.metric === 'quoteTotal' || rule.metric === 'customLine';
      if (before === undefined || counted) {
        return !breaks(rule, figure) || (before !== undefined && !isWorse(rule, figure, before));
      }
      return !isWorse(rule, figure, before);
    };
    return (
      holds(current.quote, then?.quote) &&
      Object.entries(current.lines).every(([id, figure]) => holds(figure, then?.lines[id]))
    );
  });
}

function concerns(rule: Rule, quote: TestedQuote, requesterRoles: readonly Role[]): boolean {
  const { regionIds = [], facilityIds = [], requesterRoles: roles = [] } = rule.filters;
  return (
    (regionIds.length === 0 || (quote.region_id !== null && regionIds.includes(quote.region_id))) &&
    (facilityIds.length === 0 || (quote.facility_id !== null && facilityIds.includes(quote.facility_id))) &&
    (roles.length === 0 || isLimited(requesterRoles, roles, rule.role))
  );
}

/**
 * Returns whether a limit for some roles applies to this requester (docs/decisions/0019). A system administrator is treated as an inside
 * representative. A user who may decide the rule for others has the same authority over their own quotes.
 */
function isLimited(requesterRoles: readonly Role[], limited: readonly Role[], decidedBy: Role): boolean {
  const counts = (role: Role) => limited.includes(role) || (role === 'systemadmin' && limited.includes('insiderep'));
  const authority = requesterRoles.filter((role) => role !== 'systemadmin');
  return requesterRoles.some(counts) && !reaches(authority, decidedBy);
}

function inClass(rule: Rule, line: TestedLine): boolean {
  const { classIds = [] } = rule.filters;
  const { class_id: classId = null } = line;
  return classIds.length === 0 || (classId !== null && classIds.includes(classId));
}

function breaks(rule: Rule, figure: number | undefined): boolean {
  if (figure === undefined) return false;
  const difference = toUnits(figure) - toUnits(rule.threshold);
  switch (rule.operator) {
    case '>':
      return difference > 0n;
    case '>=':
      return difference >= 0n;
    case '<':
      return difference < 0n;
    case '<=':
      return difference <= 0n;
  }
}

/** A rule with > or >= watches a figure that must not grow. A rule with < or <= watches a figure that must not shrink. */
function isWorse(rule: Rule, figure: number, than: number): boolean {
  return rule.operator.startsWith('>') ? figure > than : figure < than;
}

function worst(rule: Rule, figures: (number | undefined)[]): number {
  return figures
    .filter((figure) => figure !== undefined)
    .reduce((worstYet, figure) => (isWorse(rule, figure, worstYet) ? figure : worstYet));
}

function testedFigures(metric: Metric, quote: TestedQuote, lines: readonly TestedLine[]): Figures[string] {
  if (metric === 'quoteTotal') return lines.length === 0 ? { lines: {} } : { quote: quote.total_amount, lines: {} };
  if (metric === 'paymentTermsDays') {
    const days = paymentDays(quote.payment_terms);
    return days === null ? { unread: quote.payment_terms, lines: {} } : { quote: days, lines: {} };
  }
  if (metric === 'validityDays') return { quote: daysBetween(quote.quote_date, quote.valid_until), lines: {} };
  if (metric === 'customLine') return { quote: lines.filter(({ type }) => type === 'custom').length, lines: {} };
  const byLine: Record<string, number> = {};
  for (const line of lines) {
    if (line.type !== 'item' && line.type !== 'custom') continue;
    const figure = lineFigure(metric, line, quote);
    if (figure !== undefined) byLine[line.id] = figure;
  }
  const whole = wholeFigure(metric, lines, quote);
  return { ...(whole === undefined ? {} : { quote: whole }), lines: byLine };
}

/** The share of the price that remains after the quote discount, in millionths. The discount does not apply to optional lines. */
function left(line: Pick<TestedLine, 'optional'>, quote: TestedQuote): bigint {
  return line.optional ? WHOLE : WHOLE - toUnits(quote.discount_pct);
}

/** Unit price after the quote discount, in millionths of a ten-thousandth. */
function charged(line: TestedLine, quote: TestedQuote): bigint {
  return toUnits(line.unit_price ?? 0) * left(line, quote);
}

/** Like `charged`, but uses a typed percentage exactly. Rounding a small price to four places must not push 5% over 5%. */
function discounted(line: TestedLine, quote: TestedQuote): bigint {
  if (line.manual_discount_pct === null || line.system_price === null) return charged(line, quote);
  const share = (WHOLE - toUnits(line.manual_discount_pct)) * left(line, quote);
  return divideRounded(toUnits(line.system_price) * share, WHOLE);
}

/** Percentages to four places. For a price below a floor or contract price, the money per unit that it is below (0 when it is not). */
function lineFigure(metric: Metric, line: TestedLine, quote: TestedQuote): number | undefined {
  if (line.unit_price === null) return undefined;
  const net = charged(line, quote);
  switch (metric) {
    case 'discountPct':
      return below(discounted(line, quote), line.system_price);
    case 'offListPct':
      return below(net, line.list_price);
    case 'marginPct':
      return line.cost === null ? undefined : margin(net, toUnits(line.cost) * WHOLE);
    case 'underFloor':
      return shortfall(net, line.floor_price);
    case 'belowContract':
      return shortfall(net, line.contract_price);
    case 'provisional':
      return line.fallback ? hanging(line.unit_price, line.fallback.unitPrice) : undefined;
    default:
      return undefined;
  }
}

function below(net: bigint, base: number | null): number | undefined {
  if (base === null || base <= 0) return undefined;
  const from = toUnits(base) * WHOLE;
  return withinMost(divideRounded((from - net) * WHOLE, from));
}

function margin(net: bigint, cost: bigint): number {
  return net <= 0n ? (cost > 0n ? -100 : 0) : withinMost(divideRounded((net - cost) * WHOLE, net));
}

function shortfall(net: bigint, limit: number | null): number | undefined {
  if (limit === null) return undefined;
  const short = toUnits(limit) - divideRounded(net, WHOLE);
  return short > 0n ? fromUnits(short) : 0;
}

/** The part of the unit price that depends on a request. This is the whole price when the line has no price without the request. */
function hanging(visible: Decimal, without: Decimal | null): number {
  return without === null ? visible : fromUnits(toUnits(without) - toUnits(visible));
}

/**
 * The same percentages over all lines that are included in the total, weighted by quantity, unrounded. Free goods contribute their cost and list
 * price.
 */
function wholeFigure(metric: Metric, lines: readonly TestedLine[], quote: TestedQuote): number | undefined {
  const baseOf = { discountPct: 'system_price', offListPct: 'list_price', marginPct: 'cost' } as const;
  if (metric !== 'discountPct' && metric !== 'offListPct' && metric !== 'marginPct') return undefined;
  let [net, base] = [0n, 0n];
  for (const line of lines) {
    const compared = line[baseOf[metric]];
    if (line.optional || line.unit_price === null || compared === null) continue;
    const qty = toUnits(line.qty);
    net += (metric === 'discountPct' ? discounted(line, quote) : charged(line, quote)) * qty;
    base += toUnits(compared) * WHOLE * qty;
  }
  if (metric === 'marginPct') return net === 0n && base === 0n ? undefined : margin(net, base);
  return base === 0n ? undefined : withinMost(divideRounded((base - net) * WHOLE, base));
}

function reasonText(rule: Rule, figure: number, lines: readonly number[], currnIdx: number): string {
  const percent = (value: number) => {
    const short = roundAmount(value);
    return withMinus(`${short === rule.threshold && value !== short ? value : short}%`);
  };
  const compared = `${percent(figure)} ${rule.operator} ${percent(rule.threshold)}`;
  switch (rule.metric) {
    case 'discountPct':
      return `Discount ${compared}`;
    case 'offListPct':
      return `Off list ${compared}`;
    case 'marginPct':
      return `Margin ${compared}`;
    case 'underFloor':
      return `${linesText(lines)} under floor`;
    case 'belowContract':
      return `${linesText(lines)} below contract price`;
    case 'provisional':
      return `${linesText(lines)} at a price that is not approved yet`;
    case 'customLine':
      return `Custom item on ${linesText(lines).toLowerCase()}`;
    case 'quoteTotal':
      return `Total ${formatAmount(figure, currnIdx)} ${rule.operator} ${formatAmount(rule.threshold, currnIdx)}`;
    case 'paymentTermsDays':
      return `Payment in ${countOf(figure, 'day')} ${rule.operator} ${countOf(rule.threshold, 'day')}`;
    case 'validityDays':
      return `Valid for ${countOf(figure, 'day')} ${rule.operator} ${countOf(rule.threshold, 'day')}`;
  }
}

function unreadText(words: string): string {
  return words === '' ? 'There are no payment terms' : `Payment terms ‘${words}’ cannot be read as days`;
}

function daysBetween(from: IsoDate, to: IsoDate): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

function linesText(lines: readonly number[]): string {
  if (lines.length === 1) return `Line ${lines[0]}`;
  const visible = lines.slice(0, 5).join(', ');
  return lines.length > 5 ? `Lines ${visible} and ${lines.length - 5} more` : `Lines ${visible}`;
}
