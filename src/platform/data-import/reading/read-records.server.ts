// Converts rows of cells into records of a kind. Parses each cell or refuses it with a reason.

import type { ImportKind, Values } from '../kinds/kind-description.server.ts';
import type { RefusedCell } from '../running/import-report.ts';
import { currencyOf, EURO_INDEX } from '#platform/shared/money.ts';
import {
  type CellContext,
  cleaned,
  cut,
  type DateNotation,
  type DayProof,
  type NoteCorrection,
  Several,
} from './cell-values.server.ts';
import { takesOut } from './column-questions.server.ts';
import { type Header, tableWatch } from './header-match.server.ts';
import { Refusal } from './refusal.server.ts';
import { isTotal, reportReason, ROW_OF_TOTALS } from './report-rows.server.ts';
import type { Row } from './table-file.server.ts';

/** 'skipped': a blank row, or the header repeated on a later page. */
export type ReadRow = { records: Values[] } | { refused: RefusedCell[] } | 'skipped';

/** A column with a decimal comma in an amount, and the first such cell. `elsewhere` means that this cell is in another column. */
export type CommaColumn = { at: number; heading: string; line: number; value: string; elsewhere?: true };

/** The first cell of a column that fits each date format. */
export type DateColumn = Partial<Record<DayProof, { line: number; value: string }>>;

export type RecordReader = {
  read: (row: Row) => ReadRow;
  commaColumns: () => CommaColumn[];
  /** The columns (from 0) whose days have a date format. */
  dateColumns: () => Map<number, DateColumn>;
};

/** How the cells of a file are parsed, apart from its kind and its header. */
export type Reading = {
  noteCorrection: NoteCorrection;
  /** Delimited text, in which a row with more cells than headings is refused because its values have shifted. Otherwise a workbook. */
  isText: boolean;
  /** The file writes amounts as 1.234,50. */
  isComma?: boolean;
  /** '100/bx' means a BX of 100. */
  makesUnits?: boolean;
  /** The date format of each column, by its position. */
  dates?: ReadonlyMap<number, DateNotation | 'mixed'>;
  /**
   * How a currency in a price cell is handled: 'own' sets the currency of the record, 'dollars' refuses any other currency. Left out: it is ignored.
   */
  money?: 'own' | 'dollars';
};

type StatedCurrency = { index: number; heading: string; at: number; clash?: string };
type StatedUnit = { unit: string; heading: string; at: number };

const TAKEN_OUT = 'may remove the row: leave the row out, or mark the column as not used';

/** Fields of kinds whose records have numbers. There, a single text in the name column is a title between the rows. */
const NUMBERED = ['item_number', 'acct_no'];

