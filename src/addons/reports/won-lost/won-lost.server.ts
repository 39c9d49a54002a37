// Computes what was won and lost in a period, by month, reason, competitor, rep, region, class of trade, discount and time.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { LOST_REASONS, type LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import { bucketKey } from '../facts/buckets.server.ts';
import { namesOf } from '../facts/names.server.ts';
import { type Asked, inReport, selected, type Terms } from '../facts/selection.server.ts';
import { monthName } from '../month-name.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { Mark, Outcomes, ReportHead, WonLostReport } from '../reports.contract.ts';
import { DECISION_DAYS, DISCOUNTS, type OutcomeGroup, PRICE_GAPS, sliceText } from '../slices.ts';
import { addSums, percentBelowSum } from '#platform/shared/sums.ts';
import {
  COMPETITOR,
  gapOf,
  groupValue,
  isDecided,
  isPriceKnown,
  REASON,
  WITH_FACILITY,
} from './won-lost-slices.server.ts';

/** The most groups of a plot that the answer contains. */
const MAX_GROUPS = 100;
const GROUPS = ['month', 'rep', 'region', 'trade', 'discount', 'days', 'reason', 'competitor', 'gap'] as const;
type Group = (typeof GROUPS)[number];
type Key = string | number | null;
type Row = {
  won: boolean;
  set: number;
  count: number;
  amount: number;
  theirs: number;
  spelling: string | null;
} & Record<Group, Key>;

export function getWonLost(request: Asked, filters: ReportFilters): Promise<WonLostReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<WonLostReport> {
  const rows = await grouped(request.db, terms);
  const names = await namesOf(request.db, {
    rep: rowsOf(rows, 'rep').map(({ rep }) => rep),
    region: rowsOf(rows, 'region').map(({ region }) => region),
  });
  const whole = rows.filter(({ set }) => set === NO_GROUP);
  const named = (group: 'rep' | 'region') =>
    largestFirst(
      outcomesBy(rows, group, (key) => (key === null ? NO_ONE[group] : (names[group].get(Number(key)) ?? String(key)))),
    );
  const byMonth = outcomesBy(rows, 'month', (key) => monthName(String(key)));
  const reasons = marksBy(rows, 'reason', (row) =>
    row.reason === null ? 'No reason' : (LOST_REASONS[row.reason as LostReason] ?? String(row.reason)),
  );
  const gaps = rowsOf(rows, 'gap').filter(({ gap, won }) => gap !== null && !won);
  const ours = addSums(...gaps.map(({ amount }) => amount));
  const theirs = addSums(...gaps.map((row) => row.theirs));
  return {
    ...head,
    total: outcomes(whole, 'all', 'all', 'All'),
    perMonth: everyMonth(byMonth),
    byReason: reasons,
    byCompetitor: marksBy(rows, 'competitor', ({ spelling }) => spelling ?? 'No competitor named').slice(0, MAX_GROUPS),
    byRep: named('rep'),
    byRegion: named('region'),
    byClassOfTrade: largestFirst(
      outcomesBy(rows, 'trade', (key) => (key === null ? 'No class of trade' : String(key))),
    ),
    byDiscountSize: DISCOUNTS.map(({ key, name }) =>
      outcomes(
        rowsOf(rows, 'discount').filter((row) => row.discount === key),
        'discount',
        key,
        name,
      ),
    ),
    priceGap: {
      count: gaps.reduce((sum, { count }) => sum + count, 0),
      amount: ours,
      slice: sliceText({ kind: 'gap', key: 'all' }),
      theirAmount: theirs,
      gapPct: theirs > 0 ? -percentBelowSum(ours, theirs) : null,
      bars: PRICE_GAPS.map(({ key, name }) => {
        const [row] = gaps.filter(({ gap }) => gap === key);
        return { key, name, count: row?.count ?? 0, amount: row?.amount ?? 0, slice: sliceText({ kind: 'gap', key }) };
      }),
    },
    daysToDecide: DECISION_DAYS.map(({ key, name }) =>
      outcomes(
        rowsOf(rows, 'days').filter((row) => row.days === key),
        'days',
        key,
        name,
      ),
    ),
  };
}

