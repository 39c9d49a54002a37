// Answers a list as a CSV file that spreadsheets open as data.
import { Readable } from 'node:stream';
import { type CsvValue, csvLine } from '#platform/shared/csv.ts';
import type { FileAnswer } from './serve.server.ts';

/** Writes in portions, so that a long export does not delay other requests. The byte order mark marks the file as UTF-8 for spreadsheets. */
export function csvAnswer<T>(
  name: string,
  header: string[],
  rows: readonly T[],
  cells: (row: T) => CsvValue[],
): FileAnswer {
  return { name, bytes: Readable.from(portions(header, rows, cells)) };
}

function* portions<T>(header: string[], rows: readonly T[], cells: (row: T) => CsvValue[]): Generator<string> {
  yield `\uFEFF${csvLine(header)}`;
  for (let start = 0; start < rows.length; start += 500) {
    yield rows
      .slice(start, start + 500)
      .map((row) => csvLine(cells(row)))
      .join('');
  }
}
