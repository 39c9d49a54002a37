// The areas in geo/ are what the tool builds from the installed packages.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';
import { buildZipAreas } from './zip-areas/build.ts';
import { polygonsOf, type Point } from './zip-areas/rings.ts';
import { shareEdges } from './zip-areas/shared-edges.ts';

test('a build gives the bytes that are in the repository', () => {
  const { sha } = JSON.parse(readFileSync(path.join(root, 'geo', 'index.json'), 'utf8')) as { sha: string };
  expect(buildZipAreas().sha).toBe(sha);
}, 120_000);

const square = (x: number, y: number, side: number): Point[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

test('pieces that share an edge become one, and a hole stays a hole', () => {
  expect(polygonsOf([square(0, 0, 10), square(10, 0, 10)], 1)).toEqual([[expect.any(Array)]]);
  const [polygon] = polygonsOf([square(0, 0, 10), square(2, 2, 4).toReversed()], 1);
  expect(polygon?.map((ring) => ring.length)).toEqual([4, 4]);
  expect(polygonsOf([square(0, 0, 10), square(0, 0, 10).toReversed()], 1)).toEqual([]);
  expect(polygonsOf([square(0, 0, 2)], 60)).toEqual([]);
});

test('a corner on the edge of a neighbor becomes a corner of it, and corners that almost meet become one', () => {
  const [left, right] = shareEdges([square(0, 0, 100), square(102, 0, 50)], []);
  expect(left).toContainEqual([102, 50]);
  expect(right).toContainEqual([100, 0]);
});
