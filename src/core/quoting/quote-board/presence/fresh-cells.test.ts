// Tests which cells get a fading mark: those that another user has just changed, and no others.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { Mark } from '../state/marks.ts';
import { freshCells } from './fresh-cells.ts';

const aLine = (id: number, fields: Partial<QuoteItem> = {}) =>
  ({
    id,
    itemNumber: `I-${id}`,
    description: 'Bed',
    qty: 1,
    unit: 'EA',
    unitPrice: 5,
    lineTotal: 5,
    notes: '',
    ...fields,
  }) as QuoteItem;
const mark = (): Mark => ({ actor: 'Kim Lee', at: null });
const two = [aLine(1), aLine(2)];
const NONE = new Map<number, Mark>();

it('takes the columns of what differs, and the whole line when it is new or moved', () => {
  const now = [aLine(1, { qty: 3, lineTotal: 15 }), aLine(2, { lineNo: 9 }), aLine(3)];
  const marks = new Map([1, 2, 3].map((id) => [id, mark()]));
  expect(freshCells({ items: two, marks: NONE }, { items: now, marks })).toEqual([
    { id: 1, columns: ['qty', 'amount'] },
    { id: 2, columns: null },
    { id: 3, columns: null },
  ]);
});

it('takes a line again when it changes again, and not while it only keeps its mark', () => {
  const marks = new Map([[1, mark()]]);
  const items = [aLine(1, { qty: 3 }), aLine(2, { qty: 9 })];
  expect(freshCells({ items: two, marks }, { items, marks })).toEqual([]);
  expect(freshCells({ items: two, marks }, { items, marks: new Map([[1, mark()]]) })).toEqual([
    { id: 1, columns: ['qty'] },
  ]);
});

it('never takes a line without a mark: own changes and the first load have none', () => {
  const qty = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(fc.array(qty, { minLength: 4, maxLength: 4 }), fc.subarray([1, 2, 3, 4]), (quantities, marked) => {
      const items = quantities.map((quantity, index) => aLine(index + 1, { qty: quantity }));
      const marks = new Map(marked.map((id) => [id, mark()]));
      const fresh = freshCells({ items: [], marks: NONE }, { items, marks });
      expect(fresh.map(({ id }) => id)).toEqual(marked);
    }),
  );
});
