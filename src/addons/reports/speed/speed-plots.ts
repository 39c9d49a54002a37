// The plots of speed: how long quotes and approvals take, and where quotes wait now.
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { figureIn, type Plot, type Unit } from '../plots/plot.ts';
import { type HrefOf, otherFact, plotRow } from '../plots/words.ts';
import type { Duration, SpeedReport } from '../reports.contract.ts';
import type { WaitingFor } from '../slices.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const DRAWN = 12;

/** The name of who a quote waits for, if it is not a particular user. */
const WAITING: Record<WaitingFor, string> = {
  salesRep: 'Sales rep',
  queue: 'To be claimed',
  processor: 'Processing',
  approver: 'Approval',
  sender: 'To be sent',
  customer: 'Customer',
};

/** Days if any duration is at least two days, else hours. */
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
      { name: 'Median', tone: 0 },
      { name: '90th percentile', tone: 3 },
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
  times('Approval time by rule', 'Rule', 'Quotes', approvals.byRule, hrefOf);

export const approvalsByPerson = ({ approvals }: SpeedReport, hrefOf: HrefOf): Plot =>
  times('Approval time by approver', 'Approver', 'Quotes', approvals.byPerson, hrefOf);

export function revisions({ revisions: marks, currnIdx }: SpeedReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'histogram',
    title: 'Quotes by number of revisions',
    unit: 'quotes',
    over: 'Revisions',
    series: [{ name: 'Quotes', tone: 0 }],
    facts: otherFact('count'),
    rows: marks.map((mark) => plotRow(mark, 'count', currnIdx, hrefOf)),
  };
}

export function waitingNow({ waiting, currnIdx }: SpeedReport, hrefOf: HrefOf): Plot {
  const largestFirst = waiting.toSorted((a, other) => other.count - a.count);
  return {
    kind: 'bars',
    title: 'Who open quotes are waiting for',
    unit: 'quotes',
    over: 'Waiting for',
    series: [{ name: 'Open', tone: 0 }],
    facts: [...otherFact('count'), 'Status', 'Longest wait', 'Median wait'],
    drawn: 15,
    rows: largestFirst.map((entry) => {
      const row = plotRow({ ...entry, name: waitingName(entry) }, 'count', currnIdx, hrefOf);
      const days = [entry.oldest, entry.median].map((seconds) =>
        figureIn('days', Math.round((seconds / DAY) * 10) / 10),
      );
      return { ...row, facts: [...(row.facts ?? []), STATUS_LABELS[entry.statusId], ...days] };
    }),
    note: 'All open quotes, regardless of the period.',
  };
}

/** A user's name and status, because one user may have quotes in several statuses and also approve some. */
function waitingName({ name, for: who, statusId }: SpeedReport['waiting'][number]): string {
  if (!name) return WAITING[who];
  return `${name}: ${who === 'approver' ? WAITING[who] : STATUS_LABELS[statusId]}`;
}
