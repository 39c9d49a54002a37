// Tests that search criteria survive a round trip through the address, and that invalid values in an address are corrected.
import { expect, test } from 'vitest';
import { ItemCriteria } from '#core/catalog/items/items.contract.ts';
import { addressOf, criteriaOf } from './item-address.ts';

const first = ItemCriteria.parse({});

test('an empty address means the initial criteria, and the initial criteria give an empty address', () => {
  expect(criteriaOf({})).toEqual({ criteria: { ...first, classId: null, facilityId: null, sort: null }, itemId: null });
  expect(addressOf(first, null)).toEqual({});
});

test('criteria survive the address', () => {
  const criteria: ItemCriteria = {
    keyword: 'low air & bed',
    classId: 4,
    hasRecentSaleOnly: false,
    facilityId: 12,
    page: 3,
    pageSize: 50,
    sort: { field: 'lastSold', dir: 'desc' },
  };
  expect(criteriaOf(addressOf(criteria, 99))).toEqual({ criteria, itemId: 99 });
});

test.each([
  [{ page: '0' }, { page: 1 }],
  [{ page: '-3' }, { page: 1 }],
  [{ page: '1e9' }, { page: 1 }],
  [{ size: '7' }, { pageSize: 10 }],
  [{ size: '20' }, { pageSize: 20 }],
  [{ class: 'x' }, { classId: null }],
  [{ facility: '99999999999' }, { facilityId: null }],
  [{ recent: '1' }, { hasRecentSaleOnly: true }],
  [{ sort: 'lastSold', dir: 'sideways' }, { sort: { field: 'lastSold', dir: 'asc' } }],
])('%j', (address, criteria) => {
  expect(criteriaOf(address).criteria).toMatchObject(criteria);
});
