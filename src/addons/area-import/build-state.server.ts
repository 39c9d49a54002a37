// Builds the map file of a state: simplified imported outlines with common borders.
import { gunzipSync, gzipSync } from 'node:zlib';
import polygonClipping from 'polygon-clipping';
import { feature } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, simplify } from 'topojson-simplify';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { Objects, Topology } from 'topojson-specification';
import { encodeAreas, PER_DEGREE } from '#core/territories/zip-areas/encode-areas.server.ts';
import { shortSha } from '#core/territories/zip-areas/area-set.server.ts';
import type { StateTopology } from '#core/territories/zip-areas/state-areas.server.ts';
import { crossingOf } from './crossing.server.ts';
import { doubleArea, type Place, type Polygon, unpacked } from './outline.server.ts';

/** `outline` has the packed format of outline.server.ts. A ZIP with several areas consists of all of them. */
type Area = { line: number; zip: string; outline: string };

export type BuildJob = {
  areas: Area[];
  /** Areas of other states near the border, so that both states keep the same corners along it. */
  around: Area[];
  /** The gzipped file of the built-in areas. Null if there is none for this state. */
  builtIn: Uint8Array | null;
};

export type BuiltState = {
  /** Gzipped. Null if no area is valid. */
  packed: Uint8Array | null;
  sha: string;
  /** The ZIPs that have an area, in order. */
  zips: string[];
  /** ZIPs with a built-in area that the import does not contain. They become points. */
  points: string[];
  /** Invalid areas with their reasons. */
  refused: { line: number; reason: string }[];
};

/** A corner is dropped if that changes the area by less than this: square millionths of a degree, about 1,800 m². */
const MIN_CORNER = 200_000;
/** Millionths of a degree in one step of the map's grid. */
const STEP = 1_000_000 / PER_DEGREE;
/** The greatest distance in degrees between an imported area and the known place of its ZIP. */
const FAR = 1.5;

type Shape = { county: string; polygons: Polygon[]; box: Box };
type Box = { west: number; south: number; east: number; north: number };

export function buildState({ areas, around, builtIn }: BuildJob): BuiltState {
  const known = builtIn ? shapesOf(builtIn) : new Map<string, Shape>();
  const whole = boxOf([...known.values()].flatMap(({ polygons }) => polygons));
  const refused: BuiltState['refused'] = [];
  const outlines = new Map<string, Polygon[]>();
  const lines = new Map<string, number>();
  for (const { line, zip, outline } of areas) {
    const polygons = unpacked(outline);
    const before = outlines.get(zip) ?? [];
    const reason =
      crossingIn(polygons) ??
      misfitIn(polygons) ??
      farFrom(polygons, known.get(zip)?.box ?? whole) ??
      (overlaps(polygons, before) ? `overlaps the area of the same ZIP on line ${lines.get(zip)}` : undefined);
    if (reason) refused.push({ line, reason });
    else outlines.set(zip, [...before, ...polygons]);
    if (!reason && !lines.has(zip)) lines.set(zip, line);
  }
  const imported = simplified(outlines, around);
  const all = [...imported]
    .map(([zip, polygons]) => ({ zip, county: countyOf(zip, polygons, known), polygons }))
    .toSorted((a, other) => (a.zip < other.zip ? -1 : 1));
  const json = JSON.stringify(all.length > 0 ? encodeAreas(all) : {});
  return {
    packed: all.length > 0 ? gzipSync(json, { level: 9 }) : null,
    sha: shortSha(json),
    zips: all.map(({ zip }) => zip),
    points: [...known.keys()].filter((zip) => !imported.has(zip)),
    refused,
  };
}

function crossingIn(polygons: readonly Polygon[]): string | undefined {
  for (const ring of polygons.flat()) {
    const at = crossingOf(ring);
    if (at === 'tangled') return 'has an outline that is too complex to check';
    if (at) return `has an outline that crosses itself near ${degrees(at)}`;
  }
  return undefined;
}

/** An overlap of up to this fraction of the smaller area, or up to MIN_CORNER, comes from rounding. */
const SLIVER = 0.01;

/** Describes what is wrong with the holes and parts of an area in which no ring crosses itself. */
function misfitIn(polygons: readonly Polygon[]): string | undefined {
  for (const [outer = [], ...rings] of polygons) {
    if (rings.length === 0) continue;
    const holes = rings.map((ring): Polygon => [ring]);
    const size = sizeOfPolygons(holes);
    if (size - common([[outer]], holes, size) > sliverOf(size))
      return 'has holes that overlap or are outside its outline';
    if (size > sizeOfPolygons([[outer]]) * (1 - SLIVER)) return 'has holes that cover the whole area';
  }
  return polygons.some((part, i) => overlaps([part], polygons.slice(i + 1))) ? 'has parts that overlap' : undefined;
}

function overlaps(polygons: readonly Polygon[], others: readonly Polygon[]): boolean {
  const box = boxOf(polygons);
  const near = others.filter((other) => {
    const its = boxOf([other]);
    return box && its && meet(box, its);
  });
  if (near.length === 0) return false;
  const smallest = Math.min(...[...polygons, ...near].map((polygon) => sizeOfPolygons([polygon])));
  return common(polygons, near, 0) > sliverOf(smallest);
}

const sliverOf = (size: number): number => Math.max(size * SLIVER, MIN_CORNER);

/** Twice the area that both cover. Returns `failed` if the library fails, for example on borders that almost meet. */
function common(list: readonly Polygon[], others: readonly Polygon[], failed: number): number {
  try {
    const shared = polygonClipping.intersection(closed(list), closed(others));
    const sizes = shared.flatMap((rings) =>
      rings.map((ring, i) => (i === 0 ? 1 : -1) * Math.abs(doubleArea(ring as Place[]))),
    );
    return sizes.reduce((all, siz) => all + siz, 0);
  } catch {
    return failed;
  }
}

