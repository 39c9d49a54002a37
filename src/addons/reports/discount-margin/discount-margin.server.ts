// Computes how prices go from list to net, the discounts by rep, what is below the rules, and the margin for readers who may know it.
import { sql } from 'kysely';
import { addSums, percentBelowSum } from '#platform/shared/sums.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { bucketKey } from '../facts/buckets.server.ts';
import { amountFrom, CLASS_SUMS, LINE_LEAK } from '../facts/kept-sums.server.ts';
import { keptMonths, sumsOf } from '../facts/whole-months.server.ts';
import { namesOf } from '../facts/names.server.ts';
import { type Asked, inReport, isQuoted, linesSelected, selected, type Terms } from '../facts/selection.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { DiscountMarginReport, DiscountMark, Mark, ReportHead } from '../reports.contract.ts';
import { sliceText, WATERFALL_STEPS } from '../slices.ts';
import { STEP_AMOUNTS, usualLimit } from './discount-margin-slices.server.ts';
import { MAX_OUTLIERS } from './discount-margin.definitions.ts';

/** The most reps and classes that the answer contains. */
const MAX_GROUPS = 100;

type Whole = Record<string, number> & {
  cost: number;
  costed: number;
  uncosted: number;
  uncostedLines: number;
  uncostedQuotes: number;
  limit: number | null;
};
type Group = {
  key: number | null;
  count: number;
  list: number;
  net: number;
  cost: number;
  costed: number;
  /** The tenth, fiftieth and ninetieth percentile of discounts, in hundredths of a percent. */
  spread: number[];
  leak: number;
  leakCount: number;
};
type OfRep = Group & { leakLines: number; rule: number };

export function getDiscountMargin(request: Asked, filters: ReportFilters): Promise<DiscountMarginReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<DiscountMarginReport> {
  const knowsCost = seesInternalFigures(terms.user);
  const whole = await wholeOf(request, terms);
  const reps = await byRep(request, terms);
  const classes = await byClass(request, terms);
  const names = await namesOf(request.db, {
    rep: reps.map(({ key }) => key),
    class: classes.map(({ key }) => key),
  });
  const nameOf = (kind: 'rep' | 'class', key: number | null) =>
    key === null ? { rep: 'No sales rep', class: 'No item class' }[kind] : (names[kind].get(key) ?? String(key));
  const marks = (kind: 'rep' | 'class', groups: Group[]) =>
    groups
      .map((group): DiscountMark => {
        const key = bucketKey(group.key);
        return {
          key,
          name: nameOf(kind, group.key),
          slice: sliceText({ kind, key }),
          ...groupFigures(group, knowsCost),
        };
      })
      .toSorted((a, b) => b.amount - a.amount || a.name.localeCompare(b.name))
      .slice(0, MAX_GROUPS);
  const leaks = (by: 'rep' | 'class', groups: Group[]) =>
    groups
      .filter(({ leakCount }) => leakCount > 0)
      .map(({ key: id, leak, leakCount }): Mark => {
        const key = bucketKey(id);
        return {
          key,
          name: nameOf(by, id),
          count: leakCount,
          amount: leak,
          slice: sliceText({ kind: 'leakage', by, key }),
        };
      })
      .toSorted((a, b) => b.amount - a.amount || a.name.localeCompare(b.name))
      .slice(0, MAX_GROUPS);
  const leak = addSums(...reps.map((rep) => rep.leak));
  const rule = addSums(...reps.map((rep) => rep.rule));
  const { cost, costed, uncosted, uncostedLines, uncostedQuotes } = whole;
  return {
    ...head,
    waterfall: waterfallOf(whole),
    byRep: marks('rep', reps),
    byClass: marks('class', classes),
    outliers: await outliers(request, terms, { limit: whole.limit, knowsCost }),
    leakage: {
      count: sumOf(reps, 'leakCount'),
      amount: leak,
      lines: sumOf(reps, 'leakLines'),
      pct: percentOfWhole(leak, rule),
      slice: sliceText({ kind: 'leakage', by: 'all', key: '' }),
      byRep: leaks('rep', reps),
      byClass: leaks('class', classes),
    },
    margin:
      knowsCost && costed > 0 ? { amount: addSums(costed, -cost), pct: percentBelowSum(cost, costed), costed } : null,
    uncosted: knowsCost
      ? { count: uncostedQuotes, lines: uncostedLines, amount: uncosted, slice: sliceText({ kind: 'uncosted' }) }
      : null,
  };
}

