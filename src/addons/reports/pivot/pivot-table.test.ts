// Tests the display of a pivot: its address, the order of its rows, its file, and the note about omitted rows.
import { describe, expect, test } from 'vitest';
import type { PivotCell, PivotReport } from '../reports.contract.ts';
import { leftOut, pivotCsv, pivotPlots, pivotTitle, rowsInOrder } from './pivot-table.ts';
import { addressOfPivot, DIMENSIONS, MEASURES, type PivotChoice, pivotIn } from '../pivot-choice.ts';

const cell = (value: number | null): PivotCell => ({ value, count: 1, amount: value ?? 0, slice: 'x' });
const row = (name: string, total: number | null, ...cells: (number | null)[]) => ({
  key: name,
  name,
  total: cell(total),
  cells: cells.map((value) => (value === null ? null : cell(value))),
});
const column = (name: string, total: number) => ({ key: name, name, total: cell(total) });

const REPORT: PivotReport = {
  asOf: '',
  preparing: null,
  currnIdx: 1007,
  currencies: [],
  rows: [row('Ward 10', 30.5, 30.5, null), row('Ward 9', 12, 2, 10), row('=cmd()', null, null, null)],
  columns: [column('Won', 32.5), column('Lost', 10)],
  total: cell(42.5),
  rowCount: 3,
  columnCount: 2,
};
const CHOICE: PivotChoice = { rows: 'facility', columns: 'status', measure: 'amount', order: null };
const names = (order: PivotChoice['order']) => rowsInOrder(REPORT, order).map(({ name }) => name);

describe('the address', () => {
  test('keeps every choice', () => {
    for (const rows of DIMENSIONS)
      for (const columns of [...DIMENSIONS.filter((dimension) => dimension !== rows), null])
        for (const measure of MEASURES)
          for (const order of [null, { by: 'name', dir: 'asc' }, { by: '=desc:x\n&', dir: 'desc' }] as const) {
            const choice: PivotChoice = { rows, columns, measure, order };
            expect(pivotIn(addressOfPivot(choice))).toEqual(choice);
          }
  });

  test('is empty for what is shown without one, and ignores nonsense', () => {
    const standard = pivotIn({});
    expect(addressOfPivot(standard)).toEqual({});
    expect(pivotIn({ rows: 'cost', columns: '1', value: '', order: 'up:name' })).toEqual(standard);
    expect(pivotIn({ rows: 'month', columns: 'month' })).toMatchObject({ rows: 'month', columns: null });
  });
});

test('rows sort by name, total and column, those without a figure last', () => {
  expect(names(null)).toEqual(['Ward 10', 'Ward 9', '=cmd()']);
  expect(names({ by: 'name', dir: 'desc' })).toEqual(['Ward 10', 'Ward 9', '=cmd()']);
  expect(names({ by: 'name', dir: 'asc' })).toEqual(['=cmd()', 'Ward 9', 'Ward 10']);
  expect(names({ by: 'total', dir: 'asc' })).toEqual(['Ward 9', 'Ward 10', '=cmd()']);
  expect(names({ by: '=Lost', dir: 'asc' })).toEqual(['Ward 9', 'Ward 10', '=cmd()']);
  expect(names({ by: '=Won', dir: 'desc' })).toEqual(['Ward 10', 'Ward 9', '=cmd()']);
  expect(names({ by: '=Gone', dir: 'asc' })).toEqual(names(null));
});

test('the file has plain numbers, totals, and no formulas', () => {
  expect(pivotCsv({ ...REPORT, rowCount: 5 }, CHOICE).split('\r\n')).toEqual([
    '\uFEFFFacility,Won,Lost,Total (US dollars)',
    'Ward 10,30.5,,30.5',
    'Ward 9,2,10,12',
    "'=cmd(),,,",
    'Total,32.5,10,42.5',
    'Showing the largest 3 of 5 rows. The others total $0.00. Totals include all of them.',
    '',
  ]);
});

test('lists the rows and columns that are left out, with their sum if there is one', () => {
  expect(leftOut(REPORT, CHOICE)).toEqual([]);
  const more = { ...REPORT, total: cell(100), rowCount: 1234, columnCount: 9 };
  expect(leftOut(more, CHOICE)).toEqual([
    'Showing the largest 3 of 1,234 rows. The others total $57.50. Totals include all of them.',
    'Showing the largest 2 of 9 columns. The others total $57.50. Totals include all of them.',
  ]);
  expect(leftOut(more, { ...CHOICE, measure: 'rate' })[0]).toBe(
    'Showing the largest 3 of 1,234 rows. Totals include all of them.',
  );
  // A quote with two classes is in two rows.
  expect(leftOut(more, { ...CHOICE, rows: 'class', measure: 'quotes' })[0]).not.toContain('The others');
});

test('on paper there is a plot of each dimension', () => {
  expect(pivotTitle(CHOICE)).toBe('Amount by facility and status');
  const [rows, columns] = pivotPlots(REPORT, CHOICE);
  expect(rows).toMatchObject({
    title: 'Amount by facility',
    rows: [{ values: [30.5] }, { values: [12] }, { values: [null] }],
  });
  expect(columns).toMatchObject({
    title: 'Amount by status',
    rows: [{ label: 'Won', values: [32.5] }, { values: [10] }],
  });
  expect(pivotPlots(REPORT, { ...CHOICE, columns: null })).toHaveLength(1);
});
