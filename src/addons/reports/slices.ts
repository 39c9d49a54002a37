// Slices: the text that names the quotes behind one mark of a report, such as 'status:Won' or 'bridge:grown'.
import { STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import { parseDate } from '#platform/shared/dates.ts';
import { type Dimension, DIMENSIONS, MEASURES, type PivotMeasure } from './pivot-choice.ts';

/** The steps of the bridge from a week ago to now, in their order. */
export const BRIDGE_STEPS = [
  'start',
  'new',
  'reopened',
  'grown',
  'shrunk',
  'won',
  'lost',
  'cancelled',
  'expired',
  'end',
] as const;
export type BridgeStep = (typeof BRIDGE_STEPS)[number];

/** What happens to quotes in a week. */
export const WEEK_STEPS = ['created', 'submitted', 'sent', 'won'] as const;
export type WeekStep = (typeof WEEK_STEPS)[number];

/** Ages of open quotes since they were created, in whole days; `to` is inclusive. */
export const AGES = [
  { key: '0-7', name: 'Up to 7 days', from: 0, to: 7 },
  { key: '8-30', name: '8 to 30 days', from: 8, to: 30 },
  { key: '31-60', name: '31 to 60 days', from: 31, to: 60 },
  { key: '61-90', name: '61 to 90 days', from: 61, to: 90 },
  { key: '91', name: 'Over 90 days', from: 91, to: null },
] as const;

/** Days from the first sending to the decision; `to` is inclusive. */
export const DECISION_DAYS = [
  { key: '0', name: 'Same day', from: 0, to: 0 },
  { key: '1-3', name: '1 to 3 days', from: 1, to: 3 },
  { key: '4-7', name: '4 to 7 days', from: 4, to: 7 },
  { key: '8-14', name: '8 to 14 days', from: 8, to: 14 },
  { key: '15-30', name: '15 to 30 days', from: 15, to: 30 },
  { key: '31-60', name: '31 to 60 days', from: 31, to: 60 },
  { key: '61', name: 'Over 60 days', from: 61, to: null },
] as const;

/** Percent off list: above `from`, up to and including `to`. */
export const DISCOUNTS = [
  { key: '0', name: 'No discount', from: null, to: 0 },
  { key: '5', name: 'Up to 5 %', from: 0, to: 5 },
  { key: '10', name: '5 to 10 %', from: 5, to: 10 },
  { key: '15', name: '10 to 15 %', from: 10, to: 15 },
  { key: '20', name: '15 to 20 %', from: 15, to: 20 },
  { key: '30', name: '20 to 30 %', from: 20, to: 30 },
  { key: '31', name: 'Over 30 %', from: 30, to: null },
] as const;

/** Percent that a lost quote was above the competitor's price: above `from`, up to and including `to`. */
export const PRICE_GAPS = [
  { key: '0', name: 'Not above theirs', from: null, to: 0 },
  { key: '5', name: 'Up to 5 % above', from: 0, to: 5 },
  { key: '10', name: '5 to 10 % above', from: 5, to: 10 },
  { key: '20', name: '10 to 20 % above', from: 10, to: 20 },
  { key: '21', name: 'Over 20 % above', from: 20, to: null },
] as const;

/** The steps of the price waterfall, in their order. `list`, `net` and `total` are levels, the others changes. */
export const WATERFALL_STEPS = [
  'list',
  'contract',
  'promotion',
  'typed',
  'quoteDiscount',
  'net',
  'freight',
  'tax',
  'total',
] as const;
export type WaterfallStep = (typeof WATERFALL_STEPS)[number];

/** By what decided quotes are grouped; the key of a group follows it. */
const OUTCOME_GROUPS = ['all', 'month', 'rep', 'region', 'trade', 'discount', 'days'] as const;
export type OutcomeGroup = (typeof OUTCOME_GROUPS)[number];
export type Outcome = 'won' | 'lost';

/** For whom quotes wait now. */
export const WAITING_FOR = ['salesRep', 'queue', 'processor', 'approver', 'sender', 'customer'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/**
 * What each kind of slice means, with the parts after its name. A key is an id, or 'none' for quotes without one. The amounts of some slices are not
 * the quote's total: they are the part of it that the mark adds up, such as the growth of each quote in the week.
 */
export type Slice =
  | { kind: 'status'; status: StatusId }
  /** `status` null: all open ones. */
  | { kind: 'age'; age: string; status: StatusId | null }
  /** `week`: the Monday, an ISO date. */
  | { kind: 'week'; week: string; step: WeekStep }
  | { kind: 'bridge'; step: BridgeStep }
  | { kind: 'untouched' }
  | { kind: 'expiring' }
  | { kind: 'expired' }
  | { kind: 'decided'; outcome: Outcome; by: OutcomeGroup; key: string }
  /** Lost quotes by reason, by competitor ('' for none named), or by the gap to the competitor's price ('all', or a key of PRICE_GAPS). */
  | { kind: 'reason' | 'competitor' | 'gap'; key: string }
  | { kind: 'waterfall'; step: WaterfallStep }
  /** Quotes of a period by rep, or the lines of a class in them. */
  | { kind: 'rep' | 'class'; key: string }
  | { kind: 'outliers' }
  /** Lines below the price of the rules: of all, of a rep, of a class. */
  | { kind: 'leakage'; by: 'all' | 'rep' | 'class'; key: string }
  | { kind: 'uncosted' }
  /** Quotes that spent time in a status and left it. */
  | { kind: 'stay'; status: StatusId }
  | { kind: 'approval'; by: 'rule' | 'person'; key: string }
  /** By number of revisions: '1' to '4', '5' for more. */
  | { kind: 'revisions'; key: string }
  | { kind: 'waiting'; for: WaitingFor; status: StatusId; key: string }
  /** Lines of a contract, or of one of its tiers. */
  | { kind: 'contract' | 'tier'; outcome: 'quoted' | 'won' | 'open'; key: string }
  | { kind: 'item'; outcome: 'quoted' | 'won' | 'lost'; key: string }
  | { kind: 'territory'; outcome: 'won' | 'open' | 'yearBefore'; key: string }
  /** A cell, where `row` or `column` null is a total. `columns` null: the pivot has none. */
  | {
      kind: 'pivot';
      measure: PivotMeasure;
      rows: Dimension;
      row: string | null;
      columns: Dimension | null;
      column: string | null;
    };
type SliceKind = Slice['kind'];

/** The values of each kind's parts in their order; null: any text. */
const PARTS: Record<SliceKind, Record<string, readonly string[] | null>> = {
  status: { status: STATUSES },
  age: { age: AGES.map(({ key }) => key), status: ['', ...STATUSES] },
  week: { week: null, step: WEEK_STEPS },
  bridge: { step: BRIDGE_STEPS },
  untouched: {},
  expiring: {},
  expired: {},
  decided: { outcome: ['won', 'lost'], by: OUTCOME_GROUPS, key: null },
  reason: { key: null },
  competitor: { key: null },
  gap: { key: ['all', ...PRICE_GAPS.map(({ key }) => key)] },
  waterfall: { step: WATERFALL_STEPS },
  rep: { key: null },
  class: { key: null },
  outliers: {},
  leakage: { by: ['all', 'rep', 'class'], key: null },
  uncosted: {},
  stay: { status: STATUSES },
  approval: { by: ['rule', 'person'], key: null },
  revisions: { key: ['1', '2', '3', '4', '5'] },
  waiting: { for: WAITING_FOR, status: STATUSES, key: null },
  contract: { outcome: ['quoted', 'won', 'open'], key: null },
  tier: { outcome: ['quoted', 'won', 'open'], key: null },
  item: { outcome: ['quoted', 'won', 'lost'], key: null },
  territory: { outcome: ['won', 'open', 'yearBefore'], key: null },
  pivot: { measure: MEASURES, rows: DIMENSIONS, row: null, columns: ['', ...DIMENSIONS], column: null },
};

/** Writes a slice as text for a call or an address. */
export function sliceText(slice: Slice): string {
  const values: Record<string, string | null> = { ...slice };
  const parts = Object.keys(PARTS[slice.kind]).map((name) => encodeURIComponent(values[name] ?? ''));
  return [slice.kind, ...parts].join(':');
}

/** Reads the text of a slice; null when it names none. */
export function sliceOf(text: string): Slice | null {
  const [kind = '', ...parts] = text.split(':');
  if (!Object.hasOwn(PARTS, kind)) return null;
  const expected = Object.entries(PARTS[kind as SliceKind]);
  if (parts.length !== expected.length) return null;
  const slice: Record<string, string | null> = { kind };
  for (const [index, [name, values]] of expected.entries()) {
    const value = decoded(parts[index] ?? '');
    if (value === null || (values && !values.includes(value))) return null;
    slice[name] = value === '' && (kind === 'age' || kind === 'pivot') ? null : value;
  }
  if (kind === 'pivot' && !isPivot(slice)) return null;
  if (kind === 'week' && parseDate(slice['week'] ?? '') !== slice['week']) return null;
  return slice as Slice;
}

/** The columns are of another dimension than the rows, and only a pivot with columns has figures of one. */
const isPivot = ({ rows, columns, column }: Record<string, string | null>): boolean =>
  rows !== columns && (columns !== null || column === null);

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
