// Loads the geography for planning help: neighbors from the area files, and the area that each ZIP without one lies in.
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
import type { Ground } from './geography.ts';

/** The last result. A new import of areas or of the ZIP list changes the key. */
let kept: { key: string; ground: Promise<Ground> } | undefined;

/** `pin` is the plan's version of the areas. The first call takes two seconds in short steps, so that other requests get a turn. */
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
    // The map reads the same file.
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
