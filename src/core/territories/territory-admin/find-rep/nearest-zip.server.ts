// Finds the ZIP at a position: the one whose area contains it, else the one with the nearest center.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { shownAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { areasOf } from '#core/territories/zip-areas/state-areas.server.ts';
import type { NearestZip } from './find-rep.contract.ts';

/** How many of the nearest ZIPs to check for an area that contains the position. */
const LOOKED_AT = 25;
/** A position farther than this from every ZIP is outside the country. */
const MOST_KM = 80;
const KM_PER_DEGREE = 111.2;

/** 422 for a position outside the country, and when no ZIP has coordinates. Writes nothing. */
export async function nearestZip(db: Db, { lat, lon }: { lat: number; lon: number }): Promise<NearestZip> {
  const wide = Math.cos((lat / 180) * Math.PI);
  const { rows } = await sql<NearestZip & { km: number }>`
    select zip5 as zip, city, state,
      sqrt(power((lon - ${lon}::float8) * ${wide}::float8, 2) + power(lat - ${lat}::float8, 2)) * ${KM_PER_DEGREE}::float8 as km
      from zip where lat is not null and lon is not null order by km, zip5 limit ${LOOKED_AT}`.execute(db);
  const [nearest] = rows;
  if (!nearest)
    throw new HttpError(422, 'No ZIP code here has a place on the map yet. Type a ZIP, or have ZIP codes imported.');
  if (nearest.km > MOST_KM) throw new HttpError(422, 'Your position is outside the country. Type a ZIP.');
  const areas = await areasOf(await shownAreas(db), new Set(rows.map(({ zip }) => zip)));
  const { zip, city, state } = rows.find((row) => holds(areas.get(row.zip)?.geometry, lon, lat)) ?? nearest;
  return { zip, city, state };
}

function holds(geometry: { type: string; coordinates: unknown[] } | undefined, x: number, y: number): boolean {
  if (!geometry) return false;
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][];
  return polygons.some((rings) => {
    let inside = false;
    for (const ring of rings) {
      let [px = 0, py = 0] = ring.at(-1) ?? [];
      for (const [cx = 0, cy = 0] of ring) {
        if (cy > y !== py > y && x < ((px - cx) * (y - cy)) / (py - cy) + cx) inside = !inside;
        [px, py] = [cx, cy];
      }
    }
    return inside;
  });
}
