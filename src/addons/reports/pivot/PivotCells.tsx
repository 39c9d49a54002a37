// The figures of a pivot. One Tab stop leads into them, the arrow keys move between them, and Enter opens the list behind one.
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { figureIn, type Unit } from '../plots/plot.ts';
import type { PivotCell, PivotReport } from '../reports.contract.ts';

type Row = PivotReport['rows'][number];
type Props = {
  report: PivotReport;
  /** In the order of the screen. */
  rows: readonly Row[];
  unit: Unit;
  hrefOf: (slice: string) => string;
};

export function PivotCells({ report: { columns, total }, rows, unit, hrefOf }: Props) {
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);
  const [stop, setStop] = useState({ row: 0, column: 0 });
  const lines: { key: string; name: string; cells: (PivotCell | null)[] }[] = [
    ...rows.map((row) => ({ key: `=${row.key}`, name: row.name, cells: [...row.cells, row.total] })),
    { key: 'total', name: 'Total', cells: [...columns.map((column) => column.total), total] },
  ];
  // The figures may have changed since. Then the last total, which always exists, is the Tab stop.
  const hasStop = hasList(lines[stop.row]?.cells[stop.column]);
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    // The browser opens tabs and windows by itself.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ href: event.currentTarget.getAttribute('href') ?? '' });
  };
  const move = (event: KeyboardEvent<HTMLAnchorElement>) => {
    const to = linkFrom(cellPlace(event.currentTarget), event.key, lines);
    if (!to) return;
    event.preventDefault();
    const link = body.current?.parentElement?.querySelector<HTMLElement>(`[data-place="${to.row} ${to.column}"]`);
    link?.focus();
  };
  const stopHere = (event: FocusEvent<HTMLAnchorElement>) => setStop(cellPlace(event.currentTarget));
  const line = ({ key, name, cells }: (typeof lines)[number], row: number) => (
    <tr key={key}>
      <th scope="row">{name}</th>
      {cells.map((cell, column) => (
        <td key={column} className="figure">
          {cell && hasList(cell) ? (
            <a
              href={hrefOf(cell.slice)}
              data-place={`${row} ${column}`}
              tabIndex={
                (
                  hasStop
                    ? stop.row === row && stop.column === column
                    : row === rows.length && column === columns.length
                )
                  ? 0
                  : -1
              }
              title={shareHint(cell, unit)}
              onClick={open}
              onKeyDown={move}
              onFocus={stopHere}
            >
              {wordsIn(unit, cell.value)}
            </a>
          ) : (
            wordsIn(unit, cell?.value ?? null)
          )}
        </td>
      ))}
    </tr>
  );
  return (
    <>
      <tbody ref={body}>{lines.slice(0, -1).map(line)}</tbody>
      <tfoot>{lines.slice(-1).map((last) => line(last, rows.length))}</tfoot>
    </>
  );
}

/** Whether a list is behind a cell. There is none without a figure. */
const hasList = (cell: PivotCell | null | undefined): boolean => cell != null && cell.value !== null;

/** The text of a figure. Numbers of quotes omit the unit, which the heading contains. */
const wordsIn = (unit: Unit, value: number | null): string =>
  unit === 'quotes' && value !== null ? value.toLocaleString('en-US') : figureIn(unit, value);

/** The number of quotes behind a share, because one won quote of one decided is also 100%. */
function shareHint({ count }: PivotCell, unit: Unit): string | undefined {
  return unit === 'percent' && count !== null ? `Of ${figureIn('quotes', count)}` : undefined;
}

function cellPlace({ dataset }: HTMLElement): { row: number; column: number } {
  const [row = 0, column = 0] = (dataset['place'] ?? '').split(' ').map(Number);
  return { row, column };
}

const STEPS: Partial<Record<string, [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The next figure with a list in the direction of the key; for Home and End the first and last one of the row. Null if there is none. */
function linkFrom(
  { row, column }: { row: number; column: number },
  key: string,
  lines: readonly { cells: readonly (PivotCell | null)[] }[],
): { row: number; column: number } | null {
  const cells = lines[row]?.cells ?? [];
  if (key === 'Home' || key === 'End') {
    const at = key === 'Home' ? cells.findIndex(hasList) : cells.findLastIndex(hasList);
    return { row, column: at };
  }
  const [down, right] = STEPS[key] ?? [0, 0];
  if (down === 0 && right === 0) return null;
  for (let to = { row: row + down, column: column + right }; ; to = { row: to.row + down, column: to.column + right }) {
    const cell = lines[to.row]?.cells[to.column];
    if (cell === undefined) return null;
    if (hasList(cell)) return to;
  }
}
