// Tests merging the changes of two users to one record.
import { expect, it } from 'vitest';
import { conflictOf } from './conflict.ts';
import { clashes, patchBetween, seen } from './merge.ts';

const base = { name: 'West', phone: '1', reps: [1, 2], note: null };

it.each([
  ['different fields', { name: 'East' }, { phone: '2' }, []],
  ['the same field, differently', { name: 'East' }, { name: 'North' }, ['name']],
  ['the same field, alike', { name: 'East' }, { name: 'East' }, []],
  ['a list', { reps: [2] }, { reps: [1, 2, 3] }, ['reps']],
  ['nothing typed', {}, { name: 'North', reps: [] }, []],
])('%s', (_name, mine, theirs, request) => {
  const patch = patchBetween(base, { ...base, ...mine });
  expect(patch).toEqual(mine);
  expect(clashes({ patch, base: seen(patch, base) }, { ...base, ...theirs })).toEqual(request);
});

it('a refused number is another value than none', () => {
  expect(patchBetween({ days: null }, { days: Number.NaN })).toEqual({ days: Number.NaN });
  expect(patchBetween({ days: Number.NaN }, { days: Number.NaN })).toEqual({});
});

it('only a refusal with a record to compare with offers two values', () => {
  const conflict = { changedBy: 'Kim', changedAt: null, changes: [], current: { name: 'North' } };
  expect(conflictOf({ status: 409, conflict })).toEqual(conflict);
  expect(conflictOf({ status: 409, conflict: { ...conflict, current: null } })).toBeNull();
  expect(conflictOf({ status: 422, conflict })).toBeNull();
  expect(conflictOf(new Error('no network'))).toBeNull();
});
