// Summarizes what an import did with each row of the file.
import { countOf } from '#platform/shared/count-of.ts';
import type { KindReport, ScreenReport } from '../data-import.contract.ts';
import type { StagedCounts } from './stage-sheet.server.ts';

const HELD = 'Held';

/** Combines the report of an application with that of the held rows applied after it. */
export function withLater(
  before: ScreenReport,
  result: KindReport,
  { read, held }: Pick<ScreenReport, 'read' | 'held'>,
  seconds: number,
): ScreenReport {
  const left = before.held - read;
  if (held > left) throw new Error(`${held} rows are held, of ${left}`);
  const more = new Map(result.figures.map(({ label, count }) => [label, count]));
  return {
    ...before,
    ...(result.conclusion ? { conclusion: result.conclusion } : {}),
    writes: before.writes + result.writes,
    read: before.read + read,
    held: left,
    figures: before.figures.map((figure) => ({
      ...figure,
      count: figure.label === HELD ? left : figure.count + (more.get(figure.label) ?? 0),
    })),
    seconds,
  };
}

/** Returns the report of a whole run. Throws if its rows do not add up. */
export function runReport(
  notes: string[],
  result: KindReport,
  { rows, skipped, silent, corrections, notes: seen }: StagedCounts,
  { read, refused, held }: Pick<ScreenReport, 'read' | 'refused' | 'held'>,
  { cells, causes }: { cells: ScreenReport['refusedCells']; causes: NonNullable<ScreenReport['causes']> },
  seconds: number,
): ScreenReport {
  const sum = read + refused + held + skipped + silent;
  if (sum !== rows) throw new Error(`${rows} rows of the file became ${sum}`);
  return {
    ...result,
    figures: [
      ...result.figures,
      ...(silent > 0 ? [{ label: 'Ignored', count: silent, note: 'Rows with nothing to import.' }] : []),
      ...(skipped > 0 ? [{ label: 'Skipped', count: skipped, note: 'Blank rows and repeated headings.' }] : []),
      ...(held > 0
        ? [{ label: HELD, count: held, tone: 'bad' as const, note: 'Left out until someone accepts them.' }]
        : []),
      { label: 'Refused', count: refused, ...(refused > 0 ? { tone: 'bad' as const } : {}) },
    ],
    notes: [
      ...notes,
      ...seen,
      ...result.notes,
      ...corrections.map(({ one, many, count, named }) => {
        const lines = named.length === 0 ? '' : `: ${named.join('; ')}${count > named.length ? '; …' : ''}`;
        return `Corrected: ${countOf(count, one, many)}${lines}.`;
      }),
    ],
    rows,
    read,
    refused,
    held,
    skipped: skipped + silent,
    refusedCells: cells,
    causes,
    seconds,
  };
}
