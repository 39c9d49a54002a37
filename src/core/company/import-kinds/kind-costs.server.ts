// Costs of items and their floor prices.
import { sql } from 'kysely';
import { price, unit } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { ANOTHER_ARTICLE, ARTICLE_COLUMNS, either, NAMED_ARTICLE_FIELDS } from './another-article.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { findItem, OTHER_NUMBERS, WHICH_ITEM } from './find-item.server.ts';
import { itemNumber, items, JUMPING_COSTS, modifiers, withModifiers, ZERO_COSTS } from './kind-items.server.ts';
import {
  checkUnit,
  makeUnits,
  PACK_COLUMNS,
  PACK_SIZE,
  SIZE_COLUMN,
  SIZE_OF_UNIT,
  UNITS_MADE,
  WRITE_UNITS,
} from './unit-of-item.server.ts';

export const costs: ImportKind = {
  kind: 'costs',
  singular: 'item with a cost',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    cost: {
      label: 'cost',
      names: headings('cost, unit cost, standard cost, current cost, average cost, last cost, landed cost'),
      parse: price,
    },
    floor_price: { label: 'lowest selling price', names: items.fields['floor_price']?.names ?? [], parse: price },
    unit: {
      label: 'unit they are given for',
      names: headings('cost unit, unit of measure, unit, units, uofm, purchase unit'),
      parse: unit,
    },
    pack_size: PACK_SIZE,
    ...NAMED_ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'cost'],
    ['item_number', 'floor_price'],
  ],
  toRecords: (values) =>
    values['cost'] === undefined && values['floor_price'] === undefined ? [] : [withModifiers(values)],
  columns: {
    item_number: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    unit: { type: 'text', only: 'stage' },
    ...PACK_COLUMNS,
    ...SIZE_COLUMN,
    item_id: { type: 'int', only: 'stage' },
    cost: { type: 'numeric(14, 4)' },
    floor_price: { type: 'numeric(14, 4)' },
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id'],
  keyLabel: 'item number',
  repeats: 'refuse',
  resolve: (_fields, { options }) => [
    ...findItem(),
    sql`update import_row set unit = base_unit where pack_size is not null and unit is null`,
    ...SIZE_OF_UNIT,
    ...makeUnits(options),
    ...checkUnit(),
    // Costs are stored per base unit.
    sql`update import_row r set cost = round(r.cost / u.factor, 4), floor_price = round(r.floor_price / u.factor, 4), unit = base_unit
     from item_unit u where r.reason is null and r.unit <> r.base_unit and u.item_id = r.item_id and u.unit = r.unit`,
    sql`update import_row r set cost = round(r.cost / r.make_factor, 4), floor_price = round(r.floor_price / r.make_factor, 4)
     where r.reason is null and r.make_factor is not null`,
  ],
  hold: either(ANOTHER_ARTICLE, JUMPING_COSTS),
  table: 'item',
  from: sql`item t`,
  match: sql`t.id = r.item_id`,
  choice: WHICH_ITEM,
  remarks: [OTHER_NUMBERS, ZERO_COSTS, UNITS_MADE],
  before: [WRITE_UNITS],
  versioned: true,
};
