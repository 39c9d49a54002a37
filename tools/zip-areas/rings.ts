// Rings of points on a grid of whole numbers: turns loose edges into polygons, wound as GeoJSON requires.

export type Point = [number, number];
/** Rings without the repeated last point. The first ring is the outer one. */
export type Polygon = Point[][];
type Edge = { from: Point; to: Point };

/** The edges of a ring: each point with the point before it. */
export function edgesOf(ring: readonly Point[]): [from: Point, to: Point][] {
  return ring.map((to, i) => [ring.at(i - 1) ?? to, to]);
}

/** A text that identifies an edge and its direction. */
export function keyOf(from: Point, to: Point): string {
  return `${from[0]},${from[1]} ${to[0]},${to[1]}`;
}

/** Twice the area that a ring encloses. Positive when the ring runs counterclockwise. */
export function doubleArea(ring: readonly Point[]): number {
  return edgesOf(ring).reduce((sum, [from, to]) => sum + from[0] * to[1] - to[0] * from[1], 0);
}

/** Whether a point lies in a polygon and in none of its holes. */
export function contains(polygon: Polygon, [x, y]: Point): boolean {
  let inside = false;
  for (const ring of polygon) {
    let from = ring.at(-1);
    for (const to of ring) {
      if (from && to[1] > y !== from[1] > y && x < ((from[0] - to[0]) * (y - to[1])) / (from[1] - to[1]) + to[0]) {
        inside = !inside;
      }
      from = to;
    }
  }
  return inside;
}

/** Turns a polygon of closed rings into ours: outer rings counterclockwise, holes clockwise, without the repeated last point. */
export function wound(closed: Polygon): Polygon {
  return closed.map((ring, i) => {
    const open = ring.slice(0, -1);
    return doubleArea(open) > 0 === (i === 0) ? open : open.toReversed();
  });
}

/**
 * Builds polygons from rings that run as `wound` says. Edges that run in both directions drop out, so pieces that share an edge become one.
 * Rings whose double area is smaller than `least` are left out.
 */
export function polygonsOf(rings: readonly (readonly Point[])[], least: number): Polygon[] {
  const edges = new Map<string, Edge[]>();
  for (const [from, to] of rings.flatMap(edgesOf)) {
    if (from[0] === to[0] && from[1] === to[1]) continue;
    if (edges.get(keyOf(to, from))?.pop()) continue;
    const alike = edges.get(keyOf(from, to));
    if (alike) alike.push({ from, to });
    else edges.set(keyOf(from, to), [{ from, to }]);
  }
  const loops = loopsOf([...edges.values()].flat()).map((ring) => ({ ring, size: doubleArea(ring) }));
  const outer = loops.filter(({ size }) => size >= least).toSorted((a, other) => a.size - other.size);
  const polygons = outer.map(({ ring }) => [ring]);
  for (const { ring, size } of loops) {
    const [a, b] = ring;
    if (-size < least || !a || !b) continue;
    // Tests the middle of an edge, because corners may touch.
    const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    polygons.find((polygon) => contains(polygon.slice(0, 1), middle))?.push(ring);
  }
  return polygons.toReversed();
}

/** Closed loops without repeated points that use each edge once. */
function loopsOf(edges: readonly Edge[]): Point[][] {
  const leaving = new Map<string, Point[]>();
  for (const { from, to } of edges) {
    const subset = leaving.get(String(from));
    if (subset) subset.push(to);
    else leaving.set(String(from), [to]);
  }
  const loops: Point[][] = [];
  for (const { from } of edges) {
    while (leaving.get(String(from))?.length) {
      const path = [from];
      const seen = new Map([[String(from), 0]]);
      for (let here: Point | undefined = from; here; here = path.at(-1)) {
        const next = takeNarrowest(leaving.get(String(here)) ?? [], path.at(-2), here);
        if (!next) break;
        const before = seen.get(String(next));
        if (before !== undefined) {
          const loop = path.splice(before);
          for (const point of loop) seen.delete(String(point));
          if (loop.length > 2) loops.push(loop);
          if (before === 0) break;
        }
        seen.set(String(next), path.length);
        path.push(next);
      }
    }
  }
  return loops;
}

/** Removes and answers the next point that keeps the inside, which lies on the left, as narrow as possible. */
function takeNarrowest(ways: Point[], before: Point | undefined, here: Point): Point | undefined {
  if (!before || ways.length < 2) return ways.pop();
  const back = Math.atan2(before[1] - here[1], before[0] - here[0]);
  const turns = ways.map((way) => {
    const turn = back - Math.atan2(way[1] - here[1], way[0] - here[0]);
    return turn <= 0 ? turn + 2 * Math.PI : turn;
  });
  return ways.splice(turns.indexOf(Math.min(...turns)), 1)[0];
}
