// Tests the looks of territories: neighbors are never alike, and a new territory does not change the others.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOOKS, looksOf } from './territory-looks.ts';

/** A field of squares, each of which touches all those around it, including diagonally, as after some years of moved ZIPs. */
function field(columns: number, rows: number): Map<number, Set<number>> {
  const at = (x: number, y: number) => 1 + x + y * columns;
  const near = new Map<number, Set<number>>();
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [x + dx, y + dy] as const));
      const inside = around.filter(([a, b]) => a >= 0 && b >= 0 && a < columns && b < rows && (a !== x || b !== y));
      near.set(at(x, y), new Set(inside.map(([a, b]) => at(a, b))));
    }
  return near;
}

function alike(input: ReadonlyMap<number, number>, neighbors: ReadonlyMap<number, ReadonlySet<number>>) {
  return [...neighbors].flatMap(([id, others]) => [...others].filter((other) => input.get(other) === input.get(id)));
}

it('uses all looks, and gives the same ones for the same input', () => {
  const near = field(20, 15);
  const input = looksOf(near.keys(), near);
  expect(alike(input, near)).toEqual([]);
  expect(new Set(input.values()).size).toBe(LOOKS);
  expect(looksOf([...near.keys()].toReversed(), near)).toEqual(input);
});

it('keeps a territory with many neighbors, made last, apart from all of them', () => {
  const near = field(8, 8);
  const ring = [...near.keys()].slice(0, 40);
  near.set(1000, new Set(ring));
  for (const id of ring) near.get(id)?.add(1000);
  expect(alike(looksOf(near.keys(), near), near)).toEqual([]);
});

it('changes no look when a territory is added', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })), { maxLength: 60 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
      (edges, touched) => {
        const near = new Map(Array.from({ length: 40 }, (_, i) => [i + 1, new Set<number>()]));
        const join = (a: number, b: number) => {
          if (a !== b) near.get(a)?.add(b);
          if (a !== b) near.get(b)?.add(a);
        };
        for (const [a, b] of edges) join(a, b);
        const before = looksOf(near.keys(), near);
        near.set(41, new Set());
        for (const id of touched) join(41, id);
        const after = looksOf(near.keys(), near);
        expect(alike(after, near)).toEqual([]);
        expect([...after]).toEqual(expect.arrayContaining([...before]));
      },
    ),
  );
});
