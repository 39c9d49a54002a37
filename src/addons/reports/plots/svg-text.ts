// Writes a plot as the text of an SVG picture with title and legend, for files, pages and mails.
import { escapeMarkup } from '#platform/shared/escape-markup.ts';
import { PLOT_COLORS } from '#platform/ui/plot-colors.ts';
import { drawPlot } from './draw-plot.ts';
import { fitted, type Ink, type Shape, TEXT_SIZE, widthOf } from './drawing.ts';
import { type Plot, unitWords } from './plot.ts';

const FONT = 'Liberation Sans, Helvetica, Arial, sans-serif';
const PAPER: Record<Exclude<Ink, number>, string> = {
  text: '#16181b',
  muted: '#59616b',
  line: '#e1e4e8',
  card: '#ffffff',
};
const MARGIN = 16;
const HEADING = 30;
const LEGEND = 22;

/** The color of an ink on white paper. */
export const onPaper = (ink: Ink): string =>
  typeof ink === 'number' ? (PLOT_COLORS.light[ink] ?? PAPER.text) : PAPER[ink];

/** The complete picture at a given width, in light colors. */
export function plotSvg(plot: Plot, width: number): { text: string; width: number; height: number } {
  const inner = width - 2 * MARGIN;
  const drawing = drawPlot(plot, inner);
  const legend = legendOf(plot, inner);
  const top = MARGIN + HEADING + legend.height;
  const height = top + drawing.height + MARGIN;
  const title = escapeMarkup(fitted(`${plot.title} (${unitWords(plot.unit)})`, inner / 1.2));
  const body = [...drawing.ground, ...drawing.marks.flatMap(({ shapes }) => shapes)].map(shapeText).join('');
  const text =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${FONT}" font-size="${TEXT_SIZE}"><rect width="100%" height="100%" fill="${PAPER.card}"/>` +
    `<text x="${MARGIN}" y="${MARGIN + 14}" font-size="15" font-weight="600" fill="${PAPER.text}">${title}</text>` +
    `<g transform="translate(${MARGIN} ${MARGIN + HEADING})">${legend.text}</g>` +
    `<g transform="translate(${MARGIN} ${top})">${body}</g></svg>`;
  return { text, width, height };
}

function legendOf({ series, kind }: Plot, width: number): { text: string; height: number } {
  if (series.length < 2 || kind === 'bridge' || kind === 'ranges') return { text: '', height: 0 };
  let [x, y] = [0, 0];
  const parts = series.map(({ name, tone }) => {
    const wide = widthOf(name) + 34;
    if (x > 0 && x + wide > width) [x, y] = [0, y + LEGEND];
    const part =
      `<rect x="${x}" y="${y}" width="11" height="11" fill="${onPaper(tone)}"/>` +
      `<text x="${x + 16}" y="${y + 10}" fill="${PAPER.text}">${escapeMarkup(name)}</text>`;
    x += wide;
    return part;
  });
  return { text: parts.join(''), height: y + LEGEND };
}

function shapeText(shape: Shape): string {
  const color = onPaper(shape.ink);
  switch (shape.as) {
    case 'rect':
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" fill="${color}"/>`;
    case 'line':
      return `<line x1="${shape.x1}" y1="${shape.y1}" x2="${shape.x2}" y2="${shape.y2}" stroke="${color}"/>`;
    case 'path':
      return shape.filled
        ? `<path d="${shape.d}" fill="${color}"/>`
        : `<path d="${shape.d}" fill="none" stroke="${color}" stroke-width="2"${shape.dashes ? ` stroke-dasharray="${shape.dashes}"` : ''}/>`;
    case 'text':
      return `<text x="${shape.x}" y="${shape.y}" text-anchor="${shape.anchor}" fill="${color}"${shape.bold ? ' font-weight="600"' : ''}>${escapeMarkup(shape.text)}</text>`;
  }
}
