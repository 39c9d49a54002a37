// Tests that a pasted row becomes a line only when item, quantity and unit are all certain.
import { describe, expect, it } from 'vitest';
import type { FoundRow } from './pasted-row.ts';
import { pasteRow, type RowAnswer } from './paste-rows.ts';

const EA = { unit: 'EA', factor: 1 };
const GLOVE = {
  itemId: 7,
  itemNumber: 'AB-1',
  description: 'Glove',
  unit: 'EA',
  units: [EA, { unit: 'BX', factor: 100 }],
};
const item = (more: object = {}) => ({ ...GLOVE, gone: false, reference: '', problem: '', ...more });
const aRow = (more: Partial<FoundRow> = {}): FoundRow => ({
  itemNumber: 'AB-1',
  qty: 2,
  unit: '',
  state: 'found',
  problem: '',
  candidates: [item()],
  ...more,
});
const row = (qty: string, overrides = aRow(), answer: RowAnswer = {}) =>
  pasteRow({ itemNumber: 'AB-1', qty, unit: '', price: '', unused: [] }, overrides, answer);

describe('rowOf', () => {
  it('takes a certain row, unless the user leaves it out', () => {
    expect(row('2').ready).toMatchObject({ qty: 2, unit: 'EA', item: { itemId: 7 } });
    expect(row('2', aRow(), { isLeft: true })).toMatchObject({ ready: null, problems: [] });
  });

  it.each([
    ['', 'This row has no quantity.'],
    ['-3', 'The quantity must be above 0.'],
    ['0', 'The quantity must be above 0.'],
    ['some', "'some' is not a quantity."],
  ])('does not read the quantity %j as 1', (qty, problem) => {
    expect(row(qty)).toMatchObject({ ready: null, problems: [problem] });
    expect(row(qty, aRow(), { qty: '5' })).toMatchObject({ ready: { qty: 5 }, problems: [] });
  });

  it('waits for an unknown unit', () => {
    const problem = 'AB-1 is not sold by CARTON. Its units: EA, BX (100 EA).';
    const unknown = aRow({ unit: 'CARTON', problem, candidates: [item({ unit: '', problem })] });
    expect(row('2', unknown)).toMatchObject({ ready: null, problems: [problem] });
    expect(row('2', unknown, { unit: 'BX' })).toMatchObject({ ready: { unit: 'BX' }, problems: [] });
    expect(row('-2', unknown).problems).toEqual([problem, 'The quantity must be above 0.']);
  });

  it('waits for the item when several match, and asks again for a unit chosen for another of them', () => {
    const other = item({ itemId: 8, itemNumber: 'AB-12', unit: '', units: [EA], problem: 'AB-12 is not sold by BX.' });
    const both = aRow({
      state: 'ambiguous',
      problem: '2 items match. Choose one.',
      candidates: [item({ unit: 'BX' }), other],
    });
    expect(row('2', both)).toMatchObject({ ready: null, problems: ['2 items match. Choose one.'] });
    expect(row('2', both, { itemId: 7 })).toMatchObject({ ready: { unit: 'BX' } });
    expect(row('2', both, { itemId: 8, unit: 'BX' })).toMatchObject({
      ready: null,
      problems: ['AB-12 is not sold by BX.'],
    });
  });

  it('never takes an item that is no longer sold', () => {
    const gone = aRow({ candidates: [item({ gone: true, problem: 'AB-1 is discontinued and cannot be added.' })] });
    expect(row('', gone)).toMatchObject({ ready: null, problems: ['AB-1 is discontinued and cannot be added.'] });
  });
});
