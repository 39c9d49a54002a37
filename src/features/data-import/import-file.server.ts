// The import of a file, from its bytes to the tables: one transaction or nothing (a dry run is always nothing).
import fs from 'node:fs';
import type { Db } from '#db/database.server.ts';
import { csvLine } from '#shared/csv.ts';
import { findHeader, type Header, HEADER_WITHIN, type Mapping, mappingOf, noHeader } from './header-match.ts';
import type { ImportKind } from './import-kind.ts';
import type { ImportReport, RefusedCell } from './import-report.ts';
import {
  compare,
  examplesOf,
  openStage,
  refusals,
  refusedLines,
  type StagedRow,
  stageRefusals,
  stageRows,
  write,
} from './merge-rows.server.ts';
import { recordReader } from './read-records.ts';
import { openTable, spool, type TableFile } from './read-table.server.ts';
import { type Row, type Sheet, UnusableFile } from './table-file.ts';

export type ImportOptions = {
  /** 'their heading=our field', any number of them. */
  map?: readonly string[];
  dryRun?: boolean;
  /** The sheet of a workbook, when it is not the one whose header fits best. */
  sheet?: string;
  /** The line of the header, when it is not the one that fits best. */
  headerLine?: number;
  /** Where to list all refused cells as CSV; removed when there are none. */
  refusedFile?: string;
  onProgress?: (progress: { step: 'reading' | 'comparing' | 'writing'; rows: number }) => void;
};

const BATCH = 4000;
const SAMPLE = 20;

/**
 * Imports a file, or the bytes of one, into the tables of its kind. Throws UnusableFile when it cannot be read as such a table;
 * any other error means that the database refused, and nothing was changed. Refused rows do not stop the others.
 */
export async function importFile(
  db: Db,
  kind: ImportKind,
  source: string | AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const mappings = (options.map ?? []).map((text) => mappingOf(text, kind));
  if (typeof source !== 'string') {
    const spooled = await spool(source);
    try {
      return await importFile(db, kind, spooled.path, options);
    } finally {
      await spooled.remove();
    }
  }
  const started = performance.now();
  if (options.refusedFile) await fs.promises.rm(options.refusedFile, { force: true });
  const table = await openTable(source);
  try {
    const { sheet, header } = await chooseHeader(table, kind, mappings, options);
    const trx = await db.startTransaction().execute();
    try {
      const done = await importSheet(trx, kind, table, sheet, header, options);
      if (done.applied) await trx.commit().execute();
      else await trx.rollback().execute();
      return { ...done, seconds: (performance.now() - started) / 1000 };
    } catch (error) {
      await trx.rollback().execute();
      throw error;
    }
  } finally {
    await table.close();
  }
}

/** The sheet and the row that fit the kind best. */
async function chooseHeader(
  table: TableFile,
  kind: ImportKind,
  mappings: readonly Mapping[],
  options: ImportOptions,
): Promise<{ sheet: Sheet; header: Header }> {
  const sheets = options.sheet === undefined ? table.sheets : table.sheets.filter(({ name }) => name === options.sheet);
  if (sheets.length === 0) {
    throw new UnusableFile(
      `The workbook has no sheet '${options.sheet ?? ''}', but ${table.sheets.map(({ name }) => `'${name}'`).join(', ')}.`,
    );
  }
  let best: { sheet: Sheet; header: Header; score: number } | null = null;
  let fullest: Row[] = [];
  for (const sheet of sheets) {
    const rows = await firstRows(sheet, options.headerLine);
    if (rows.length > fullest.length) fullest = rows;
    const header = findHeader(rows, kind, mappings);
    if (header && (!best || header.score > best.score)) best = { sheet, header, score: header.score };
  }
  if (!best) throw noHeader(fullest, kind, mappings);
  return best;
}

async function firstRows(sheet: Sheet, only: number | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of sheet.rows()) {
    if (only !== undefined && row.line > only) break;
    if ((only === undefined || row.line === only) && row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    if (rows.length >= HEADER_WITHIN) break;
  }
  return rows;
}

