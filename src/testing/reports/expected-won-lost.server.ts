// Works out what a random company won and lost, for the proof of reports.
import { dayOf, daysFrom } from './deal-days.ts';
import { type Asked, collector, type Figures } from './expected-pipeline.server.ts';
import { type Cents, type Company, type Deal, nowOf, subtotalOf } from './random-deals.server.ts';

/** Up to and including so many. */
const DAYS: [key: string, last: number][] = [
  ['0', 0],
  ['1-3', 3],
  ['4-7', 7],
  ['8-14', 14],
  ['15-30', 30],
  ['31-60', 60],
  ['61', Infinity],
];
/** Hundredths of a percent. */
const DISCOUNTS: [key: string, last: number][] = [
  ['0', 0],
  ['5', 500],
  ['10', 1000],
  ['15', 1500],
  ['20', 2000],
  ['30', 3000],
  ['31', Infinity],
];
const GAPS: [key: string, last: number][] = [
  ['0', 0],
  ['5', 5],
  ['10', 10],
  ['20', 20],
  ['21', Infinity],
];
const bucket = (ends: [key: string, last: number][], value: number) =>
  ends.find(([, last]) => value <= last)?.[0] ?? '';

/** What the lines of a quote come to at list prices; a line without one counts with its own price. */
export function listOf({ lines }: Deal): Cents {
  return lines.filter(({ counts }) => counts).reduce((sum, { list, unit, qty }) => sum + (list ?? unit ?? 0) * qty, 0);
}

/** Hundredths of a percent off list. Halves round away from zero. */
export function discountOf(list: Cents, net: Cents): number {
  if (list <= 0) return 0;
  const exact = (10_000 * (list - net)) / list;
  return Math.sign(exact) * Math.round(Math.abs(exact));
}

export function expectedWonLost({ regionId, deals }: Company, request: Asked): Figures {
  const { zone, from, to } = request;
  const { figures, put } = collector();
  for (const deal of deals.filter(request.selects)) {
    const { status, total, loss, decidedAt } = nowOf(deal);
    if ((status !== 'Won' && status !== 'Lost') || decidedAt === null) continue;
    const day = dayOf(decidedAt, zone);
    if (day < from || day > to) continue;
    const outcome = status === 'Won' ? 'won' : 'lost';
    const group = (by: string, key: string | number) =>
      put(`decided:${outcome}:${by}:${encodeURIComponent(key)}`, deal, total);
    group('all', 'all');
    group('month', day.slice(0, 7));
    group('rep', deal.repId);
    group('region', regionId);
    group('trade', deal.facility.trade || 'none');
    group('discount', bucket(DISCOUNTS, discountOf(listOf(deal), subtotalOf(deal.lines))));
    const sent = deal.acts.find(({ action }) => action === 'Send')?.at;
    if (sent !== undefined) group('days', bucket(DAYS, daysFrom(dayOf(sent, zone), day)));
    if (!loss) continue;
    put(`reason:${loss.reason}`, deal, total);
    put(`competitor:${encodeURIComponent(loss.competitor.toLowerCase() || 'none')}`, deal, total);
    if (loss.price !== null) {
      put('gap:all', deal, total);
      put(`gap:${bucket(GAPS, (100 * (total - loss.price)) / loss.price)}`, deal, total);
    }
  }
  return figures;
}
