// Tests neighbors and islands, on the built-in areas.
import { beforeAll, expect, it } from 'vitest';
import { type Adjacency, adjacencyOf, islandsOf, piecesOf } from './adjacency.server.ts';
import { type GeoVersion, shippedVersion } from './geo-versions.server.ts';

let version: GeoVersion;
let adjacency: Adjacency;
beforeAll(async () => {
  version = await shippedVersion();
  adjacency = await adjacencyOf(version);
});
const of = (state: string) => version.zips.get(state)?.split(' ') ?? [];

it('knows the neighbors of every area from both sides, and makes no area its own neighbor', () => {
  expect([...adjacency.keys()].toSorted()).toEqual(version.allZips.split(' ').toSorted());
  const lopsided = [...adjacency].filter(([zip, some]) =>
    some.some((other) => other === zip || !adjacency.get(other)?.includes(zip)),
  );
  expect(lopsided).toEqual([]);
  const counts = [...adjacency.values()].map(({ length }) => length);
  // Areas that cover a plane have six neighbors on average, fewer at the rim.
  expect(counts.reduce((sum, one) => sum + one, 0) / counts.length).toBeGreaterThan(5);
});

it('finds neighbors across counties and states', () => {
  const [texas, oklahoma] = [new Set(of('TX')), new Set(of('OK'))];
  const across = [...texas].filter((zip) => adjacency.get(zip)?.some((other) => oklahoma.has(other)));
  expect(across.length).toBeGreaterThan(15);
  expect(piecesOf(adjacency, [...texas, ...oklahoma])[0]?.length).toBeGreaterThan((texas.size + oklahoma.size) * 0.99);
});

it('finds areas cut off from a set, but not those that only water divides', () => {
  const kansas = of('KS');
  expect(piecesOf(adjacency, kansas)).toHaveLength(1);
  const [first = ''] = kansas;
  const ring = new Set(adjacency.get(first));
  const cut = kansas.filter((zip) => !ring.has(zip));
  expect(islandsOf(adjacency, cut)).toContainEqual([first]);
  expect(islandsOf(adjacency, [...kansas, ...of('CO')])).toEqual([]);
  expect(islandsOf(adjacency, [...kansas, '04401'])).toEqual([['04401']]);
  // Honolulu and Hilo lie on two islands, yet Hawaii counts as whole.
  expect(piecesOf(adjacency, ['96813', '96720'])).toHaveLength(2);
  expect(islandsOf(adjacency, ['96813', '96720'])).toEqual([]);
  expect(islandsOf(adjacency, ['99999', '00000'])).toEqual([]);
});

it('reads a version only once', async () => {
  expect(adjacencyOf(version)).toBe(adjacencyOf({ ...version }));
  expect(await adjacencyOf(version)).toBe(adjacency);
});
