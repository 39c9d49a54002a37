// The kinds of import of this feature, in the order in which a new company needs them.

import { sql } from 'kysely';
import { capitalized } from '#platform/shared/capitalized.ts';
import type { ImportKindServer, Track } from '#platform/data-import/kinds/import-kind.server.ts';
import { ACCOUNT_ASK } from './find-facility.server.ts';
import type { Field } from '#platform/data-import/kinds/kind-description.server.ts';
import { contacts } from './kind-contacts.server.ts';
import { costs } from './kind-costs.server.ts';
import { crossReferences, KIND_ASK } from './kind-cross-references.server.ts';
import { facilities } from './kind-facilities.server.ts';
import { itemNumbers } from './kind-item-numbers.server.ts';
import { items, units } from './kind-items.server.ts';
import { memberships } from './kind-memberships.server.ts';
import { accountPrices, CURRENCY_ASK, PRICE_ASKS, prices, sales } from './kind-prices.server.ts';
import { territories } from './kind-territories.server.ts';
import { users } from './kind-users.server.ts';
import { zips } from './kind-zips.server.ts';
import { DECIMALS_ASK, PACKS_ASK } from '#platform/data-import/kinds/reading-asks.server.ts';
import { tableKind } from '#platform/data-import/kinds/table-kind.server.ts';

const ID = { id: 'int' };
const WRITES = sql`r.outcome in ('new', 'changed')`;
const ITEM_NUMBER = sql`(select i.item_number from item i where i.id = t.item_id)`;
const ITEM_AND_UNIT = sql`${ITEM_NUMBER} || ' ' || t.unit`;

/** Returns words for a history: the field labels by our columns. */
function historyLabels(fields: Readonly<Record<string, Field>>): Record<string, string> {
  const labelled = ([field, { label }]: [string, Field]) => [field, capitalized(label)];
  return Object.fromEntries(Object.entries(fields).map(labelled)) as Record<string, string>;
}

const usesUnit = (table: string, what: string): NonNullable<Track['builtOn']>[number] => ({
  what,
  when: sql`exists (select from ${sql.table(table)} x where x.item_id = t.item_id and x.unit = t.unit)`,
});

/** Units that a file of prices or costs creates. `ownTable` is the table whose prices in the same file may use them. */
const madeUnits = (ownTable: string): Track => ({
  table: 'item_unit',
  key: { item_id: 'int', unit: 'text' },
  name: ITEM_AND_UNIT,
  many: 'units',
  scope: sql`(t.item_id, t.unit) in (select r.item_id, r.unit from import_row r where r.make_factor is not null and ${WRITES})`,
  builtOn: [
    usesUnit('quote_item', 'quotes'),
    usesUnit('contract_line', 'contract lines'),
    usesUnit('quote_template_item', 'quote templates'),
    ...['item_price', 'account_price'].map((table) => ({
      what: table === 'item_price' ? 'list prices' : 'account prices',
      // The prices of the same import are removed before their units.
      when: sql`exists (select from ${sql.table(table)} x where x.item_id = t.item_id and x.unit = t.unit${
        table === ownTable
          ? sql` and not exists (select from data_import_change c
            where c.table_name = ${sql.lit(table)} and c.before is null and c.key = jsonb_build_object('id', x.id))`
          : sql``
      })`,
    })),
  ],
});

