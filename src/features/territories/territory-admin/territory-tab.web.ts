// What each tab of a territory's page is given.
import type { useListAddress } from '#ui/list-address.web.ts';
import type { TerritoryEditData } from './territory-admin.contract.ts';

export type TerritoryTab = {
  territory: TerritoryEditData['territory'];
  today: string;
  list: ReturnType<typeof useListAddress<{ tab: string; keyword: string; when: string }>>;
  /** After a change of what the territory serves. */
  onChanged: () => void;
};
