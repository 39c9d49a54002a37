// Finds the ZIP areas that touch.
import type { AreaSet } from './area-set.server.ts';
import { type StateTopology, topologyOf } from './state-areas.server.ts';

/** For each ZIP with an area, the ZIPs that share an edge with it, also across counties and states. A shared corner is not enough. */
export type Adjacency = ReadonlyMap<string, readonly string[]>;

const KEPT = 3;
const cache = new Map<string, Promise<Adjacency>>();

/** Reads the areas of the whole country on the first call for a version and caches the result. Approximate areas have approximate neighbors. */
export function adjacencyOf(version: AreaSet): Promise<Adjacency> {
  const cached = cache.get(version.sha);
  if (cached) return cached;
  const adjacency = neighborsIn(version);
  cache.set(version.sha, adjacency);
  adjacency.catch(() => cache.delete(version.sha));
  for (const sha of [...cache.keys()].slice(0, -KEPT)) cache.delete(sha);
  return adjacency;
}

async function neighborsIn(version: AreaSet): Promise<Adjacency> {
  const neighbors = new Map<string, Set<string>>();
  const touch = (zip: string, other: string): void => {
    if (zip === other) return;
    neighbors.get(zip)?.add(other);
    neighbors.get(other)?.add(zip);
  };
  /** Edges with only one area in their state. The other area may be in the neighboring state. */
  const onRim = new Map<string, string>();
  for (const file of version.files) {
    const topology = await topologyOf(file);
    const users = usersOfArcs(topology);
    for (const { id } of topology.objects.zips.geometries) neighbors.set(String(id), new Set());
    for (const [i, [first, ...others]] of users.entries()) {
      if (first === undefined) continue;
      for (const other of others) touch(first, other);
      if (others.length > 0) continue;
      for (const edge of edgesOf(topology, i)) {
        const other = onRim.get(edge);
        if (other === undefined) onRim.set(edge, first);
        else touch(first, other);
      }
    }
  }
  return new Map([...neighbors].map(([zip, group]) => [zip, [...group].toSorted()]));
}

/** For each arc, the ZIPs whose outline contains it. */
function usersOfArcs(topology: StateTopology): string[][] {
  const users: string[][] = topology.arcs.map(() => []);
  for (const geometry of topology.objects.zips.geometries) {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
    for (const arc of geometry.arcs.flat(2)) users[arc < 0 ? ~arc : arc]?.push(String(geometry.id));
  }
  return users;
}

/** The edges of an arc on the grid of all states. Both directions of an edge return the same string. */
function edgesOf({ arcs, transform }: StateTopology, index: number): string[] {
  const [scaleX, scaleY] = transform?.scale ?? [1, 1];
  const [moveX, moveY] = transform?.translate ?? [0, 0];
  let [x, y] = [0, 0];
  const corners = (arcs[index] ?? []).map(([dx = 0, dy = 0]) => {
    [x, y] = [x + dx, y + dy];
    return [Math.round((x * scaleX + moveX) * 10_000), Math.round((y * scaleY + moveY) * 10_000)] as const;
  });
  return corners.slice(1).map((to, i) => {
    const [ax, ay] = corners[i] ?? to;
    const [bx, by] = to;
    return ax < bx || (ax === bx && ay < by) ? `${ax},${ay} ${bx},${by}` : `${bx},${by} ${ax},${ay}`;
  });
}
