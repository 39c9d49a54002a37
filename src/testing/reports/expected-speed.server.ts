// Works out how long the quotes of a random company took, for the proof of reports.
import { dayOf } from './deal-days.ts';
import type { Asked } from './expected-pipeline.server.ts';
import { type Cents, type Company, type Deal, nowOf } from './random-deals.server.ts';
import { assigneeOf, pendingRoles } from './store-deals.server.ts';

/** By slice: the quotes, and the middle and ninetieth percentile of the times in whole seconds. */
export type Times = Record<string, { count: number; median: number; p90: number }>;

const timesOf = (quotes: number, times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  return { count: quotes, median: at(0.5), p90: at(0.9) };
};

const isIn = (at: number, { zone, from, to }: Asked) => dayOf(at, zone) >= from && dayOf(at, zone) <= to;

export function expectedTimes({ deals }: Company, request: Asked): Times {
  const stays = new Map<string, number[]>();
  const decided = new Map<string, { quotes: Set<number>; times: number[] }>();
  for (const deal of deals.filter(request.selects)) {
    if (isIn(deal.createdAt, request))
      for (const [status, ms] of staysOf(deal))
        stays.set(status, [...(stays.get(status) ?? []), Math.round(ms / 1000)]);
    for (const asking of deal.askings.filter(({ at }) => isIn(at, request)))
      for (const { rule, by, at } of asking.decisions)
        for (const slice of [`approval:rule:${rule}`, `approval:person:${by}`]) {
          const first = decided.get(slice) ?? { quotes: new Set(), times: [] };
          decided.set(slice, first);
          first.quotes.add(deal.id);
          first.times.push(Math.round((at - asking.at) / 1000));
        }
  }
  return Object.fromEntries([
    ...[...stays].map(([status, times]) => [`stay:${status}`, timesOf(times.length, times)] as const),
    ...[...decided].map(([slice, { quotes, times }]) => [slice, timesOf(quotes.size, times)] as const),
  ]);
}

/** The milliseconds in each open status that the quote has left, all its stays together. */
function staysOf({ states }: Deal): Map<string, number> {
  const stays = new Map<string, number>();
  let [status, since] = [states[0]?.status, states[0]?.at ?? 0];
  for (const { status: next, at } of states) {
    if (next === status || status === undefined) continue;
    if (status !== 'Won' && status !== 'Lost' && status !== 'Cancelled')
      stays.set(status, (stays.get(status) ?? 0) + at - since);
    [status, since] = [next, at];
  }
  return stays;
}

/** For whom open quotes wait, by 'for status key': their totals in cents, and the seconds that they have waited. */
export function expectedWaiting(
  { deals, reps }: Company,
  request: Asked,
): Map<string, { ids: Map<number, Cents>; seconds: number[] }> {
  const groups = new Map<string, { ids: Map<number, Cents>; seconds: number[] }>();
  for (const deal of deals.filter(request.selects)) {
    const { status, total } = nowOf(deal);
    const who = waitsFor(deal, status, reps);
    if (!who) continue;
    const name = `${who[0]} ${status} ${who[1]}`;
    const group = groups.get(name) ?? { ids: new Map<number, Cents>(), seconds: [] };
    groups.set(name, group);
    group.ids.set(deal.id, total);
    group.seconds.push(Math.round((request.now - sinceOf(deal)) / 1000));
  }
  return groups;
}

function waitsFor(deal: Deal, status: string, reps: readonly number[]): [who: string, key: string] | null {
  switch (status) {
    case 'Won':
    case 'Lost':
    case 'Cancelled':
      return null;
    case 'WaitingForProcess':
      return ['queue', ''];
    case 'DiscountApproved':
      return ['sender', ''];
    case 'SentToCustomer':
      return ['customer', ''];
    case 'Processing': {
      const roles = pendingRoles(deal);
      if (roles.length > 0) return ['approver', roles.toSorted().join(',')];
      return ['processor', String(assigneeOf(reps, deal) ?? 'none')];
    }
    default:
      return ['salesRep', String(deal.repId)];
  }
}

/** When a quote got the status that it has. */
function sinceOf({ states }: Deal): number {
  const status = states.at(-1)?.status;
  const before = states.findLastIndex((state) => state.status !== status);
  return states[before + 1]?.at ?? 0;
}

/** By number of revisions: the quotes and their totals in cents. */
export function expectedRevisions({ deals }: Company, request: Asked): Record<string, [count: number, cents: number]> {
  const result: Record<string, [number, number]> = {};
  for (const deal of deals.filter((candidate) => request.selects(candidate) && isIn(candidate.createdAt, request))) {
    const { revision, total } = nowOf(deal);
    const slice = `revisions:${Math.min(revision, 5)}`;
    const [count, amount] = result[slice] ?? [0, 0];
    result[slice] = [count + 1, amount + total];
  }
  return result;
}
