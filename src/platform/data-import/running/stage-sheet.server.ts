// Stages the rows of a sheet in temporary tables for comparison: import_row, and import_refusal for bad cells.
import type { Db } from '#platform/db/database.server.ts';
import type { Progress } from '../kinds/import-kind.server.ts';
import type { RowKind } from '../kinds/kind-description.server.ts';
import {
  cleaned,
  cut,
  type DateNotation,
  type NoteCorrection,
  THOUSANDS,
  TWO_AMOUNTS,
} from '../reading/cell-values.server.ts';
import type { Header } from '../reading/header-match.server.ts';
import { mergedReason } from '../reading/merged-cells.server.ts';
import { type CommaColumn, type DateColumn, recordReader } from '../reading/read-records.server.ts';
import type { TableFile } from '../reading/read-table.server.ts';
import { sparseReason, sparseWatch } from '../reading/report-rows.server.ts';
import { MAX_ROWS, type Row, type Sheet, tooManyRows } from '../reading/table-file.server.ts';
import type { RefusedCell } from './import-report.ts';
import {
  emptyStage,
  openStage,
  type StagedRow,
  stageRefusals,
  stageRows,
  unstageRefused,
} from './merge-rows.server.ts';

export type StagedCounts = {
  /** The number of rows below the header. */
  rows: number;
  /** The number of blank rows and of headers repeated on a later page. */
  skipped: number;
  /** The number of rows without data for this kind. */
  silent: number;
  /** Corrections, each with the number of corrected cells. */
  corrections: { one: string; many: string; count: number; named: string[] }[];
  /** Facts about the file that the user may not have noticed, in sentences. */
  notes: string[];
};

/** The user's answers about a file, besides its columns. */
export type FileAnswers = Readonly<Record<string, unknown>>;

const BATCH = 4000;
/** The number of characters in a batch of bulky rows. */
const BULK = 4_000_000;

type Source = { table: Pick<TableFile, 'separated' | 'bulky'>; sheet: Sheet; header: Header };

/** Parses and stages every row in batches, so that memory does not grow with the file. */
export async function stageSheet(
  trx: Db,
  kind: RowKind,
  source: Source,
  answers: FileAnswers,
  onProgress?: Progress,
): Promise<StagedCounts> {
  await openStage(trx, kind);
  const first = await stageRowsOf(trx, kind, source, answers, new Map(), onProgress);
  const dates = notationsOf(first.days);
  if (dates.size === 0) return first;
  await emptyStage(trx);
  return stageRowsOf(trx, kind, source, answers, dates, onProgress);
}

/**
 * Returns the date format of each column. Days are month first, unless a day such as 13/02/2026 shows that the file has the day first. A column with
 * only days such as 01/02/2026 shows nothing and follows the other columns. If both formats occur, days that fit both are ambiguous.
 */
function notationsOf(days: ReadonlyMap<number, DateColumn>): Map<number, DateNotation | 'mixed'> {
  const columns = [...days];
  if (columns.every(([, { day }]) => !day)) return new Map();
  const ofFile = columns.some(([, { month }]) => month) ? 'mixed' : 'day';
  return new Map(
    columns.flatMap(([at, { day, month, whole }]) => (day || month || !whole ? [[at, ofFile] as const] : [])),
  );
}

async function stageRowsOf(
  trx: Db,
  kind: RowKind,
  { table, sheet, header }: Source,
  answers: FileAnswers,
  dates: ReadonlyMap<number, DateNotation | 'mixed'>,
  onProgress?: Progress,
): Promise<StagedCounts & { days: Map<number, DateColumn> }> {
  const corrections = new Map<string, StagedCounts['corrections'][number]>();
  /** The corrections in the current row. They are counted only if the row is accepted. */
  let ofRow: [one: string, many: string, detail: string | undefined][] = [];
  const noteCorrection: NoteCorrection = (singular, plural, detail) => void ofRow.push([singular, plural, detail]);
  const reading = {
    isText: table.separated,
    isComma: answers['decimals'] === 'comma',
    makesUnits: answers['packs'] === 'make',
    dates,
    money: Object.hasOwn(kind.columns, 'currn_idx') ? ('own' as const) : ('dollars' as const),
  };
  const reader = recordReader(kind, header, { ...reading, noteCorrection });
  const hidden: number[] = [];
  const filled = sparseWatch(table.bulky ? [] : header.headings);
  let rows = 0;
  let skipped = 0;
  let silent = 0;
  let rowNo = 0;
  let bulk = 0;
  let staged: StagedRow[] = [];
  let refused: RefusedCell[] = [];
  // The next batch is read while the database stores the current one.
  let underWay: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await underWay;
    underWay = send(staged, refused);
    // Prevents an unhandled rejection. The next await throws the failure, possibly many rows later.
    underWay.catch(() => {});
    staged = [];
    refused = [];
    bulk = 0;
    onProgress?.({ step: 'reading', rows });
  };
  const send = async (records: StagedRow[], cells: RefusedCell[]): Promise<void> => {
    if (records.length > 0) await stageRows(trx, kind, records);
    if (cells.length > 0) await stageRefusals(trx, cells);
  };
  const merged: string[] = [];
  const hiddenColumns = new Set<string>();
  const hide = (first: number, last: number): void => {
    for (const at of header.columns.values())
      if (at >= first && at <= last) hiddenColumns.add(header.headings[at]?.trim() || `column ${at + 1}`);
  };
  for await (const row of sheet.rows((cells) => merged.push(cells), hide)) {
    if (row.line <= header.line) continue;
    ofRow = [];
    const result = reader.read(row);
    if (result !== 'skipped' && 'records' in result)
      for (const [singular, plural, detail] of ofRow) {
        const known = corrections.get(plural) ?? { one: singular, many: plural, count: 0, named: [] };
        known.count++;
        if (detail !== undefined && known.named.length < SHOWN_LINES) known.named.push(`line ${row.line} ${detail}`);
        corrections.set(plural, known);
      }
    if (row.hidden && result !== 'skipped') hidden.push(row.line);
    if (++rows > MAX_ROWS) throw tooManyRows();
    if (result === 'skipped') skipped++;
    else if ('refused' in result) refused.push(...result.refused);
    else {
      if (result.records.length === 0) silent++;
      else filled.see(row.line, row.cells);
      for (const record of result.records) staged.push({ row_no: ++rowNo, line: row.line, ...record });
    }
    if (table.bulky) bulk += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (staged.length + refused.length >= BATCH || bulk > BULK) await flush();
    else if (rows % BATCH === 0) onProgress?.({ step: 'reading', rows });
  }
  await flush();
  await underWay;
  const commas = reader.commaColumns();
  if (commas.length > 0 || merged.length > 0) {
    const mergedAt = mergedReason(merged, [...header.columns.values()]);
    const again = recordReader(kind, header, { ...reading, noteCorrection: () => {} });
    for await (const row of sheet.rows()) {
      if (row.line <= header.line) continue;
      const result = again.read(row);
      if (result === 'skipped') continue;
      const known = 'refused' in result ? result.refused : [];
      const cells = otherNotation(row, commas).filter(({ column }) => known.every((cell) => cell.column !== column));
      const reason = mergedAt(row);
      if (reason) cells.push({ line: row.line, column: '', value: '', reason });
      if (cells.length === 0) continue;
      if ('records' in result && result.records.length === 0) silent--;
      refused.push(...cells);
      if (refused.length >= BATCH) await flush();
    }
    await flush();
    await underWay;
    await unstageRefused(trx);
  }
  const sparse = filled.sparse();
  if (sparse.length > 0) {
    await stageRefusals(
      trx,
      sparse.map((row) => ({ line: row.line, column: '', value: row.value, reason: sparseReason(row) })),
    );
    await unstageRefused(trx);
  }
  const notes = [
    hiddenSentence(hidden),
    hiddenColumnsSentence([...hiddenColumns]),
    commentsSentence((await sheet.comments?.()) ?? null),
    ...dateSentences(reader.dateColumns(), dates, header),
  ].filter(Boolean);
  return { rows, skipped, silent, corrections: [...corrections.values()], notes, days: reader.dateColumns() };
}

