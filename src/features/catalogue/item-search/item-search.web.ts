// The item search in the page's address, and how to change it.
import { useNavigate } from '@tanstack/react-router';
import type { ItemCriteria } from '#features/catalogue/items/items.contract.ts';
import { paths } from '#shared/paths.ts';
import { useAddress } from '#ui/address.web.ts';
import { addressOf, criteriaOf } from './item-address.ts';

export function useItemAddress() {
  const navigate = useNavigate();
  const address = useAddress();
  const now = criteriaOf(address);
  const go = (criteria: ItemCriteria, itemId: number | null, replace = false) =>
    void navigate({ to: paths.itemSearch, search: addressOf(criteria, itemId), replace, resetScroll: false });
  return {
    ...now,
    isBlank: Object.keys(address).length === 0,
    /** A changed filter goes back to page 1. */
    filter: (patch: Partial<ItemCriteria>) => go({ ...now.criteria, page: 1, ...patch }, null, true),
    restore: (criteria: ItemCriteria) => go(criteria, null, true),
    turnTo: (page: number, replace = false) => go({ ...now.criteria, page }, null, replace),
    open: (itemId: number | null) => go(now.criteria, itemId),
  };
}
