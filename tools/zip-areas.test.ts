// Tests how pieces of areas are joined.
import { expect, test } from 'vitest';
import { polygonsOf, type Point } from './zip-areas/rings.ts';
import { shareEdges } from './zip-areas/shared-edges.ts';

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
