// Computes a pivot: one measure of the quotes of a period by two dimensions, with totals, largest rows and columns first.
import { type RawBuilder, sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import { FIRST_OF } from '../facts/fact-rows.server.ts';
import { type Asked, inReport, isQuoted, linesSelected, selected, type Terms } from '../facts/selection.server.ts';
import type { PivotCell, PivotInput, PivotReport, ReportHead } from '../reports.contract.ts';
import { sliceText } from '../slices.ts';
import { addSums, percentBelowSum } from '#platform/shared/sums.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { keyNames } from './pivot-names.server.ts';
import { pivotKey, sumsOf, tablesOf, VALUES } from './pivot-slices.server.ts';
import { type Dimension, isShare, MAX_COLUMNS, MAX_ROWS, type PivotMeasure, takesLines } from '../pivot-choice.ts';

type Crossed = Pick<PivotInput, 'rows' | 'columns' | 'measure'>;

/** Throws 403 for margins that the reader may not know, and 422 if rows and columns are the same dimension. */
export async function getPivot(
  request: Asked,
  { rows, columns, measure, ...filters }: PivotInput,
): Promise<PivotReport> {
  if (columns === rows)
    throw invalid([{ path: 'columns', message: 'Choose a dimension that is not already used for the rows.' }]);
  if (measure === 'margin' && !seesInternalFigures(request.user))
    throw new HttpError(403, 'You do not have permission to see margins. Choose another measure.');
  return inReport(request, filters, ({ db }, terms, head) =>
    reportOf(db, terms, { head, crossed: { rows, columns, measure } }),
  );
}

/** What a result row contains: one cell, the total of a row or of a column, or the grand total. */
const [CELL, ROW, COLUMN, ALL] = [0, 1, 2, 3];
type Group = {
  set: number;
  row: string;
  column: string;
  count: number;
  amount: number;
  base: number;
  of: number | null;
};

async function reportOf(
  db: Db,
  terms: Terms,
  { head, crossed }: { head: ReportHead; crossed: Crossed },
): Promise<PivotReport> {
  const groups = await grouped(db, terms, crossed);
  const ofSet = (set: number) => groups.filter((group) => group.set === set);
  const { rows, columns, measure } = crossed;
  const hasCounts = !takesLines(crossed) || countsLines(crossed);
  const cellOf = (group: Group | undefined, row: string | null, column: string | null): PivotCell => ({
    value: group && group.count > 0 ? measured(measure, group) : null,
    count: group && hasCounts ? group.count : null,
    amount: group?.amount ?? 0,
    slice: sliceText({ kind: 'pivot', measure, rows, row, columns: columns ?? null, column }),
  });
  const rowGroups = groupsInOrder(rows, ofSet(ROW), ({ row }) => row);
  const columnGroups = columns ? groupsInOrder(columns, ofSet(COLUMN), ({ column }) => column) : [];
  const rowKey = ({ row }: Group) => pivotKey(rows, row);
  const columnKey = ({ column }: Group) => (columns ? pivotKey(columns, column) : '');
  const rowName = await keyNames(db, rows, rowGroups.map(rowKey));
  const columnName = columns ? await keyNames(db, columns, columnGroups.map(columnKey)) : () => '';
  const cells = new Map(ofSet(CELL).map((group) => [JSON.stringify([group.row, group.column]), group]));
  return {
    ...head,
    rows: rowGroups.map((group) => {
      const key = rowKey(group);
      return {
        key,
        name: rowName(key),
        total: cellOf(group, key, null),
        cells: columnGroups.map((other) => {
          const cell = cells.get(JSON.stringify([group.row, other.column]));
          return cell ? cellOf(cell, key, columnKey(other)) : null;
        }),
      };
    }),
    columns: columnGroups.map((group) => {
      const key = columnKey(group);
      return { key, name: columnName(key), total: cellOf(group, null, key) };
    }),
    total: cellOf(ofSet(ALL)[0], null, null),
    rowCount: rowGroups[0]?.of ?? 0,
    columnCount: columnGroups[0]?.of ?? 0,
  };
}

function measured(measure: PivotMeasure, { count, amount, base }: Group): number | null {
  switch (measure) {
    case 'quotes':
      return count;
    case 'amount':
    case 'won':
      return amount;
    case 'rate':
      return percentBelowSum(count - base, count);
    case 'discount':
    case 'margin':
      return base > 0 ? percentBelowSum(addSums(base, -amount), base) : null;
  }
}

/** Months and statuses in their own order, everything else in the given order. */
function groupsInOrder(dimension: Dimension, groups: Group[], valueIn: (group: Group) => string): Group[] {
  const place = (group: Group) => STATUSES.indexOf(valueIn(group) as StatusId);
  if (dimension === 'status') return groups.toSorted((a, b) => place(a) - place(b));
  return dimension === 'month' ? groups.toSorted((a, b) => valueIn(a).localeCompare(valueIn(b))) : groups;
}

/**
 * The planner overestimates the number of groups of two expressions, so a parallel plan looks expensive to it, although it takes less than half the
 * time.
 */
const SHARED = sql`set local parallel_tuple_cost = 0.001`;

/**
 * Reads all groups in one statement. Parallel processes add up quotes or lines by cell once, and totals are sums of the few cells. Only the largest
 * rows and columns leave the database.
 */
async function grouped(db: Db, terms: Terms, crossed: Crossed): Promise<Group[]> {
  await SHARED.execute(db);
  const { rows } = await sql<Group>`
    with total as materialized (${sumsOfCells(terms, crossed)}),
      place as (select set, r, c, count(*) over (partition by set)::int as of,
          row_number() over (partition by set order by ${weightOf(crossed)} desc, r, c) as place
        from total where set in (${sql.lit(ROW)}, ${sql.lit(COLUMN)})),
      kept as (select * from place
        where place <= case set when ${sql.lit(ROW)} then ${sql.lit(MAX_ROWS)} else ${sql.lit(MAX_COLUMNS)} end)
    select total.set, total.r as row, total.c as column, total.count, total.amount, total.base, kept.of
    from total left join kept on kept.set = total.set and kept.r = total.r and kept.c = total.c
    where total.set = ${sql.lit(ALL)} or kept.set is not null or (total.set = ${sql.lit(CELL)}
      and total.r in (select r from kept where set = ${sql.lit(ROW)}) and total.c in (select c from kept where set = ${sql.lit(COLUMN)}))
    order by kept.place`.execute(db);
  return rows;
}

/** The value that decides which rows and columns are the largest. */
function weightOf({ measure }: Crossed): RawBuilder<unknown> {
  if (measure === 'quotes' || measure === 'rate') return sql`count`;
  return isShare(measure) ? sql`base` : sql`amount`;
}

const countsLines = (crossed: Crossed): boolean =>
  takesLines(crossed) && (crossed.measure === 'quotes' || crossed.measure === 'rate');

/** The row and the column of a quote or line. Without columns, all are in one column. */
const keysOf = ({ rows, columns }: Crossed) => sql`${VALUES[rows]} as r, ${columns ? VALUES[columns] : sql`0`} as c`;

/**
 * Each group with the sums of its cells. `count` is the number of quotes, or of lines for measures that do not count quotes. A quote with lines in
 * several cells of a total is one quote of that total. So a total counts the lines that are the first of their quote within what the total
 * distinguishes.
 */
function sumsOfCells(terms: Terms, crossed: Crossed): RawBuilder<unknown> {
  const { where, amount, base } = sumsOf(crossed);
  const { rows, columns } = crossed;
  const dimensions = [[rows, columns], [rows], [columns], []].map((all) =>
    all.filter((candidate) => candidate != null),
  );
  const counted = countsLines(crossed)
    ? dimensions.map((all) => sql`${where} and ${firstOfQuote(terms, all)}`)
    : [where];
  const counts = counted.flatMap((counts, set) => [
    sql`count(*) filter (where ${counts}) as ${sql.ref(`count_${set}`)}`,
    sql`sum(${base}) filter (where ${counts}) as ${sql.ref(`base_${set}`)}`,
  ]);
  const ofSet = (name: string) =>
    sql`case grouping(r, c) ${sql.join(
      [CELL, ROW, COLUMN, ALL].map((set) => {
        const sum = sql.ref(`${name}_${counted.length > 1 ? set : 0}`);
        return sql`when ${sql.lit(set)} then sum(${sum})`;
      }),
      sql` `,
    )} end`;
  return sql`
    select grouping(r, c) as set, coalesce(r::text, '') as r, coalesce(c::text, '') as c, coalesce(${ofSet('count')}, 0)::int as count,
      coalesce(sum(amount), 0) as amount, coalesce(${ofSet('base')}, 0) as base
    from (select ${keysOf(crossed)}, ${sql.join(counts)}, sum(${amount}) filter (where ${where}) as amount
      from ${tablesOf(crossed)} where ${selected(terms)} and ${isQuoted(terms)}
        ${takesLines(crossed) ? sql`and ${linesSelected(terms)}` : sql``}
      group by 1, 2) cell
    group by grouping sets ((r, c), (r), (c), ())`;
}

/** Whether a line is the first of its quote with its class and contract, as far as the dimensions or the filters distinguish them. */
function firstOfQuote({ filters }: Terms, dimensions: readonly Dimension[]): RawBuilder<unknown> {
  const ofClass = dimensions.includes('class') || Boolean(filters.classId);
  const ofContract = dimensions.includes('contract') || Boolean(filters.contractId);
  const grouping = ofClass && ofContract ? 'both' : ofClass ? 'class' : ofContract ? 'contract' : 'quote';
  return sql`line.firsts & ${sql.lit(FIRST_OF[grouping])} <> 0`;
}
