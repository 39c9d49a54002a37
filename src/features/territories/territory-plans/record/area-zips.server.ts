// Reads which ZIPs have their own area on the map of a plan. The others are points: PO boxes and single buildings.
import type { Db } from '#db/database.server.ts';
import { type GeoVersion, pinnedVersion } from '#features/territories/zip-areas/geo-versions.server.ts';

const known = new WeakMap<GeoVersion, ReadonlySet<string>>();

/** `pin` is the plan's version of the areas. */
export async function areaZips(db: Db, pin: string): Promise<ReadonlySet<string>> {
  const version = await pinnedVersion(db, pin);
  const zips = known.get(version) ?? new Set(version.allZips.split(' '));
  known.set(version, zips);
  return zips;
}
