// The areas of a state as GeoJSON, from its topology.
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { type GeoVersion, geoFile, unpacked } from './geo-versions.server.ts';

export type StateTopology = Topology<{ zips: GeometryCollection<{ county: string }> }>;
type Area = { geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown[] }; approximate: boolean };

/** The areas of some ZIPs. Those without an area are left out. */
export async function areasOf(version: GeoVersion, zips: ReadonlySet<string>): Promise<Map<string, Area>> {
  const found = new Map<string, Area>();
  for (const { state, approximate } of version.files) {
    if (
      !version.zips
        .get(state)
        ?.split(' ')
        .some((zip) => zips.has(zip))
    )
      continue;
    const topology = await topologyOf(version.sha, state);
    const geometries = topology.objects.zips.geometries.filter(({ id }) => zips.has(String(id)));
    for (const { id, geometry } of feature(topology, { type: 'GeometryCollection', geometries }).features) {
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
      const { type, coordinates } = geometry;
      found.set(String(id), { geometry: { type, coordinates: rounded(coordinates) as unknown[] }, approximate });
    }
  }
  return found;
}

/** The topology of a state, 'TX', in a version that has it. */
export async function topologyOf(sha: string, state: string): Promise<StateTopology> {
  const small = geoFile(sha, `${state}.json`);
  if (!small) throw new Error(`No areas of ${state} in version ${sha}`);
  return JSON.parse(String(await unpacked(small))) as StateTopology;
}

/** Numbers as the grid has them: 32.5059, not 32.505900000000004. */
function rounded(coordinates: unknown): unknown {
  if (typeof coordinates === 'number') return Math.round(coordinates * 10_000) / 10_000;
  return (coordinates as unknown[]).map(rounded);
}
