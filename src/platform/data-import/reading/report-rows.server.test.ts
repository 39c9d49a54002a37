// Tests which rows of a report are not records: group headings, totals, and rows without values that nearly all others have.
import { describe, expect, test } from 'vitest';
import { reportReason, sparseReason, sparseWatch } from './report-rows.server.ts';

test.each([
  ['COST CENTER:', 'group'],
  ['Cost Center Total:', 'group'],
  ['Department: 4010', 'group'],
  ['Vendor No.: 77 Cedar', 'group'],
  ['Page: 3', 'group'],
  ['Grand Total', 'total'],
  ['Subtotal', 'total'],
  ['Total for Midwest', 'total'],
  ['Midwest Total', 'total'],
  ['Cost Center Subtotal', 'total'],
  ['Total Renal Care', ''],
  ['TOTAL-100', ''],
  ['100-TOTAL', ''],
  ['STORE 1', ''],
  ['Department 4010', ''],
  ['A:100', ''],
])("the first text '%s' is of a %s", (text, what) => {
  const reason = reportReason(text, false);
  expect(reason === '' ? '' : reason.includes('totals') ? 'total' : 'group').toBe(what);
});

test('the name of a record may end as a total or name its group', () => {
  for (const name of ['Protein, total', 'Class: sterile gown']) expect(reportReason(name, true)).toBe('');
  for (const name of ['Total', 'Gowns:']) expect(reportReason(name, true)).not.toBe('');
});

describe('rows that lack what nearly all others have', () => {
  const HEADINGS = ['Item', 'Description', 'UM', 'Maker', 'Class', ''];
  const FULL = ['A', 'Gauze', 'EA', 'Cedar', '', 'x'];
  const sparseOf = (count: number, ...others: string[][]) => {
    const watch = sparseWatch(HEADINGS);
    for (let line = 2; line < count + 2; line++) watch.see(line, FULL);
    for (const [at, cells] of others.entries()) watch.see(count + 2 + at, cells);
    return watch.sparse();
  };

  test('are found with their first text and what they lack', () => {
    const [row, ...more] = sparseOf(60, ['02850600', 'NORTH CLINIC', '', '', '', '']);
    expect(more).toEqual([]);
    expect(row).toEqual({ line: 62, value: '02850600', lacks: ['UM', 'Maker'] });
    expect(row && sparseReason(row)).toMatch(/^lacks UM, Maker, which nearly all other rows have: leave the row out/);
  });

  test.each([
    ['one empty cell', 60, [['B', 'Gauze', '', 'Cedar', '', '']]],
    ['a short file', 8, [['B', 'Gauze', '', '', '', '']]],
    ['a column that several rows leave empty', 60, Array.from({ length: 5 }, () => ['B', 'Gauze', '', '', '', ''])],
    ['a dash where there is nothing', 60, [['B', 'Gauze', '-', '-', '', '']]],
  ])('are none: %s', (_what, count, others) => {
    expect(sparseOf(count, ...others)).toEqual([]);
  });
});