export const IMPORT_KINDS_OF_SCREEN: readonly ImportKindServer[] = [
  tableKind(zips, {
    label: 'ZIP codes',
    hint: 'ZIP codes with city, state, county and position. One row each.',
    track: { key: { zip5: 'text' }, name: sql`t.zip5`, many: 'ZIP codes' },
  }),
  tableKind(territories, {
    label: 'Territories',
    hint: 'Territories with their region; missing regions are created.',
    // The managers of a region see the quotes of its territories, so no API key may import territories.
    peopleOnly: true,
    track: { key: ID, name: sql`t.name`, history: { type: 'territory', labels: historyLabels(territories.fields) } },
    before: [
      {
        table: 'region',
        key: ID,
        name: sql`t.name`,
        many: 'regions',
        versioned: true,
        scope: sql`exists (select from import_row r where ${WRITES} and r.region = t.name)`,
        history: { type: 'region', labels: { name: 'Name', active: 'Active' } },
      },
    ],
  }),
  tableKind(facilities, {
    label: 'Facilities',
    hint: 'Customers by account number: name, addresses, terms, and one contact per row.',
    track: { key: ID, name: sql`t.acct_no`, history: { type: 'facility', labels: historyLabels(facilities.fields) } },
    after: [
      {
        table: 'contact',
        key: ID,
        name: sql`t.name`,
        many: 'contacts',
        scope: sql`t.facility_id in (select f.id from import_row r join facility f on f.acct_no = r.acct_no where ${WRITES})`,
      },
    ],
  }),
  tableKind(contacts, {
    label: 'Contacts',
    hint: 'People at facilities, by account number and name.',
    asks: [ACCOUNT_ASK],
    track: { key: ID, name: sql`t.name` },
  }),
  tableKind(memberships, {
    label: 'GPO memberships',
    hint: 'Which GPOs facilities belong to, by account number and GPO, and which one is primary. Rosters count as memberships without it.',
    roles: ['systemadmin', 'contractdept'],
    track: {
      key: ID,
      name: sql`(select f.acct_no || ' ' || g.name from facility f, gpo g where f.id = t.facility_id and g.id = t.gpo_id)`,
      many: 'GPO memberships',
    },
  }),
  tableKind(items, {
    label: 'Items',
    hint: 'Items by number: description, class, base unit, status, cost, manufacturer, brand, GTIN.',
    asks: [DECIMALS_ASK, PACKS_ASK],
    track: { key: ID, name: sql`t.item_number` },
    before: [
      {
        table: 'item_class',
        key: ID,
        name: sql`t.name`,
        many: 'item classes',
        versioned: true,
        scope: sql`exists (select from import_row r where ${WRITES} and r.class = t.name)`,
        history: { type: 'itemClass', labels: { name: 'Name' } },
      },
    ],
    after: [
      {
        table: 'item_unit',
        key: { item_id: 'int', unit: 'text' },
        name: ITEM_AND_UNIT,
        many: 'units',
        scope: sql`t.item_id in (select i.id from import_row r join item i on i.item_number = r.item_number where ${WRITES})`,
      },
      {
        table: 'item_identifier',
        key: ID,
        name: sql`t.value`,
        many: 'numbers of items',
        scope: sql`t.item_id in (select i.id from import_row r join item i on i.item_number = r.item_number where ${WRITES})`,
      },
    ],
  }),
  tableKind(units, {
    label: 'Units',
    hint: 'Units that items are sold in: item number, unit, and how many base units one holds.',
    asks: [DECIMALS_ASK],
    track: {
      key: { item_id: 'int', unit: 'text' },
      name: ITEM_AND_UNIT,
      builtOn: [
        usesUnit('quote_item', 'quotes'),
        usesUnit('item_price', 'list prices'),
        usesUnit('account_price', 'account prices'),
        usesUnit('contract_line', 'contract lines'),
        usesUnit('quote_template_item', 'quote templates'),
      ],
    },
    after: [
      {
        table: 'item_identifier',
        key: ID,
        name: sql`t.value`,
        many: 'numbers of items',
        scope: sql`t.item_id in (select r.item_id from import_row r where ${WRITES})`,
      },
    ],
  }),
  tableKind(itemNumbers, {
    label: 'Other numbers of items',
    hint: "GTINs of items and their units, and customers' own numbers. Searches, pastes and files find the items by them.",
    asks: [ACCOUNT_ASK],
    track: { key: ID, name: sql`t.value`, many: 'numbers of items' },
  }),
  tableKind(crossReferences, {
    label: 'Cross-references',
    hint: 'What makers, distributors and customers call our items: their number, our item number. Exported cross-references can be imported.',
    asks: [KIND_ASK],
    track: {
      key: ID,
      name: sql`concat_ws(' ', nullif(t.maker, ''), t.number)`,
      many: 'cross-references',
      history: { type: 'crossReference', labels: historyLabels(crossReferences.fields) },
    },
  }),
  tableKind(prices, {
    label: 'List prices',
    hint: 'List prices by item number; unit, currency, quantity and first day where the file has them. A new price ends the one before.',
    asks: [...PRICE_ASKS, CURRENCY_ASK],
    track: { key: ID, name: ITEM_AND_UNIT, many: 'list prices' },
    before: [madeUnits('item_price')],
  }),
  tableKind(accountPrices, {
    label: 'Account prices',
    hint: 'Prices of single facilities: account number, item number, price.',
    asks: [ACCOUNT_ASK, ...PRICE_ASKS],
    track: { key: ID, name: ITEM_AND_UNIT, many: 'account prices' },
    before: [madeUnits('account_price')],
  }),
  tableKind(costs, {
    label: 'Costs',
    hint: 'What items cost and the lowest price they may be sold at, by item number.',
    asks: [DECIMALS_ASK, PACKS_ASK],
    track: { key: ID, name: sql`t.item_number`, many: 'items' },
    before: [madeUnits('')],
  }),
  tableKind(sales, {
    label: 'Sales',
    hint: 'What was sold: sets the last day sold and the stars. The best-selling fifth of the items gets five.',
    track: { key: ID, name: sql`t.item_number`, many: 'items' },
  }),
  tableKind(users, {
    label: 'Users',
    hint: 'People who sign in, by email address, with their roles. They set their password with the reset email.',
    // With it, the holder of a key could become a system administrator.
    peopleOnly: true,
    track: { key: ID, name: sql`t.user_name`, history: { type: 'user', labels: historyLabels(users.fields) } },
    after: [
      {
        table: 'user_role',
        key: { user_id: 'int', role: 'text' },
        name: sql`(select u.user_name from app_user u where u.id = t.user_id)`,
        many: 'roles',
        scope: sql`t.user_id in (select u.id from import_row r join app_user u on lower(u.user_name) = r.user_name where ${WRITES})`,
      },
    ],
  }),
];
