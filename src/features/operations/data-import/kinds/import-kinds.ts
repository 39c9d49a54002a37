// Every kind of file that can be imported, by its name on the command line.
import type { ImportKind } from './import-kind.ts';
import { contacts } from './kind-contacts.ts';
import { costs } from './kind-costs.ts';
import { facilities } from './kind-facilities.ts';
import { items, units } from './kind-items.ts';
import { accountPrices, prices, sales } from './kind-prices.ts';
import { territories } from './kind-territories.ts';
import { users } from './kind-users.ts';
import { zips } from './kind-zips.ts';

export const IMPORT_KINDS: Readonly<Record<string, ImportKind>> = {
  facilities,
  contacts,
  items,
  units,
  prices,
  'account-prices': accountPrices,
  costs,
  sales,
  zips,
  territories,
  users,
};
