// Tests the geometry of areas without a canvas: outlines, neighbors, looks, points, and the areas at a point and in a lasso.
import type { FeatureCollection } from 'geojson';
import { topology } from 'topojson-server';
import { expect, it } from 'vitest';
import type { MapTerritory } from '../map-data.ts';
import { type AreaTopology, project, readAreas, thinned, unproject } from './areas.ts';
import { colorsOfLooks, colorTerritories } from './looks-and-legend.ts';
import { bordersBetween, neighborsOf, ownersIn, partsOf } from './owners.ts';
import { areaAt, hostsOf, zipsWithin } from './picking.ts';
import { PLACE, pointMarks, RING } from './point-marks.ts';
import { stateScene } from './scene.ts';

/** A field of one-degree squares. The ZIP at column x, row y is 7xx0y. */
function field(columns: number, rows: number, west = -100) {
  const features = Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    const [lon, lat] = [west + x, 30 + y];
    const ring = [
      [lon, lat],
      [lon, lat + 1],
      [lon + 1, lat + 1],
      [lon + 1, lat],
      [lon, lat],
    ];
    const id = zipAt(x, y);
    return {
      type: 'Feature' as const,
      id,
      properties: { county: '48001' },
      geometry: { type: 'Polygon' as const, coordinates: [ring] },
    };
  });
  const all: FeatureCollection = { type: 'FeatureCollection', features };
  const created = topology({ zips: all }, 1e5);
  return readAreas(created as unknown as AreaTopology);
}
const zipAt = (x: number, y: number) => `7${String(x).padStart(2, '0')}0${y}`;
const corners = (west: number, south: number, east: number, north: number) => [
  project(south, west),
  project(south, east),
  project(north, east),
  project(north, west),
];

it('projects as web maps do, and back, with places beyond the date line west of Alaska', () => {
  expect(project(0, -180)).toEqual({ x: 0, y: 128 });
  const { lat, lon } = unproject(project(29.76, -95.37));
  expect([lat, lon]).toEqual([expect.closeTo(29.76, 9), expect.closeTo(-95.37, 9)]);
  expect(project(13.4, 144.8).x).toBeLessThan(0);
});

it('knows both sides of a border, the middle of an area, and the area at a point', () => {
  const areas = field(3, 2);
  expect(areas.zips).toHaveLength(6);
  const inner = Array.from({ length: areas.sides.length / 2 }, (_, i) => areas.sides[i * 2 + 1]).filter(
    (b) => b !== -1,
  );
  expect(inner.length).toBe(7);
  const at = (lat: number, lon: number) => {
    const result = areaAt([areas], project(lat, lon));
    return result?.areas.zips[result.index];
  };
  expect(at(30.5, -99.5)).toBe(zipAt(0, 0));
  expect(at(31.2, -97.1)).toBe(zipAt(2, 1));
  expect(at(33, -99.5)).toBeUndefined();
  const middle = unproject({ x: areas.centers[0] ?? 0, y: areas.centers[1] ?? 0 });
  expect(middle.lon).toBeCloseTo(-99.5, 3);
});

it('finds each of many areas, also at the edge of the state', () => {
  const areas = field(60, 9);
  const results = areas.zips.map((_, i) => {
    const [x = 0, y = 0] = areas.centers.subarray(i * 2, i * 2 + 2);
    return areaAt([areas], { x, y })?.index;
  });
  expect(results).toEqual(areas.zips.map((_, i) => i));
  const { minX, minY, maxX, maxY } = areas.box;
  const corner = (x: number, y: number) => {
    const at = areaAt([areas], { x, y });
    return at?.areas.zips[at.index];
  };
  const [inX, inY] = [(maxX - minX) * 1e-4, (maxY - minY) * 1e-4];
  expect(corner(minX + inX, maxY - inY)).toBe(zipAt(0, 0));
  expect(corner(maxX - inX, minY + inY)).toBe(zipAt(59, 8));
});

