// Slices: texts that identify the quotes behind one mark of a report, such as 'status:Won' or 'bridge:grown'.
import { STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import { parseDate } from '#platform/shared/dates.ts';
import { type Dimension, DIMENSIONS, MEASURES, type PivotMeasure } from './pivot-choice.ts';

/** The steps of the bridge from a week ago to now, in order. */
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

/** The events of quotes in a week. */
export const WEEK_STEPS = ['created', 'submitted', 'sent', 'won'] as const;
export type WeekStep = (typeof WEEK_STEPS)[number];

/** The age of open quotes since their creation, in whole days. `to` is inclusive. */
export const AGES = [
  { key: '0-7', name: 'Up to 7 days', from: 0, to: 7 },
  { key: '8-30', name: '8 to 30 days', from: 8, to: 30 },
  { key: '31-60', name: '31 to 60 days', from: 31, to: 60 },
  { key: '61-90', name: '61 to 90 days', from: 61, to: 90 },
  { key: '91', name: 'Over 90 days', from: 91, to: null },
] as const;

/** Days from the first sending to the decision. `to` is inclusive. */
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
  { key: '5', name: 'Up to 5%', from: 0, to: 5 },
  { key: '10', name: '5 to 10%', from: 5, to: 10 },
  { key: '15', name: '10 to 15%', from: 10, to: 15 },
  { key: '20', name: '15 to 20%', from: 15, to: 20 },
  { key: '30', name: '20 to 30%', from: 20, to: 30 },
  { key: '31', name: 'Over 30%', from: 30, to: null },
] as const;

/** Percent that a lost quote was above the competitor's price: above `from`, up to and including `to`. */
export const PRICE_GAPS = [
  { key: '0', name: 'At or below theirs', from: null, to: 0 },
  { key: '5', name: 'Up to 5% above theirs', from: 0, to: 5 },
  { key: '10', name: '5 to 10% above theirs', from: 5, to: 10 },
  { key: '20', name: '10 to 20% above theirs', from: 10, to: 20 },
  { key: '21', name: 'Over 20% above theirs', from: 20, to: null },
] as const;

/** The steps of the price waterfall, in order. `list`, `net` and `total` are levels, the others are changes. */
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

/** The groupings of decided quotes. The key of a group follows the grouping in a slice. */
const OUTCOME_GROUPS = ['all', 'month', 'rep', 'region', 'trade', 'discount', 'days'] as const;
export type OutcomeGroup = (typeof OUTCOME_GROUPS)[number];
export type Outcome = 'won' | 'lost';

/** Who quotes wait for now. */
export const WAITING_FOR = ['salesRep', 'queue', 'processor', 'approver', 'sender', 'customer'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/**
 * The kinds of slices, each with the parts after its name. A key is an id, or 'none' for quotes without one. In some slices the amount is not the
 * quote's total but the part of it that the mark adds up, such as the growth of each quote in the week.
 */
export type Slice =
  | { kind: 'status'; status: StatusId }
  /** `status` null means all open quotes. */
  | { kind: 'age'; age: string; status: StatusId | null }
  /** `week`: the Monday, an ISO date. */
  | { kind: 'week'; week: string; step: WeekStep }
  | { kind: 'bridge'; step: BridgeStep }
  | { kind: 'untouched' }
  | { kind: 'expiring' }
  | { kind: 'expired' }
  | { kind: 'decided'; outcome: Outcome; by: OutcomeGroup; key: string }
  /** Lost quotes by reason, by competitor ('' without one), or by the gap to the competitor's price ('all', or a key of PRICE_GAPS). */
  | { kind: 'reason' | 'competitor' | 'gap'; key: string }
  | { kind: 'waterfall'; step: WaterfallStep }
  /** Quotes of a period by rep, or their lines of a class. */
  | { kind: 'rep' | 'class'; key: string }
  | { kind: 'outliers' }
  /** Lines below the system price: all, of a rep, or of a class. */
  | { kind: 'leakage'; by: 'all' | 'rep' | 'class'; key: string }
  | { kind: 'uncosted' }
  /** Quotes that entered a status and left it. */
  | { kind: 'stay'; status: StatusId }
  | { kind: 'approval'; by: 'rule' | 'person'; key: string }
  /** By number of revisions: '1' to '4', or '5' for more. */
  | { kind: 'revisions'; key: string }
  | { kind: 'waiting'; for: WaitingFor; status: StatusId; key: string }
  /** Lines of a contract, or of one of its tiers. */
  | { kind: 'contract' | 'tier'; outcome: 'quoted' | 'won' | 'open'; key: string }
  | { kind: 'item'; outcome: 'quoted' | 'won' | 'lost'; key: string }
  | { kind: 'territory'; outcome: 'won' | 'open' | 'yearBefore'; key: string }
  /** A cell. If `row` or `column` is null, it is a total. `columns` null means a pivot without columns. */
  | {
      kind: 'pivot';
      measure: PivotMeasure;
      rows: Dimension;
      row: string | null;
      columns: Dimension | null;
      column: string | null;
    };
type SliceKind = Slice['kind'];

/** The allowed values of each kind's parts, in order. Null means any text. */
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

/** Reads the text of a slice. Null if it is not a slice. */
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

/** Rows and columns must be different dimensions, and only a pivot with columns has figures of a column. */
const isPivot = ({ rows, columns, column }: Record<string, string | null>): boolean =>
  rows !== columns && (columns !== null || column === null);

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
