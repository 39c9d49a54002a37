// The plots of speed: how long quotes and approvals take, and where quotes wait now.
import { STATUS_LABELS } from '#features/quoting/quotes/status.ts';
import { figureIn, type Plot, type Unit } from '../plots/plot.ts';
import { type HrefOf, type Measure, otherFact, rowOf, unitOf } from '../plots/words.ts';
import type { Duration, SpeedReport } from '../reports.contract.ts';
import type { WaitingFor } from '../slices.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const DRAWN = 12;

/** For whom a quote waits, where nobody is named. */
const WAITING: Record<WaitingFor, string> = {
  salesRep: 'sales rep',
  queue: 'to be claimed',
  processor: 'processing',
  approver: 'approval',
  sender: 'to be sent',
  customer: 'customer',
};

/** Days as soon as something took two of them, else hours. */
const unitFor = (durations: readonly Duration[]): Unit & string =>
  durations.some(({ p90 }) => p90 >= 2 * DAY) ? 'days' : 'hours';

function times(title: string, over: string, counted: string, durations: readonly Duration[], hrefOf: HrefOf): Plot {
  const unit = unitFor(durations);
  const inUnit = (seconds: number) => Math.round((seconds / (unit === 'days' ? DAY : HOUR)) * 10) / 10;
  return {
    kind: 'bars',
    title,
    unit,
    over,
    series: [
      { name: 'Half were at most', tone: 0 },
      { name: 'Nine of ten were at most', tone: 3 },
    ],
    facts: [counted],
    drawn: DRAWN,
    rows: durations.map(({ name, median, p90, count, slice }) => ({
      label: name,
      values: [inUnit(median), inUnit(p90)],
      hrefs: [hrefOf(slice), hrefOf(slice)],
      facts: [count.toLocaleString('en-US')],
    })),
  };
}

export const timeInStatus = ({ inStatus }: SpeedReport, hrefOf: HrefOf): Plot =>
  times('Time in each status', 'Status', 'Quotes', inStatus, hrefOf);

export const approvalsByRule = ({ approvals }: SpeedReport, hrefOf: HrefOf): Plot =>
  times('Time of approvals by rule', 'Rule', 'Decisions', approvals.byRule, hrefOf);

export const approvalsByPerson = ({ approvals }: SpeedReport, hrefOf: HrefOf): Plot =>
  times('Time of approvals by who decided', 'Person', 'Decisions', approvals.byPerson, hrefOf);

export function revisions({ revisions: marks, currnIdx }: SpeedReport, measure: Measure, hrefOf: HrefOf): Plot {
  return {
    kind: 'histogram',
    title: 'Quotes by number of revisions',
    unit: unitOf(measure, currnIdx),
    over: 'Revisions',
    series: [{ name: 'Quotes', tone: 0 }],
    facts: otherFact(measure),
    rows: marks.map((one) => rowOf(one, measure, currnIdx, hrefOf)),
  };
}

export function waitingNow({ waiting, currnIdx }: SpeedReport, measure: Measure, hrefOf: HrefOf): Plot {
  return {
    kind: 'bars',
    title: 'Where open quotes wait now, and for whom',
    unit: unitOf(measure, currnIdx),
    over: 'Waits for',
    series: [{ name: 'Open', tone: 0 }],
    facts: [...otherFact(measure), 'Status', 'Longest', 'Middle'],
    drawn: 15,
    rows: waiting.map((one) => {
      const row = rowOf({ ...one, name: waitingName(one) }, measure, currnIdx, hrefOf);
      const days = [one.oldest, one.median].map((seconds) => figureIn('days', Math.round((seconds / DAY) * 10) / 10));
      return { ...row, facts: [...(row.facts ?? []), STATUS_LABELS[one.statusId], ...days] };
    }),
    note: 'Whatever the period. Who waits longest comes first.',
  };
}

function waitingName({ name, for: who }: SpeedReport['waiting'][number]): string {
  return name ? `${name} (${WAITING[who]})` : WAITING[who];
}
