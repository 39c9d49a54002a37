// Additional numbers of items: GTINs of their units, and the numbers that customers use for them.
import { sql } from 'kysely';
import { oneNumber, unit } from '#platform/data-import/reading/cell-values.server.ts';
import { gtin } from '#platform/data-import/reading/gtin.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { ANOTHER_ARTICLE, ARTICLE_COLUMNS, ARTICLE_FIELDS } from './another-article.server.ts';
import { accountOfFile, findFacility } from './find-facility.server.ts';
import { findItem, OTHER_NUMBERS, WHICH_ITEM } from './find-item.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { gtinField, sharedGtins } from './item-gtins.server.ts';
import { accountNumber } from './kind-contacts.server.ts';
import { itemNumber, modifiers, withModifiers } from './kind-items.server.ts';

export const itemNumbers: ImportKind = {
  kind: 'item-numbers',
  singular: 'number of an item',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    gtin: { ...gtinField, parse: gtin },
    unit: {
      label: 'unit that carries the GTIN',
      names: headings('unit, unit of measure, units, uofm, package type, package'),
      parse: unit,
    },
    customer_number: {
      label: "customer's number",
      names: headings(`
        customer item number, customer item, customer part number, customer product number, their item number, member
        item number, buyer item number
      `),
      parse: oneNumber,
    },
    acct_no: accountNumber,
    ...ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'gtin'],
    ['item_number', 'customer_number'],
  ],
  toRecords: (values) => {
    const { gtin: trade, customer_number: theirs, acct_no: account, unit: carries, ...rest } = withModifiers(values);
    return [
      ...(trade === undefined ? [] : [{ ...rest, number_kind: 'GTIN', value: trade, unit: carries ?? '' }]),
      ...(theirs === undefined ? [] : [{ ...rest, number_kind: 'Customer', value: theirs, acct_no: account }]),
    ];
  },
  columns: {
    item_number: { type: 'text', only: 'stage' },
    acct_no: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    number_kind: { type: 'text', only: 'stage' },
    item_id: { type: 'int' },
    kind: { type: 'text', only: 'write', from: sql`r.number_kind` },
    value: { type: 'text' },
    unit: { type: 'text', fresh: sql`''` },
    facility_id: { type: 'int' },
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id', 'number_kind', 'value', 'facility_id'],
  keyLabel: 'item, number and customer',
  knownBy: sql`r.item_number || ' ' || r.value`,
  repeats: 'refuse',
  resolve: (_fields, about) => [
    ...accountOfFile(about, sql`r.number_kind = 'Customer'`),
    ...findFacility(sql`r.acct_no is not null`),
    ...findItem(sql`r.facility_id`),
    sql`update import_row r set bad_column = 'unit', bad_value = r.unit, reason = 'is no unit of this item: import its units first'
     where r.reason is null and r.unit <> '' and r.unit <> r.base_unit
       and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.unit)`,
  ],
  hold: ANOTHER_ARTICLE,
  choice: WHICH_ITEM,
  table: 'item_identifier',
  from: sql`item_identifier t`,
  match: sql`t.item_id = r.item_id and t.kind = r.number_kind and t.value = r.value and t.facility_id is not distinct from r.facility_id`,
  remarks: [
    OTHER_NUMBERS,
    sharedGtins(
      sql`case when r.number_kind = 'GTIN' then r.value end`,
      sql`(select i.item_number from item i where i.id = r.item_id)`,
    ),
  ],
  versioned: false,
};
