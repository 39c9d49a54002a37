// Tests that lines moved together keep their relative order and that none is lost.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedBy, movedTo } from './line-order.ts';

test.each<[number[], number[], -1 | 1, number[]]>([
  [[1, 2, 3, 4], [2], 1, [1, 3, 2, 4]],
  [[1, 2, 3, 4], [2], -1, [2, 1, 3, 4]],
  [[1, 2, 3, 4], [2, 3], 1, [1, 4, 2, 3]],
  [[1, 2, 3, 4], [2, 3], -1, [2, 3, 1, 4]],
  [[1, 2, 3, 4], [1, 2], -1, [1, 2, 3, 4]],
  [[1, 2, 3, 4], [4], 1, [1, 2, 3, 4]],
  [[1, 2, 3, 4, 5], [2, 4], 1, [1, 3, 5, 2, 4]],
  [[1, 2, 3, 4, 5], [2, 4], -1, [2, 4, 1, 3, 5]],
])('in %j the lines %j move by %i', (order, moving, by, expected) => {
  expect(movedBy(order, new Set(moving), by)).toEqual(expected);
});

test('lines move before or behind another one', () => {
  expect(movedTo([1, 2, 3, 4], new Set([1, 3]), 4, 'behind')).toEqual([2, 4, 1, 3]);
  expect(movedTo([1, 2, 3, 4], new Set([4]), 1, 'before')).toEqual([4, 1, 2, 3]);
  expect(movedTo([1, 2, 3], new Set([1, 2]), 2, 'before')).toEqual([1, 2, 3]);
});

test('no move loses or duplicates a line, or changes the order of the others', () => {
  const orders = fc.uniqueArray(fc.nat(50), { minLength: 1 });
  fc.assert(
    fc.property(orders, fc.array(fc.nat(50)), fc.constantFrom<-1 | 1>(-1, 1), fc.nat(50), (order, list, by, target) => {
      const moving = new Set(list);
      for (const next of [movedBy(order, moving, by), movedTo(order, moving, target, 'before')]) {
        expect(next.toSorted((a, b) => a - b)).toEqual(order.toSorted((a, b) => a - b));
        expect(next.filter((id) => !moving.has(id))).toEqual(order.filter((id) => !moving.has(id)));
        expect(next.filter((id) => moving.has(id))).toEqual(order.filter((id) => moving.has(id)));
      }
    }),
  );
});
