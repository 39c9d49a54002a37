// The door of the lists under GPO Contracts (docs/addons.md).
import { door } from '#platform/addons/door.ts';

export type ContractList = { label: string; to: string };
/** Lists of add-ons, between those of the core. */
export const contractLists = door<ContractList>();
