// Parses text with separators (comma, semicolon, tab, pipe) into rows with their line in the file.
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { MAX_COLUMNS, type Row, UnusableFile } from './table-file.server.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

export const SEPARATOR_NAMES: Record<Separator, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' };

/** Longer than any real record. A longer record has a quote that never closes. */
const MAX_RECORD_LENGTH = 1_000_000;

/**
 * Returns the separator that splits most lines of the sample into the same number of cells; of two equal ones, the one that makes more cells. A first
 * line `sep=;`, as spreadsheets write it, decides instead. Lines end in \n.
 */
export function separatorOf(sample: string): Separator {
  const declared = /^sep=(.)\n/i.exec(sample)?.[1];
  const known = SEPARATORS.find((separator) => separator === declared);
  if (known) return known;
  // Quoted cells may contain any separator and line breaks. A quote inside a cell (5" NEEDLE) does not open a quoted cell.
  const unquoted = sample.replace(/(^|[,;\t|\n])"(?:[^"]|"")*"(?=[,;\t|\n]|$)/g, '$1');
  const lines = unquoted.split('\n').filter((line) => line.trim() !== '');
  // The last line of the sample may be incomplete.
  if (lines.length > 1) lines.pop();
  let best: { separator: Separator; lines: number; cells: number } = { separator: ',', lines: 0, cells: 1 };
  for (const separator of SEPARATORS) {
    const linesOfWidth = new Map<number, number>();
    for (const line of lines) {
      const cells = line.split(separator).length;
      if (cells > 1) linesOfWidth.set(cells, (linesOfWidth.get(cells) ?? 0) + 1);
    }
    for (const [cells, count] of linesOfWidth) {
      if (count > best.lines || (count === best.lines && cells > best.cells)) best = { separator, lines: count, cells };
    }
  }
  return best.separator;
}

/** Yields the rows of separated text. Skips blank lines. A quote inside an unquoted cell (5" NEEDLE) is an ordinary character. */
export async function* readCsv(text: AsyncIterable<string>, separator: Separator): AsyncGenerator<Row> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    info: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_LENGTH,
  });
  // The parser reports the errors of both streams.
  pipeline(Readable.from(text), parser, () => {});
  let lastLine = 0;
  const widths = new Map<number, number>();
  let usual = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      lastLine = info.lines;
      if (record.length > MAX_COLUMNS)
        throw new UnusableFile(
          `Line ${info.lines} has ${record.length.toLocaleString('en-US')} columns, at most ${MAX_COLUMNS.toLocaleString('en-US')} can be read.`,
        );
      let line = info.lines;
      for (const cell of record) if (cell.includes('\n')) line -= cell.split('\n').length - 1;
      const swallowed = line < info.lines ? swallowedRows(record, usual || record.length, separator) : null;
      if (swallowed) {
        const reason = `A quote (") that opens in line ${line} and closes in line ${info.lines} spans lines that look like rows. Remove it, or double it.`;
        for (const [at, cells] of swallowed.entries()) yield { line: line + at, cells, faults: [{ at: null, reason }] };
        continue;
      }
      const seen = (widths.get(record.length) ?? 0) + 1;
      widths.set(record.length, seen);
      if (seen > (widths.get(usual) ?? 0)) usual = record.length;
      yield { line, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnusableFile(`A quote (") that is opened in line ${lastLine + 1} or soon after it is never closed.`, {
      cause: error,
    });
  }
}

/**
 * Detects a stray opening quote, which merges all rows up to the next quote into one cell. Returns the lines of the record, each split into cells, if
 * they look like rows of a table with `width` columns. Returns null for an ordinary record, even one with a cell of several lines.
 */
function swallowedRows(record: readonly string[], width: number, separator: string): string[][] | null {
  if (width < 2 || !record.some((cell) => cell.includes('\n') && cell.includes(separator))) return null;
  const lines = splitAtBreaks(record, separator);
  const [first = [], ...others] = lines;
  const between = others.slice(0, -1);
  const looksLikeRow = (cells: string[]): boolean => cells.length === width;
  // A text of two lines rarely contains as many separators in each line as the table has columns around it. For an inner line this becomes less
  // likely the wider the table is.
  return (looksLikeRow(first) && others.some(looksLikeRow)) || (width > 2 && between.some(looksLikeRow)) ? lines : null;
}

function splitAtBreaks(record: readonly string[], separator: string): string[][] {
  const lines: string[][] = [[]];
  for (const cell of record) {
    const [before = '', ...after] = cell.split('\n');
    lines.at(-1)?.push(...(after.length === 0 ? [cell] : splitAtSeparators(before, separator)));
    for (const text of after) lines.push(splitAtSeparators(text, separator));
  }
  return lines;
}

/** Splits a line at its separators, except inside closed quotes. */
function splitAtSeparators(line: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const quoted = line[at] === '"' ? line.indexOf(`"${separator}`, at + 1) : -1;
    const end = quoted < 0 ? line.indexOf(separator, at) : quoted + 1;
    if (end < 0) {
      cells.push(line.slice(at));
      break;
    }
    cells.push(quoted < 0 ? line.slice(at, end) : line.slice(at + 1, quoted));
    at = end + 1;
  }
  return cells;
}
