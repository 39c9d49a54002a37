// Reads an area's outline from a GeoJSON geometry: checks it, repairs it where the intent is clear, and packs it as whole numbers.
import type { CellParser } from '#platform/data-import/reading/cell-values.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';

/** A place in millionths of a degree: longitude, latitude. */
export type Place = [x: number, y: number];
/** Rings without the repeated last place. The outer ring runs counterclockwise, holes run clockwise. */
export type Polygon = Place[][];

const PER_DEGREE = 1_000_000;
/** The largest areas of the Census have about 60,000 corners. */
const MAX_CORNERS = 150_000;
const MAX_RINGS = 20_000;

const SWAPPED = ['outline with latitude before longitude', 'outlines with latitude before longitude'] as const;
const OPEN = ['outline that was not closed', 'outlines that were not closed'] as const;

/** Parses the cell of an area. Closes and reverses rings if needed. Refuses any other error. */
export const outline: CellParser = (text, { noteCorrection }) => {
  const refused = (why: string) => new Refusal(why, '');
  let geometry: unknown;
  try {
    geometry = JSON.parse(text);
  } catch {
    return refused('is not JSON');
  }
  const raw = polygonsOf(geometry);
  if (typeof raw === 'string') return refused(raw);
  const all = raw.flat(2);
  if (all.length > MAX_CORNERS) return refused(`has more than ${MAX_CORNERS.toLocaleString('en-US')} corners`);
  if (raw.flat().length > MAX_RINGS) return refused(`has more than ${MAX_RINGS.toLocaleString('en-US')} rings`);
  const isSwapped = !all.every(([x, y]) => isInCountry(x, y)) && all.every(([x, y]) => isInCountry(y, x));
  if (isSwapped) noteCorrection(...SWAPPED);
  else {
    const stray = all.find(([x, y]) => !isInCountry(x, y));
    if (stray) return refused(outside(stray));
  }
  let isOpen = false;
  const polygons: Polygon[] = [];
  for (const rings of raw) {
    const polygon: Polygon = [];
    for (const [i, ring] of rings.entries()) {
      const places = distinct(ring.map(([x, y]) => (isSwapped ? place(y, x) : place(x, y))));
      const [first, last] = [places[0], places.at(-1)];
      if (first && last && first[0] === last[0] && first[1] === last[1]) places.pop();
      else isOpen = true;
      const size = doubleArea(places);
      if (places.length < 3 || size === 0) {
        // A hole without extent removes nothing, but an outline without extent is not an area.
        if (i === 0) break;
        continue;
      }
      polygon.push(size > 0 === (i === 0) ? places : places.toReversed());
    }
    if (polygon.length > 0) polygons.push(polygon);
  }
  if (polygons.length === 0) return refused('has no size: all its corners are on one line or at one point');
  if (isOpen) noteCorrection(...OPEN);
  return packed(polygons);
};

/** The rings of a geometry as pairs of numbers, or a message that describes what is wrong. */
function polygonsOf(geometry: unknown): Place[][][] | string {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return typeof type === 'string' && /^[A-Za-z]{1,30}$/.test(type)
      ? `is a ${type}, not a Polygon or MultiPolygon`
      : 'is not a GeoJSON geometry';
  const polygons: unknown = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) return 'has no coordinates';
  if (polygons.length === 0) return 'is empty';
  const results: Place[][][] = [];
  for (const rings of polygons as unknown[]) {
    if (!Array.isArray(rings)) return 'has no coordinates';
    if (rings.length === 0) continue;
    const polygon: Place[][] = [];
    for (const ring of rings as unknown[]) {
      if (!Array.isArray(ring)) return 'has rings that are not lists of coordinates';
      const places: Place[] = [];
      for (const spot of ring as unknown[]) {
        const [x, y] = Array.isArray(spot) ? (spot as unknown[]) : [];
        if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
          return 'has a coordinate that is not two numbers';
        places.push([x, y]);
      }
      polygon.push(places);
    }
    results.push(polygon);
  }
  return results.length > 0 ? results : 'is empty';
}

/** Whether a place lies in the states and territories, from Guam via Alaska and Samoa to the Virgin Islands, with room for their waters. */
function isInCountry(lon: number, lat: number): boolean {
  return lat >= -16 && lat <= 73 && ((lon >= -180 && lon <= -63) || (lon >= 143 && lon <= 180));
}

function outside([x, y]: Place): string {
  return Math.abs(x) > 360 || Math.abs(y) > 360
    ? `has the coordinate ${short(x)}, ${short(y)}, which is not in degrees: save the file with longitude and latitude (WGS 84)`
    : `has a point at longitude ${short(x)}, latitude ${short(y)}, outside the USA`;
}

const short = (value: number): string =>
  Math.abs(value) < 1e9 ? `${Math.round(value * 100) / 100}` : value.toExponential(1);

const place = (lon: number, lat: number): Place => [Math.round(lon * PER_DEGREE), Math.round(lat * PER_DEGREE)];

/** Drops places that repeat the previous one. */
function distinct(places: Place[]): Place[] {
  return places.filter(([x, y], i) => i === 0 || x !== places[i - 1]?.[0] || y !== places[i - 1]?.[1]);
}

/** Twice the area that a ring encloses. Positive if it runs counterclockwise. */
export function doubleArea(ring: readonly Place[]): number {
  let sum = 0;
  // Measures from the first corner, because products of large numbers would not be exact.
  const [ox, oy] = ring[0] ?? [0, 0];
  let [fx, fy] = ring.at(-1) ?? [0, 0];
  for (const [x, y] of ring) {
    sum += (fx - ox) * (y - oy) - (x - ox) * (fy - oy);
    [fx, fy] = [x, y];
  }
  return sum;
}

/** Packs each ring as its first place followed by steps. The numbers stay short, so a state takes only a few megabytes. */
function packed(polygons: readonly Polygon[]): string {
  const rings = polygons.map((polygon) =>
    polygon.map((ring) => {
      let [px, py] = [0, 0];
      return ring.flatMap(([x, y]) => {
        const step = [x - px, y - py];
        [px, py] = [x, y];
        return step;
      });
    }),
  );
  return JSON.stringify(rings);
}

export function unpacked(text: string): Polygon[] {
  return (JSON.parse(text) as number[][][]).map((polygon) =>
    polygon.map((steps) => {
      let [x, y] = [0, 0];
      const ring: Place[] = [];
      for (let i = 0; i + 1 < steps.length; i += 2) {
        [x, y] = [x + (steps[i] ?? 0), y + (steps[i + 1] ?? 0)];
        ring.push([x, y]);
      }
      return ring;
    }),
  );
}
