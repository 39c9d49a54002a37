// The plots of won and lost: per month, by the decisive factors, and how long customers took.
import { figureIn, type Plot, type PlotRow } from '../plots/plot.ts';
import { type HrefOf, type Measure, monthName, otherFact, rateOf, plotRow, unitOfMeasure } from '../plots/words.ts';
import type { Mark, Outcomes, WonLostReport } from '../reports.contract.ts';

const WON = { name: 'Won', tone: 0 };
const LOST = { name: 'Lost', tone: 1 };
/** More rows would make a picture too long to compare. */
const DRAWN = 12;

type Of = { measure: Measure; currnIdx: number; hrefOf: HrefOf };

/** Won beside lost, with the rate in the table. */
function outcomesRow(row: Outcomes, { measure, currnIdx, hrefOf }: Of, label = row.name): PlotRow {
  const counts = [row.won, row.lost];
  const amounts = [row.wonAmount, row.lostAmount];
  const others =
    measure === 'count' ? amounts.map((amount) => figureIn({ amountIn: currnIdx }, amount)) : counts.map(String);
  return {
    label,
    values: measure === 'count' ? counts : amounts,
    hrefs: [hrefOf(row.wonSlice), hrefOf(row.lostSlice)],
    facts: [
      ...others,
      figureIn('percent', rateOf(row.won, row.lost)),
      figureIn('percent', rateOf(row.wonAmount, row.lostAmount)),
    ],
  };
}

const otherFacts = (measure: Measure) => [
  ...(measure === 'count' ? ['Won amount', 'Lost amount'] : ['Won quotes', 'Lost quotes']),
  'Win rate by number',
  'Win rate by amount',
];

function outcomes(kind: Plot['kind'], title: string, over: string, groups: readonly Outcomes[], options: Of): Plot {
  return {
    kind,
    title,
    unit: unitOfMeasure(options.measure, options.currnIdx),
    over,
    series: [WON, LOST],
    facts: otherFacts(options.measure),
    drawn: DRAWN,
    rows: groups.map((group) => outcomesRow(group, options)),
  };
}

export function decidedPerMonth({ perMonth }: WonLostReport, options: Of): Plot {
  return {
    kind: 'columns',
    title: 'Won and lost per month',
    unit: unitOfMeasure(options.measure, options.currnIdx),
    over: 'Month',
    series: [WON, LOST],
    facts: otherFacts(options.measure),
    rows: perMonth.map((entry) => outcomesRow(entry, options, monthName(entry.key))),
    note: 'By month of decision.',
  };
}

export function ratePerMonth({ perMonth }: WonLostReport, { hrefOf }: Of): Plot {
  return {
    kind: 'lines',
    title: 'Win rate per month',
    unit: 'percent',
    over: 'Month',
    series: [
      { name: 'By number', tone: 0 },
      { name: 'By amount', tone: 3 },
    ],
    facts: ['Won', 'Lost'],
    rows: perMonth.map((entry) => ({
      label: monthName(entry.key),
      values: [rateOf(entry.won, entry.lost), rateOf(entry.wonAmount, entry.lostAmount)],
      hrefs: [hrefOf(entry.wonSlice), hrefOf(entry.wonSlice)],
      facts: [String(entry.won), String(entry.lost)],
    })),
    note: 'Won as a percentage of won and lost. Months without decisions have no rate. Select a point to see the won quotes.',
  };
}

function lost(title: string, over: string, marks: readonly Mark[], { measure, currnIdx, hrefOf }: Of): Plot {
  return {
    kind: 'bars',
    title,
    unit: unitOfMeasure(measure, currnIdx),
    over,
    series: [LOST],
    facts: otherFact(measure),
    drawn: DRAWN,
    rows: marks.map((mark) => plotRow(mark, measure, currnIdx, hrefOf)),
  };
}

export const lostByReason = ({ byReason }: WonLostReport, options: Of): Plot =>
  lost('Lost by reason', 'Reason', byReason, options);

export const lostByCompetitor = ({ byCompetitor }: WonLostReport, options: Of): Plot =>
  lost('Lost by competitor', 'Competitor', byCompetitor, options);

export const lostByGap = ({ priceGap }: WonLostReport, options: Of): Plot => ({
  ...lost('Lost with a known competitor price', 'Our price compared with theirs', priceGap.bars, options),
  note:
    priceGap.gapPct === null
      ? ''
      : `Overall, our price was ${figureIn('percent', Math.abs(priceGap.gapPct))} ${priceGap.gapPct < 0 ? 'below' : 'above'} theirs.`,
});

export const decidedByRep = ({ byRep }: WonLostReport, options: Of): Plot =>
  outcomes('bars', 'Won and lost by sales rep', 'Sales rep', byRep, options);

export const decidedByRegion = ({ byRegion }: WonLostReport, options: Of): Plot =>
  outcomes('bars', 'Won and lost by region', 'Region', byRegion, options);

export const decidedByTrade = ({ byClassOfTrade }: WonLostReport, options: Of): Plot =>
  outcomes('bars', 'Won and lost by class of trade', 'Class of trade', byClassOfTrade, options);

export const decidedByDiscount = ({ byDiscountSize }: WonLostReport, options: Of): Plot =>
  outcomes('bars', 'Won and lost by discount off list', 'Discount', byDiscountSize, options);

export function daysToDecide({ daysToDecide: groups }: WonLostReport, options: Of): Plot {
  // The heading contains 'days', so that the labels can be short.
  const short = groups.map((group) => ({ ...group, name: group.name.replace(/ days$/, '') }));
  return { ...outcomes('histogram', 'Days from sent to decision', 'Days', short, options), stacked: true };
}
