// The plots of the pipeline: what is open by status and age, what happens per week, and what changed since a week ago.
import { OPEN_STATUSES, STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import type { Plot } from '../plots/plot.ts';
import { type HrefOf, type Measure, otherFact, plotRow, unitOfMeasure, weekName } from '../plots/words.ts';
import type { PipelineReport } from '../reports.contract.ts';
import { type BridgeStep, sliceText, WEEK_STEPS, type WeekStep } from '../slices.ts';

const STEPS: Record<BridgeStep, string> = {
  start: 'A week ago',
  new: 'New',
  reopened: 'Reopened',
  grown: 'Increased',
  shrunk: 'Decreased',
  won: 'Won',
  lost: 'Lost',
  cancelled: 'Cancelled',
  expired: 'Expired',
  end: 'Now',
};
const WEEK_WORDS: Record<WeekStep, string> = { created: 'Created', submitted: 'Submitted', sent: 'Sent', won: 'Won' };

export function openByStatus(report: PipelineReport, measure: Measure, hrefOf: HrefOf): Plot {
  const open = report.byStatus.filter(({ statusId }) => OPEN_STATUSES.includes(statusId));
  return {
    kind: 'bars',
    title: 'Open quotes by status',
    unit: unitOfMeasure(measure, report.currnIdx),
    over: 'Status',
    series: [{ name: 'Open', tone: 0 }],
    facts: otherFact(measure),
    rows: open.map((entry) =>
      plotRow({ ...entry, name: STATUS_LABELS[entry.statusId] }, measure, report.currnIdx, hrefOf),
    ),
  };
}

/** Open quotes by age, either all or those in one status. */
export function openByAge(report: PipelineReport, status: StatusId | null, measure: Measure, hrefOf: HrefOf): Plot {
  const marks = report.byAge.flatMap(({ statuses, ...whole }) => {
    if (status === null) return [whole];
    const row = statuses.find(({ statusId }) => statusId === status);
    const none = { count: 0, amount: 0, slice: sliceText({ kind: 'age', age: whole.key, status }) };
    return [{ ...(row ?? none), name: whole.name }];
  });
  return {
    kind: 'bars',
    title: 'Open quotes by age',
    unit: unitOfMeasure(measure, report.currnIdx),
    over: 'Age',
    series: [{ name: 'Open', tone: 0 }],
    facts: otherFact(measure),
    rows: marks.map((mark) => plotRow(mark, measure, report.currnIdx, hrefOf)),
  };
}

export function perWeek(report: PipelineReport, measure: Measure, hrefOf: HrefOf): Plot {
  return {
    kind: 'lines',
    title: 'Created, submitted, sent and won per week',
    unit: unitOfMeasure(measure, report.currnIdx),
    over: 'Week of',
    series: WEEK_STEPS.map((step, at) => ({ name: WEEK_WORDS[step], tone: [2, 3, 1, 0][at] ?? 0 })),
    rows: report.perWeek.map((week) => ({
      label: weekName(week.week),
      values: WEEK_STEPS.map((step) => (measure === 'count' ? week[step] : week[`${step}Amount`])),
      hrefs: WEEK_STEPS.map((step) => hrefOf(sliceText({ kind: 'week', week: week.week, step }))),
    })),
  };
}

export function sinceLastWeek({ bridge, currnIdx }: PipelineReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'bridge',
    title: `Pipeline changes since ${formatDate(bridge.since)}`,
    unit: { amountIn: currnIdx },
    over: 'Step',
    series: [{ name: 'Amount', tone: 0 }],
    facts: ['Quotes'],
    rows: bridge.steps.map(({ step, count, amount, slice }) => ({
      label: STEPS[step],
      values: [amount],
      hrefs: [hrefOf(slice)],
      facts: [count.toLocaleString('en-US')],
      whole: step === 'start' || step === 'end',
    })),
    note: 'Open quotes that have not expired, regardless of the period.',
  };
}
