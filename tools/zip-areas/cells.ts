// Divides each county among the ZIP codes with their center in it: every spot goes to the nearest center.
import { Delaunay } from 'd3-delaunay';
import polygonClipping from 'polygon-clipping';
import { PER_DEGREE } from '#core/territories/zip-areas/encode-areas.server.ts';
import { contains, type Point, type Polygon, wound } from './rings.ts';

export type County = { id: string; polygons: Polygon[] };
export type Center = { zip: string; at: Point };
export type Area = { county: string; polygons: Polygon[] };
type Box = { west: number; south: number; east: number; north: number };

/**
 * The area of each ZIP. A center outside all counties (in a harbor) counts for the nearest one. A county without a center goes to the
 * center of its state that is nearest to its middle.
 */
export function cutCounties(counties: readonly County[], centers: readonly Center[]): Map<string, Area> {
  const boxed = counties.map((county) => ({ ...county, box: boxOf(county.polygons), centers: [] as Center[] }));
  for (const center of centers) {
    const county =
      boxed.find(
        ({ box, polygons }) => inBox(center.at, box) && polygons.some((polygon) => contains(polygon, center.at)),
      ) ?? nearestCounty(boxed, center.at);
    county?.centers.push(center);
  }
  const areas = new Map<string, Area>();
  for (const { id, centers: group } of boxed) for (const { zip } of group) areas.set(zip, { county: id, polygons: [] });
  for (const county of boxed) {
    for (const [zip, polygons] of cellsOf(county)) areas.get(zip)?.polygons.push(...polygons);
    if (county.centers.length > 0) continue;
    const ofState = boxed.filter(({ id }) => stateOf(id) === stateOf(county.id)).flatMap((entry) => entry.centers);
    const middle = middleOf(county.box);
    const nearest = ofState.toSorted((a, b) => distance(a.at, middle) - distance(b.at, middle))[0];
    areas.get(nearest?.zip ?? '')?.polygons.push(...county.polygons);
  }
  return areas;
}

/** The state's part of a county's number. */
export function stateOf(county: string): string {
  return county.slice(0, 2);
}

function cellsOf(county: { polygons: Polygon[]; box: Box; centers: Center[] }): [zip: string, polygons: Polygon[]][] {
  const { polygons, box, centers } = county;
  if (centers.length === 1) return centers.map(({ zip }) => [zip, polygons]);
  const wide = wideness(middleOf(box)[1]);
  const places = centers.map(({ at }): Point => [at[0] * wide, at[1]]);
  const voronoi = Delaunay.from(places).voronoi([
    Math.min(box.west * wide, ...places.map(([x]) => x)) - PER_DEGREE,
    Math.min(box.south, ...places.map(([, y]) => y)) - PER_DEGREE,
    Math.max(box.east * wide, ...places.map(([x]) => x)) + PER_DEGREE,
    Math.max(box.north, ...places.map(([, y]) => y)) + PER_DEGREE,
  ]);
  const whole = polygons.map((polygon) => polygon.map((ring) => [...ring, ...ring.slice(0, 1)]));
  return centers.map(({ zip }, i) => {
    const cell = voronoi.cellPolygon(i) as Point[] | null;
    if (!cell) return [zip, []];
    const pieces = polygonClipping.intersection([cell.map(([x, y]): Point => [x / wide, y])], whole);
    return [zip, pieces.map((piece) => wound(piece.map((ring) => ring.map(onGrid))))];
  });
}

/** Rounds a point to whole numbers. */
export function onGrid([x, y]: Point): Point {
  // Never -0, which is written differently.
  return [Math.round(x) + 0, Math.round(y) + 0];
}

function nearestCounty<C extends County>(counties: readonly C[], at: Point): C | undefined {
  let best: C | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const county of counties) {
    for (const point of county.polygons.flat(2)) {
      const far = distance(point, at);
      if (far < shortest) [shortest, best] = [far, county];
    }
  }
  return best;
}

/** The length of a degree of longitude relative to one of latitude, rounded so that every computer gets the same result. */
function wideness(y: number): number {
  return Math.round(Math.cos((y / PER_DEGREE / 180) * Math.PI) * 1e6) / 1e6;
}

function distance(a: Point, b: Point): number {
  return Math.hypot((a[0] - b[0]) * wideness(b[1]), a[1] - b[1]);
}

function boxOf(polygons: readonly Polygon[]): Box {
  const points = polygons.flat(2);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) };
}

function middleOf({ west, south, east, north }: Box): Point {
  return [(west + east) / 2, (south + north) / 2];
}

function inBox([x, y]: Point, { west, south, east, north }: Box): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}
