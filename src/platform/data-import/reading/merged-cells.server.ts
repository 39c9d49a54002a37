// Finds the rows of a sheet that merged cells leave half empty, because Excel stores the value in the first cell only.
import type { Row } from './table-file.server.ts';

/** Merged cells: lines from 1, columns from 0. */
type Merged = { cells: string; first: number; last: number; from: number; to: number };

/** Returns the reason to refuse a row. `ranges` ('D2:D4') are all merged cells, `columns` those that are read. Call it with the rows in order. */
export function mergedReason(ranges: readonly string[], columns: readonly number[]): (row: Row) => string | undefined {
  const waiting = ranges
    .flatMap((cells) => mergedOf(cells) ?? [])
    // A value in the first cell is complete if it only spreads over columns that are not read.
    .filter(({ first, last, from, to }) => columns.some((at) => at >= from && at <= to && (last > first || at > from)))
    .toSorted((a, b) => b.first - a.first);
  let open: Merged[] = [];
  return ({ line }) => {
    for (let next = waiting.at(-1); next && next.first <= line; next = waiting.at(-1)) {
      open.push(next);
      waiting.pop();
    }
    open = open.filter(({ last }) => last >= line);
    return open[0] && `Cells ${open[0].cells} are merged. Unmerge them and fill in each row.`;
  };
}

function mergedOf(cells: string): Merged | null {
  const [, from = '', first, to = '', last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/i.exec(cells) ?? [];
  if (!first || !last) return null;
  return { cells, first: Number(first), last: Number(last), from: columnOf(from), to: columnOf(to) };
}

/** 'B5' becomes 1. */
export function columnOf(place: string): number {
  let column = 0;
  for (let i = 0; i < place.length; i++) {
    const letter = place.charCodeAt(i) & 0xdf;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}
