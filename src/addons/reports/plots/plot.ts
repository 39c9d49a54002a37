// The content of a plot: rows of figures under a title, in one unit. The picture, the table and the file are made from it.
import { csvLine, type CsvValue } from '#platform/shared/csv.ts';
import { currencyOf, formatAmount, withMinus } from '#platform/shared/money.ts';
import { percentPlaces } from '#platform/shared/percent.ts';

export type Unit = { amountIn: number } | 'quotes' | 'lines' | 'percent' | 'days' | 'hours' | 'revisions';

export type Series = {
  name: string;
  /** The number of its color (`PLOT_COLORS`). */
  tone: number;
};

export type PlotRow = {
  label: string;
  /** One for each series. Null means that there is no figure, which is not the same as zero. */
  values: readonly (number | null)[];
  /** The list behind each figure. */
  hrefs?: readonly (string | null)[];
  /** Further cells of the table, one for each of the plot's `facts`. */
  facts?: readonly string[];
  /** Additional text beside the figure of a bar. */
  beside?: string;
  /** In a bridge, this row starts at the baseline instead of continuing from the row before. */
  whole?: boolean;
};

export type Plot = {
  /**
   * `columns` and `lines` show time, from left to right. `histogram` has columns without gaps. `bars` compare named things, from top to bottom.
   * `bridge` goes from a first amount to a last one. `ranges` are bars, too: each row's three figures are its low end, its middle and its high end.
   */
  kind: 'columns' | 'lines' | 'histogram' | 'bars' | 'ranges' | 'bridge';
  /** Stacks the columns or bars of a row instead of placing them side by side. Their figures must be additive. */
  stacked?: boolean;
  /** The heading, which describes the content. */
  title: string;
  unit: Unit;
  /** The heading of the rows' labels: 'Month'. */
  over: string;
  series: readonly Series[];
  rows: readonly PlotRow[];
  /** The most rows in the picture. The table and the file contain all rows. */
  drawn?: number;
  /** Headings of further columns of the table. */
  facts?: readonly string[];
  /** What a reader must know to interpret the plot. */
  note?: string;
};

const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

const signOf = (currnIdx: number) => (currencyOf(currnIdx) === 'EUR' ? '€' : '$');

const COUNTED: Partial<Record<string, [one: string, many: string]>> = {
  quotes: ['quote', 'quotes'],
  lines: ['line', 'lines'],
  days: ['day', 'days'],
  hours: ['hour', 'hours'],
  revisions: ['revision', 'revisions'],
};

/** A figure in full, with its unit: '$1,234.50', '12 quotes', '31.4%'. */
export function figureIn(unit: Unit, value: number | null): string {
  if (value === null) return '–';
  if (typeof unit === 'object') return formatAmount(value, unit.amountIn);
  if (unit === 'percent') {
    const places = { maximumFractionDigits: percentPlaces(value) };
    return signed(value, (size) => `${size.toLocaleString('en-US', places)}%`);
  }
  const [singular = '', plural = ''] = COUNTED[unit] ?? [];
  return `${tenths.format(value)} ${value === 1 ? singular : plural}`;
}

/** A short form of a figure without the name of its unit: '$1.2K', '12', '31%'. */
export function shortIn(unit: Unit, value: number): string {
  if (typeof unit === 'object') return signed(value, (size) => signOf(unit.amountIn) + short.format(size));
  if (unit === 'percent') return signed(value, (size) => `${tenths.format(size)}%`);
  return Math.abs(value) >= 10_000 ? short.format(value) : tenths.format(value);
}

/** The minus sign comes before the currency sign. */
function signed(value: number, words: (size: number) => string): string {
  const size = words(Math.abs(value));
  return value < 0 && /[1-9]/.test(size) ? withMinus(`-${size}`) : size;
}

/** The name of a unit beside a title. */
export function unitWords(unit: Unit): string {
  if (typeof unit === 'object') return currencyOf(unit.amountIn) === 'EUR' ? 'euros' : 'US dollars';
  return unit === 'percent' ? 'percent' : (COUNTED[unit]?.[1] ?? '');
}

/** The text of a mark: 'Mar 2026, Won: $1,234.50'. A plot with one series does not repeat its name. */
export function markWords(plot: Plot, row: PlotRow, at: number): string {
  if (plot.kind === 'ranges') {
    const [low, middle, high] = row.values.map((value) => figureIn(plot.unit, value));
    return `${row.label}: ${low ?? ''} to ${high ?? ''}, median ${middle ?? ''}`;
  }
  const label = plot.series.length > 1 ? `${row.label}, ${plot.series[at]?.name ?? ''}` : row.label;
  return `${label}: ${figureIn(plot.unit, row.values[at] ?? null)}`;
}

export const hasFigures = ({ rows }: Plot): boolean =>
  rows.some(({ values }) => values.some((value) => value !== null));

/** The plot's note, and a notice if the picture does not show all rows. */
export function noteOf({ note = '', rows, drawn = Infinity }: Plot): string {
  return [note, rows.length > drawn ? `Showing the first ${drawn} of ${rows.length}. The table shows all of them.` : '']
    .filter(Boolean)
    .join(' ');
}

/** The figures as CSV, with plain numbers. */
export function plotCsv(plot: Plot): string {
  const unit = unitWords(plot.unit);
  const heading = [plot.over, ...plot.series.map(({ name }) => `${name} (${unit})`), ...(plot.facts ?? [])];
  const lines = plot.rows.map((row): CsvValue[] => [row.label, ...row.values, ...(row.facts ?? [])]);
  return [heading, ...lines].map(csvLine).join('');
}

/** The name of a saved file, from the title. */
export const fileNameOf = (title: string): string => title.toLowerCase().replace(/\W+/g, '-').replace(/^-|-$/g, '');
