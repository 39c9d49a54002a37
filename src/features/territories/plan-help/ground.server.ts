// Reads the ground of help in planning: neighbors from the files of areas, and in which area each ZIP without one lies.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import {
  type AreaTopology,
  project,
  readAreas,
  type StateAreas,
} from '#features/territories/territory-map/drawing/areas.ts';
import { hostsOf } from '#features/territories/territory-map/drawing/picking.ts';
import { adjacencyOf, islandsOf } from '#features/territories/zip-areas/adjacency.server.ts';
import { type GeoVersion, pinnedVersion } from '#features/territories/zip-areas/geo-versions.server.ts';
import { topologyOf } from '#features/territories/zip-areas/state-areas.server.ts';
import type { Ground } from './ground.ts';

/** The last one: it changes when areas or the list of ZIPs are brought in anew. */
let kept: { key: string; ground: Promise<Ground> } | undefined;

/** `pin`: the plan's version of the areas. Takes two seconds the first time, of which no step is long. */
export async function groundOf(db: Db, pin: string): Promise<Ground> {
  const version = await pinnedVersion(db, pin);
  const { rows } = await sql<{ places: string | null }>`
    select string_agg(zip5 || ' ' || round(lat, 4) || ' ' || round(lon, 4), ' ' order by zip5) as places
      from zip where lat is not null and lon is not null and zip5 <> all(string_to_array(${version.allZips}, ' '))`.execute(
    db,
  );
  const places = rows[0]?.places ?? '';
  const key = `${version.sha} ${places}`;
  if (kept?.key === key) return kept.ground;
  const ground = made(version, places);
  kept = { key, ground };
  ground.catch(() => (kept = undefined));
  return ground;
}

async function made(version: GeoVersion, places: string): Promise<Ground> {
  const adjacency = await adjacencyOf(version);
  const states: StateAreas[] = [];
  for (const file of version.files) {
    // The same file as the map reads.
    states.push(readAreas((await topologyOf(file)) as unknown as AreaTopology));
    await new Promise((done) => setImmediate(done));
  }
  const words = places.split(' ');
  const hostOf = new Map<string, string>();
  const pointsIn = new Map<string, string[]>();
  const STEP = 900;
  for (let i = 0; i + 2 < words.length; i += STEP) {
    const some = Array.from({ length: Math.min(STEP, words.length - i) / 3 }, (_, n) => {
      const at = i + n * 3;
      return { zip: words[at] ?? '', ...project(Number(words[at + 1]), Number(words[at + 2])) };
    });
    for (const [zip, host] of hostsOf(states, some).hostOf) {
      hostOf.set(zip, host);
      const together = pointsIn.get(host);
      if (together) together.push(zip);
      else pointsIn.set(host, [zip]);
    }
    await new Promise((done) => setImmediate(done));
  }
  return { neighbors: adjacency, hostOf, pointsIn, islandsOf: (zips) => islandsOf(adjacency, zips) };
}
