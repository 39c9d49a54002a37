// Tests neighbors on the built-in areas.
import { beforeAll, expect, it } from 'vitest';
import { type Adjacency, adjacencyOf } from './adjacency.server.ts';
import { type AreaSet, builtInAreas } from './area-set.server.ts';

let version: AreaSet;
let adjacency: Adjacency;
beforeAll(async () => {
  version = await builtInAreas();
  adjacency = await adjacencyOf(version);
});
const zipsOf = (state: string) => version.zips.get(state)?.split(' ') ?? [];

it('knows the neighbors of every area from both sides, and makes no area its own neighbor', () => {
  expect([...adjacency.keys()].toSorted()).toEqual(version.allZips.split(' ').toSorted());
  const lopsided = [...adjacency].filter(([zip, group]) =>
    group.some((other) => other === zip || !adjacency.get(other)?.includes(zip)),
  );
  expect(lopsided).toEqual([]);
  const counts = [...adjacency.values()].map(({ length }) => length);
  // Areas that cover a plane have six neighbors on average, fewer at the rim.
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeGreaterThan(5);
});

it('finds neighbors across counties and states', () => {
  const [texas, oklahoma] = [new Set(zipsOf('TX')), new Set(zipsOf('OK'))];
  const across = [...texas].filter((zip) => adjacency.get(zip)?.some((other) => oklahoma.has(other)));
  expect(across.length).toBeGreaterThan(15);
});

it('reads a version only once', async () => {
  expect(adjacencyOf(version)).toBe(adjacencyOf({ ...version }));
  expect(await adjacencyOf(version)).toBe(adjacency);
});
