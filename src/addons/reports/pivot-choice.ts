// The dimensions and measures of a pivot, and how the address of its screen stores the choice.

/** The dimensions in the order in which the screen offers them. */
export const DIMENSIONS = [
  'status',
  'month',
  'region',
  'territory',
  'rep',
  'facility',
  'trade',
  'class',
  'contract',
  'reason',
  'competitor',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const DIMENSION_LABELS: Record<Dimension, string> = {
  status: 'Status',
  month: 'Month of Quote Date',
  region: 'Region',
  territory: 'Territory',
  rep: 'Sales rep',
  facility: 'Facility',
  trade: 'Class of trade',
  class: 'Item class',
  contract: 'Contract',
  reason: 'Lost reason',
  competitor: 'Competitor',
};

/** The name of the row or column of quotes without a value. Each quote has a status and a month. */
export const WITHOUT: Record<Dimension, string> = {
  status: '',
  month: '',
  region: 'No region',
  territory: 'No territory',
  rep: 'No sales rep',
  facility: 'No facility',
  trade: 'No class of trade',
  class: 'No item class',
  contract: 'No contract',
  reason: 'Not lost, or no reason given',
  competitor: 'Not lost, or no competitor named',
};

/** Dimensions of lines: a quote with lines in several groups is counted in each of them, and amounts are those of the lines. */
export const OF_LINES: ReadonlySet<Dimension> = new Set(['class', 'contract']);

/** Whether a pivot is computed from lines instead of whole quotes. */
export const takesLines = ({ rows, columns }: { rows: Dimension; columns?: Dimension | null | undefined }): boolean =>
  OF_LINES.has(rows) || (columns ? OF_LINES.has(columns) : false);

export const MEASURES = ['quotes', 'amount', 'won', 'rate', 'discount', 'margin'] as const;
export type PivotMeasure = (typeof MEASURES)[number];

export const MEASURE_LABELS: Record<PivotMeasure, string> = {
  quotes: 'Quotes',
  amount: 'Amount',
  won: 'Won amount',
  rate: 'Win rate',
  discount: 'Discount off list',
  margin: 'Margin',
};

/** Whether a measure is a share. Shares of several rows cannot be added. */
export const isShare = (measure: PivotMeasure): boolean => ['rate', 'discount', 'margin'].includes(measure);

/** The most rows and columns of a pivot, largest first. */
export const MAX_ROWS = 200;
export const MAX_COLUMNS = 60;

/** The sort key of the rows: their names, their totals, or the figures of a column ('=' and its key). */
export type PivotOrder = { by: string; dir: 'asc' | 'desc' };
export const columnOrder = (key: string): string => `=${key}`;

export type PivotChoice = {
  rows: Dimension;
  columns: Dimension | null;
  measure: PivotMeasure;
  /** Null means the order of the answer: largest first, months and statuses in their own order. */
  order: PivotOrder | null;
};

const STANDARD: PivotChoice = { rows: 'rep', columns: 'month', measure: 'amount', order: null };
const NO_COLUMNS = 'none';

const choiceIn = <T extends string>(choices: readonly T[], text: string | undefined): T | undefined =>
  choices.find((choice) => choice === text);

/** Reads the choice in an address. Ignores invalid values. */
export function pivotIn(address: Record<string, string | undefined>): PivotChoice {
  const rows = choiceIn(DIMENSIONS, address['rows']) ?? STANDARD.rows;
  const columns =
    address['columns'] === NO_COLUMNS ? null : (choiceIn(DIMENSIONS, address['columns']) ?? STANDARD.columns);
  const [, dir, by] = /^(asc|desc):(name|total|=.+)$/s.exec(address['order'] ?? '') ?? [];
  return {
    rows,
    columns: columns === rows ? null : columns,
    measure: choiceIn(MEASURES, address['value']) ?? STANDARD.measure,
    order: by === undefined ? null : { by, dir: dir === 'asc' ? 'asc' : 'desc' },
  };
}

/** The fields that `addressOfPivot` writes. */
export const PIVOT_ADDRESS = ['rows', 'columns', 'value', 'order'];

/** The choice as fields of an address. The default choice is omitted, so that other reports keep short addresses. */
export function addressOfPivot({ rows, columns, measure, order }: PivotChoice): Record<string, string> {
  const isStandard = rows === STANDARD.rows && columns === STANDARD.columns;
  return {
    ...(isStandard ? {} : { rows, columns: columns ?? NO_COLUMNS }),
    ...(measure === STANDARD.measure ? {} : { value: measure }),
    ...(order ? { order: `${order.dir}:${order.by}` } : {}),
  };
}
