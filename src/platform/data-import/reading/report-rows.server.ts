// Finds the rows that a report prints between its records: group headings, subtotals, and rows without values that nearly all others have.
import { cleaned, cut } from './cell-values.server.ts';

/** 'Grand Total', 'Totals:', 'Total for Midwest'. */
const TOTALS = /^(?:grand |report |sub ?-?)?totals?(?: ?[:=].*| (?:for|of|number|count)\b.*)?$/i;
/** 'Midwest Total', in a cell that is not the name of a record. */
const ENDS_AS_TOTAL = /(?:^|\s)(?:sub ?-?)?totals?$/i;
/** 'Cost Center: 4010'. */
const GROUP =
  /^(?:cost (?:center|ctr)|department|dept|location|loc|division|category|group|class|section|vendor|supplier|manufacturer|warehouse|store|region|territory|account|customer|facility|page|report|run date|printed)\b[^:]{0,20}: ?\S/i;

export const isTotal = (text: string): boolean => TOTALS.test(text);
export const ROW_OF_TOTALS = 'is the name of a row of totals: leave the row out';

/**
 * Returns why the first text of a row shows that the row is not a record; '' if it may be one. `isName` means that the text may be the name of a
 * record.
 */
export function reportReason(text: string, isName: boolean): string {
  if (isTotal(text) || (!isName && ENDS_AS_TOTAL.test(text))) return ROW_OF_TOTALS;
  if (text.endsWith(':') || (!isName && GROUP.test(text)))
    return 'is the heading of a group of a report: leave the row out';
  return '';
}

/** In a shorter file it is not possible to say what nearly all rows have. */
const MIN_ROWS = 20;
const NEARLY_ALL = 0.98;
/** The limits on the columns that are examined, and on the rows that are stored per shape. */
const MAX_COLUMNS = 64;
const MAX_LINES = 2000;
const MAX_VALUE_LENGTH = 60;

export type SparseRow = { line: number; value: string; lacks: string[] };

/** Records which cells of the rows are filled. At the end it returns the rows without values that nearly all others have. */
export function sparseWatch(headings: readonly string[]) {
  const places = headings.flatMap((heading, at) => (heading.trim() === '' ? [] : [at])).slice(0, MAX_COLUMNS);
  const shapes = new Map<string, { count: number; rows: { line: number; value: string }[] }>();
  let rows = 0;
  return {
    see: (line: number, cells: readonly string[]): void => {
      rows++;
      let shape = '';
      for (const at of places) shape += (cells[at] ?? '').trim() === '' ? '0' : '1';
      const known = shapes.get(shape) ?? { count: 0, rows: [] };
      known.count++;
      if (known.rows.length < MAX_LINES)
        known.rows.push({
          line,
          value: cut(cleaned(cells.find((cell) => cleaned(cell) !== '') ?? ''), MAX_VALUE_LENGTH),
        });
      shapes.set(shape, known);
    },
    sparse: (): SparseRow[] => {
      if (rows < MIN_ROWS) return [];
      const filled = places.map((_, place) =>
        [...shapes].reduce((sum, [shape, { count }]) => sum + (shape[place] === '1' ? count : 0), 0),
      );
      // In a file of twenty rows, one row must also be able to differ from nearly all others.
      const least = Math.min(rows * NEARLY_ALL, rows - 1);
      const usual = places.flatMap((at, place) => ((filled[place] ?? 0) >= least ? [{ at, place }] : []));
      return [...shapes].flatMap(([shape, { rows: alike }]) => {
        const lacks = usual.flatMap(({ at, place }) => (shape[place] === '1' ? [] : [headings[at]?.trim() ?? '']));
        return lacks.length < 2 || lacks.length * 3 < usual.length ? [] : alike.map((row) => ({ ...row, lacks }));
      });
    },
  };
}

/** Returns why a sparse row is refused, and how the user can import it if it is a record. */
export function sparseReason({ lacks }: SparseRow): string {
  const named = lacks.slice(0, 3).join(', ') + (lacks.length > 3 ? ', …' : '');
  return `lacks ${named}, which nearly all other rows have: leave the row out if it is not a record, or write - there`;
}
