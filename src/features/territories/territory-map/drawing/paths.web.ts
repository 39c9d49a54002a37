// Paths for the canvas: built once from borders, for three distances, and drawn at any zoom by scaling.
import { type Lines, thinned, walkRing } from './areas.ts';

/**
 * Points closer together than this are one: in the plane, half a pixel at the largest zoom that uses it. From zoom 8 on every point is
 * drawn.
 */
const DISTANCES = [
  { below: 5.5, tolerance: 0.5 / 2 ** 5 },
  { below: 8, tolerance: 0.5 / 2 ** 7.5 },
];

export type Distance = number;
export function distanceAt(zoom: number): Distance {
  const found = DISTANCES.findIndex(({ below }) => zoom < below);
  return found < 0 ? DISTANCES.length : found;
}

const thin = new WeakMap<Lines, (Lines | undefined)[]>();

/** The lines as they are drawn at a distance. */
export function linesAt(lines: Lines, distance: Distance): Lines {
  const rule = DISTANCES[distance];
  if (!rule) return lines;
  const known = thin.get(lines) ?? [];
  thin.set(lines, known);
  return (known[distance] ??= thinned(lines, rule.tolerance));
}

const built = new WeakMap<object, (Path2D | undefined)[]>();

/** The path of something that never changes, from the second time on as it was built. */
function once(key: object, distance: Distance, build: () => Path2D): Path2D {
  const known = built.get(key) ?? [];
  built.set(key, known);
  return (known[distance] ??= build());
}

/** Closed rings, to be filled by even and odd. */
export function ringsPath(rings: number[][], lines: Lines, distance: Distance): Path2D {
  return once(rings, distance, () => {
    const path = new Path2D();
    const drawn = linesAt(lines, distance);
    for (const ring of rings) {
      let first = true;
      walkRing(drawn, ring, (x, y) => {
        if (first) path.moveTo(x, y);
        else path.lineTo(x, y);
        first = false;
      });
      path.closePath();
    }
    return path;
  });
}

/** Borders by their numbers; all of them without. */
export function linesPath(key: object, numbers: readonly number[] | 'all', lines: Lines, distance: Distance): Path2D {
  return once(key, distance, () => {
    const path = new Path2D();
    const { xy, start } = linesAt(lines, distance);
    const draw = (line: number) => {
      const [from = 0, to = 0] = [start[line], start[line + 1]];
      path.moveTo(xy[from] ?? 0, xy[from + 1] ?? 0);
      for (let i = from + 2; i < to; i += 2) path.lineTo(xy[i] ?? 0, xy[i + 1] ?? 0);
    };
    if (numbers === 'all') for (let line = 0; line + 1 < start.length; line++) draw(line);
    else numbers.forEach(draw);
    return path;
  });
}
