// Describes an uploaded file: format, header, columns, and first values.
import { cleaned, cut } from '../reading/cell-values.server.ts';
import {
  findHeader,
  fullestRow,
  HEADER_WITHIN,
  type Header,
  matchOf,
  type Memory,
  suffices,
  type Wanted,
} from '../reading/header-match.server.ts';
import { aboveNotes, questionsAbove } from '../reading/column-questions.server.ts';
import { openTable, type TableFile } from '../reading/read-table.server.ts';
import { type Row, type Sheet, UnusableFile } from '../reading/table-file.server.ts';

/** The part stored in data_import: `mapping` and a part of `options`. */
export type StoredHeader = {
  sheet: string;
  line: number;
  headings: string[];
  columns: Record<string, number>;
  /** Columns that the user marked as not used. */
  unused?: number[];
  /** Columns that are read, or marked as not used, as in the last file. */
  remembered?: number[];
};
export type FoundTable = {
  header: StoredHeader;
  format: string;
  sheets: string[];
  samples: string[][];
  /** Parts of the file that are not read although the user may expect it, in sentences. */
  notes: string[];
  /** Other visible sheets with at least as many rows. The user must choose between them. */
  others: { sheet: string; rows: number }[];
  /** The rows above the header. Empty once the user has chosen the header. */
  above: { line: number; text: string }[];
};

const SAMPLES = 4;
const MAX_COLUMNS = 2000;

/**
 * Reads the start of a file. The header is the row that fits the kind best; `memory` helps to match its columns. If no row fits, the header is the
 * fullest of the first rows, and the user matches its columns. A hidden sheet is used only if the user chooses it or if there is no other. Throws
 * UnusableFile.
 */
export async function lookAt(
  path: string,
  wanted: Wanted,
  memory: Memory | null,
  chosen: { sheet?: string | undefined; headerLine?: number | undefined } = {},
): Promise<FoundTable> {
  const table = await openTable(path);
  try {
    const visible = table.sheets.filter(({ hidden }) => !hidden);
    const sheets =
      chosen.sheet === undefined
        ? visible.length > 0
          ? visible
          : table.sheets
        : table.sheets.filter(({ name }) => name === chosen.sheet);
    let best: Candidate | null = null;
    const usable: Candidate[] = [];
    for (const sheet of sheets) {
      const rows = await firstRows(sheet, chosen.headerLine);
      const header = headerOf(rows, wanted, memory);
      const score = header
        ? (suffices(header.columns, wanted) ? 1_000_000 : 0) + header.columns.size * 1000 + header.headings.length
        : -1;
      if (!header) continue;
      if (suffices(header.columns, wanted)) usable.push({ sheet, header, score, rows });
      if (!best || score > best.score) best = { sheet, header, score, rows };
    }
    if (!best)
      throw new UnusableFile(
        chosen.headerLine === undefined ? 'The file has no rows.' : `Line ${chosen.headerLine} is empty.`,
      );
    const { sheet, header } = best;
    const count = await sheet.countRows();
    if (header.headings.length > MAX_COLUMNS)
      throw new UnusableFile(
        `The file has ${header.headings.length.toLocaleString('en-US')} columns, at most ${MAX_COLUMNS.toLocaleString('en-US')} can be read.`,
      );
    const isConfirmed = chosen.headerLine !== undefined;
    const above = aboveOf(isConfirmed ? await firstRows(sheet, undefined) : best.rows, header);
    const { unused, remembered } = matchOf(header.headings, wanted, memory);
    return {
      header: {
        sheet: sheet.name,
        line: header.line,
        headings: header.headings.map((text) => cut(text.replaceAll('\0', ''), 500)),
        columns: Object.fromEntries(header.columns),
        unused,
        remembered,
      },
      format: table.format,
      sheets: table.sheets.map(({ name }) => name),
      samples: await samplesOf(sheet, header, wanted),
      notes: [
        ...notesOf(best, usable, table.sheets),
        ...(isConfirmed ? aboveNotes(questionsAbove(above, Object.fromEntries(header.columns), wanted)) : []),
      ],
      others: chosen.sheet === undefined ? await othersOf(sheet, count, visible) : [],
      above: isConfirmed ? [] : above,
    };
  } finally {
    await table.close();
  }
}