/** Creates a reader of the rows below the header. */
export function recordReader(
  kind: Pick<ImportKind, 'kind' | 'fields' | 'needs' | 'everyRow' | 'neededForNew' | 'toRecords'>,
  header: Header,
  { noteCorrection, isText, isComma = false, makesUnits = false, dates, money }: Reading,
): RecordReader {
  const commas = new Map<number, CommaColumn>();
  const withThousands = new Map<number, string>();
  const days = new Map<number, DateColumn>();
  const columns = [...header.columns].map(([name, at]) => {
    const field = kind.fields[name];
    if (!field) throw new Error(`${kind.kind} have no field ${name}`);
    const heading = header.headings[at]?.trim() ?? '';
    const decimalComma = (value: string): void => {
      if (!commas.has(at)) commas.set(at, { at, heading, line: now, value });
    };
    const notation = (result: DayProof, value: string): void => {
      const known = days.get(at) ?? {};
      known[result] ??= { line: now, value };
      days.set(at, known);
    };
    const context: CellContext = {
      heading,
      noteCorrection,
      priceUnit: (unit) => terms.addUnit({ unit, heading, at }),
      decimalComma,
      thousands: () => withThousands.set(at, heading),
      isComma,
      makesUnits,
      currency: (index) => terms.addCurrency({ index, heading, at }),
      notation,
      isBook: !isText,
      ...(dates?.has(at) ? { dates: dates.get(at) ?? 'month' } : {}),
    };
    return { name, at, heading, parse: field.parse, context };
  });
  const headingOf = (name: string): string =>
    columns.find((column) => column.name === name)?.heading ?? kind.fields[name]?.label ?? name;
  const identity = kind.everyRow === null ? null : (kind.needs[0]?.[0] ?? '');
  const width = header.headings.length;
  const known = new Set([...header.columns.values(), ...(header.unused ?? [])]);
  const passedOver = header.headings.flatMap((heading, at) => (known.has(at) ? [] : [{ at, heading: heading.trim() }]));
  /**
   * Refuses rows that an unmatched column removes from the list. The first values of each column have led to a question before, so this catches the
   * later ones.
   */
  const goneBy = (line: number, cells: readonly string[]): RefusedCell[] =>
    passedOver.flatMap(({ at, heading }) => {
      const value = cleaned(cells[at] ?? '');
      return takesOut(value, kind.fields)
        ? [{ line, column: heading || `Column ${at + 1}`, value, reason: TAKEN_OUT }]
        : [];
    });
  const named = [identity, kind.neededForNew?.column];
  const others = columns.filter(({ name }) => !named.includes(name));
  const isTitle = (values: Values): boolean =>
    identity !== null &&
    NUMBERED.includes(identity) &&
    others.length > 1 &&
    !/\d/.test(String(values[identity] ?? '')) &&
    values[kind.neededForNew?.column ?? ''] !== undefined &&
    others.every(({ name }) => values[name] === undefined);

  const nameAt = columns.find(({ name }) => name === kind.neededForNew?.column)?.at;
  /** Refuses a row if its first cell shows that a report printed it between the records. */
  const reportRow = (line: number, cells: readonly string[]): RefusedCell | null => {
    const first = cells.findIndex((cell) => cleaned(cell) !== '');
    const value = cleaned(cells[first] ?? '');
    const reason = reportReason(value, first === nameAt);
    const column = header.headings[first]?.trim() ?? '';
    return reason === '' ? null : { line, column: column || `Column ${first + 1}`, value: cut(value, 500), reason };
  };

  /** The line that is being read. */
  let now = 0;
  const terms = termsOfRow(kind, { noteCorrection, money, headingOf });
  const tableOf = tableWatch(header, kind);

  const read = ({ line, cells, faults = [] }: Row): ReadRow => {
    now = line;
    terms.begin();
    const table = tableOf(line, cells);
    if (table === 'headings') return 'skipped';
    if (table !== null && cells.some((cell) => cleaned(cell) !== '')) {
      const reason =
        table === line
          ? `Has different headings from line ${header.line}: move the table below it to a separate file, or choose line ${line} as the headings.`
          : `Is below the headings in line ${table}: move that table to a separate file.`;
      return { refused: [{ line, column: '', value: '', reason }] };
    }
    const whole = faults.find(({ at }) => at === null);
    if (whole) return { refused: [{ line, column: '', value: '', reason: whole.reason }] };
    const values: Values = {};
    const refused: RefusedCell[] = [];
    let blank = true;
    for (const { name, at, heading, parse, context } of columns) {
      const fault = faults.find((candidate) => candidate.at === at);
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
      // For a kind that creates records, a row of totals would become a record.
      const value =
        kind.neededForNew && name === identity && isTotal(text) ? new Refusal(ROW_OF_TOTALS) : parse(text, context);
      if (value instanceof Refusal)
        refused.push({ line, column: heading, value: value.shown ?? cut(text, 500), reason: value.reason });
      else if (value instanceof Several) Object.assign(values, value.values);
      else if (value !== null) values[name] = value;
    }
    if (blank && cells.every((cell) => cleaned(cell) === '')) return 'skipped';
    if (columns.every(({ at, heading }) => cells[at]?.trim() === heading)) return 'skipped';
    const betweenRecords = reportRow(line, cells);
    if (betweenRecords) return { refused: [betweenRecords] };
    if (isText && cells.slice(width).some((cell) => cleaned(cell) !== '')) {
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
    if (refused.length === 0) refused.push(...goneBy(line, cells), ...terms.take(line, values, cells));
    if (refused.length === 0 && isTitle(values)) {
      const reason = 'may be a title between the rows: leave the row out, or fill in another column';
      refused.push({ line, column: headingOf(identity ?? ''), value: String(values[identity ?? '']), reason });
    }
    if (refused.length > 0) return { refused };
    const records = kind.toRecords?.(values, noteCorrection) ?? [values];
    if (Array.isArray(records)) return { records };
    const column = columns.find(({ name }) => name === records.field);
    const value = column ? cut(cleaned(cells[column.at] ?? ''), 500) : '';
    return { refused: [{ line, column: headingOf(records.field), value, reason: records.refusal.reason }] };
  };
  const commaColumns = (): CommaColumn[] => {
    const [first] = commas.values();
    if (!first) return [];
    const others = [...withThousands].filter(([at]) => !commas.has(at));
    return [
      ...commas.values(),
      ...others.map(([at, heading]) => ({ ...first, at, heading, elsewhere: true as const })),
    ];
  };
  return { read, commaColumns, dateColumns: () => days };
}

type TermsSetup = Pick<Reading, 'noteCorrection' | 'money'> & { headingOf: (field: string) => string };

/** Collects the currency of a row and the unit of its prices, which its cells and headings state. */
function termsOfRow(kind: Pick<ImportKind, 'kind' | 'fields'>, { noteCorrection, money, headingOf }: TermsSetup) {
  let currency = null as StatedCurrency | null;
  let units: StatedUnit[] = [];
  /** Sets the currency of the row from its price cells. Returns refused cells if it contradicts the row. */
  const takeCurrency = (line: number, values: Values, cells: readonly string[]): RefusedCell[] => {
    if (currency === null || money === undefined) return [];
    const { index, heading, at, clash } = currency;
    const reason =
      clash !== undefined
        ? `is in a different currency than ${clash}`
        : money === 'dollars'
          ? index === EURO_INDEX && `is in EUR: ${kind.kind} are kept in USD`
          : values['currn_idx'] !== undefined &&
            values['currn_idx'] !== index &&
            `is in ${currencyOf(index)}, but ${headingOf('currn_idx')} says ${currencyOf(Number(values['currn_idx']))}`;
    if (reason) return [{ line, column: heading, value: cut(cleaned(cells[at] ?? ''), 500), reason }];
    if (money === 'own') values['currn_idx'] = index;
    return [];
  };

  const unitField = ['unit', 'base_unit'].find((name) => Object.hasOwn(kind.fields, name));
  /** Sets the unit of a row without one from the heading of its price. Returns refused cells if the heading contradicts the row. */
  const takeUnit = (line: number, values: Values, cells: readonly string[]): RefusedCell[] => {
    for (const { unit, heading, at } of units) {
      const ofRow = unitField === undefined ? undefined : values[unitField];
      if (ofRow === unit) continue;
      if (ofRow === undefined && unitField === 'unit') {
        values['unit'] = unit;
        noteCorrection('unit taken from the heading of its price', 'units taken from the heading of their price');
        continue;
      }
      // The base unit of the item is not known here; the cost is probably that of a single piece.
      if (ofRow === undefined && unit === 'EA') continue;
      const value = cut(cleaned(cells[at] ?? ''), 500);
      const reason = `is the price per ${unit} by its heading${ofRow === undefined ? '' : `, but the row is in ${String(ofRow)}`}`;
      return [{ line, column: heading, value, reason }];
    }
    return [];
  };
  return {
    begin: (): void => {
      currency = null;
      units = [];
    },
    addCurrency: (stated: StatedCurrency): void => {
      currency ??= stated;
      if (currency.index !== stated.index) currency.clash = stated.heading;
    },
    addUnit: (stated: StatedUnit): void => void units.push(stated),
    take: (line: number, values: Values, cells: readonly string[]): RefusedCell[] => [
      ...takeCurrency(line, values, cells),
      ...takeUnit(line, values, cells),
    ],
  };
}
