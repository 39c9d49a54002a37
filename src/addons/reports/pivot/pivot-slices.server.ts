// The dimensions and measures of a pivot as SQL. The lists behind its cells use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { COMPETITOR, TRADE } from '../won-lost/won-lost-slices.server.ts';
import { NONE } from '../facts/buckets.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { isQuoted, linesSelected, type Terms } from '../facts/selection.server.ts';
import type { Slice } from '../slices.ts';
import { type Dimension, type PivotMeasure, takesLines } from '../pivot-choice.ts';

/**
 * The value of a quote or line in each dimension. Never null, so that groups can be compared by `=`: 0 or '' means none. A month is its first
 * instant, which groups twice as fast as its text.
 */
export const VALUES: Record<Dimension, RawBuilder<unknown>> = {
  status: sql`quote.status_id`,
  month: sql`date_trunc('month', quote.quote_date::timestamp)`,
  region: sql`coalesce(quote.region_id, 0)`,
  territory: sql`coalesce(quote.territory_id, 0)`,
  rep: sql`coalesce(quote.sales_rep_id, 0)`,
  facility: sql`coalesce(quote.facility_id, 0)`,
  trade: sql`coalesce(${TRADE}, '')`,
  class: sql`coalesce(line.class_id, 0)`,
  contract: sql`coalesce(line.contract_id, 0)`,
  reason: sql`quote.lost_reason`,
  competitor: sql`coalesce(${COMPETITOR}, '')`,
};
const TEXTS: ReadonlySet<Dimension> = new Set(['status', 'month', 'trade', 'reason', 'competitor']);

/** Converts a value as text to the key in answers and slices. `storedOf` converts it back. */
export function pivotKey(dimension: Dimension, value: string): string {
  if (dimension === 'month') return value.slice(0, '2026-03'.length);
  return value === noneOf(dimension) ? NONE : value;
}
function storedOf(dimension: Dimension, key: string): string {
  if (dimension === 'month') return `${key}-01 00:00:00`;
  return key === NONE ? noneOf(dimension) : key;
}
const noneOf = (dimension: Dimension): string => (TEXTS.has(dimension) ? '' : '0');

/** What a measure sums, over quotes or over lines. */
export type Sums = {
  /** The condition on the quotes or lines to include. */
  where: RawBuilder<SqlBool>;
  /** The amount that each adds to the list. */
  amount: RawBuilder<unknown>;
  amountTitle?: string;
  /** The base of a percentage: an amount, or 1 for each won quote for the win rate. */
  base: RawBuilder<unknown>;
};

const ALL = sql<SqlBool>`true`;
const NOTHING = sql`0`;
const IS_WON = sql<SqlBool>`quote.status_id = 'Won'`;
const IS_DECIDED = sql<SqlBool>`quote.status_id in ('Won', 'Lost')`;

const TOTAL = sql`quote.total_amount`;
const OF_QUOTES: Record<PivotMeasure, Sums> = {
  quotes: { where: ALL, amount: TOTAL, base: NOTHING },
  amount: { where: ALL, amount: TOTAL, base: NOTHING },
  won: { where: IS_WON, amount: TOTAL, base: NOTHING },
  rate: { where: IS_DECIDED, amount: TOTAL, base: sql`(${IS_WON})::int` },
  discount: {
    where: ALL,
    amount: sql`quote.list_amount - quote.net_amount`,
    amountTitle: 'Below list',
    base: sql`quote.list_amount`,
  },
  margin: {
    where: sql<SqlBool>`(quote.costed_amount <> 0 or quote.cost_amount <> 0)`,
    amount: sql`quote.costed_amount - quote.cost_amount`,
    amountTitle: 'Margin',
    base: sql`quote.costed_amount`,
  },
};

const NET = { amount: sql`line.net_amount`, amountTitle: 'Net of lines' };
const OF_LINES: Record<PivotMeasure, Sums> = {
  quotes: { where: ALL, ...NET, base: NOTHING },
  amount: { where: ALL, ...NET, base: NOTHING },
  won: { where: IS_WON, ...NET, base: NOTHING },
  rate: { where: IS_DECIDED, ...NET, base: sql`(${IS_WON})::int` },
  discount: {
    where: ALL,
    amount: sql`line.list_amount - line.net_amount`,
    amountTitle: 'Below list',
    base: sql`line.list_amount`,
  },
  margin: {
    where: sql<SqlBool>`line.cost_amount is not null`,
    amount: sql`line.net_amount - line.cost_amount`,
    amountTitle: 'Margin',
    base: sql`line.net_amount`,
  },
};

type Crossed = { rows: Dimension; columns?: Dimension | null | undefined; measure: PivotMeasure };
export const sumsOf = (request: Crossed): Sums => (takesLines(request) ? OF_LINES : OF_QUOTES)[request.measure];

const crosses = ({ rows, columns }: Crossed, dimension: Dimension) => rows === dimension || columns === dimension;

/** The quotes of a pivot, with the lines and the other tables that its dimensions need. */
export function tablesOf(request: Crossed): RawBuilder<unknown> {
  return sql`report_quote quote
    ${takesLines(request) ? sql`join report_counted_line line on line.quote_id = quote.id` : sql``}
    ${joinFacility(request)}`;
}
const joinFacility = (request: Crossed) =>
  crosses(request, 'trade') ? sql`left join facility on facility.id = quote.facility_id` : sql``;

export function pivotPart(slice: Extract<Slice, { kind: 'pivot' }>, terms: Terms): Part {
  const { rows, row, columns, column, measure } = slice;
  const sums = sumsOf(slice);
  const isIn = (dimension: Dimension, key: string | null) =>
    key === null ? ALL : sql<SqlBool>`(${VALUES[dimension]})::text = ${storedOf(dimension, key)}`;
  const inCell = sql<SqlBool>`${isIn(rows, row)} and ${columns ? isIn(columns, column) : ALL} and ${sums.where}`;
  const common = {
    ...(sums.amountTitle ? { amountTitle: sums.amountTitle } : {}),
    from: sql`report_quote quote ${joinFacility(slice)}`,
    needsCost: measure === 'margin',
  };
  if (!takesLines(slice))
    return { ...common, where: sql<SqlBool>`${isQuoted(terms)} and ${inCell}`, amount: sums.amount };
  const lines = sql`report_counted_line line
    where line.quote_id = quote.id and ${linesSelected(terms)} and ${inCell}`;
  return {
    ...common,
    where: sql<SqlBool>`${isQuoted(terms)} and exists (select from ${lines})`,
    amount: sql`(select sum(${sums.amount}) from ${lines})`,
  };
}
