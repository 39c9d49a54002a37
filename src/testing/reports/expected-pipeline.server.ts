// Works out the pipeline of a random company from what happened to its quotes, for the proof of reports.
import { type Cents, type Company, type Deal, type DealLine, nowOf, type State } from './random-deals.server.ts';
import { dayOf, daysFrom, midnight, mondayOf, plusDays } from './deal-days.ts';

export type Asked = {
  /** Which quotes the filters select, whatever the period. */
  selects: (deal: Deal) => boolean;
  /** Which lines the filters of lines select. */
  takes: (line: DealLine) => boolean;
  /** The class of a line's item; 'none' without one. */
  classOf: (line: DealLine) => string;
  from: string;
  to: string;
  now: number;
  zone: string;
};

/** Quotes and what each adds to a figure. */
export type Members = Map<number, Cents>;
/** By slice. A figure that is not here is zero. */
export type Figures = Map<string, Members>;

const OPEN = [
  'Editing',
  'WaitingForProcess',
  'Processing',
  'NeedMoreInfo',
  'DiscountApproved',
  'SentToCustomer',
  'Revising',
];
export const isOpen = ({ status }: State) => OPEN.includes(status);

const AGE_ENDS: [key: string, last: number][] = [
  ['0-7', 7],
  ['8-30', 30],
  ['31-60', 60],
  ['61-90', 90],
  ['91', Infinity],
];

export function collector(): { figures: Figures; put: (slice: string, deal: Deal, amount: Cents) => void } {
  const figures: Figures = new Map();
  return {
    figures,
    put: (slice, deal, amount) => {
      const members = figures.get(slice) ?? new Map<number, Cents>();
      figures.set(slice, members.set(deal.id, amount));
    },
  };
}

export function expectedPipeline({ deals }: Company, request: Asked): Figures {
  const { now, zone, from, to } = request;
  const { figures, put } = collector();
  const today = dayOf(now, zone);
  const since = midnight(plusDays(today, -7), zone);
  for (const deal of deals.filter(request.selects)) {
    const state = nowOf(deal);
    const { total, status } = state;
    if (deal.quoteDate >= from && deal.quoteDate <= to) {
      put(`status:${status}`, deal, total);
      if (isOpen(state)) {
        const age = daysFrom(dayOf(deal.createdAt, zone), today);
        const key = AGE_ENDS.find(([, last]) => age <= last)?.[0] ?? '';
        put(`age:${key}:`, deal, total);
        put(`age:${key}:${status}`, deal, total);
        const touched = deal.acts.findLast(({ byPerson }) => byPerson)?.at ?? 0;
        if (touched < now - 7 * 86_400_000) put('untouched', deal, total);
      }
      if (status === 'SentToCustomer' && state.validUntil < today) put('expired', deal, total);
      if (status === 'SentToCustomer' && state.validUntil >= today && state.validUntil <= plusDays(today, 7))
        put('expiring', deal, total);
    }
    for (const [step, at] of Object.entries(firsts(deal))) {
      if (at === null || dayOf(at, zone) < from || dayOf(at, zone) > to) continue;
      put(`week:${mondayOf(dayOf(at, zone))}:${step}`, deal, total);
    }
    bridge(deal, { since, today, zone }, put);
  }
  return figures;
}

/** When a quote was first created, submitted and sent, and when it was won as it still is. */
function firsts({ createdAt, acts, states }: Deal): Record<string, number | null> {
  const state = states.at(-1);
  return {
    created: createdAt,
    submitted: acts.find(({ action }) => action === 'Submit' || action === 'StartProcess')?.at ?? null,
    sent: acts.find(({ action }) => action === 'Send')?.at ?? null,
    won: state?.status === 'Won' ? state.decidedAt : null,
  };
}

/** Compares what the quote was at the beginning of the week with what it is. */
function bridge(
  deal: Deal,
  { since, today, zone }: { since: number; today: string; zone: string },
  put: (slice: string, deal: Deal, amount: Cents) => void,
): void {
  const was = deal.states.findLast(({ at }) => at < since);
  const is = nowOf(deal);
  const live = (state: State | undefined, day: string) =>
    state !== undefined && isOpen(state) && !(state.status === 'SentToCustomer' && state.validUntil < day);
  const [wasLive, isLive] = [live(was, dayOf(since, zone)), live(is, today)];
  const step = (name: string, amount: Cents) => put(`bridge:${name}`, deal, amount);
  if (isLive) step('end', is.total);
  if (!was || !wasLive) {
    if (isLive) step(was ? 'reopened' : 'new', is.total);
    return;
  }
  step('start', was.total);
  if (isLive) {
    if (is.total !== was.total) step(is.total > was.total ? 'grown' : 'shrunk', is.total - was.total);
  } else step({ Won: 'won', Lost: 'lost', Cancelled: 'cancelled' }[is.status as string] ?? 'expired', 0 - was.total);
}
