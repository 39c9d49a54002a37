// Every kind of file that can be imported, by the name it has on the command line.
import type { ImportKind } from './import-kind.ts';
import { facilities } from './kind-facilities.ts';
import { items, units } from './kind-items.ts';
import { prices, sales } from './kind-prices.ts';
import { users } from './kind-users.ts';
import { zips } from './kind-zips.ts';

export const IMPORT_KINDS: Readonly<Record<string, ImportKind>> = {
  facilities,
  items,
  prices,
  units,
  sales,
  zips,
  users,
};
