// Works out discounts, what is below the rules, and the margin of a random company, and what its territories sold, for the proof of reports.
import { dayOf } from './deal-days.ts';
import { type Asked, collector, type Figures, isOpen } from './expected-pipeline.server.ts';
import { discountOf, listOf } from './expected-won-lost.server.ts';
import {
  type Cents,
  type Company,
  type Deal,
  type DealLine,
  lineTotal,
  nowOf,
  subtotalOf,
} from './random-deals.server.ts';

const counted = ({ lines }: Deal) => lines.filter(({ counts }) => counts);
const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0);
const typed = ({ unit, qty }: DealLine): Cents => (unit ?? 0) * qty;
/** What the rules gave with the promotion, and before it. A line without their price counts with what was typed. */
const ruled = (line: DealLine): Cents => (line.system === null ? typed(line) : line.system * line.qty);
function agreed(line: DealLine): Cents {
  if (line.type === 'free') return (line.list ?? line.unit ?? 0) * line.qty;
  return line.promotionId !== null && line.resolved !== null ? line.resolved * line.qty : ruled(line);
}
const isQuoted = (deal: Deal, { from, to }: Asked) =>
  nowOf(deal).status !== 'Cancelled' && deal.quoteDate >= from && deal.quoteDate <= to;

export function expectedDiscountMargin({ deals }: Company, request: Asked): Figures {
  const { figures, put } = collector();
  const quoted = deals.filter((deal) => request.selects(deal) && isQuoted(deal, request));
  for (const deal of quoted) {
    const lines = counted(deal);
    const { total } = nowOf(deal);
    const net = subtotalOf(deal.lines);
    const [list, contract, promotion, unit] = [
      listOf(deal),
      sum(lines.map(agreed)),
      sum(lines.map(ruled)),
      sum(lines.map(typed)),
    ];
    const level = (step: string, amount: Cents) => put(`waterfall:${step}`, deal, amount);
    const change = (step: string, amount: Cents) => (amount === 0 ? undefined : level(step, amount));
    level('list', list);
    change('contract', contract - list);
    change('promotion', promotion - contract);
    change('typed', unit - promotion);
    change('quoteDiscount', net - unit);
    level('net', net);
    change('freight', deal.freight);
    change('tax', total - net - deal.freight);
    level('total', total);
    put(`rep:${deal.repId}`, deal, net);
    const taken = lines.filter(request.takes);
    for (const [key, group] of Map.groupBy(taken, request.classOf))
      put(`class:${key}`, deal, sum(group.map(lineTotal)));
    const below = (group: readonly DealLine[]) =>
      sum(group.map((line) => (line.system === null ? 0 : Math.max(0, line.system * line.qty - lineTotal(line)))));
    if (below(taken) > 0) {
      put('leakage:all:', deal, below(taken));
      put(`leakage:rep:${deal.repId}`, deal, below(taken));
    }
    for (const [key, group] of Map.groupBy(taken, request.classOf))
      if (below(group) > 0) put(`leakage:class:${key}`, deal, below(group));
    const unknown = lines.filter(({ cost, unit: price }) => cost === null && price !== null);
    if (unknown.length > 0) put('uncosted', deal, sum(unknown.map(lineTotal)));
  }
  const limit = unusual(quoted);
  for (const deal of quoted) {
    const net = subtotalOf(deal.lines);
    if (limit !== null && discountOf(listOf(deal), net) > limit) put('outliers', deal, net);
  }
  return figures;
}

/** One and a half times the width of the middle half above it, in hundredths of a percent; null for fewer than eight quotes. */
function unusual(quoted: readonly Deal[]): number | null {
  const discounts = quoted.map((deal) => discountOf(listOf(deal), subtotalOf(deal.lines))).toSorted((a, b) => a - b);
  if (discounts.length < 8) return null;
  const at = (part: number) => discounts[Math.ceil(part * discounts.length) - 1] ?? 0;
  const [low, high] = [at(0.25), at(0.75)];
  const exact = high + 1.5 * (high - low);
  return Math.sign(exact) * Math.round(Math.abs(exact));
}

/** The margin of all quotes of the report in cents: net less cost where the cost is known; null without any. */
export function expectedMargin({ deals }: Company, request: Asked): { amount: Cents; costed: Cents } | null {
  const lines = deals
    .filter((deal) => request.selects(deal) && isQuoted(deal, request))
    .flatMap(counted)
    .filter(({ cost, unit }) => cost !== null && unit !== null);
  const costed = sum(lines.map(lineTotal));
  return costed > 0 ? { costed, amount: costed - sum(lines.map(({ cost, qty }) => (cost ?? 0) * qty)) } : null;
}

export function expectedTerritorySales({ deals }: Company, request: Asked): Figures {
  const { figures, put } = collector();
  const { zone, from, to } = request;
  const earlier = (day: string) => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  for (const deal of deals.filter(request.selects)) {
    const state = nowOf(deal);
    const key = deal.territoryId ?? 'none';
    if (isOpen(state)) put(`territory:open:${key}`, deal, state.total);
    if (state.status !== 'Won' || state.decidedAt === null) continue;
    const day = dayOf(state.decidedAt, zone);
    if (day >= from && day <= to) put(`territory:won:${key}`, deal, state.total);
    if (day >= earlier(from) && day <= earlier(to)) put(`territory:yearBefore:${key}`, deal, state.total);
  }
  return figures;
}
