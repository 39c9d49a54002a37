// Computes the pipeline: open quotes by status and age, what happens per week, what changed since a week ago.
import { sql } from 'kysely';
import { StatusId, STATUSES } from '#core/quoting/quotes/status.ts';
import { addDays } from '#platform/shared/dates.ts';
import { addSums } from '#platform/shared/sums.ts';
import { type Asked, inReport, IS_OPEN, quotedInPeriod, selected, type Terms } from '../facts/selection.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { Figure, PipelineReport, ReportHead } from '../reports.contract.ts';
import { AGES, BRIDGE_STEPS, type Slice, sliceText, WEEK_STEPS } from '../slices.ts';
import { bridgeStep, mayStep, weekAgo } from './bridge.server.ts';
import { ageOf, beginOf, isExpired, isExpiring, isUntouched, weeksOf, weekStep } from './pipeline-slices.server.ts';

export function getPipeline(request: Asked, filters: ReportFilters): Promise<PipelineReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<PipelineReport> {
  return {
    ...head,
    ...(await standing(request, terms)),
    perWeek: await perWeek(request, terms),
    bridge: await bridge(request, terms),
  };
}

type Sum = { count: number; amount: number };
const summed = (rows: readonly Sum[], slice: Slice): Figure => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  amount: addSums(...rows.map(({ amount }) => amount)),
  slice: sliceText(slice),
});

/** One pass over the quotes of the period, grouped finely enough to compute each figure. */
async function standing({ db }: Asked, terms: Terms) {
  const { rows } = await sql<
    Sum & { statusId: string; age: string | null; untouched: boolean; expiring: boolean; expired: boolean }
  >`
    select status_id as "statusId", age, untouched, expiring, expired, count(*) as count, sum(total_amount) as amount from (
      select quote.status_id, quote.total_amount,
        case when ${IS_OPEN} then ${ageOf(terms)} end as age,
        ${isUntouched(terms)} as untouched, ${isExpiring(terms)} as expiring, ${isExpired(terms)} as expired
      from report_quote quote where ${selected(terms)} and ${quotedInPeriod(terms)}) quote
    group by 1, 2, 3, 4, 5`.execute(db);
  const open = rows.filter(({ age }) => age !== null);
  return {
    byStatus: STATUSES.map((status) => ({
      statusId: status,
      ...summed(
        rows.filter(({ statusId }) => statusId === status),
        { kind: 'status', status },
      ),
    })),
    byAge: AGES.map(({ key, name }) => {
      const ofAge = open.filter(({ age }) => age === key);
      const statuses = STATUSES.filter((status) => ofAge.some(({ statusId }) => statusId === status));
      return {
        key,
        name,
        ...summed(ofAge, { kind: 'age', age: key, status: null }),
        statuses: statuses.map((status) => ({
          statusId: StatusId.parse(status),
          ...summed(
            ofAge.filter(({ statusId }) => statusId === status),
            { kind: 'age', age: key, status },
          ),
        })),
      };
    }),
    untouched: summed(
      open.filter(({ untouched }) => untouched),
      { kind: 'untouched' },
    ),
    expiring: summed(
      rows.filter(({ expiring }) => expiring),
      { kind: 'expiring' },
    ),
    expired: summed(
      rows.filter(({ expired }) => expired),
      { kind: 'expired' },
    ),
  };
}

/** Every week from the first to the last with an event. One pass, grouped by the week of each step in turn. */
async function perWeek({ db }: Asked, terms: Terms): Promise<PipelineReport['perWeek']> {
  const all = weeksOf(terms);
  const begins = all.map((week) => beginOf(week, terms));
  const steps = WEEK_STEPS.map((step) => ({ step: sql.ref(step), ...weekStep(step, terms) }));
  const weeksOfSteps = steps.map(
    ({ step, instant, where }) =>
      sql`case when ${where} then width_bucket(${instant}, ${begins}::timestamptz[]) end as ${step}`,
  );
  const { rows: results } = await sql<Sum & Record<(typeof WEEK_STEPS)[number], number | null>>`
    select ${sql.join(WEEK_STEPS.map((step) => sql.ref(step)))}, count(*) as count, sum(total_amount) as amount
    from (select quote.total_amount, ${sql.join(weeksOfSteps)} from report_quote quote
      where ${selected(terms)} and (${sql.join(
        steps.map(({ where }) => where),
        sql` or `,
      )})) quote
    group by grouping sets (${sql.join(steps.map(({ step }) => sql`(${step})`))})`.execute(db);
  const rows = results.flatMap(({ count, amount, ...numbers }) =>
    WEEK_STEPS.flatMap((step) => {
      const week = all[(numbers[step] ?? 0) - 1];
      return week === undefined ? [] : [{ step, week, count, amount }];
    }),
  );
  rows.sort((a, b) => (a.week < b.week ? -1 : 1));
  const weeks: PipelineReport['perWeek'] = [];
  const last = rows.at(-1)?.week ?? '';
  for (let week = rows[0]?.week; week !== undefined && week <= last; week = addDays(week, 7)) {
    const stepRow = (step: (typeof WEEK_STEPS)[number]) =>
      rows.find((row) => row.week === week && row.step === step) ?? { count: 0, amount: 0 };
    weeks.push({
      week,
      created: stepRow('created').count,
      submitted: stepRow('submitted').count,
      sent: stepRow('sent').count,
      won: stepRow('won').count,
      createdAmount: stepRow('created').amount,
      submittedAmount: stepRow('submitted').amount,
      sentAmount: stepRow('sent').amount,
      wonAmount: stepRow('won').amount,
    });
  }
  return weeks;
}

async function bridge({ db }: Asked, terms: Terms): Promise<PipelineReport['bridge']> {
  const columns = BRIDGE_STEPS.flatMap((step) => {
    const { where, amount } = bridgeStep(step, terms);
    return [
      sql`count(*) filter (where ${where}) as ${sql.ref(`${step}Count`)}`,
      sql`coalesce(sum(${amount}) filter (where ${where}), 0) as ${sql.ref(`${step}Amount`)}`,
    ];
  });
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(columns)} from ${weekAgo(terms)} where ${selected(terms)} and ${mayStep(terms)}`.execute(db);
  const [row = {}] = rows;
  return {
    since: terms.sinceDay,
    steps: BRIDGE_STEPS.map((step) => ({
      step,
      count: row[`${step}Count`] ?? 0,
      amount: row[`${step}Amount`] ?? 0,
      slice: sliceText({ kind: 'bridge', step }),
    })),
  };
}
