// Words and figures that several reports' plots share.
import { formatDate } from '#platform/shared/dates.ts';
import { figureIn, type PlotRow, type Unit } from './plot.ts';

/** Returns the address of the list behind a figure from its slice. Null on paper, where there are no links. */
export type HrefOf = (slice: string) => string | null;

/** What the marks measure if both are known. */
export type Measure = 'count' | 'amount';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2026-03' as 'Mar 2026'. */
export function monthName(key: string): string {
  const [year = '', month = ''] = key.split('-');
  return `${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** The week that begins on a Monday: '03/02/2026'. */
export const weekName = (monday: string): string => formatDate(monday);

export const unitOfMeasure = (measure: Measure, currnIdx: number): Unit =>
  measure === 'count' ? 'quotes' : { amountIn: currnIdx };

type Counted = { name: string; count: number; amount: number; slice: string };

/** A row with one figure, and the other one beside it in the table (`otherFact`). */
export function plotRow(
  { name, count, amount, slice }: Counted,
  measure: Measure,
  currnIdx: number,
  hrefOf: HrefOf,
): PlotRow {
  const other = measure === 'count' ? figureIn({ amountIn: currnIdx }, amount) : count.toLocaleString('en-US');
  return { label: name, values: [measure === 'count' ? count : amount], hrefs: [hrefOf(slice)], facts: [other] };
}

export const otherFact = (measure: Measure): string[] => [measure === 'count' ? 'Amount' : 'Quotes'];

/** Won in percent of won and lost. Null if nothing was decided. */
export const rateOf = (won: number, lost: number): number | null =>
  won + lost === 0 ? null : (won / (won + lost)) * 100;
