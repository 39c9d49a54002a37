// What the address says of a facility's page: the tab that is open and what it asks for.
import type { FacilityData } from '#features/customers/facilities/facilities.contract.ts';
import type { Sort } from '#shared/wire.ts';
import { useListAddress } from '#ui/list-address.web.ts';

/** Each tab begins anew. */
const NOTHING_ASKED = { tab: 'details', keyword: '', classId: '', date: '', status: '' };

export function useFacilityTab(order: Sort) {
  return useListAddress(null, NOTHING_ASKED, order);
}

/** What each tab of the page is given. */
export type FacilityTab = { facility: FacilityData; list: ReturnType<typeof useFacilityTab> };
