// Turns rows of cells into records of a kind; reads each cell or refuses it with a reason.

import type { ImportKind, Values } from '../kinds/import-kind.ts';
import type { RefusedCell } from '../running/import-report.ts';
import { cleaned, cut, type Mended, Several } from './cell-values.ts';
import type { Header } from './header-match.ts';
import { Refusal } from './refusal.ts';
import type { Row } from './table-file.ts';

/** 'skipped': a blank row, or the header repeated on a later page. */
export type ReadRow = { records: Values[] } | { refused: RefusedCell[] } | 'skipped';

/** A column with a decimal comma in an amount, and the first such cell. */
export type CommaColumn = { at: number; heading: string; line: number; value: string };

export type RecordReader = {
  read: (row: Row) => ReadRow;
  commaColumns: () => CommaColumn[];
};

/**
 * Reads rows below the header. `exactWidth` refuses rows with more cells than headings, because their values have shifted.
 */
export function recordReader(
  kind: Pick<ImportKind, 'kind' | 'fields' | 'needs' | 'everyRow' | 'toRecords'>,
  header: Header,
  mended: Mended,
  exactWidth: boolean,
): RecordReader {
  const commas = new Map<number, CommaColumn>();
  const columns = [...header.columns].map(([name, at]) => {
    const field = kind.fields[name];
    if (!field) throw new Error(`${kind.kind} have no field ${name}`);
    const heading = header.headings[at]?.trim() ?? '';
    const decimalComma = (value: string): void => {
      if (!commas.has(at)) commas.set(at, { at, heading, line: now, value });
    };
    return { name, at, heading, parse: field.parse, context: { heading, mended, decimalComma } };
  });
  const headingOf = (name: string): string =>
    columns.find((column) => column.name === name)?.heading ?? kind.fields[name]?.label ?? name;
  const identity = kind.everyRow === null ? null : (kind.needs[0]?.[0] ?? '');
  const width = header.headings.length;

  /** The current line. */
  let now = 0;

  const read = ({ line, cells, faults = [] }: Row): ReadRow => {
    now = line;
    const whole = faults.find(({ at }) => at === null);
    if (whole) return { refused: [{ line, column: '', value: '', reason: whole.reason }] };
    const values: Values = {};
    const refused: RefusedCell[] = [];
    let blank = true;
    for (const { name, at, heading, parse, context } of columns) {
      const fault = faults.find((one) => one.at === at);
      if (fault) {
        blank = false;
        refused.push({
          line,
          column: heading,
          value: 'value' in fault ? cut(fault.value, 500) : '',
          reason: fault.reason,
        });
      }
      const text = cleaned(cells[at] ?? '');
      if (text === '') continue;
      blank = false;
      const value = parse(text, context);
      if (value instanceof Refusal)
        refused.push({ line, column: heading, value: value.shown ?? cut(text, 500), reason: value.reason });
      else if (value instanceof Several) Object.assign(values, value.values);
      else if (value !== null) values[name] = value;
    }
    if (blank && cells.every((cell) => cleaned(cell) === '')) return 'skipped';
    if (columns.every(({ at, heading }) => cells[at]?.trim() === heading)) return 'skipped';
    if (exactWidth && cells.slice(width).some((cell) => cleaned(cell) !== '')) {
      return {
        refused: [{ line, column: '', value: '', reason: `The row has ${cells.length} cells, the header ${width}.` }],
      };
    }
    if (
      identity !== null &&
      values[identity] === undefined &&
      refused.every(({ column }) => column !== headingOf(identity))
    ) {
      refused.push({ line, column: headingOf(identity), value: '', reason: 'is empty' });
    }
    if (refused.length > 0) return { refused };
    const records = kind.toRecords?.(values, mended) ?? [values];
    if (Array.isArray(records)) return { records };
    const column = columns.find(({ name }) => name === records.field);
    const value = column ? cut(cleaned(cells[column.at] ?? ''), 500) : '';
    return { refused: [{ line, column: headingOf(records.field), value, reason: records.refusal.reason }] };
  };
  return { read, commaColumns: () => [...commas.values()] };
}
