// Encodes a state's areas as a topology on the areas' grid.
import type { FeatureCollection, Geometry } from 'geojson';
import { topology } from 'topojson-server';

type Corner = [x: number, y: number];
/** Rings without the repeated last corner, in grid steps. The outer ring is first. */
type Polygon = readonly (readonly Corner[])[];
type EncodedArea = { zip: string; county: string; polygons: readonly Polygon[] };

/** Grid steps per degree. One step is about 11 m. */
export const PER_DEGREE = 10_000;

/** Neighbors with the same corners store their common border once. */
export function encodeAreas(areas: readonly EncodedArea[]): object {
  const west = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY };
  for (const { polygons } of areas)
    for (const [x, y] of polygons.flat(2)) [west.x, west.y] = [Math.min(west.x, x), Math.min(west.y, y)];
  const corner: Corner = [west.x, west.y];
  const zips: FeatureCollection = {
    type: 'FeatureCollection',
    features: areas.map(({ zip, polygons, ...properties }) => {
      const closed = polygons.map((rings) => rings.map((ring) => [...ring, ...ring.slice(0, 1)]));
      const geometry: Geometry =
        closed.length === 1
          ? { type: 'Polygon', coordinates: closed[0] ?? [] }
          : { type: 'MultiPolygon', coordinates: closed };
      return { type: 'Feature', id: zip, properties, geometry };
    }),
  };
  const { arcs, objects } = topology({ zips });
  return {
    type: 'Topology',
    transform: {
      scale: [1 / PER_DEGREE, 1 / PER_DEGREE],
      translate: [corner[0] / PER_DEGREE, corner[1] / PER_DEGREE],
    },
    objects,
    arcs: arcs.map((arc) =>
      arc.map(([x = 0, y = 0], i) => {
        const [px = 0, py = 0] = arc[i - 1] ?? corner;
        return [x - px, y - py];
      }),
    ),
  };
}
