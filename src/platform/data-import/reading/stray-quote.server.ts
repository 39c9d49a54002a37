// Finds a quote opened by mistake, which swallows the rows up to the next quote into one cell.

/**
 * The lines of a record, each split into cells, if they look like rows of a table `width` wide. Null for an ordinary record, even
 * for one with a cell of several lines.
 */
export function swallowedRows(record: readonly string[], width: number, separator: string): string[][] | null {
  if (width < 2 || !record.some((cell) => cell.includes('\n') && cell.includes(separator))) return null;
  const lines = splitAtBreaks(record, separator);
  const [first = [], ...others] = lines;
  const between = others.slice(0, -1);
  const looksLikeRow = (cells: string[]): boolean => cells.length === width;
  // A text of two lines rarely has as many commas in each line as the table has columns around it. An inner line with that many commas is rarer
  // the wider the table is.
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
