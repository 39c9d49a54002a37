// Draws plots from top to bottom: bars with names, and the bridge from one amount to another.
import { type DrawnMark, type Drawing, fitted, rounded, type Shape, widthOf } from './drawing.ts';
import { markWords, type Plot, type PlotRow, shortIn } from './plot.ts';
import { scaleOf } from './scale.ts';

/** The thickness of a bar, and the gap between rows. */
const [THICK, GAP] = [16, 8];
const THICK_BESIDE_OTHERS = 13;
/** The fraction of the width that labels may use. */
const LABELS = 0.36;
/** The least width of the bars, however long labels and figures are. */
const MIN_BARS = 24;
const TICKS = 5;
/** How much wider bold text is. */
const BOLDER = 1.1;

export function drawDown(plot: Plot, width: number): Drawing {
  const { rows } = plot;
  const spans = spansOf(plot);
  const scale = scaleOf(
    spans.flat().flatMap(({ from, to }) => [from, to]),
    TICKS,
    false,
  );
  const widest = Math.max(0, ...rows.map(({ label, whole }) => widthOf(label) * (whole ? BOLDER : 1)));
  const left = Math.ceil(Math.min(widest, width * LABELS)) + 10;
  const figures = Math.max(
    0,
    ...rows.flatMap((row, at) =>
      (spans[at] ?? []).map(({ value, to }) => widthOf(labelBeside(plot, row, plot.stacked ? to : value))),
    ),
  );
  // A bar to the left of zero has its figure on the left. A range always has it on the right.
  const hasLeft = plot.kind !== 'ranges' && spans.flat().some(({ from, to }) => Math.min(from, to) < 0);
  const start = left + (hasLeft ? figures + 6 : 0);
  const end = Math.max(start + MIN_BARS, width - figures - 8);
  const x = (value: number) => rounded(start + ((value - scale.from) / (scale.to - scale.from)) * (end - start));
  const beside = plot.stacked || plot.kind !== 'bars' ? 1 : plot.series.length;
  const thick = beside > 1 ? THICK_BESIDE_OTHERS : THICK;
  const step = beside * thick + GAP;
  const height = rows.length * step + GAP;
  const ground: Shape[] = [{ as: 'line', x1: x(0), x2: x(0), y1: 0, y2: height, ink: 'muted' }];
  const marks: DrawnMark[] = [];
  for (const [at, row] of rows.entries()) {
    const top = GAP + at * step;
    const label = fitted(row.label, left - 10);
    const y = top + (step - GAP) / 2 + 4;
    ground.push({ as: 'text', x: left - 8, y, text: label, anchor: 'end', ink: 'text', bold: row.whole ?? false });
    for (const [nth, span] of (spans[at] ?? []).entries()) {
      const y0 = top + (beside > 1 ? span.series * thick : 0);
      const isLast = !plot.stacked || nth === (spans[at]?.length ?? 0) - 1;
      marks.push(barOf(plot, row, span, { x, y: y0, height: beside > 1 ? thick - 1 : thick, figure: isLast }));
    }
    const next = spans[at]?.[0];
    if (plot.kind === 'bridge' && next && at < rows.length - 1) {
      const edge = x(next.to);
      ground.push({ as: 'line', x1: edge, x2: edge, y1: top + thick, y2: top + step, ink: 'muted' });
    }
  }
  return { width, height, ground, marks };
}

/** The label beside a bar. */
function labelBeside({ unit, kind }: Plot, { beside, values: [low, , high] }: PlotRow, value: number): string {
  if (kind === 'ranges') return `${shortIn(unit, low ?? 0)} to ${shortIn(unit, high ?? 0)}`;
  return [shortIn(unit, value), beside].filter(Boolean).join(' · ');
}

type Span = {
  series: number;
  from: number;
  to: number;
  value: number;
};

/** The start and end of each bar. */
function spansOf({ kind, rows, stacked = false }: Plot): Span[][] {
  let reached = 0;
  return rows.map(({ values, whole = false }) => {
    if (kind === 'ranges') return rangeOf(values);
    if (kind !== 'bridge' || whole) reached = 0;
    return values.flatMap((value, series) => {
      if (value === null) return [];
      const from = kind === 'bridge' || stacked ? reached : 0;
      reached = from + value;
      return [{ series, from, to: reached, value }];
    });
  });
}

function rangeOf([low, middle, high]: PlotRow['values']): Span[] {
  if (typeof low !== 'number' || typeof middle !== 'number' || typeof high !== 'number') return [];
  return [{ series: 1, from: low, to: high, value: middle }];
}

type Place = { x: (value: number) => number; y: number; height: number; figure: boolean };

function barOf(
  plot: Plot,
  row: PlotRow,
  { series, from, to, value }: Span,
  { x, y, height, figure }: Place,
): DrawnMark {
  const [low, high] = [x(Math.min(from, to)), x(Math.max(from, to))];
  if (plot.kind === 'ranges') {
    const words = markWords(plot, row, series);
    const place = { x: low - 4, y: y - 1, width: high - low + 8, height: height + 2 };
    return {
      shapes: rangeShapes({ low, middle: x(value), high, y, height }, plot, labelBeside(plot, row, value)),
      words,
      href: row.hrefs?.[series] ?? null,
      place,
    };
  }
  const shapes: Shape[] = [
    {
      as: 'rect',
      x: low,
      y,
      width: rounded(Math.max(high - low, value === 0 ? 0 : 1)),
      height,
      ink: toneOf(plot, row, series, value),
    },
  ];
  if (figure) {
    const isLeft = to < 0 && !row.whole && plot.kind !== 'bridge';
    shapes.push({
      as: 'text',
      x: isLeft ? low - 5 : high + 5,
      y: y + height / 2 + 4,
      text: labelBeside(plot, row, plot.stacked ? to : value),
      anchor: isLeft ? 'end' : 'start',
      ink: 'muted',
    });
  }
  return {
    shapes,
    words: markWords(plot, row, series),
    href: row.hrefs?.[series] ?? null,
    place: { x: low, y: y - 1, width: Math.max(high - low, 14), height: height + 2 },
  };
}

/** A thin bar from the low end to the high end, and a thick mark at the middle. */
function rangeShapes(
  { low, middle, high, y, height }: { low: number; middle: number; high: number; y: number; height: number },
  { series }: Plot,
  label: string,
): Shape[] {
  const tone = series[1]?.tone ?? 0;
  return [
    { as: 'rect', x: low, y: y + height / 2 - 3, width: Math.max(2, rounded(high - low)), height: 6, ink: tone },
    { as: 'rect', x: rounded(middle - 2), y, width: 4, height, ink: 2 },
    { as: 'text', x: high + 7, y: y + height / 2 + 4, text: label, anchor: 'start', ink: 'muted' },
  ];
}

/** In a bridge, increases have the first color, decreases the second, and whole amounts the third. */
function toneOf({ kind, series }: Plot, row: PlotRow, at: number, value: number): number {
  if (kind !== 'bridge') return series[at]?.tone ?? 0;
  return row.whole ? 2 : value < 0 ? 1 : 0;
}
