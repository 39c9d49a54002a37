// Draws a plot at a given width: places each bar, point and text. Screens, emails and tests use the same drawing.
import { drawAcross } from './draw-across.ts';
import { drawDown } from './draw-down.ts';
import type { Drawing } from './drawing.ts';
import type { Plot } from './plot.ts';

const GOES_DOWN: readonly Plot['kind'][] = ['bars', 'ranges', 'bridge'];
/** Below this width, a plot is not legible. */
const LEAST = 240;

export function drawPlot(plot: Plot, width: number): Drawing {
  const room = Math.max(LEAST, Math.round(width));
  const drawn = plot.drawn ? { ...plot, rows: plot.rows.slice(0, plot.drawn) } : plot;
  return GOES_DOWN.includes(plot.kind) ? drawDown(drawn, room) : drawAcross(drawn, room);
}
