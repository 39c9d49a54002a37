// Tests columns in a user's arrangement, even from a version with other columns, and figures that fit and align on their decimal points.
import { describe, expect, test } from 'vitest';
import type { BoardLayout } from './board-layout.contract.ts';
import {
  COLUMNS,
  figuresOf,
  needsRoom,
  placedColumns,
  spaceBehind,
  tracksOf,
  withColumn,
  withMoved,
} from './columns.ts';

const first: BoardLayout = { columns: [], density: 'normal', rail: 'auto' };
const keysOf = (layout: BoardLayout, isInternal = true) => placedColumns(layout, isInternal).map(({ key }) => key);
const usual = COLUMNS.map(({ key }) => key);

describe('columns', () => {
  test('have their defaults until somebody arranges them; the margin is internal', () => {
    expect(keysOf(first)).toEqual(usual);
    expect(keysOf(first, false)).toEqual(usual.filter((key) => key !== 'margin'));
  });

  test('move left and right among the visible ones, and hidden ones stay', () => {
    const moved = withMoved(first, keysOf(first, false), 'amount', -1);
    expect(keysOf(moved, false).slice(-2)).toEqual(['amount', 'discount']);
    expect(keysOf(moved).at(-1)).toBe('margin');
    expect(withMoved(first, keysOf(first), 'item', -1)).toBe(first);
    expect(keysOf(withMoved(first, keysOf(first), 'item', 1)).slice(0, 2)).toEqual(['picture', 'item']);
  });

  test('an unknown name is ignored, a new column gets its default place, a required one is never hidden', () => {
    const layout: BoardLayout = {
      density: 'normal',
      rail: 'auto',
      columns: [
        { key: 'price', hidden: true, width: null },
        { key: 'flying', hidden: false, width: 10 },
        { key: 'item', hidden: false, width: 200 },
        { key: 'list', hidden: true, width: null },
      ],
    };
    const columns = placedColumns(layout, true);
    expect(columns.map(({ key }) => key)).toEqual([
      'price',
      'source',
      'discount',
      'amount',
      'margin',
      'item',
      'picture',
      'description',
      'qty',
      'unit',
      'list',
    ]);
    expect(columns.filter(({ hidden }) => hidden).map(({ key }) => key)).toEqual(['list']);
    expect(columns.find(({ key }) => key === 'item')?.chosenWidth).toBe(200);
  });

  test('one changes without the others', () => {
    const columns = placedColumns(withColumn(first, 'source', { hidden: true, width: 90 }), true);
    expect(columns.filter(({ hidden }) => hidden).map(({ key, chosenWidth }) => [key, chosenWidth])).toEqual([
      ['source', 90],
    ]);
    expect(columns.map(({ key }) => key)).toEqual(usual);
  });
});

describe('figures', () => {
  test('a column is as wide as its longest figure, however narrow somebody made it', () => {
    const figures = figuresOf(['$11,971.5072', '$7.50', '$0.0518']);
    expect(figures).toEqual({ before: 7, places: 4 });
    const narrow = placedColumns(withColumn(first, 'price', { width: 56 }), true);
    expect(tracksOf(narrow, { price: figures }).columns).toContain('max(56px, calc(12ch + 20px))');
  });

  test.each([
    ['11,971.5072', 'calc((var(--places) - 4) * 1ch)'],
    ['7.50', 'calc((var(--places) - 2) * 1ch)'],
    ['3', 'calc(var(--places) * 1.33ch - max(var(--places) - 1, 0) * 0.33ch)'],
  ])('%s gets padding for its missing decimal places', (text, space) => {
    expect(spaceBehind(text)).toBe(space);
  });
});

describe('the right side', () => {
  test.each([
    ['beside it long descriptions are cut off', 226, true, 40, true],
    ['there is room for both', 262, true, 40, false],
    ['short descriptions need less', 150, true, 12, false],
    ['folded, it would take the room again', 560, false, 40, true],
    ['folded on a wider screen, there is room for both', 600, false, 40, false],
  ])('%s', (_case, width, isBeside, longest, needs) => {
    expect(needsRoom(width, isBeside, longest)).toBe(needs);
  });
});
