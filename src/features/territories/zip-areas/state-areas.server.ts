// The areas of a state as GeoJSON, from its topology.
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { type GeoVersion, type GeoVersionFile, shippedFile, unpacked } from './geo-versions.server.ts';

export type StateTopology = Topology<{ zips: GeometryCollection<{ county: string; approximate?: true }> }>;
type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown[] };
type Area = { geometry: Geometry; approximate: boolean };

/** As many states as stay decoded: the country, about 30 MB. */
const KEPT = 56;
const kept = new Map<string, Promise<Map<string, Geometry>>>();

/** The areas of some ZIPs. Those without an area are left out. */
export async function areasOf(version: GeoVersion, zips: ReadonlySet<string>): Promise<Map<string, Area>> {
  const found = new Map<string, Area>();
  for (const file of version.files) {
    const wanted = (version.zips.get(file.state) ?? '').split(' ').filter((zip) => zips.has(zip));
    if (wanted.length === 0) continue;
    const geometries = await geometriesOf(file);
    for (const zip of wanted) {
      const geometry = geometries.get(zip);
      if (geometry) found.set(zip, { geometry, approximate: file.approximate?.has(zip) ?? true });
    }
  }
  return found;
}

function geometriesOf(file: GeoVersionFile): Promise<Map<string, Geometry>> {
  const key = `${file.sha} ${file.state}`;
  const made = kept.get(key) ?? decoded(file);
  // What was asked for last stays longest.
  kept.delete(key);
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
  return made;
}

async function decoded(file: GeoVersionFile): Promise<Map<string, Geometry>> {
  const topology = await topologyOf(file);
  const found = new Map<string, Geometry>();
  for (const { id, geometry } of feature(topology, topology.objects.zips).features) {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
    const { type, coordinates } = geometry;
    found.set(String(id), { type, coordinates: rounded(coordinates) as unknown[] });
  }
  return found;
}

/** The topology of a state. */
export async function topologyOf({ state, packed }: GeoVersionFile): Promise<StateTopology> {
  const small = packed ?? shippedFile(`${state}.json`);
  return JSON.parse(String(await unpacked(small))) as StateTopology;
}

/** Numbers as the grid has them: 32.5059, not 32.505900000000004. */
function rounded(coordinates: unknown): unknown {
  if (typeof coordinates === 'number') return Math.round(coordinates * 10_000) / 10_000;
  return (coordinates as unknown[]).map(rounded);
}
