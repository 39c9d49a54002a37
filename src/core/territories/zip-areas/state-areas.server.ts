// Converts the topology of a state to GeoJSON areas.
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { type AreaSet, type AreaFile, builtInFile, unpacked } from './area-set.server.ts';

export type StateTopology = Topology<{ zips: GeometryCollection<{ county: string }> }>;
type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown[] };
type Area = { geometry: Geometry; approximate: boolean };

/** The number of states to keep in memory: the whole country. */
const KEPT = 56;
type State = { topology: StateTopology; shapeOf: Map<string, Shape>; geometries: Map<string, Geometry | null> };
type Shape = StateTopology['objects']['zips']['geometries'][number];
const cache = new Map<string, Promise<State>>();

/** The areas of some ZIPs. Leaves out ZIPs without an area. */
export async function areasOf(version: AreaSet, zips: ReadonlySet<string>): Promise<Map<string, Area>> {
  const result = new Map<string, Area>();
  for (const file of version.files) {
    const wanted = (version.zips.get(file.state) ?? '').split(' ').filter((zip) => zips.has(zip));
    if (wanted.length === 0) continue;
    const state = await stateOf(file);
    for (const zip of wanted) {
      const geometry = geometryIn(state, zip);
      if (geometry) result.set(zip, { geometry, approximate: file.packed === undefined });
    }
  }
  return result;
}

function stateOf(file: AreaFile): Promise<State> {
  const key = `${file.sha} ${file.state}`;
  const state = cache.get(key) ?? readState(file);
  // Moves the state to the end, so that the least recently used one is dropped first.
  cache.delete(key);
  cache.set(key, state);
  state.catch(() => cache.delete(key));
  for (const old of [...cache.keys()].slice(0, -KEPT)) cache.delete(old);
  return state;
}

async function readState(file: AreaFile): Promise<State> {
  const topology = await topologyOf(file);
  const shapeOf = new Map(topology.objects.zips.geometries.map((shape) => [String(shape.id), shape]));
  return { topology, shapeOf, geometries: new Map() };
}

/** Decodes an area on first use, because a territory has only a few of a state's areas. */
function geometryIn({ topology, shapeOf, geometries }: State, zip: string): Geometry | null {
  const known = geometries.get(zip);
  if (known !== undefined) return known;
  const shape = shapeOf.get(zip);
  const area = shape ? feature(topology, shape) : null;
  const geometry = area?.type === 'Feature' ? area.geometry : null;
  const decoded =
    geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon'
      ? { type: geometry.type, coordinates: toGrid(geometry.coordinates) as unknown[] }
      : null;
  geometries.set(zip, decoded);
  return decoded;
}

/** The topology of a state. */
export async function topologyOf({ state, packed }: AreaFile): Promise<StateTopology> {
  const small = packed ?? builtInFile(`${state}.json`);
  return JSON.parse(String(await unpacked(small))) as StateTopology;
}

/** Rounds to the grid: 32.5059, not 32.505900000000004. */
function toGrid(coordinates: unknown): unknown {
  if (typeof coordinates === 'number') return Math.round(coordinates * 10_000) / 10_000;
  return (coordinates as unknown[]).map(toGrid);
}
