// The columns of the lines: which ones are visible, their order and width, and how figures align on their decimal points.
import type { BoardLayout, ColumnLayout } from './board-layout.contract.ts';

export type ColumnKey =
  | 'item'
  | 'picture'
  | 'description'
  | 'qty'
  | 'unit'
  | 'list'
  | 'price'
  | 'source'
  | 'discount'
  | 'amount'
  | 'margin';

export type Column = {
  key: ColumnKey;
  title: string;
  /** The initial width in pixels. The board never clips a figure: its column is at least as wide as the longest one. */
  width: number;
  least: number;
  figure?: boolean;
  /** Only screen readers get the heading, because the column is narrower than its title. */
  titleHidden?: boolean;
  /** Whether users can hide this column. The other columns are needed to write a quote. */
  hideable?: boolean;
  /** Only the internal board has this column. */
  internal?: boolean;
};

export const COLUMNS: readonly Column[] = [
  { key: 'item', title: 'Item #', width: 76, least: 60 },
  { key: 'picture', title: 'Picture', width: 46, least: 46, titleHidden: true, hideable: true },
  { key: 'description', title: 'Description', width: 160, least: 100 },
  { key: 'qty', title: 'Qty.', width: 48, least: 44, figure: true },
  { key: 'unit', title: 'Unit', width: 62, least: 48 },
  { key: 'list', title: 'List', width: 56, least: 56, figure: true, hideable: true },
  { key: 'price', title: 'Price', width: 64, least: 56, figure: true },
  { key: 'source', title: 'Source', width: 62, least: 56, hideable: true },
  { key: 'discount', title: 'Disc.%', width: 58, least: 52, figure: true, hideable: true },
  { key: 'amount', title: 'Amount', width: 68, least: 64, figure: true, hideable: true },
  { key: 'margin', title: 'Margin', width: 66, least: 56, figure: true, hideable: true, internal: true },
];

export const WIDEST = 900;
/** Widths of the fixed columns in front (checkbox, line number) and at the end (actions). */
const FIRST = [30, 44];
const LAST = 36;
/** The padding that a cell needs beside its text. */
const CELL_SPACE = 20;
/** The right side of the board and the space before it. */
const RAIL = 336;
/** The width in pixels at which a description is readable. Longer ones end in an ellipsis. */
const ENOUGH = 260;

/** A column as the user arranged it. */
export type PlacedColumn = Column & { hidden: boolean; chosenWidth: number | null };

/** All columns of a board in the user's order. A column that was added later follows its default predecessor. */
export function placedColumns(layout: BoardLayout, isInternal: boolean): PlacedColumn[] {
  const order: ColumnKey[] = layout.columns
    .flatMap(({ key }) => COLUMNS.filter((column) => column.key === key))
    .map(({ key }) => key);
  for (const [index, { key }] of COLUMNS.entries()) {
    if (order.includes(key)) continue;
    const before = COLUMNS[index - 1];
    order.splice(before ? order.indexOf(before.key) + 1 : 0, 0, key);
  }
  return order.flatMap((key) => {
    const column = COLUMNS.find((candidate) => candidate.key === key);
    if (!column || (column.internal && !isInternal)) return [];
    const { hidden = false, width = null } = layout.columns.find((candidate) => candidate.key === key) ?? {};
    return [{ ...column, hidden: hidden && column.hideable === true, chosenWidth: width }];
  });
}

/** The layout with one column changed. */
export function withColumn(layout: BoardLayout, key: ColumnKey, patch: Partial<ColumnLayout>): BoardLayout {
  const all = allColumns(layout);
  return { ...layout, columns: all.map((column) => (column.key === key ? { ...column, ...patch } : column)) };
}

/** The layout with a column moved before or behind its neighbor among `visible`. */
export function withMoved(layout: BoardLayout, visible: readonly ColumnKey[], key: ColumnKey, by: -1 | 1): BoardLayout {
  const neighbor = visible[visible.indexOf(key) + by];
  if (neighbor === undefined) return layout;
  const all = allColumns(layout);
  const moved = all.filter((column) => column.key === key);
  const rest = all.filter((column) => column.key !== key);
  const at = rest.findIndex((column) => column.key === neighbor) + (by === 1 ? 1 : 0);
  return { ...layout, columns: rest.toSpliced(at, 0, ...moved) };
}

function allColumns(layout: BoardLayout): ColumnLayout[] {
  return placedColumns(layout, true).map(({ key, hidden, chosenWidth }) => ({ key, hidden, width: chosenWidth }));
}

/** The space that the figures of a column need: digits before and after the decimal point. */
export type Figures = { before: number; places: number };

/** Finds the longest part before the decimal point and the longest part after it, in texts such as '1,234.5'. */
export function figuresOf(texts: Iterable<string>): Figures {
  let [before, places] = [0, 0];
  for (const text of texts) {
    const own = digitsBehindPoint(text);
    before = Math.max(before, text.length - (own > 0 ? own + 1 : 0));
    places = Math.max(places, own);
  }
  return { before, places };
}

/** Counts the digits after the decimal point. */
export function digitsBehindPoint(text: string): number {
  const point = text.lastIndexOf('.');
  return point === -1 ? 0 : (/^\d*/.exec(text.slice(point + 1))?.[0].length ?? 0);
}

/** The padding after a figure that aligns its decimal point with the others in the column (`--places` is the column's maximum). */
export function spaceBehind(text: string): string {
  const own = digitsBehindPoint(text);
  // A decimal point of Inter is about a third as wide as a digit.
  return own === 0
    ? 'calc(var(--places) * 1.33ch - max(var(--places) - 1, 0) * 0.33ch)'
    : `calc((var(--places) - ${own}) * 1ch)`;
}

/** The tracks of the grid and its minimum width. The description fills the space that the other columns leave. */
export function tracksOf(
  columns: readonly PlacedColumn[],
  figures: Partial<Record<ColumnKey, Figures>>,
): { columns: string; least: string } {
  const widths = columns.map((column) => {
    const width = column.chosenWidth ?? column.width;
    const fit = figures[column.key];
    const digits = fit ? fit.before + (fit.places > 0 ? fit.places + 1 : 0) : 0;
    return digits > 0 ? `max(${width}px, calc(${digits}ch + ${CELL_SPACE}px))` : `${width}px`;
  });
  const all = [...FIRST.map((width) => `${width}px`), ...widths, `${LAST}px`];
  const flexible = columns.findIndex(({ key }) => key === 'description');
  return {
    columns: all.map((width, index) => (index === flexible + FIRST.length ? `minmax(${width}, 1fr)` : width)).join(' '),
    least: `calc(${all.join(' + ')})`,
  };
}

/**
 * Returns whether the lines need the space of the right side because the descriptions would be cut off beside it. `width` is the current width of the
 * description column. `isBeside` is whether the right side is beside the lines. `longest` is the length of the longest description in characters.
 */
export function needsRoom(width: number, isBeside: boolean, longest: number): boolean {
  const beside = isBeside ? width : width - RAIL;
  return beside < Math.min(ENOUGH, longest * LETTER + CELL_SPACE);
}

/** The approximate width of a letter in pixels. */
const LETTER = 7;
