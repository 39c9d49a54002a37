// A pivot for display: rows in the chosen order, a note about omitted rows, and the same as a file and a plot.
import { csvLine, type CsvValue } from '#platform/shared/csv.ts';
import { figureIn, type Plot, type Unit, unitWords } from '../plots/plot.ts';
import type { PivotReport } from '../reports.contract.ts';
import {
  columnOrder,
  type Dimension,
  DIMENSION_LABELS,
  isShare,
  MEASURE_LABELS,
  type PivotChoice,
  takesLines,
} from '../pivot-choice.ts';

/** The most bars of a plot. */
const DRAWN = 20;

type Row = PivotReport['rows'][number];

export const pivotUnit = (choice: Pick<PivotChoice, 'measure'>, { currnIdx }: Pick<PivotReport, 'currnIdx'>): Unit =>
  isShare(choice.measure) ? 'percent' : choice.measure === 'quotes' ? 'quotes' : { amountIn: currnIdx };

/** 'Win rate by sales rep and month of quote date' */
export function pivotTitle({ rows, columns, measure }: PivotChoice): string {
  const by = [rows, ...(columns ? [columns] : [])].map((dimension) => lowered(DIMENSION_LABELS[dimension]));
  return `${MEASURE_LABELS[measure]} by ${by.join(' and ')}`;
}
const lowered = (label: string) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;

/** The rows in the chosen order. Rows without a figure are last in both directions, and equal rows keep the order of the answer. */
export function rowsInOrder({ rows, columns }: PivotReport, order: PivotChoice['order']): Row[] {
  if (order === null) return rows;
  const sign = order.dir === 'asc' ? 1 : -1;
  if (order.by === 'name') return rows.toSorted((a, b) => sign * a.name.localeCompare(b.name, 'en', { numeric: true }));
  const at = columns.findIndex(({ key }) => columnOrder(key) === order.by);
  // A column without quotes under other filters leaves the rows in their order.
  if (order.by !== 'total' && at < 0) return rows;
  const figure = (row: Row) => (order.by === 'total' ? row.total : row.cells[at])?.value ?? null;
  return rows.toSorted((a, b) => {
    const [left, other] = [figure(a), figure(b)];
    if (left === null || other === null) return Number(left === null) - Number(other === null);
    return sign * (left - other);
  });
}

/** What the rows and columns omit: 'Showing the largest 200 of 1,034 rows. The others total $1,200.00.' */
export function leftOut(report: PivotReport, choice: PivotChoice): string[] {
  const { rows, columns, total, rowCount, columnCount } = report;
  const isSum = !isShare(choice.measure) && !(choice.measure === 'quotes' && takesLines(choice));
  const words = (what: string, all: number, visible: PivotReport['columns']) => {
    if (all <= visible.length) return [];
    const cents = visible.reduce(
      (rest, entry) => rest - Math.round((entry.total.value ?? 0) * 100),
      100 * (total.value ?? 0),
    );
    const others = isSum ? ` The others total ${figureIn(pivotUnit(choice, report), Math.round(cents) / 100)}.` : '';
    return [
      `Showing the largest ${visible.length} of ${all.toLocaleString('en-US')} ${what}.${others} Totals include all of them.`,
    ];
  };
  return [...words('rows', rowCount, rows), ...words('columns', columnCount, columns)];
}

/** The pivot as CSV, with plain numbers, in the order of the screen. */
export function pivotCsv(report: PivotReport, choice: PivotChoice): string {
  const { columns, total } = report;
  const unit = unitWords(pivotUnit(choice, report));
  const heading = [DIMENSION_LABELS[choice.rows], ...columns.map(({ name }) => name), `Total (${unit})`];
  const lines = rowsInOrder(report, choice.order).map((row): CsvValue[] => [
    row.name,
    ...row.cells.map((cell) => cell?.value ?? null),
    row.total.value,
  ]);
  const totals = ['Total', ...columns.map((column) => column.total.value), total.value];
  const notes = leftOut(report, choice).map((words) => [words]);
  return `\uFEFF${[heading, ...lines, totals, ...notes].map(csvLine).join('')}`;
}

/** The totals of the rows and of the columns as plots, for print. */
export function pivotPlots(report: PivotReport, choice: PivotChoice): Plot[] {
  const plot = (dimension: Dimension, totals: Pick<Row, 'name' | 'total'>[]): Plot => ({
    kind: dimension === 'month' ? 'columns' : 'bars',
    title: pivotTitle({ ...choice, rows: dimension, columns: null }),
    unit: pivotUnit(choice, report),
    over: DIMENSION_LABELS[dimension],
    series: [{ name: MEASURE_LABELS[choice.measure], tone: 3 }],
    drawn: DRAWN,
    rows: totals.map(({ name, total }) => ({ label: name, values: [total.value] })),
    note: leftOut(report, choice).join(' '),
  });
  return [
    plot(choice.rows, rowsInOrder(report, choice.order)),
    ...(choice.columns ? [plot(choice.columns, report.columns)] : []),
  ];
}
