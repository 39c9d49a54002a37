// Makes small random companies for the proof of reports: quotes that live through random acts, and the record of what they were when.
import { type Random, seeded } from '#demo/random.server.ts';
import { LOST_REASONS, type LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { dayOf, endsOn, midnight } from './deal-days.ts';

/** Money in cents, so that sums are exact. */
export type Cents = number;

/** What a quote was from an act on. */
export type State = {
  at: number;
  status: StatusId;
  total: Cents;
  validUntil: IsoDate;
  revision: number;
  loss: Loss | null;
  /** When the decision that counts in this state was made. */
  decidedAt: number | null;
};
export type Loss = { reason: LostReason; competitor: string; price: Cents | null };
export type Act = { at: number; action: string; from: StatusId | null; to: StatusId; byPerson: boolean };
export type Decided = { rule: number; by: number; at: number };
export type Asking = { at: number; decisions: Decided[] };

export type DealLine = {
  id: number;
  counts: boolean;
  type: 'item' | 'custom' | 'free';
  itemId: number | null;
  contractLineId: number | null;
  tierId: number | null;
  qty: number;
  list: Cents | null;
  /** What contract and account gave, before a promotion. */
  resolved: Cents | null;
  system: Cents | null;
  unit: Cents | null;
  promotionId: number | null;
  /** The share of the quote discount. */
  share: Cents;
  cost: Cents | null;
};

export type Deal = {
  id: number;
  repId: number;
  territoryId: number | null;
  facility: { id: number; trade: string };
  currnIdx: number;
  quoteDate: IsoDate;
  createdAt: number;
  states: State[];
  acts: Act[];
  askings: Asking[];
  lines: DealLine[];
  freight: Cents;
};

export type Company = {
  seed: number;
  regionId: number;
  territories: number[];
  reps: number[];
  deals: Deal[];
};

/** What all companies share. */
export type Catalog = {
  items: number[];
  /** The class of each item. */
  classes: Map<number, number>;
  contractLines: { id: number; contractId: number; tierId: number }[];
  /** The last day of each contract. */
  endsOn: Map<number, IsoDate>;
  promotionId: number;
  rules: number[];
  /** Who decides what others ask for. */
  approver: number;
};

const DAY = 86_400_000;
/** Months that the acts reach back. */
const SPAN = 160 * DAY;

type Steps = Partial<
  Record<StatusId, readonly (readonly [action: string, to: StatusId | 'back' | 'stay', weight: number])[]>
>;

/** What may happen to a quote in each status, and how often. Written independently of the workflow. */
const STEPS: Steps = {
  Editing: [
    ['Edit', 'stay', 4],
    ['Submit', 'WaitingForProcess', 5],
    ['StartProcess', 'Processing', 2],
    ['Cancel', 'Cancelled', 1],
    ['Upload', 'stay', 1],
  ],
  WaitingForProcess: [
    ['StartProcess', 'Processing', 6],
    ['Recall', 'Editing', 1],
    ['Cancel', 'Cancelled', 1],
  ],
  Processing: [
    ['Edit', 'stay', 3],
    ['Send', 'SentToCustomer', 6],
    ['RequestInfo', 'NeedMoreInfo', 2],
    ['RequestApproval', 'stay', 2],
    ['Cancel', 'Cancelled', 1],
  ],
  NeedMoreInfo: [
    ['ProvideInfo', 'Processing', 5],
    ['Edit', 'stay', 1],
    ['Cancel', 'Cancelled', 1],
  ],
  DiscountApproved: [
    ['Send', 'SentToCustomer', 6],
    ['Edit', 'Processing', 1],
  ],
  SentToCustomer: [
    ['MarkWon', 'Won', 5],
    ['MarkLost', 'Lost', 4],
    ['Revise', 'Revising', 3],
    ['Resend', 'stay', 1],
    ['SendReminder', 'stay', 2],
    ['Question', 'stay', 1],
    ['Extend', 'stay', 1],
  ],
  Revising: [
    ['Edit', 'stay', 4],
    ['Submit', 'WaitingForProcess', 3],
    ['StartProcess', 'Processing', 2],
    ['DiscardRevision', 'back', 2],
    ['Cancel', 'Cancelled', 1],
  ],
  Won: [['Reopen', 'Processing', 1]],
  Lost: [['Revise', 'Revising', 1]],
  Cancelled: [['Reopen', 'Editing', 1]],
};
/** Acts of the program, which touch no quote, and of the customer, who has no account. */
const BY_PROGRAM = new Set(['SendReminder']);
const COMPETITORS = ['Acme', 'Borealis', 'Cobalt & Sons'];

export type Ids = { quote: number; line: number };

/** A company with a region of its own, so that its reports can be read apart from all others. */
export function randomDeals(
  seed: number,
  place: Pick<Company, 'regionId' | 'territories' | 'reps'> & { facilities: Deal['facility'][] },
  catalog: Catalog,
  { now, zone, ids }: { now: number; zone: string; ids: Ids },
): Company {
  const random = seeded(seed);
  const deals = Array.from({ length: random.int(0, 16) }, () => {
    const createdAt = aTime(random, now - SPAN, now, zone);
    const deal: Deal = {
      id: ++ids.quote,
      repId: random.pick(place.reps),
      territoryId: random.chance(0.1) ? null : random.pick(place.territories),
      facility: random.pick(place.facilities),
      currnIdx: random.chance(0.15) ? 1009 : 1007,
      quoteDate: dayOf(createdAt - random.pick([0, 0, 0, 1, 3]) * DAY, zone),
      createdAt,
      states: [],
      acts: [],
      askings: [],
      lines: Array.from({ length: random.int(0, 5) }, () => aLine(random, catalog, ++ids.line)),
      freight: random.chance(0.3) ? random.int(1, 9999) : 0,
    };
    live(random, deal, { now, zone, catalog });
    return deal;
  });
  return { seed, regionId: place.regionId, territories: place.territories, reps: place.reps, deals };
}

/** Often the very beginning or end of a day, where mistakes are. */
function aTime(random: Random, from: number, to: number, zone: string): number {
  const any = from + Math.floor(random.next() * (to - from));
  if (!random.chance(0.25)) return any;
  const begin = midnight(dayOf(any, zone), zone);
  const edge = random.pick([begin, begin - 1, endsOn(dayOf(any, zone), zone) - 1]);
  return edge >= from && edge <= to ? edge : any;
}

function aLine(random: Random, { items, contractLines, promotionId }: Catalog, id: number): DealLine {
  const type = random.chance(0.12) ? 'custom' : random.chance(0.06) ? 'free' : 'item';
  const list = type === 'custom' || random.chance(0.05) ? null : random.int(100, 90_000);
  const base = list ?? random.int(100, 90_000);
  const contract = type === 'item' && random.chance(0.35) ? random.pick(contractLines) : null;
  const resolved = type === 'item' ? (contract ? Math.floor(base * 0.85) : list) : null;
  const promoted = resolved !== null && random.chance(0.15);
  const system = promoted ? Math.floor(resolved * 0.93) : resolved;
  const typed = type === 'custom' ? base : random.chance(0.3) ? Math.floor(base * (0.7 + random.next() * 0.4)) : system;
  const unit = type === 'free' ? 0 : random.chance(0.03) ? null : typed;
  const qty = random.int(1, 30);
  return {
    id,
    type,
    counts: !random.chance(0.12),
    itemId: type === 'custom' ? null : random.pick(items),
    contractLineId: contract?.id ?? null,
    tierId: contract?.tierId ?? null,
    qty,
    list,
    resolved,
    system,
    unit,
    promotionId: promoted ? promotionId : null,
    share: unit !== null && type !== 'free' && random.chance(0.2) ? Math.floor((unit * qty) / 20) : 0,
    cost: random.chance(0.15) ? null : random.int(50, 40_000),
  };
}

/** Lets the quote live until now, or until nothing more happens. */
function live(random: Random, deal: Deal, overrides: { now: number; zone: string; catalog: Catalog }): void {
  const { now, zone, catalog } = overrides;
  const { states, acts, askings } = deal;
  const validUntil = dayOf(deal.createdAt + random.int(5, 90) * DAY, zone);
  const total = random.chance(0.5) ? 0 : random.int(100, 5_000_000);
  let state: State = {
    at: deal.createdAt,
    status: 'Editing',
    total,
    validUntil,
    revision: 1,
    loss: null,
    decidedAt: null,
  };
  /** What a discarded revision brings back. */
  const before: State[] = [];
  const happen = (act: Omit<Act, 'byPerson'>, next: State) => {
    acts.push({ ...act, byPerson: !BY_PROGRAM.has(act.action) });
    states.push(next);
    state = next;
  };
  happen({ at: deal.createdAt, action: 'Create', from: null, to: 'Editing' }, state);
  const most = random.int(0, 14);
  for (let at = deal.createdAt, n = 0; n < most; n++) {
    at = aTime(random, at + 1000, Math.min(now, at + random.pick([DAY, 5 * DAY, 30 * DAY])), zone);
    if (at > now - 1000) return;
    const choices = (STEPS[state.status] ?? []).flatMap((step) => Array<typeof step>(step[2]).fill(step));
    const [action, to] = random.pick(choices);
    const isClosed = state.status === 'Won' || state.status === 'Lost' || state.status === 'Cancelled';
    if (isClosed && random.chance(0.6)) return;
    const from = state.status;
    if (action === 'RequestApproval') {
      at = ask(random, { at, now, zone, state, askings, happen, catalog });
      continue;
    }
    const next = { ...state, at, status: to === 'stay' || to === 'back' ? state.status : to };
    if (action === 'Edit') next.total = random.chance(0.3) ? state.total : random.int(100, 5_000_000);
    if (action === 'Edit' && random.chance(0.2)) next.validUntil = dayOf(at + random.int(0, 60) * DAY, zone);
    if (action === 'Extend') next.validUntil = dayOf(at + random.int(20, 90) * DAY, zone);
    if (action === 'MarkLost') next.loss = aLoss(random, state.total);
    if (action === 'MarkWon' || action === 'MarkLost' || action === 'Cancel') next.decidedAt = at;
    if (action === 'Reopen') next.decidedAt = null;
    if (action === 'Reopen' && from === 'Won') next.revision++;
    if (action === 'Revise') {
      before.push(state);
      Object.assign(next, { revision: state.revision + 1, loss: null, decidedAt: null });
    }
    if (action === 'DiscardRevision') {
      const was = before.pop();
      if (!was) continue;
      Object.assign(next, { ...was, at });
    }
    happen({ at, action: action === 'Extend' ? 'Edit' : action, from, to: next.status }, next);
  }
}

function aLoss(random: Random, total: Cents): Loss {
  const competitor = random.chance(0.5) ? random.pick(COMPETITORS) : '';
  return {
    reason: random.pick(Object.keys(LOST_REASONS) as LostReason[]),
    competitor,
    price: random.chance(0.6) && total > 0 ? Math.ceil(total * (0.75 + random.next() * 0.35)) : null,
  };
}

/** Asks for approval, which may be given, refused, or be waited for. Answers when. */
function ask(
  random: Random,
  overrides: {
    at: number;
    now: number;
    zone: string;
    state: State;
    askings: Asking[];
    happen: (act: Omit<Act, 'byPerson'>, next: State) => void;
    catalog: Catalog;
  },
): number {
  const { now, zone, state, askings, happen, catalog } = overrides;
  const from = state.status;
  happen({ at: overrides.at, action: 'RequestApproval', from, to: from }, { ...state, at: overrides.at });
  const asking: Asking = { at: overrides.at, decisions: [] };
  askings.push(asking);
  const at = aTime(random, overrides.at + 1000, Math.min(now, overrides.at + 4 * DAY), zone);
  // Some still wait.
  if (at > now - 1000 || random.chance(0.12)) return now;
  asking.decisions.push({ rule: random.pick(catalog.rules), by: catalog.approver, at });
  const isApproved = random.chance(0.7);
  const to = isApproved ? 'DiscountApproved' : from;
  happen({ at, action: isApproved ? 'ApproveDiscount' : 'RejectDiscount', from, to }, { ...state, at, status: to });
  return at;
}

/** What the lines of a quote come to, which is its subtotal. */
export function subtotalOf(lines: readonly DealLine[]): Cents {
  return lines.filter(({ counts }) => counts).reduce((sum, line) => sum + lineTotal(line), 0);
}
export function lineTotal({ unit, qty, share }: DealLine): Cents {
  return (unit ?? 0) * qty - share;
}

export const nowOf = (deal: Deal): State => {
  const state = deal.states.at(-1);
  if (!state) throw new Error('every quote was created');
  return state;
};