it('merges the areas of each territory, draws only borders between territories, and merges only changed ones again', () => {
  const areas = field(4, 2);
  const split = (zip: string) => (Number(zip.slice(1, 3)) < 2 ? 1 : 2);
  const owners = ownersIn(areas, split);
  const parts = partsOf(areas, owners);
  expect(parts.map(({ owner, rings }) => [owner, rings.length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(bordersBetween(areas, owners)).toHaveLength(2);

  const moved = ownersIn(areas, (zip) => (zip === zipAt(3, 1) ? 3 : split(zip)));
  const after = partsOf(areas, moved, { owners, parts });
  expect(after.map(({ owner }) => owner)).toEqual([1, 2, 3]);
  expect(after[0]).toBe(parts[0]);
  expect(after[1]).not.toBe(parts[1]);

  const scene = stateScene(areas, split, new Set([zipAt(0, 0)]), new Map());
  const same = stateScene(areas, split, new Set(), new Map(), scene);
  expect(same.parts).toBe(scene.parts);
  expect([scene.chosen.length, same.chosen.length]).toEqual([1, 0]);
});

it('finds neighbors within a state and across the line between two', () => {
  const [west, east] = [field(2, 1, -100), field(2, 1, -98)];
  const owner = (areas: typeof west) => areas.zips.map((_, index) => (areas === west ? 1 + index : 3));
  expect(neighborsOf([west, east], owner)).toEqual(
    new Map([
      [1, new Set([2])],
      [2, new Set([1, 3])],
      [3, new Set([2])],
    ]),
  );
});

it('leaves most of the land in sight where many ZIPs are points', () => {
  const points = Array.from({ length: 3000 }, (_, i) => ({
    zip: String(i),
    x: (i * 37) % 140,
    y: (i * 53) % 140,
    owner: 1,
    chosen: i === 2999,
  }));
  const marks = pointMarks(points, 10);
  expect(marks.length).toBeLessThanOrEqual((140 / PLACE) ** 2);
  // With the line around it, a ring is a pixel and a quarter wider.
  expect((marks.length * Math.PI * (RING + 1.25) ** 2) / 140 ** 2).toBeLessThan(0.25);
  expect(marks.map(({ zip }) => zip)).toContain('2999');
  expect(pointMarks(points, 8).map(({ zip }) => zip)).toEqual(['2999']);
});

it('a lasso selects the areas whose middle it contains, and an area hosts the points that lie in it', () => {
  const areas = field(4, 4);
  const points = [
    { zip: '99001', ...project(30.5, -99.5) },
    { zip: '99002', ...project(33.5, -96.5) },
    // One point just off the shore, one far out.
    { zip: '99003', ...project(30.5, -95.95) },
    { zip: '99004', ...project(30.5, -80) },
  ];
  expect(zipsWithin([areas], points, corners(-100.2, 29.9, -98.6, 31.1))).toEqual([zipAt(0, 0), '99001']);
  expect(zipsWithin([areas], points, corners(-100, 30, -96, 34))).toHaveLength(18);
  const { hostOf, pointsIn } = hostsOf([areas], points);
  expect([...hostOf]).toEqual([
    ['99001', zipAt(0, 0)],
    ['99002', zipAt(3, 3)],
    ['99003', zipAt(3, 0)],
  ]);
  expect(pointsIn.get(zipAt(3, 3))).toEqual(['99002']);
});

it('thins lines without moving their ends', () => {
  const { lines } = field(2, 1);
  const few = thinned(lines, 1000);
  for (let line = 0; line + 1 < lines.start.length; line++) {
    const ends = ({ xy, start }: typeof lines) => [xy[start[line] ?? 0], xy[(start[line + 1] ?? 0) - 2]];
    expect(ends(few)).toEqual(ends(lines));
  }
});

it('colors by territory, region, representative, and value, and explains the colors in a legend', () => {
  const row = (id: number, region: number, rep: number | null, amount: number): MapTerritory => ({
    id,
    name: `T${id}`,
    region: { id: region, name: `R${region}` },
    color: null,
    reps: rep ? [{ role: 'sales', id: rep, name: `Rep ${rep}` }] : [],
    openValue: amount ? [{ currnIdx: 1007, amount }] : [],
  });
  const rows = [row(1, 1, 7, 100), row(2, 1, 8, 0), row(3, 2, null, 5_000_000)];
  const near = new Map([
    [1, new Set([2])],
    [2, new Set([1, 3])],
    [3, new Set([2])],
  ]);
  const by = (what: Parameters<typeof colorTerritories>[0]) =>
    colorTerritories(what, rows, new Map(rows.map(({ id }) => [id, id])), near, 'light');
  const labels = (what: Parameters<typeof colorTerritories>[0]) => by(what).legend.map(({ label }) => label);
  expect(labels('territory')).toEqual(['T1', 'T2', 'T3', 'No territory']);
  expect(by('territory').lookOf(1)).not.toEqual(by('territory').lookOf(2));
  expect(labels('region')).toEqual(['R1', 'R2', 'No territory']);
  expect(by('region').lookOf(1)).toEqual(by('region').lookOf(2));
  expect(by('region').lookOf(2)).not.toEqual(by('region').lookOf(3));
  expect(labels('rep')).toEqual(['No sales rep.', 'Rep 7', 'Rep 8', 'No territory']);
  expect(by('value').lookOf(3)).not.toEqual(by('value').lookOf(2));
  expect(labels('value').at(-2)).toBe('$5M and more');
  expect(by('none').legend).toEqual([]);
  expect(by('territory').lookOf(null)).toEqual(by('territory').lookOf(99));
  // The first picture, before the territories are known, has the same colors.
  const early = colorsOfLooks(new Map(rows.map(({ id }) => [id, id])), 'light');
  for (const territory of [1, 2, 3, 99, null])
    expect(early.lookOf(territory)).toEqual(by('territory').lookOf(territory));
});