const NO_ONE = { rep: 'No sales rep', region: 'No region' };
const bitOf = (group: Group) => 1 << (GROUPS.length - 1 - GROUPS.indexOf(group));
const NO_GROUP = (1 << GROUPS.length) - 1;
/** The rows grouped by one value. `set` has a bit for each value that a row is not grouped by. */
const rowsOf = (rows: readonly Row[], group: Group) => rows.filter(({ set }) => set === NO_GROUP - bitOf(group));

/** One pass over the decided quotes, grouped by each value in turn. */
async function grouped(db: Db, terms: Terms): Promise<Row[]> {
  const values = {
    month: groupValue('month', terms),
    rep: groupValue('rep', terms),
    region: groupValue('region', terms),
    trade: groupValue('trade', terms),
    discount: groupValue('discount', terms),
    days: groupValue('days', terms),
    reason: REASON,
    competitor: COMPETITOR,
    gap: sql`case when ${isPriceKnown} then ${gapOf} end`,
  } satisfies Record<Group, unknown>;
  const columns = GROUPS.map((group) => sql`${values[group]} as ${sql.ref(group)}`);
  const list = sql.join(GROUPS.map((group) => sql.ref(group)));
  const sets = sql.join([...GROUPS.map((group) => sql`(won, ${sql.ref(group)})`), sql`(won)`]);
  const { rows } = await sql<Row>`
    select won, grouping(${list}) as set, ${list}, count(*)::int as count, sum(total_amount) as amount,
      coalesce(sum(theirs), 0) as theirs, min(spelling) as spelling
    from (select quote.status_id = 'Won' as won, quote.total_amount, ${sql.join(columns)},
        case when ${isPriceKnown} then quote.lost_competitor_price end as theirs,
        case when ${COMPETITOR} is not null then quote.lost_competitor end as spelling
      from ${WITH_FACILITY} where ${selected(terms)} and ${isDecided(terms)}) quote
    group by grouping sets (${sets})`.execute(db);
  return rows;
}

function outcomes(rows: readonly Row[], by: OutcomeGroup, key: string, name: string): Outcomes {
  const [won, lost] = [rows.find((row) => row.won), rows.find((row) => !row.won)];
  return {
    key,
    name,
    won: won?.count ?? 0,
    lost: lost?.count ?? 0,
    wonAmount: won?.amount ?? 0,
    lostAmount: lost?.amount ?? 0,
    wonSlice: sliceText({ kind: 'decided', outcome: 'won', by, key }),
    lostSlice: sliceText({ kind: 'decided', outcome: 'lost', by, key }),
  };
}

function outcomesBy(rows: readonly Row[], group: Exclude<OutcomeGroup, 'all'>, name: (key: Key) => string): Outcomes[] {
  const byKey = Map.groupBy(rowsOf(rows, group), (row) => row[group]);
  return [...byKey].map(([key, rowsOfKey]) => outcomes(rowsOfKey, group, bucketKey(key), name(key)));
}

function largestFirst(all: Outcomes[]): Outcomes[] {
  const size = ({ wonAmount, lostAmount }: Outcomes) => wonAmount + lostAmount;
  return all.toSorted((a, b) => size(b) - size(a) || a.name.localeCompare(b.name)).slice(0, MAX_GROUPS);
}

/** Lost quotes by one value, largest amount first. */
function marksBy(rows: readonly Row[], kind: 'reason' | 'competitor', name: (row: Row) => string): Mark[] {
  return rowsOf(rows, kind)
    .filter(({ won }) => !won)
    .map((row) => {
      const key = bucketKey(row[kind]);
      return { key, name: name(row), count: row.count, amount: row.amount, slice: sliceText({ kind, key }) };
    })
    .toSorted((a, b) => b.amount - a.amount || a.name.localeCompare(b.name));
}

/** Every month from the first to the last with a decision. */
function everyMonth(results: readonly Outcomes[]): Outcomes[] {
  const byKey = new Map(results.map((result) => [result.key, result]));
  const keys = [...byKey.keys()].toSorted((a, b) => a.localeCompare(b));
  const months: Outcomes[] = [];
  const last = keys.at(-1) ?? '';
  for (let key = keys[0]; key !== undefined && key <= last; key = nextMonth(key))
    months.push(byKey.get(key) ?? outcomes([], 'month', key, monthName(key)));
  return months;
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}
