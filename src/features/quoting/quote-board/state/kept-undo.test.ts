// Tests which steps of an earlier visit hold when a board opens again: all, unless somebody else has since changed the same fields.
import { describe, expect, test } from 'vitest';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import type { Operation } from './changes.ts';
import { keptUndo, stillHolds } from './kept-undo.ts';

const line = (id: number, more: Partial<QuoteItem> = {}) =>
  ({ id, version: 1, type: 'item', qty: 1, unit: 'EA', notes: '', priceSource: 'List', ...more }) as QuoteItem;
const shown = (items: QuoteItem[], more: object = {}) => ({ quote: { poNumber: '', ...more } as never, items });

const STEPS: { label: string; op: Operation }[] = [
  { label: 'note', op: { kind: 'line', id: 2, patch: { notes: 'old' } } },
  { label: 'quantity', op: { kind: 'line', id: 1, patch: { qty: 5 } } },
  { label: 'added', op: { kind: 'lines', lines: [{ id: 3, remove: true }] } },
  { label: 'PO', op: { kind: 'quote', patch: { poNumber: 'PO-0' } } },
];
const before = [line(1), line(2), line(3)];
const kept = keptUndo({ undo: STEPS, redo: [] }, 7, shown(before), new Map());
const labels = (version: number, items: QuoteItem[], more: object = {}) =>
  stillHolds(kept, version, shown(items, more)).undo.map(({ label }) => label);

describe('kept steps', () => {
  test('hold on the same version, whatever is shown', () => {
    expect(labels(7, [])).toEqual(['note', 'quantity', 'added', 'PO']);
  });

  test('hold when somebody changed other fields of the same lines', () => {
    expect(labels(8, [line(1, { notes: 'theirs', version: 2 }), line(2), line(3)])).toHaveLength(4);
  });

  test.each([
    ['a quantity', [line(1, { qty: 9 }), line(2), line(3)], {}, ['added', 'PO']],
    ['the unit that a quantity rests on', [line(1, { unit: 'BX' }), line(2), line(3)], {}, ['added', 'PO']],
    ['a line that undo would take off', [line(1), line(2), line(3, { version: 2 })], {}, ['PO']],
    ['the newest step', before, { poNumber: 'PO-theirs' }, []],
    ['the line of the oldest step, taken off', [line(1), line(3)], {}, ['quantity', 'added', 'PO']],
  ])('end with the newest that meets a change of %s', (_what, items, more, left) => {
    expect(labels(8, items, more)).toEqual(left);
  });

  test('follow a line that came back under another id', () => {
    const back = keptUndo({ undo: STEPS.slice(1, 2), redo: [] }, 7, shown([line(9)]), new Map([[1, 9]]));
    expect(stillHolds(back, 8, shown([line(9)])).undo).toHaveLength(1);
    expect(stillHolds(back, 8, shown([line(9, { qty: 2 })])).undo).toHaveLength(0);
  });
});
