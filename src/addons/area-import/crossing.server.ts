// Finds where the outline of an area crosses itself.
import type { Place } from './outline.server.ts';

/** After this many comparisons, an outline is too tangled to check. */
const MAX_COMPARED = 60_000_000;

/** A place where two edges of a ring cross. 'tangled' if the search takes too long, undefined if none cross. Edges that only touch do not cross. */
export function crossingOf(ring: readonly Place[]): Place | 'tangled' | undefined {
  const count = ring.length;
  const edges = ring.map((to, i) => {
    const from = ring.at(i - 1) ?? to;
    return { i, from, to, west: Math.min(from[0], to[0]), east: Math.max(from[0], to[0]) };
  });
  edges.sort((a, other) => a.west - other.west);
  let open: typeof edges = [];
  let compared = 0;
  for (const edge of edges) {
    const still: typeof edges = [];
    compared += open.length;
    if (compared > MAX_COMPARED) return 'tangled';
    const south = Math.min(edge.from[1], edge.to[1]);
    const north = Math.max(edge.from[1], edge.to[1]);
    for (const other of open) {
      if (other.east < edge.west) continue;
      still.push(other);
      if (Math.max(other.from[1], other.to[1]) < south || Math.min(other.from[1], other.to[1]) > north) continue;
      const apart = Math.abs(other.i - edge.i);
      if (apart === 1 || apart === count - 1) continue;
      if (cross(edge.from, edge.to, other.from, other.to)) return edge.from;
    }
    still.push(edge);
    open = still;
  }
  return undefined;
}

/** Whether the ends of each edge lie on opposite sides of the other edge. */
function cross(a: Place, b: Place, c: Place, d: Place): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

function side([ax, ay]: Place, [bx, by]: Place, [x, y]: Place): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}
