// Tests that a reloaded list keeps its order: it counts added rows, and removed rows keep their last content.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inPlace } from './steady-rows.web.ts';

type Row = { id: number; says: number };
const rows = fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 30 }), says: fc.integer() }), {
  selector: ({ id }) => id,
  maxLength: 20,
});
const idOf = ({ id }: Row) => id;

it('shows the new words of each row in its old place', () => {
  fc.assert(
    fc.property(rows, rows, (visible, read) => {
      const { rows: stored, added, gone } = inPlace(visible, read, idOf);
      expect(stored.map(idOf)).toEqual(visible.map(idOf));
      expect(stored).toEqual(visible.map((row) => read.find(({ id }) => id === row.id) ?? row));
      expect(added).toBe(read.length - (visible.length - gone.size));
      for (const row of visible) expect(gone.has(row.id)).toBe(!read.some(({ id }) => id === row.id));
    }),
  );
});
