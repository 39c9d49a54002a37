// The address of a contract's page: the open tab and its filters.
import type { Sort } from '#platform/shared/wire.ts';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import type { ContractDetail } from './contract-page.contract.ts';

/** Each tab starts with its own defaults. */
const NOTHING_ASKED = { tab: 'overview', keyword: '', day: '', state: '' };

export function useContractTab(order: Sort) {
  return useListAddress(null, NOTHING_ASKED, order);
}

/** The props of each tab: the contract, and the filters, page and order in the address. */
export type ContractTab = { data: ContractDetail; list: ReturnType<typeof useContractTab> };
