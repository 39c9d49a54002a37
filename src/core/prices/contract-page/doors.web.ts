// The door of a contract's page: tabs of add-ons (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { LoadPart } from '#platform/addons/door-parts.tsx';
import type { Sort } from '#platform/shared/wire.ts';
import type { ContractTab } from './contract-tab.web.ts';
import type { ContractDetail } from './contract-page.contract.ts';

export type TabOfAddon = {
  /** The name of the tab in the address. */
  tab: string;
  label: string;
  /** The number shown after the label. */
  count?: (data: ContractDetail) => number;
  /** The tab's initial sort order. */
  order?: Sort;
  load: LoadPart<ContractTab>;
};
/** Add-on tabs appear before the history. */
export const contractTabs = door<TabOfAddon>();