const SHOWN_LINES = 12;

function hiddenSentence(lines: readonly number[]): string {
  if (lines.length === 0) return '';
  const named = `${lines.slice(0, SHOWN_LINES).join(', ')}${lines.length > SHOWN_LINES ? ', …' : ''}`;
  return lines.length === 1
    ? `1 row is hidden in the sheet and is read like the others: line ${named}.`
    : `${lines.length.toLocaleString('en-US')} rows are hidden in the sheet and are read like the others: lines ${named}.`;
}

const hiddenColumnsSentence = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `${names.length === 1 ? '1 column is' : `${names.length} columns are`} hidden in the sheet and read like the others: ${names.join(', ')}.`;

function commentsSentence(comments: { count: number; first: { cell: string; text: string } } | null): string {
  if (!comments) return '';
  const { count, first } = comments;
  const has = count === 1 ? '1 cell has a comment' : `${count.toLocaleString('en-US')} cells have comments`;
  return `${has}, ignored by the import: ${first.cell} '${cut(cleaned(first.text), 100)}'${count > 1 ? ', …' : ''}.`;
}

function dateSentences(
  days: ReadonlyMap<number, DateColumn>,
  dates: ReadonlyMap<number, DateNotation | 'mixed'>,
  { headings }: Header,
): string[] {
  const first = (notation: DateNotation) => {
    const [at, column] = [...days].find(([, proofs]) => proofs[notation]) ?? [];
    const proof = column?.[notation];
    return at === undefined || !proof ? null : { at, text: `'${proof.value}' (line ${proof.line})` };
  };
  const named = (at: number): string => headings[at]?.trim() ?? '';
  const day = first('day');
  const month = first('month');
  if (!day) return [];
  if (month)
    return day.at === month.at
      ? [`${named(day.at)} has days in two notations: ${day.text} and ${month.text}.`]
      : [`The file has days in two notations: ${named(day.at)} has ${day.text}, ${named(month.at)} has ${month.text}.`];
  return [...dates.keys()].map((at) => {
    const own = days.get(at)?.day;
    return own
      ? `${named(at)} is read as dd/mm/yyyy, because of '${own.value}' (line ${own.line}).`
      : `${named(at)} is read as dd/mm/yyyy, because ${named(day.at)} has ${day.text}.`;
  });
}

/** Returns the ambiguous amounts of a row, if another row of their column, or another column, has a decimal comma. */
function otherNotation({ line, cells }: Row, commas: readonly CommaColumn[]): RefusedCell[] {
  return commas.flatMap(({ at, heading, line: first, value: comma, elsewhere }) => {
    const value = cleaned(cells[at] ?? '');
    return (elsewhere ? THOUSANDS : TWO_AMOUNTS).test(value)
      ? [
          {
            line,
            column: heading,
            value,
            reason: `can be read in two ways, because '${comma}' (line ${first}) has a decimal comma: write 1,234.50, or choose decimal commas for the file`,
          },
        ]
      : [];
  });
}

/** Returns the heading of a field in the file, or our own label if it has none. */
export function headingsOf(kind: RowKind, header: Header): (field: string) => string {
  return (field) => {
    const at = header.columns.get(field);
    return at === undefined ? (kind.fields[field]?.label ?? '') : (header.headings[at]?.trim() ?? '');
  };
}
