// Tests that a selection grows and shrinks from where it began.
import { expect, test } from 'vitest';
import { lineSelection } from './line-selection.ts';

const ids = [1, 2, 3, 4, 5];

test('extending continues from the line where it began, and back', () => {
  const selection = lineSelection(
    () => ids,
    () => {},
  );
  expect(selection.extend(3, 1)).toBe(4);
  expect([...selection.now()]).toEqual([3, 4]);
  expect(selection.extend(4, 1)).toBe(5);
  expect(selection.extend(5, 1)).toBeNull();
  expect([...selection.now()]).toEqual([3, 4, 5]);
  selection.extend(5, -1);
  selection.extend(4, -1);
  selection.extend(3, -1);
  expect([...selection.now()]).toEqual([2, 3]);
  // A line outside the selection begins a new one.
  selection.extend(5, -1);
  expect([...selection.now()]).toEqual([4, 5]);
  // A line that cannot be selected, such as a free one.
  expect(selection.extend(9, 1)).toBeNull();
});

test('a range starts at the line ticked before', () => {
  let latest: ReadonlySet<number> = new Set();
  const selection = lineSelection(
    () => ids,
    (selected) => {
      latest = selected;
    },
  );
  selection.tick(2, true, false);
  selection.tick(4, true, true);
  expect([...latest]).toEqual([2, 3, 4]);
  selection.tick(3, false, false);
  expect([...latest]).toEqual([2, 4]);
  selection.all();
  expect([...latest]).toEqual(ids);
  selection.none();
  expect([...latest]).toEqual([]);
});
