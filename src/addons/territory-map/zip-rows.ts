// Converts the ZIPs and facilities of the map to table rows and marks on the map.
import { project } from '#core/territories/map/drawing/areas.ts';
import type { FacilityMark } from '#core/territories/map/drawing/scene.ts';
import { assignmentsOf, type MapRefs, pointsOf } from '#core/territories/map/map-data.ts';
import type { MapFacility, MapRow } from './territory-map.contract.ts';

export type ZipRow = { zip: string; territory: MapRow | null; point: boolean };

const NO_MOVES: ReadonlyMap<string, number | null> = new Map();

/** Every ZIP that is on the map, has a territory, or is moved by a plan, in order, with its territory after `moves`. */
export function zipRows(
  refs: MapRefs,
  territories: readonly MapRow[],
  moves: ReadonlyMap<string, number | null> = NO_MOVES,
): Map<string, ZipRow> {
  const byId = new Map(territories.map((row) => [row.id, row]));
  const assigned = assignmentsOf(refs);
  const points = new Set(pointsOf(refs).map(({ zip }) => zip));
  const all = new Set([...assigned.keys(), ...refs.unassigned.split(' ').filter(Boolean), ...points, ...moves.keys()]);
  return new Map(
    [...all].toSorted().map((zip) => {
      const move = moves.get(zip);
      const territory = byId.get((move === undefined ? assigned.get(zip) : move) ?? 0) ?? null;
      return [zip, { zip, territory, point: points.has(zip) }];
    }),
  );
}

/** The same rows, computed on first use. */
export function zipRowsLater(refs: MapRefs, territories: readonly MapRow[]): () => ReadonlyMap<string, ZipRow> {
  let rows: Map<string, ZipRow> | undefined;
  return () => (rows ??= zipRows(refs, territories));
}

export function markOf({ id, zip, name, lat, lon, openQuotes, openValue }: MapFacility): FacilityMark {
  const value = openValue.reduce((sum, { amount }) => sum + amount, 0);
  return { id, zip, name, openQuotes, value, ...project(lat, lon) };
}
