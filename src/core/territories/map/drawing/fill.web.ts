// Fills land on a canvas, or a swatch of the legend, by its look: a color, plain or with diagonal stripes.
import type { Look } from './map-colors.ts';

/** The distance from one stripe to the next along a row of pixels, and the width of a stripe. */
const [STEP, WIDTH] = [10, 1.2];

export function backgroundOf({ color, stripes }: Look): string {
  const step = STEP / Math.SQRT2;
  return stripes ? `repeating-linear-gradient(135deg, ${stripes} 0 ${WIDTH}px, ${color} ${WIDTH}px ${step}px)` : color;
}

const tiles = new Map<string, HTMLCanvasElement>();

/**
 * The fill of land on a canvas with `density` pixels for each pixel of the page. Stripes have the same width at every zoom. They start at `origin`, a
 * point on the canvas, and so move with the land.
 */
export function fillOf(
  context: CanvasRenderingContext2D,
  { color, stripes }: Look,
  density: number,
  origin = { x: 0, y: 0 },
): string | CanvasPattern {
  const tile = stripes === null ? null : tileOf(color, stripes, density);
  const pattern = tile && context.createPattern(tile, 'repeat');
  if (!pattern) return color;
  const { x, y } = origin;
  pattern.setTransform(
    context
      .getTransform()
      .invertSelf()
      .translateSelf(x % tile.width, y % tile.height),
  );
  return pattern;
}

function tileOf(color: string, stripes: string, density: number): HTMLCanvasElement {
  const key = `${color} ${stripes} ${density}`;
  const known = tiles.get(key);
  if (known) return known;
  const tile = document.createElement('canvas');
  const size = Math.round(STEP * density);
  [tile.width, tile.height] = [size, size];
  const context = tile.getContext('2d');
  if (context) {
    context.fillStyle = color;
    context.fillRect(0, 0, size, size);
    context.strokeStyle = stripes;
    context.lineWidth = WIDTH * density;
    context.beginPath();
    // The stripes of the neighboring tiles fill the corners.
    for (const from of [-size, 0, size]) {
      context.moveTo(from - size / 2, size * 1.5);
      context.lineTo(from + size * 1.5, -size / 2);
    }
    context.stroke();
  }
  tiles.set(key, tile);
  return tile;
}
