// The import of a file, from its bytes to the tables: one transaction or nothing (a dry run is always nothing).
import fs from 'node:fs';
import type { Db } from '#db/database.server.ts';
import type { Progress } from '../kinds/import-kind.server.ts';
import type { ImportKind } from '../kinds/import-kind.ts';
import { findHeader, type Header, type Mapping, mappingOf, noHeader } from '../reading/header-match.ts';
import { openTable, spool, type TableFile } from '../reading/read-table.server.ts';
import { type Row, type Sheet, UnusableFile } from '../reading/table-file.ts';
import type { ImportReport } from './import-report.ts';
import { compare, examplesOf, write } from './merge-rows.server.ts';
import { refusedCells, refusedLines, writeRefusedRows } from './refused-rows.server.ts';
import { headingsOf, stageSheet } from './stage-sheet.server.ts';
import { firstRows } from './upload-table.server.ts';

export type ImportOptions = {
  /** 'their heading=our field', any number of them. */
  map?: readonly string[];
  dryRun?: boolean;
  /** The sheet of a workbook, when it is not the one with the best header. */
  sheet?: string;
  /** The header's line, when it is not the best match. */
  headerLine?: number;
  /** Where to list all refused cells as CSV; removed when there are none. */
  refusedFile?: string;
  onProgress?: Progress;
};

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

/** The sheet and header row that fit the kind best. */
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

async function importSheet(
  trx: Db,
  kind: ImportKind,
  table: TableFile,
  sheet: Sheet,
  header: Header,
  options: ImportOptions,
): Promise<Omit<ImportReport, 'seconds'>> {
  const dryRun = options.dryRun ?? false;
  const read = await stageSheet(trx, kind, { table, sheet, header }, options.onProgress);
  options.onProgress?.({ step: 'comparing', rows: read.rows });
  const headingOf = headingsOf(kind, header);
  const fields = new Set(header.columns.keys());
  const outcomes = await compare(trx, kind, { importId: 0, willWrite: !dryRun, headingOf, fields });
  const examples = await examplesOf(trx, kind);
  const refused = await refusedLines(trx);
  const sample = refused > 0 ? await refusedCells(trx, SAMPLE) : [];
  if (refused > 0 && options.refusedFile !== undefined)
    await writeRefusedRows(trx, { sheet, header }, options.refusedFile);
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