async function importSheet(
  trx: Db,
  kind: ImportKind,
  table: TableFile,
  sheet: Sheet,
  header: Header,
  options: ImportOptions,
): Promise<Omit<ImportReport, 'seconds'>> {
  const dryRun = options.dryRun ?? false;
  const read = await stage(trx, kind, table, sheet, header, options);
  options.onProgress?.({ step: 'comparing', rows: read.rows });
  const headingOf = (column: string): string => {
    const at = header.columns.get(column);
    return at === undefined ? (kind.fields[column]?.label ?? '') : (header.headings[at]?.trim() ?? '');
  };
  const outcomes = await compare(trx, kind, !dryRun, headingOf);
  const examples = await examplesOf(trx, kind);
  const refused = await refusedLines(trx);
  const sample = refused > 0 ? await listRefusals(trx, options.refusedFile) : [];
  const applied = !dryRun && outcomes.fresh + outcomes.changed > 0;
  if (applied) {
    options.onProgress?.({ step: 'writing', rows: read.rows });
    await write(trx, kind, outcomes);
  }
  const used = new Set(header.columns.values());
  return {
    kind: kind.kind,
    format: table.format,
    sheet: sheet.name,
    headerLine: header.line,
    columns: [...header.columns].map(([field]) => ({
      field,
      label: kind.fields[field]?.label ?? field,
      heading: headingOf(field),
    })),
    unused: header.headings
      .filter((heading, at) => heading.trim() !== '' && !used.has(at))
      .map((heading) => heading.trim()),
    ...read,
    ...outcomes,
    refused,
    examples: { ...examples, refused: sample },
    refusedFile: refused > 0 ? (options.refusedFile ?? null) : null,
    applied,
    dryRun,
  };
}

/** Reads every row and stages it, in batches, so that memory does not grow with the file. */
async function stage(
  trx: Db,
  kind: ImportKind,
  table: TableFile,
  sheet: Sheet,
  header: Header,
  { onProgress }: ImportOptions,
): Promise<{ rows: number; silent: number; mended: { what: string; count: number }[] }> {
  await openStage(trx, kind);
  const mended = new Map<string, number>();
  const mend = (what: string): void => {
    mended.set(what, (mended.get(what) ?? 0) + 1);
  };
  const recordsOf = recordReader(kind, header, mend, table.separated);
  let rows = 0;
  let silent = 0;
  let rowNo = 0;
  let staged: StagedRow[] = [];
  let refused: RefusedCell[] = [];
  // While the database takes one batch, the next one is read.
  let underWay: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await underWay;
    underWay = send(staged, refused);
    // Its failure is met at the next await, which may be many rows away.
    underWay.catch(() => {});
    staged = [];
    refused = [];
    onProgress?.({ step: 'reading', rows });
  };
  const send = async (records: StagedRow[], cells: RefusedCell[]): Promise<void> => {
    if (records.length > 0) await stageRows(trx, kind, records);
    if (cells.length > 0) await stageRefusals(trx, cells);
  };
  for await (const row of sheet.rows()) {
    if (row.line <= header.line) continue;
    const result = recordsOf(row);
    if (!result) continue;
    rows++;
    if ('refused' in result) refused.push(...result.refused);
    else {
      if (result.records.length === 0) silent++;
      for (const record of result.records) staged.push({ row_no: ++rowNo, line: row.line, ...record });
    }
    if (staged.length + refused.length >= BATCH) await flush();
  }
  await flush();
  await underWay;
  return { rows, silent, mended: [...mended].map(([what, count]) => ({ what, count })) };
}

/** Writes all refused cells to the file and gives the first ones. */
async function listRefusals(trx: Db, file: string | undefined): Promise<RefusedCell[]> {
  const sample: RefusedCell[] = [];
  const out = file === undefined ? null : await fs.promises.open(file, 'w');
  try {
    await out?.write(`\ufeff${csvLine(['Line', 'Column', 'Value', 'Reason'])}`);
    for await (const cells of refusals(trx)) {
      sample.push(...cells.slice(0, SAMPLE - sample.length));
      if (!out && sample.length >= SAMPLE) break;
      await out?.write(cells.map(({ line, column, value, reason }) => csvLine([line, column, value, reason])).join(''));
    }
  } finally {
    await out?.close();
  }
  return sample;
}