const degrees = ([x, y]: Place): string => `longitude ${(x / 1e6).toFixed(4)}, latitude ${(y / 1e6).toFixed(4)}`;

/** Explains why an area cannot belong to a ZIP in this box of the grid. */
function farFrom(polygons: readonly Polygon[], box: Box | null): string | undefined {
  const own = boxOf(polygons);
  if (!own || !box) return undefined;
  const [x, y] = [(own.west + own.east) / 2 / STEP, (own.south + own.north) / 2 / STEP];
  const [east, north] = [
    Math.max(box.west - x, x - box.east, 0) * Math.cos((y / PER_DEGREE / 180) * Math.PI),
    Math.max(box.south - y, y - box.north, 0),
  ];
  const far = Math.hypot(east, north) / PER_DEGREE;
  if (far < FAR) return undefined;
  return `is at ${degrees([x * STEP, y * STEP])}, at least ${Math.round(far * 111)} km from this ZIP`;
}

/** Drops corners and snaps to the grid. Neighbors keep common borders. A ZIP that would vanish keeps its corners. */
function simplified(outlines: ReadonlyMap<string, Polygon[]>, around: readonly Area[]): Map<string, Polygon[]> {
  if (outlines.size === 0) return new Map();
  const zips = collectionOf([...outlines]);
  const others = collectionOf(around.map(({ zip, outline }) => [zip, unpacked(outline)]));
  const whole = topology({ zips, others }) as Topology<Objects<object>>;
  const simple = simplify(presimplify(whole), MIN_CORNER);
  const result = new Map<string, Polygon[]>();
  const { zips: object } = simple.objects;
  if (!object) return result;
  const features = feature(simple, object) as FeatureCollection<MultiPolygon | null>;
  for (const { id, geometry } of features.features) {
    const zip = String(id);
    const fewer = onGrid((geometry?.coordinates ?? []) as Place[][][]);
    const polygons = fewer.length > 0 ? fewer : onGrid(outlines.get(zip) ?? []);
    if (polygons.length > 0) result.set(zip, polygons);
  }
  return result;
}

function collectionOf(areas: [zip: string, polygons: Polygon[]][]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: areas.map(([zip, polygons]) => ({
      type: 'Feature',
      id: zip,
      properties: {},
      geometry: {
        type: 'MultiPolygon',
        coordinates: polygons.map((rings) => rings.map((ring) => [...ring, ...ring.slice(0, 1)])),
      },
    })),
  };
}

/** Rounds rings to whole grid steps and drops those that no longer enclose anything. */
function onGrid(polygons: readonly Polygon[]): Polygon[] {
  return polygons.flatMap((rings) => {
    const enclosing: Polygon = [];
    for (const [i, ring] of rings.entries()) {
      const places: Place[] = [];
      for (const [x, y] of ring) {
        const place: Place = [Math.round(x / STEP) + 0, Math.round(y / STEP) + 0];
        const before = places.at(-1);
        if (place[0] !== before?.[0] || place[1] !== before[1]) places.push(place);
      }
      const [first, last] = [places[0], places.at(-1)];
      if (places.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]) places.pop();
      if (places.length >= 3 && doubleArea(places) !== 0) enclosing.push(places);
      else if (i === 0) break;
    }
    return enclosing.length > 0 ? [enclosing] : [];
  });
}

const closed = (list: readonly Polygon[]) =>
  list.map((rings) => rings.map((ring) => [...ring, ...ring.slice(0, 1)] as Place[]));

const sizeOfPolygons = (polygons: readonly Polygon[]): number =>
  polygons.reduce((sum, [outer = []]) => sum + Math.abs(doubleArea(outer)), 0);

function shapesOf(packed: Uint8Array): Map<string, Shape> {
  const file = JSON.parse(String(gunzipSync(packed))) as StateTopology;
  const result = new Map<string, Shape>();
  for (const { id, properties, geometry } of feature(file, file.objects.zips).features) {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
    const coordinates = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Place[][][];
    const polygons = coordinates.map((rings) =>
      rings.map((ring) =>
        ring.slice(1).map(([x, y]): Place => [Math.round(x * PER_DEGREE) + 0, Math.round(y * PER_DEGREE) + 0]),
      ),
    );
    const box = boxOf(polygons);
    if (box) result.set(String(id), { county: properties.county, polygons, box });
  }
  return result;
}

/** The county of a ZIP in the built-in areas, else that of the nearest area. */
function countyOf(zip: string, polygons: readonly Polygon[], known: ReadonlyMap<string, Shape>): string {
  const same = known.get(zip);
  const own = boxOf(polygons);
  if (same || !own) return same?.county ?? '';
  let [county, shortest] = ['', Number.POSITIVE_INFINITY];
  for (const { box, county: its } of known.values()) {
    const far = Math.hypot(
      (box.west + box.east - own.west - own.east) / 2,
      (box.south + box.north - own.south - own.north) / 2,
    );
    if (far < shortest) [county, shortest] = [its, far];
  }
  return county;
}

function boxOf(polygons: readonly Polygon[]): Box | null {
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [outer = []] of polygons) {
    for (const [x, y] of outer) {
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [south, north] = [Math.min(south, y), Math.max(north, y)];
    }
  }
  return west === Number.POSITIVE_INFINITY ? null : { west, south, east, north };
}

const meet = (box: Box, other: Box): boolean =>
  box.west <= other.east && box.east >= other.west && box.south <= other.north && box.north >= other.south;
