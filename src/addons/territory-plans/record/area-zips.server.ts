// Reads which ZIPs have their own area on the map. The others are points: PO boxes and single buildings.
import type { Db } from '#platform/db/database.server.ts';
import { type AreaSet, shownAreas } from '#core/territories/zip-areas/area-set.server.ts';

const known = new WeakMap<AreaSet, ReadonlySet<string>>();

export async function areaZips(db: Db): Promise<ReadonlySet<string>> {
  const version = await shownAreas(db);
  const zips = known.get(version) ?? new Set(version.allZips.split(' '));
  known.set(version, zips);
  return zips;
}
