// Tests the changes that a history lists.
import { expect, it } from 'vitest';
import { changesBetween } from './changes-between.server.ts';

it('names what differs, in words, and nothing else', () => {
  const before = { name: 'West', active: true, managers: [{ id: 1, name: 'Ann' }], threshold: 5, note: null };
  const after = {
    name: 'West',
    active: false,
    managers: [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bo' },
    ],
    threshold: 7.5,
    note: '',
  };
  const labels = { name: 'Name', active: 'Active', managers: 'Managers', threshold: 'Limit', note: 'Note' };
  expect(changesBetween(before, after, labels)).toEqual([
    { field: 'Active', before: 'yes', after: 'no' },
    { field: 'Managers', before: 'Ann', after: 'Ann, Bo' },
    { field: 'Limit', before: '5', after: '7.5' },
  ]);
});

it('lists the filled fields of a new record', () => {
  expect(
    changesBetween<{ name: string; phone: string }>({}, { name: 'West', phone: '' }, { name: 'Name', phone: 'Phone' }),
  ).toEqual([{ field: 'Name', before: '', after: 'West' }]);
});