/** Returns visible sheets besides the chosen one that have at least as many rows. */
async function othersOf(chosen: Sheet, rows: number, visible: readonly Sheet[]): Promise<FoundTable['others']> {
  const others: FoundTable['others'] = [];
  let there: number | null = null;
  for (const sheet of visible) {
    if (sheet === chosen) continue;
    // This count includes rows without a value, so they are counted again without them.
    if ((await sheet.countRows()) < rows) continue;
    const here = await filledRows(sheet);
    there ??= await filledRows(chosen);
    if (here > 1 && here >= there) others.push({ sheet: sheet.name, rows: here });
  }
  return others;
}

async function filledRows(sheet: Sheet): Promise<number> {
  let filled = 0;
  for await (const { cells } of sheet.rows()) if (cells.some((cell) => cell.trim() !== '')) filled++;
  return filled;
}

/** Returns the text of each row above the header. */
const aboveOf = (rows: readonly Row[], header: Header): FoundTable['above'] =>
  rows
    .filter(({ line }) => line < header.line)
    .map(({ line, cells }) => ({ line, text: cut(cleaned(cells.filter(Boolean).join(' ')), 200) }));

type Candidate = { sheet: Sheet; header: Header; score: number; rows: readonly Row[] };

function notesOf({ sheet, header }: Candidate, usable: readonly Candidate[], all: readonly Sheet[]): string[] {
  const fields = (target: Header): string => [...target.columns.keys()].toSorted().join();
  const alike = usable.filter((candidate) => candidate.sheet !== sheet && fields(candidate.header) === fields(header));
  const hidden = all.filter((candidate) => candidate.hidden && candidate !== sheet);
  return [
    ...(alike.length > 0
      ? [
          `Only the sheet '${sheet.name}' is read. Import ${quoted(alike.map((entry) => entry.sheet))}, which ${alike.length === 1 ? 'looks' : 'look'} like it, separately.`,
        ]
      : []),
    ...(hidden.length > 0 ? [`Hidden and not read: ${quoted(hidden)}. Choose a hidden sheet to read it.`] : []),
  ];
}

const quoted = (sheets: readonly Sheet[]): string => sheets.map(({ name }) => `'${name}'`).join(', ');

/** Returns the stored sheet and header of an open file. */
export function storedTable(
  table: TableFile,
  stored: StoredHeader,
): { table: TableFile; sheet: Sheet; header: Header } {
  const sheet = table.sheets.find(({ name }) => name === stored.sheet);
  if (!sheet) throw new UnusableFile(`The workbook has no sheet '${stored.sheet}'.`);
  const { line, headings, columns, unused } = stored;
  return { table, sheet, header: { line, headings, columns: new Map(Object.entries(columns)), unused } };
}

function headerOf(rows: readonly Row[], wanted: Wanted, memory: Memory | null): Header | null {
  const fits = findHeader(rows, wanted, (cells) => matchOf(cells, wanted, memory).columns);
  const row = fits ? null : fullestRow(rows);
  return row ? { line: row.line, headings: row.cells, columns: matchOf(row.cells, wanted, memory).columns } : fits;
}

/** Returns the rows to search for the header; with `only`, just that line. */
export async function firstRows(sheet: Sheet, only: number | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of sheet.rows()) {
    if (only !== undefined && row.line > only) break;
    if ((only === undefined || row.line === only) && row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    if (rows.length >= HEADER_WITHIN) break;
  }
  return rows;
}

/** Returns the first values of each column. */
async function samplesOf(sheet: Sheet, { line, headings }: Header, { otherColumns }: Wanted): Promise<string[][]> {
  const samples: string[][] = headings.map(() => []);
  let looked = 0;
  for await (const row of sheet.rows()) {
    if (row.line <= line) continue;
    for (const [at, values] of samples.entries()) {
      const value = cut(cleaned(row.cells[at] ?? ''), 60);
      if (value !== '' && values.length < SAMPLES && !values.includes(value)) values.push(value);
    }
    // A column without values is dropped without a question, so it must be empty in the whole file.
    if (++looked >= 50 && (otherColumns === 'ignored' || samples.every((values) => values.length > 0))) break;
    if (samples.every((values) => values.length >= SAMPLES)) break;
  }
  return samples;
}
