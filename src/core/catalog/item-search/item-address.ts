// Keeps the criteria of the item search in the URL, so that a reload or a shared link shows the same items.
import type { ItemCriteria } from '#core/catalog/items/items.contract.ts';
import { pageNumber } from '#platform/shared/page-number.ts';

export const PAGE_SIZES = [10, 20, 50];
const DEFAULT_PAGE_SIZE = 10;

export type Address = Partial<
  Record<'keyword' | 'class' | 'recent' | 'facility' | 'page' | 'size' | 'sort' | 'dir' | 'item', string>
>;

/** The criteria in an address; `item` is the item whose panel is open. */
export function criteriaOf(address: Address): { criteria: ItemCriteria; itemId: number | null } {
  const parseId = (text: string | undefined) =>
    text && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
  const size = parseId(address.size);
  return {
    criteria: {
      keyword: (address.keyword ?? '').slice(0, 200),
      classId: parseId(address.class),
      hasRecentSaleOnly: address.recent !== '0',
      facilityId: parseId(address.facility),
      page: pageNumber(address.page),
      pageSize: size !== null && PAGE_SIZES.includes(size) ? size : DEFAULT_PAGE_SIZE,
      sort: address.sort ? { field: address.sort.slice(0, 40), dir: address.dir === 'desc' ? 'desc' : 'asc' } : null,
    },
    itemId: parseId(address.item),
  };
}

/** The address of the criteria, without default values. */
export function addressOf(criteria: ItemCriteria, itemId: number | null): Address {
  const { keyword, classId, hasRecentSaleOnly, facilityId, page, pageSize, sort } = criteria;
  return {
    ...(keyword ? { keyword } : {}),
    ...(classId ? { class: String(classId) } : {}),
    ...(hasRecentSaleOnly ? {} : { recent: '0' }),
    ...(facilityId ? { facility: String(facilityId) } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === DEFAULT_PAGE_SIZE ? {} : { size: String(pageSize) }),
    ...(sort ? { sort: sort.field, dir: sort.dir } : {}),
    ...(itemId ? { item: String(itemId) } : {}),
  };
}
