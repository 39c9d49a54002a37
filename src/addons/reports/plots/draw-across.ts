// Draws plots from left to right: columns and lines over time, and histograms.
import { type DrawnMark, type Drawing, fitted, rounded, type Shape, widthOf } from './drawing.ts';
import { markWords, type Plot, type PlotRow, shortIn } from './plot.ts';
import { scaleOf } from './scale.ts';

const HEIGHT = 232;
const TOP = 10;
const BOTTOM = 24;
const TICKS = 5;
const WIDEST_COLUMN = 48;
/** The radius of a point of a line, and of the area that responds to the pointer. */
const [POINT, REACH] = [3.5, 9];
/** Lines differ by their dashes, not only by their color. */
const DASHES = [undefined, '7 4', '2 3', '9 3 2 3', '4 2'];

export function drawAcross(plot: Plot, width: number): Drawing {
  const { rows, series, unit } = plot;
  const isCounted = unit === 'quotes' || unit === 'lines' || unit === 'revisions';
  const scale = scaleOf(
    rows.flatMap((row) => heightsOf(plot, row)),
    TICKS,
    isCounted,
  );
  const left = Math.max(...scale.ticks.map((tick) => widthOf(shortIn(unit, tick)))) + 10;
  const right = width - 6;
  const bottom = HEIGHT - BOTTOM;
  const y = (value: number) => rounded(bottom - ((value - scale.from) / (scale.to - scale.from)) * (bottom - TOP));
  const band = (right - left) / Math.max(1, rows.length);
  const ground: Shape[] = scale.ticks.flatMap((tick): Shape[] => [
    { as: 'line', x1: left, x2: right, y1: y(tick), y2: y(tick), ink: tick === 0 ? 'muted' : 'line' },
    { as: 'text', x: left - 6, y: y(tick) + 4, text: shortIn(unit, tick), anchor: 'end', ink: 'muted' },
  ]);
  ground.push(...labelsBelow(rows, left, band, right));
  const middle = (at: number) => left + band * (at + 0.5);
  if (plot.kind !== 'lines') {
    const marks = rows.flatMap((row, at) => drawColumns(plot, row, { middle: middle(at), band, y }));
    return { width, height: HEIGHT, ground, marks };
  }
  for (const [at, { tone }] of series.entries()) {
    const d = lineThrough(
      rows.map(({ values }, row) => [middle(row), values[at] ?? null]),
      y,
    );
    ground.push({ as: 'path', d, ink: tone, filled: false, dashes: DASHES[at % DASHES.length] });
  }
  const marks = rows.flatMap((row, at) =>
    series.flatMap(({ tone }, seriesIndex) => {
      const value = row.values[seriesIndex] ?? null;
      return value === null ? [] : [pointAt(plot, row, seriesIndex, tone, middle(at), y(value))];
    }),
  );
  return { width, height: HEIGHT, ground, marks };
}

/** The ends of a row's columns, which the scale must include. */
function heightsOf(plot: Plot, { values }: PlotRow): number[] {
  const known = values.map((value) => value ?? 0);
  return plot.stacked ? [known.reduce((sum, value) => sum + value, 0)] : known;
}

/** Omits labels at regular intervals if they would touch each other. The table contains them all. */
function labelsBelow(rows: readonly PlotRow[], left: number, band: number, right: number): Shape[] {
  const widest = Math.max(0, ...rows.map(({ label }) => widthOf(label)));
  const every = Math.max(1, Math.ceil((widest + 8) / band));
  let free = 0;
  return rows.flatMap(({ label }, at): Shape[] => {
    if (at % every !== 0) return [];
    const text = fitted(label, every * band + 40);
    const half = widthOf(text) / 2;
    const x = Math.min(right - half, left + band * (at + 0.5));
    // The last label moves to the left, where it may overlap the previous one.
    if (x - half < free) return [];
    free = x + half + 6;
    return [{ as: 'text', x: rounded(x), y: HEIGHT - 8, text, anchor: 'middle', ink: 'muted' }];
  });
}

type Place = { middle: number; band: number; y: (value: number) => number };

function drawColumns(plot: Plot, row: PlotRow, { middle, band, y }: Place): DrawnMark[] {
  const { series, stacked = false, kind } = plot;
  const gap = kind === 'histogram' ? 1 : Math.max(2, band * 0.25);
  const side = stacked ? 1 : series.length;
  const all = Math.max(side * 2, Math.min(band - gap, kind === 'histogram' ? Infinity : WIDEST_COLUMN * side));
  const square = all / side;
  let base = 0;
  return series.flatMap(({ tone }, at) => {
    const value = row.values[at] ?? null;
    if (value === null) return [];
    const from = stacked ? base : 0;
    base += value;
    const [top, low] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
    const x = rounded(middle - all / 2 + (stacked ? 0 : at * square));
    const width = rounded(square - (side > 1 || kind === 'histogram' ? 1 : 0));
    const shape: Shape = { as: 'rect', x, y: top, width, height: rounded(low - top), ink: tone };
    const place = { x, y: Math.min(top, low - 2 * POINT), width, height: Math.max(low - top, 2 * POINT) };
    return [{ shapes: [shape], words: markWords(plot, row, at), href: row.hrefs?.[at] ?? null, place }];
  });
}

function pointAt(plot: Plot, row: PlotRow, at: number, tone: number, x: number, y: number): DrawnMark {
  return {
    shapes: [{ as: 'path', d: outlineOf(at, rounded(x), y), ink: tone, filled: true }],
    words: markWords(plot, row, at),
    href: row.hrefs?.[at] ?? null,
    place: { x: rounded(x - REACH), y: rounded(y - REACH), width: 2 * REACH, height: 2 * REACH },
  };
}

/** The shape of each series' points: a circle, a square, a diamond or a triangle. */
function outlineOf(at: number, x: number, y: number): string {
  const r = POINT;
  const by = (...points: [number, number][]) =>
    `M${points.map(([dx, dy]) => `${rounded(x + dx)} ${rounded(y + dy)}`).join('L')}Z`;
  switch (at % 4) {
    case 0:
      return `M${rounded(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case 1:
      return by([-r, -r], [r, -r], [r, r], [-r, r]);
    case 2:
      return by([0, -r - 1.5], [r + 1.5, 0], [0, r + 1.5], [-r - 1.5, 0]);
    default:
      return by([0, -r - 1], [r + 1, r], [-r - 1, r]);
  }
}

/** A line that is interrupted where a figure is missing. */
function lineThrough(points: [x: number, value: number | null][], y: (value: number) => number): string {
  let isOpen = false;
  return points
    .map(([x, value]) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const step = `${isOpen ? 'L' : 'M'}${rounded(x)} ${y(value)}`;
      isOpen = true;
      return step;
    })
    .join('');
}
