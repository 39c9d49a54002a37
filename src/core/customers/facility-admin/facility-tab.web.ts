// Keeps the open tab of a facility's page and its filters in the address.
import type { FacilityData } from '#core/customers/facilities/facilities.contract.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { useListAddress } from '#platform/ui/list-address.web.ts';

/** The empty filters of every tab. */
const NOTHING_ASKED = { tab: 'details', keyword: '', classId: '', date: '', status: '' };

export function useFacilityTab(order: Sort) {
  return useListAddress(null, NOTHING_ASKED, order);
}

/** The props of each tab. */
export type FacilityTab = { facility: FacilityData; list: ReturnType<typeof useFacilityTab> };