const sumOf = (groups: readonly OfRep[], field: 'leakCount' | 'leakLines') =>
  groups.reduce((sum, group) => sum + group[field], 0);
/** `part` in percent of `whole`, or 0 if `whole` is 0. */
const percentOfWhole = (part: number, whole: number) => (whole > 0 ? percentBelowSum(addSums(whole, -part), whole) : 0);

function groupFigures({ count, list, net, cost, costed, spread }: Group, knowsCost: boolean) {
  const [low = 0, median = 0, high = 0] = spread;
  return {
    count,
    amount: net,
    listAmount: list,
    discountPct: percentBelowSum(net, list),
    lowPct: low / 100,
    medianPct: median / 100,
    highPct: high / 100,
    marginPct: knowsCost && costed > 0 ? percentBelowSum(cost, costed) : null,
  };
}

async function wholeOf({ db }: Asked, terms: Terms): Promise<Whole> {
  const columns = WATERFALL_STEPS.flatMap((step) => {
    const amount = STEP_AMOUNTS[step];
    const isLevel = step === 'list' || step === 'net' || step === 'total';
    return [
      sql`coalesce(sum(${amount}), 0) as ${sql.ref(step)}`,
      sql`count(*) ${isLevel ? sql`` : sql`filter (where ${amount} <> 0)`} as ${sql.ref(`${step}Count`)}`,
    ];
  });
  const { rows } = await sql<Whole>`
    select ${sql.join(columns)}, coalesce(sum(cost_amount), 0) as cost, coalesce(sum(costed_amount), 0) as costed,
      coalesce(sum(uncosted_amount), 0) as uncosted, coalesce(sum(uncosted_lines), 0)::int as "uncostedLines",
      count(*) filter (where uncosted_lines > 0)::int as "uncostedQuotes", ${usualLimit(terms)} as "limit"
    from report_quote quote where ${selected(terms)} and ${isQuoted(terms)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a sum has one row');
  return row;
}

function waterfallOf(whole: Whole): DiscountMarginReport['waterfall'] {
  const list = whole['list'] ?? 0;
  return WATERFALL_STEPS.map((step) => {
    const amount = whole[step] ?? 0;
    return {
      step,
      count: whole[`${step}Count`] ?? 0,
      amount,
      pct: percentOfWhole(amount, list),
      slice: sliceText({ kind: 'waterfall', step }),
    };
  });
}

const SPREAD = sql`percentile_disc(array[0.1, 0.5, 0.9]) within group (order by discount)`;

/** Sums over quotes by rep. With a filter of lines, only its lines are compared with the rules. */
async function byRep({ db }: Asked, terms: Terms): Promise<OfRep[]> {
  const ofLines = terms.filters.classId || terms.filters.contractId;
  const leaks = ofLines
    ? sql`(select sum(${LINE_LEAK}) as leak_amount, count(*) filter (where line.rule_amount > line.net_amount) as leak_lines,
        coalesce(sum(line.rule_amount), 0) as rule_amount
        from report_counted_line line where line.quote_id = quote.id and ${linesSelected(terms)})`
    : sql`(select quote.leak_amount, quote.leak_lines, quote.rule_amount)`;
  const { rows } = await sql<OfRep>`
    select sales_rep_id as key, count(*)::int as count, sum(list_amount) as list, sum(net_amount) as net, sum(cost_amount) as cost,
      sum(costed_amount) as costed, ${SPREAD} as spread, coalesce(sum(leak.leak_amount), 0) as leak,
      count(*) filter (where leak.leak_lines > 0)::int as "leakCount", sum(leak.leak_lines)::int as "leakLines",
      sum(leak.rule_amount) as rule
    from report_quote quote cross join lateral ${leaks} leak where ${selected(terms)} and ${isQuoted(terms)}
    group by sales_rep_id`.execute(db);
  return rows;
}

type Bucket = Omit<Group, 'spread'> & { pct: number; lines: number };

/** Sums over lines by class. Lines are added up by class and whole percent, which is enough for their spread. */
async function byClass({ db }: Asked, terms: Terms): Promise<Group[]> {
  const { rows } = await sql<Bucket>`
    select nullif(class_id, 0) as key, pct, sum(lines)::int as lines, sum(quotes)::int as count, sum(leak_quotes)::int as "leakCount",
      ${sql.join((['list', 'net', 'cost', 'costed', 'leak'] as const).map((name) => sql`${amountFrom(name)} as ${sql.ref(name)}`))}
    from (${sumsOf(CLASS_SUMS, terms, await keptMonths(db, terms))}) sums group by 1, 2 having sum(lines) > 0 order by 2`.execute(
    db,
  );
  return [...Map.groupBy(rows, ({ key }) => key)].map(([key, buckets]) => {
    const sum = (field: 'count' | 'leakCount' | 'list' | 'net' | 'cost' | 'costed' | 'leak') =>
      addSums(...buckets.map((bucket) => bucket[field]));
    return {
      key,
      count: sum('count'),
      leakCount: sum('leakCount'),
      list: sum('list'),
      net: sum('net'),
      cost: sum('cost'),
      costed: sum('costed'),
      leak: sum('leak'),
      spread: spreadOf(buckets),
    };
  });
}

/** The tenth, fiftieth and ninetieth percentile, in hundredths of a percent, of line counts by whole percent in ascending order. */
function spreadOf(buckets: readonly Pick<Bucket, 'pct' | 'lines'>[]): number[] {
  const all = buckets.reduce((sum, { lines }) => sum + lines, 0);
  return [0.1, 0.5, 0.9].map((part) => {
    let below = 0;
    return 100 * (buckets.find(({ lines }) => (below += lines) >= part * all)?.pct ?? 0);
  });
}

async function outliers(
  { db }: Asked,
  terms: Terms,
  { limit, knowsCost }: { limit: number | null; knowsCost: boolean },
): Promise<DiscountMarginReport['outliers']> {
  const slice = sliceText({ kind: 'outliers' });
  if (limit === null) return { count: 0, amount: 0, slice, abovePct: null, quotes: [] };
  const result = sql`report_quote quote where ${selected(terms)} and ${isQuoted(terms)} and quote.discount > ${limit}::int`;
  const { rows: sums } = await sql<{ count: number; amount: number }>`
    select count(*)::int as count, coalesce(sum(net_amount), 0) as amount from ${result}`.execute(db);
  const { rows } = await sql<
    Omit<DiscountMarginReport['outliers']['quotes'][number], 'marginPct'> & { cost: number; costed: number }
  >`
    select f.id as "quoteId", quote.num, quote.revision, quote.facility_name as "facilityName", coalesce(rep.full_name, '') as "salesRep",
      f.net_amount as amount, f.discount / 100.0 as "discountPct", f.cost_amount as cost, f.costed_amount as costed
    from (select quote.* from ${result} order by quote.discount desc, quote.id desc limit ${sql.lit(MAX_OUTLIERS)}) f
    join quote on quote.id = f.id left join app_user rep on rep.id = f.sales_rep_id
    order by f.discount desc, f.id desc`.execute(db);
  return {
    count: sums[0]?.count ?? 0,
    amount: sums[0]?.amount ?? 0,
    slice,
    abovePct: limit / 100,
    quotes: rows.map(({ cost, costed, ...quote }) => ({
      ...quote,
      marginPct: knowsCost && costed > 0 ? percentBelowSum(cost, costed) : null,
    })),
  };
}
