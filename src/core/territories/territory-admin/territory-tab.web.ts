// The props of each tab of a territory's page.
import type { useListAddress } from '#platform/ui/list-address.web.ts';
import type { TerritoryEditData } from './territory-admin.contract.ts';

export type TerritoryTab = {
  territory: TerritoryEditData['territory'];
  today: string;
  list: ReturnType<typeof useListAddress<{ tab: string; keyword: string; when: string }>>;
  /** Called after a change of the territory's assignments. */
  onChanged: () => void;
};
