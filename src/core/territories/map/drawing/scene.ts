// The content of the map: the areas with their territories, and everything drawn on top.
import { readLines, type StateAreas, type Lines, type Topology } from './areas.ts';
import type { Look } from './map-colors.ts';
import { bordersBetween, outlineOfAreas, ownersIn, type OwnerOf, type Part, partsOf } from './owners.ts';
import type { PointZip } from './picking.ts';

/** A facility to draw, in the plane of the map. */
export type FacilityMark = {
  id: number;
  zip: string;
  x: number;
  y: number;
  name: string;
  openQuotes: number;
  /** May add amounts in several currencies, because it only determines the size of the circle. */
  value: number;
};

/** A state and the territory of each area. The canvas paths are built from these objects. */
export type StateScene = {
  areas: StateAreas;
  owners: (number | null)[];
  parts: Part[];
  borders: number[];
  /** Outlines of the selected areas, and of the areas that a plan moves. */
  chosen: number[][];
  moved: number[][];
};

/** The outlines of states and counties of the whole country. */
export type Background = {
  lines: Lines;
  states: number[];
  counties: number[];
  land: number[][];
  /** The names of states and counties by FIPS number. */
  names: ReadonlyMap<string, string>;
};

export type Scene = {
  states: StateScene[];
  background: Background | null;
  points: PointZip[];
  /** The territory of each point ZIP, in the same order. */
  pointOwners: (number | null)[];
  chosenPoints: ReadonlySet<string>;
  lookOf: (territory: number | null) => Look;
  nameOf: (territory: number) => string;
  facilities: FacilityMark[];
  names: boolean;
};

type Use = { owners: (number | null)[]; parts: Part[] };

/** Rebuilds a state. Reuses the unchanged objects of `before`, so that their paths need not be rebuilt. */
export function stateScene(
  areas: StateAreas,
  ownerOf: OwnerOf,
  chosen: ReadonlySet<string>,
  moved: { has: (zip: string) => boolean; size: number },
  before?: StateScene,
): StateScene {
  const owners = ownersIn(areas, ownerOf);
  const same = before?.owners.every((owner, index) => owner === owners[index]) ?? false;
  const use: Use = same && before ? before : { owners, parts: partsOf(areas, owners, before) };
  return {
    areas,
    ...use,
    borders: same && before ? before.borders : bordersBetween(areas, owners),
    chosen: outlineOfZips(areas, chosen),
    moved: outlineOfZips(areas, moved),
  };
}

function outlineOfZips(areas: StateAreas, zips: { has: (zip: string) => boolean; size: number }): number[][] {
  if (zips.size === 0) return [];
  const indexes = new Set(areas.zips.flatMap((zip, index) => (zips.has(zip) ? [index] : [])));
  return indexes.size > 0 ? outlineOfAreas(areas, indexes) : [];
}

type Outlines = {
  objects: Record<
    string,
    { geometries?: { id?: string | number; properties?: { name?: string }; type: string | null; arcs?: unknown }[] }
  >;
} & Topology;

/** Reads the file `us.json`: the outlines of the states and counties. */
export function readBackground(topology: Topology): Background {
  const { objects } = topology as Outlines;
  const ringsOf = (name: string): number[][] =>
    (objects[name]?.geometries ?? []).flatMap(({ type, arcs }) => {
      if (type === 'Polygon') return arcs as number[][];
      return type === 'MultiPolygon' ? (arcs as number[][][]).flat() : [];
    });
  const names = new Map<string, string>();
  for (const { geometries = [] } of Object.values(objects))
    for (const { id, properties } of geometries) names.set(String(id), properties?.name ?? '');
  const land = ringsOf('states');
  const linesOf = (rings: number[][]) => new Set(rings.flat().map((arc) => (arc < 0 ? ~arc : arc)));
  const states = linesOf(land);
  const counties = [...linesOf(ringsOf('counties'))].filter((line) => !states.has(line));
  return { lines: readLines(topology), states: [...states], counties, land, names };
}
