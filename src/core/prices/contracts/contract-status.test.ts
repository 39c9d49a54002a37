// Tests the displayed status of a contract for its states, days and successors.
import { expect, it } from 'vitest';
import { addDays } from '#platform/shared/dates.ts';
import { type ContractDays, contractStatus, daysLeft, lastDayOf } from './contract-status.ts';

const TODAY = '2026-06-15';
const ACTIVE: ContractDays = {
  state: 'Active',
  from: '2026-01-01',
  to: '2027-12-31',
  extendedTo: null,
  terminatedOn: null,
  successorFrom: null,
};

it.each<[string, Partial<ContractDays>]>([
  ['Active', {}],
  ['Active', { from: TODAY }],
  ['Pending', { from: '2026-06-16' }],
  ['Active', { to: addDays(TODAY, 91) }],
  ['Expiring', { to: addDays(TODAY, 90) }],
  ['Expiring', { to: TODAY }],
  ['Expired', { to: '2026-06-14' }],
  ['Expiring', { to: '2026-06-14', extendedTo: '2026-07-14' }],
  ['Active', { to: '2026-06-14', extendedTo: '2027-06-14' }],
  ['Superseded', { successorFrom: TODAY }],
  ['Active', { successorFrom: '2026-06-16' }],
  ['Superseded', { to: '2026-05-31', successorFrom: '2026-06-01' }],
  ['Draft', { state: 'Draft', to: '2020-01-01', from: '2019-01-01' }],
  ['Draft', { state: 'Draft', successorFrom: '2020-01-01' }],
  ['Terminated', { state: 'Terminated', terminatedOn: '2026-12-31' }],
  ['Terminated', { state: 'Terminated', terminatedOn: '2026-01-31', successorFrom: '2026-02-01' }],
])('is %s for %o', (status, overrides) => {
  expect(contractStatus({ ...ACTIVE, ...overrides }, TODAY)).toBe(status);
});

it('ends with its extension, but no later than its termination', () => {
  expect(lastDayOf(ACTIVE)).toBe('2027-12-31');
  expect(lastDayOf({ ...ACTIVE, extendedTo: '2028-03-31' })).toBe('2028-03-31');
  expect(lastDayOf({ ...ACTIVE, extendedTo: '2028-03-31', terminatedOn: '2027-01-31' })).toBe('2027-01-31');
  expect(lastDayOf({ ...ACTIVE, terminatedOn: '2030-01-31' })).toBe('2027-12-31');
});

it('counts the remaining days across a clock change and a leap day', () => {
  expect(daysLeft(TODAY, TODAY)).toBe(0);
  expect(daysLeft('2026-06-14', TODAY)).toBe(-1);
  expect(daysLeft('2028-03-01', '2028-02-28')).toBe(2);
  expect(daysLeft('2026-11-02', '2026-10-31')).toBe(2);
});
