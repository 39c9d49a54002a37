// Tests which steps conflict with another user's change: those that would change the same fields, or fields that these depend on.
import { describe, expect, test } from 'vitest';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { Operation } from './changes.ts';
import { meetsOthers } from './meets-others.ts';

const line = (id: number, more: Partial<QuoteItem> = {}) =>
  ({ id, version: 1, type: 'item', qty: 1, unit: 'EA', notes: '', priceSource: 'List', ...more }) as QuoteItem;
const display = (items: QuoteItem[], more: object = {}) => ({ quote: { poNumber: '', ...more } as never, items });

const STEPS: Record<string, Operation> = {
  note: { kind: 'line', id: 2, patch: { notes: 'old' } },
  quantity: { kind: 'line', id: 1, patch: { qty: 5 } },
  added: { kind: 'lines', lines: [{ id: 3, remove: true }] },
  PO: { kind: 'quote', patch: { poNumber: 'PO-0' } },
};
const before = [line(1), line(2), line(3)];
const metBy = (items: QuoteItem[], more: object = {}) => {
  const meets = meetsOthers({ before: display(before), next: display(items, more), lines: null }, new Map());
  return Object.keys(STEPS).filter((label) => meets(STEPS[label] as Operation));
};

describe('a change of somebody else meets', () => {
  test.each([
    [
      'no step, by other fields of the same lines',
      [line(1, { notes: 'theirs', version: 2 }), line(2), line(3)],
      {},
      [],
    ],
    ['the step of a quantity', [line(1, { qty: 9 }), line(2), line(3)], {}, ['quantity']],
    ['it, too, by the unit that a quantity rests on', [line(1, { unit: 'BX' }), line(2), line(3)], {}, ['quantity']],
    ['the step that would take its line off', [line(1), line(2), line(3, { version: 2 })], {}, ['added']],
    ['the step of a field of the quote', before, { poNumber: 'PO-theirs' }, ['PO']],
    ['the step of a line that it took off', [line(1), line(3)], {}, ['note']],
  ])('%s', (_what, items, more, met) => {
    expect(metBy(items, more)).toEqual(met);
  });

  test('a step of a line that came back under another id', () => {
    const meets = (next: QuoteItem) =>
      meetsOthers({ before: display([line(9)]), next: display([next]), lines: null }, new Map([[1, 9]]));
    expect(meets(line(9))(STEPS.quantity as Operation)).toBe(false);
    expect(meets(line(9, { qty: 2 }))(STEPS.quantity as Operation)).toBe(true);
  });
});
