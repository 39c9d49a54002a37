// Imports the text of a file into a database and summarizes the report.
import { Readable } from 'node:stream';
import type { Db } from '#db/database.server.ts';
import { IMPORT_KINDS } from '#features/operations/data-import/kinds/import-kinds.ts';
import { type ImportOptions, importFile } from '#features/operations/data-import/running/import-file.server.ts';
import type { ImportReport } from '#features/operations/data-import/running/import-report.ts';

export function importText(
  db: Db,
  kind: string,
  text: string | Buffer,
  options?: ImportOptions,
): Promise<ImportReport> {
  const known = IMPORT_KINDS[kind];
  if (!known) throw new Error(`no kind ${kind}`);
  return importFile(db, known, Readable.from([Buffer.from(text)]), options);
}

/** How many rows, and of what there were any. */
export const figures = ({ rows, fresh, changed, same, repeated, silent, skipped, refused }: ImportReport) => ({
  rows,
  ...(fresh ? { fresh } : {}),
  ...(changed ? { changed } : {}),
  ...(same ? { same } : {}),
  ...(repeated ? { repeated } : {}),
  ...(silent ? { silent } : {}),
  ...(skipped ? { skipped } : {}),
  ...(refused ? { refused } : {}),
});

export const refusals = ({ examples }: ImportReport): string[] =>
  examples.refused.map(({ line, column, value, reason }) => `${line} ${column}: '${value}' ${reason}`);
