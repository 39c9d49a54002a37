// Answers the rows of a list as a CSV file.
import type { SelectQueryBuilder } from 'kysely';
import { allFrom } from '#platform/db/page.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { CsvValue } from '#platform/shared/csv.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { csvAnswer } from './csv-answer.server.ts';
import type { FileAnswer } from './serve.server.ts';

/** Answers all rows of a list in its order. `columns` maps each column heading to its value. */
export async function listFile<DB extends Tables, TB extends keyof DB, O>(
  name: string,
  rows: SelectQueryBuilder<DB, TB, O>,
  sort: Sort | null | undefined,
  order: Parameters<typeof allFrom>[2],
  columns: Record<string, (row: O) => CsvValue>,
): Promise<FileAnswer> {
  const cells = Object.values(columns);
  return csvAnswer(name, Object.keys(columns), await allFrom(rows, sort, order), (row) =>
    cells.map((cell) => cell(row)),
  );
}
