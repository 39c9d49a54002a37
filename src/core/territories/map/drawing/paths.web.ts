// Builds canvas paths: at low zoom one for each of three levels of detail, scaled to any zoom; at high zoom only for the visible part.
import { type Box, emptyBox, extend, type Lines, meets, thinned, walkRing } from './areas.ts';

/**
 * Points closer together than `tolerance` merge. It is half a pixel at the largest zoom that uses it, in units of the plane. From zoom 8 on, the map
 * draws every point.
 */
const DISTANCES = [
  { below: 5.5, tolerance: 0.5 / 2 ** 5 },
  { below: 8, tolerance: 0.5 / 2 ** 7.5 },
];

export type Distance = number;
export function distanceAt(zoom: number): Distance {
  const result = DISTANCES.findIndex(({ below }) => zoom < below);
  return result < 0 ? DISTANCES.length : result;
}

const thin = new WeakMap<Lines, (Lines | undefined)[]>();

/** The lines with the level of detail for a distance. */
export function linesAt(lines: Lines, distance: Distance): Lines {
  const rule = DISTANCES[distance];
  if (!rule) return lines;
  const known = thin.get(lines) ?? [];
  thin.set(lines, known);
  return (known[distance] ??= thinned(lines, rule.tolerance));
}

const built = new WeakMap<object, (Path2D | undefined)[]>();

/** Builds the path of an object that never changes on the first call, and returns the same path afterwards. */
function once(key: object, distance: Distance, build: () => Path2D): Path2D {
  const known = built.get(key) ?? [];
  built.set(key, known);
  return (known[distance] ??= build());
}

/** The path of closed rings, for the even-odd fill. */
export function ringsPath(rings: number[][], lines: Lines, distance: Distance): Path2D {
  return once(rings, distance, () => pathOfRings(rings, linesAt(lines, distance)));
}

function pathOfRings(rings: readonly number[][], lines: Lines): Path2D {
  const path = new Path2D();
  for (const ring of rings) {
    let first = true;
    walkRing(lines, ring, (x, y) => {
      if (first) path.moveTo(x, y);
      else path.lineTo(x, y);
      first = false;
    });
    path.closePath();
  }
  return path;
}

/** The path of the borders with these numbers, or of all borders. */
export function linesPath(key: object, numbers: readonly number[] | 'all', lines: Lines, distance: Distance): Path2D {
  return once(key, distance, () => pathOfLines(numbers, linesAt(lines, distance), () => true));
}

function pathOfLines(numbers: readonly number[] | 'all', { xy, start }: Lines, wanted: (line: number) => boolean) {
  const path = new Path2D();
  const draw = (line: number) => {
    if (!wanted(line)) return;
    const [from = 0, to = 0] = [start[line], start[line + 1]];
    path.moveTo(xy[from] ?? 0, xy[from + 1] ?? 0);
    for (let i = from + 2; i < to; i += 2) path.lineTo(xy[i] ?? 0, xy[i + 1] ?? 0);
  };
  if (numbers === 'all') for (let line = 0; line + 1 < start.length; line++) draw(line);
  else numbers.forEach(draw);
  return path;
}

const boxes = new WeakMap<Lines, Float32Array>();

/** minX, minY, maxX, maxY of each line, relative to the origin of the lines. */
function boxesOf(lines: Lines): Float32Array {
  const known = boxes.get(lines);
  if (known) return known;
  const { xy, start } = lines;
  const result = new Float32Array((start.length - 1) * 4);
  for (let line = 0; line + 1 < start.length; line++) {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = start[line] ?? 0; i < (start[line + 1] ?? 0); i += 2) {
      const [x = 0, y = 0] = [xy[i], xy[i + 1]];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    result.set([minX, minY, maxX, maxY], line * 4);
  }
  boxes.set(lines, result);
  return result;
}

/** The path of the borders that touch a box. Without this, the canvas would process all the others for each picture, only to discard them. */
export function linesWithin(numbers: readonly number[] | 'all', lines: Lines, distance: Distance, box: Box): Path2D {
  const own = boxesOf(lines);
  const within = counted(box, lines);
  return pathOfLines(numbers, linesAt(lines, distance), (line) => {
    const i = line * 4;
    return (
      (own[i] ?? 0) <= within.maxX &&
      (own[i + 2] ?? 0) >= within.minX &&
      (own[i + 1] ?? 0) <= within.maxY &&
      (own[i + 3] ?? 0) >= within.minY
    );
  });
}

const ringBoxes = new WeakMap<readonly number[], Box>();

/** The path of the rings that touch a box. */
export function ringsWithin(rings: readonly number[][], lines: Lines, distance: Distance, box: Box): Path2D {
  const own = boxesOf(lines);
  const within = counted(box, lines);
  const seen = rings.filter((ring) => {
    const known = ringBoxes.get(ring);
    if (known) return meets(known, within);
    const whole = emptyBox();
    for (const arc of ring) {
      const i = (arc < 0 ? ~arc : arc) * 4;
      extend(whole, { minX: own[i] ?? 0, minY: own[i + 1] ?? 0, maxX: own[i + 2] ?? 0, maxY: own[i + 3] ?? 0 });
    }
    ringBoxes.set(ring, whole);
    return meets(whole, within);
  });
  return pathOfRings(seen, linesAt(lines, distance));
}

/** Converts a box of the plane to one relative to the origin of the lines. */
function counted({ minX, minY, maxX, maxY }: Box, { origin }: Lines): Box {
  return { minX: minX - origin.x, minY: minY - origin.y, maxX: maxX - origin.x, maxY: maxY - origin.y };
}
