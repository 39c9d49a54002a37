// Makes neighbors share their edges exactly: corners that are almost the same become one, and a corner that lies on a neighbor's edge
// becomes a corner of the neighbor too.
import { edgesOf, keyOf, type Point } from './rings.ts';

const NEAR = 3;
const CELL = 64;

/** Answers the rings (on whole numbers, in the same order) with shared edges. The corners in `fixed` stay where they are. */
export function shareEdges(rings: readonly Point[][], fixed: readonly Point[]): Point[][] {
  const corners = new Corners();
  for (const point of fixed) corners.snap(point);
  let moved = rings.map((ring) => ring.map((point) => corners.snap(point)));
  // An edge that gains a corner bends a little and may then touch another corner.
  for (let round = 0, taken = 1; taken > 0 && round < 8; round += 1) {
    taken = 0;
    const onEdge = new Map<string, Point[]>();
    moved = moved.map((ring) =>
      edgesOf(ring).flatMap(([from, to]) => {
        const forward = from[0] < to[0] || (from[0] === to[0] && from[1] < to[1]);
        const [a, b] = forward ? [from, to] : [to, from];
        const between = onEdge.get(keyOf(a, b)) ?? corners.along(a, b);
        onEdge.set(keyOf(a, b), between);
        taken += between.length;
        return [...(forward ? between : between.toReversed()), to];
      }),
    );
  }
  return moved;
}

class Corners {
  readonly #known = new Map<string, Point>();
  readonly #cells = new Map<number, Point[]>();

  /** The corner that replaces a point: a near one, or the point itself. */
  snap(point: Point): Point {
    const known = this.#known.get(String(point));
    if (known) return known;
    let best = point;
    let shortest = NEAR + 1e-9;
    for (const other of this.#around(point, point)) {
      const far = Math.hypot(other[0] - point[0], other[1] - point[1]);
      if (far < shortest) [shortest, best] = [far, other];
    }
    this.#known.set(String(point), best);
    if (best === point) {
      const cell = cellOf(Math.floor(point[0] / CELL), Math.floor(point[1] / CELL));
      const subset = this.#cells.get(cell);
      if (subset) subset.push(point);
      else this.#cells.set(cell, [point]);
    }
    return best;
  }

  /** The corners that lie on the edge from a to b, in that order. */
  along(a: Point, b: Point): Point[] {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    const crossings: { at: number; point: Point }[] = [];
    const seen = new Set([a, b]);
    const steps = Math.ceil(length / CELL);
    const spot = (step: number): Point => [a[0] + (dx * step) / steps, a[1] + (dy * step) / steps];
    for (let step = 0; step < steps; step += 1) {
      for (const point of this.#around(spot(step), spot(step + 1))) {
        if (seen.has(point)) continue;
        seen.add(point);
        const [px, py] = [point[0] - a[0], point[1] - a[1]];
        const at = (px * dx + py * dy) / length;
        if (at > 0 && at < length && Math.abs(px * dy - py * dx) / length <= NEAR) crossings.push({ at, point });
      }
    }
    return crossings.toSorted((point, other) => point.at - other.at).map(({ point }) => point);
  }

  /** The corners near the box that two points span. */
  *#around(a: Point, b: Point): Generator<Point> {
    const [west, east] = [Math.min(a[0], b[0]) - NEAR, Math.max(a[0], b[0]) + NEAR];
    const [south, north] = [Math.min(a[1], b[1]) - NEAR, Math.max(a[1], b[1]) + NEAR];
    for (let x = Math.floor(west / CELL); x <= Math.floor(east / CELL); x += 1) {
      for (let y = Math.floor(south / CELL); y <= Math.floor(north / CELL); y += 1) {
        yield* this.#cells.get(cellOf(x, y)) ?? [];
      }
    }
  }
}

function cellOf(x: number, y: number): number {
  return x * 1_000_003 + y;
}
