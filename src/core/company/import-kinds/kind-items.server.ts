// Items by item number, and the units they are sold in.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import {
  baseUnit,
  type CellParser,
  code,
  cut,
  itemStatus,
  packsOf,
  price,
  quantity,
  textOf,
  unit,
} from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type {
  Field,
  Hold,
  ImportKind,
  RowRefusal,
  Values,
} from '#platform/data-import/kinds/kind-description.server.ts';
import {
  ANOTHER_ARTICLE,
  ANOTHER_ITEM,
  ARTICLE_COLUMNS,
  either,
  NAMED_ARTICLE_FIELDS,
} from './another-article.server.ts';
import { sentence } from './dated-prices.server.ts';
import { alikeNumbers, findItem, OTHER_NUMBERS, WHICH_ITEM } from './find-item.server.ts';
import { addGtins, GTIN_COLUMN, GTINS_OF_TWO_UNITS, gtinField, newGtin, sharedGtins } from './item-gtins.server.ts';
import { isWronglyNamed, otherThanNamed, PACK_COLUMNS, PACK_TO_FACTOR } from './unit-of-item.server.ts';

/** Headings for item numbers in price lists, the FDA's device list, and fee schedules. */
export const itemNumber: Field = {
  label: 'item number',
  names: headings(`
    item number, item, item id, item code, supply number, product number, product code, part number, sku, stock
    number, charge code, chargecode, primary di, material, material number, reorder number, hcpcs, hcpcs code, code,
    px code, catalog number, cat number, list id
  `),
  parse: code,
};
/** Fee schedules distinguish new, rented and used by modifiers beside the code. */
export const modifiers: Readonly<Record<string, Field>> = {
  modifier: { label: 'first modifier', names: headings('mod, modifier, mod 1'), parse: code },
  modifier2: { label: 'second modifier', names: headings('mod 2, modifier 2'), parse: code },
};

/** Appends modifiers to the item number: E0163 with NU is item E0163-NU. */
export function withModifiers({ modifier, modifier2, ...values }: Values): Values {
  const parts = [values['item_number'], modifier, modifier2].filter((part) => part !== undefined);
  return parts.length > 1 ? { ...values, item_number: parts.join('-') } : values;
}

/** The longest description of a quote line. */
const MAX_DESCRIPTION_LENGTH = 1000;

const description: CellParser = (text, { noteCorrection }) => {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  const cutTo = `cut to ${MAX_DESCRIPTION_LENGTH} characters`;
  noteCorrection(`description ${cutTo}`, `descriptions ${cutTo}`);
  return `${cut(text, MAX_DESCRIPTION_LENGTH - 1).replace(/\s+\S*$/, '')}…`;
};

const farFrom = (now: Sql, was: Sql): Sql => sql`(${was} > 0 and (${now} > 3 * ${was} or 3 * ${now} < ${was}))`;
const costs = (row: 'r' | 't'): Sql => {
  const amount = (column: 'cost' | 'floor_price', label: string): Sql =>
    sql`case when r.${sql.ref(column)} is not null then ${sql.lit(`${label} $`)}
      || coalesce(to_char(${sql.ref(`${row}.${column}`)}, 'FM9,999,999,990.0099'), '-') end`;
  return sql`concat_ws(', ', ${amount('cost', 'cost')}, ${amount('floor_price', 'lowest price')}) || ' per ' || t.base_unit`;
};

/** A cost or floor price that jumps probably belongs to another unit. It would make every margin and approval rule wrong. */
export const JUMPING_COSTS: Hold = {
  title: 'Is the cost right?',
  why: 'Each would make a cost or a lowest selling price more than three times what it is, or less than a third.',
  tooMany:
    'have a cost far from the stored one, or fit several items. Check that the right columns are read as the number, the cost and its unit.',
  when: sql`${farFrom(sql`r.cost`, sql`t.cost`)} or ${farFrom(sql`r.floor_price`, sql`t.floor_price`)}`,
  was: costs('t'),
  now: costs('r'),
  hint: sql`coalesce((select 'About ' || trim_scale(x.factor) || ' times: is it the cost of a ' || x.unit || '?' from item_unit x
    where x.item_id = t.id and x.factor > 1 and t.cost > 0 and r.cost / t.cost / x.factor between 0.8 and 1.25
    order by x.factor limit 1), '')`,
};

/** Many programs write 0 for an unknown cost. */
export const ZERO_COSTS = sentence(
  'cost is 0, so its item has a margin of 100%',
  'costs are 0, so their items have a margin of 100%',
  sql`select r.line, r.item_number as name from import_row r where r.outcome in ('new', 'changed') and r.cost = 0`,
);

/** SQL that names the stored amounts of an item that are per a unit. `item` is SQL for its id. Without `unit`: per any unit. */
function amountsIn(item: Sql, unit?: Sql): Sql {
  const amountsOf = (table: string, words: string, column = 'unit', and = sql`true`): Sql => {
    const isIn = unit ? sql`${sql.ref(`x.${column}`)} = ${unit}` : sql`true`;
    return sql`case when exists (select from ${sql.table(table)} x where x.item_id = ${item} and ${isIn} and ${and})
      then ${sql.lit(words)} end`;
  };
  return sql`concat_ws(', ',
    ${amountsOf('item_price', 'list prices')}, ${amountsOf('account_price', 'account prices')},
    ${amountsOf('contract_line', 'contract lines')}, ${amountsOf('promotion', 'promotions', 'uom')},
    ${amountsOf('quote_template_item', 'quote templates')},
    ${amountsOf(
      'quote_item',
      'open quotes',
      'unit',
      sql`exists (select from quote q where q.id = x.quote_id and q.status_id not in ('Won', 'Lost', 'Cancelled'))`,
    )})`;
}
/** SQL that names the stored amounts that depend on the base unit of item `t`; '' if there are none. A row with a new cost replaces the old one. */
const COUNTED_IN_BASE_UNIT = sql`concat_ws(', ',
  case when t.cost <> 0 and r.cost is null then 'the cost' end,
  case when t.floor_price <> 0 and r.floor_price is null then 'the lowest selling price' end,
  nullif(${amountsIn(sql`t.id`)}, ''))`;

const COUNTED_IN_UNIT = amountsIn(sql`t.item_id`, sql`t.unit`);
/** The price of a case of 500 would become that of a case of 50, also on open quotes. */
const ANOTHER_SIZE: Hold = {
  title: 'Does the unit hold another number?',
  why: 'Each would change how many a unit holds, although prices or quotes count in that unit.',
  tooMany:
    'change how many a unit holds in which prices or quotes count. Check that the right columns are read as the unit and its factor.',
  when: sql`r.factor <> t.factor and ${COUNTED_IN_UNIT} <> ''`,
  was: sql`t.unit || ' of ' || trim_scale(t.factor) || ' in ' || ${COUNTED_IN_UNIT}`,
  now: sql`r.unit || ' of ' || trim_scale(r.factor)`,
  hint: sql`''`,
};

export const items: ImportKind = {
  kind: 'items',
  singular: 'item',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    description: {
      label: 'description',
      names: headings(`
        item description, description, long description, product description, device description, procedure
        description, charge code description, chargecode description, short description, item name, product name, name
      `),
      parse: description,
    },
    brand: { label: 'brand', names: headings('brand name, brand'), parse: textOf(200) },
    model: { label: 'model', names: headings('version model number, model number, model'), parse: textOf(200) },
    class: {
      label: 'class',
      names: headings(`
        item class, class, product class, gmdn pt name, category, product category, group, item group, product line,
        catg, product code name
      `),
      parse: textOf(200),
    },
    base_unit: {
      label: 'base unit',
      names: headings(`
        base unit, base unit of measure, unit of measure, stocking unit, unit, units, base uofm, uofm, bun
      `),
      parse: baseUnit,
    },
    status: { label: 'status', names: headings('item status, status, active, product status'), parse: itemStatus },
    cost: {
      label: 'cost per base unit',
      names: headings('cost, unit cost, standard cost, current cost, average cost'),
      parse: price,
    },
    floor_price: {
      label: 'lowest selling price',
      names: headings('floor price, lowest selling price, minimum price, min price'),
      parse: price,
    },
    manufacturer: {
      label: 'manufacturer',
      names: headings('manufacturer, manufacturer name, vendor, vendor name, supplier, company name'),
      parse: textOf(200),
    },
    manufacturer_no: {
      label: "manufacturer's number",
      names: headings(`
        manufacturer number, manufacturer item number, manufacturer part number, manufacturer catalog number, vendor
        item number, catalog number, cat number
      `),
      parse: textOf(100),
    },
    gtin: gtinField,
  },
  needs: [['item_number']],
  toRecords: ({ model, ...values }, noteCorrection) => {
    const record = withModifiers(values);
    const named = [record['brand'], model].filter((part) => part !== undefined).join(' ');
    if (record['description'] === undefined && named !== '') {
      record['description'] = named;
      noteCorrection('description made from brand and model', 'descriptions made from brand and model');
    }
    if (record['manufacturer_no'] === undefined && model !== undefined)
      record['manufacturer_no'] = cut(String(model), 100);
    return [record];
  },
  columns: {
    item_number: { type: 'text' },
    description: { type: 'text' },
    class: { type: 'text', only: 'compare' },
    // The unit that a pack size creates, and the number of its base units.
    made_unit: { type: 'text', only: 'stage' },
    made_factor: { type: 'numeric(14, 4)', only: 'stage' },
    class_id: { type: 'int', only: 'write', from: sql`(select c.id from item_class c where c.name = r.class)` },
    base_unit: { type: 'text', fresh: sql`'EA'` },
    status: { type: 'text', fresh: sql`'Active'` },
    cost: { type: 'numeric(14, 4)' },
    floor_price: { type: 'numeric(14, 4)' },
    manufacturer: { type: 'text', fresh: sql`''` },
    manufacturer_no: { type: 'text', fresh: sql`''` },
    brand: { type: 'text', fresh: sql`''` },
    ...GTIN_COLUMN,
  },
  key: ['item_number'],
  keyLabel: 'item number',
  repeats: 'refuse',
  resolve: [
    // Each class has only one spelling: that of the table, otherwise the first one in the file.
    sql`update import_row r set class = c.name
     from (select distinct on (lower(name)) name from (
             select name, 0 as later, id::bigint as place from item_class
             union all select class, 1, min(row_no) from import_row where class is not null group by class) known
           order by lower(name), later, place) c
     where lower(r.class) = lower(c.name) and r.class <> c.name`,
    // An item whose base unit is already the box keeps it.
    sql`update import_row r set base_unit = null, made_unit = null, made_factor = null from item t
     where t.item_number = r.item_number and t.base_unit = r.made_unit`,
    sql`update import_row r set bad_column = 'base_unit', bad_value = r.made_unit || ' of ' || trim_scale(r.made_factor),
       reason = ${otherThanNamed(sql`r.made_unit`)}
     where r.reason is null and ${isWronglyNamed(sql`r.made_unit`, sql`r.made_factor`)}`,
    sql`update import_row r set bad_column = 'base_unit', bad_value = r.made_unit || ' of ' || trim_scale(r.made_factor),
       reason = 'holds ' || trim_scale(u.factor) || ' ' || t.base_unit || ' here'
     from item t join item_unit u on u.item_id = t.id
     where t.item_number = r.item_number and u.unit = r.made_unit and u.factor <> r.made_factor`,
    sql`update import_row r set bad_column = 'base_unit', bad_value = r.base_unit,
       reason = 'would change the base unit from ' || t.base_unit || ', in which its other units are counted'
     from item t where t.item_number = r.item_number and r.base_unit <> t.base_unit
       and exists (select from item_unit u where u.item_id = t.id and u.unit <> t.base_unit)`,
    sql`update import_row r set bad_column = 'base_unit', bad_value = r.base_unit,
       reason = 'would change the base unit from ' || t.base_unit || ', in which ' || ${COUNTED_IN_BASE_UNIT} || ' count'
     from item t where r.reason is null and t.item_number = r.item_number and r.base_unit <> t.base_unit and ${COUNTED_IN_BASE_UNIT} <> ''`,
  ],
  neededForNew: { column: 'description', label: 'description' },
  hold: either(ANOTHER_ITEM, JUMPING_COSTS),
  table: 'item',
  from: sql`(select i.*, c.name as class from item i left join item_class c on c.id = i.class_id) t`,
  match: sql`t.item_number = r.item_number`,
  alsoChanged: sql`(r.made_unit is not null and not exists (select from item_unit u
    where u.item_id = t.id and u.unit = r.made_unit)) or (${newGtin(sql`t.id`)})`,
  remarks: [
    ...alikeNumbers({ singular: 'item', plural: 'items', column: 'item_number', stored: sql`item` }),
    ZERO_COSTS,
    sharedGtins(sql`r.gtin`, sql`r.item_number`),
    sentence(
      'unit is made',
      'units are made',
      sql`select r.line, r.item_number || ' ' || r.made_unit || ' of ' || trim_scale(r.made_factor) as name
       from import_row r where r.made_unit is not null and r.outcome in ('new', 'changed')`,
    ),
  ],
  absent: {
    many: 'items',
    when: sql`t.status = 'Active'`,
    action: 'Discontinue them',
    set: sql`status = 'Discontinued', version = t.version + 1`,
    headings: ['Item', 'Description', 'Last sold', 'Lines of open quotes'],
    columns: [
      sql`t.item_number`,
      sql`t.description`,
      sql`coalesce(to_char(t.last_sold, 'MM/DD/YYYY'), '')`,
      sql`(select count(*) from quote_item l join quote q on q.id = l.quote_id
        where l.item_id = t.id and q.status_id not in ('Won', 'Lost', 'Cancelled'))::text`,
    ],
  },
  versioned: true,
  before: [
    sql`insert into item_class (name) select class from import_row where outcome in ('new', 'changed') and class is not null
     group by class order by min(row_no) on conflict do nothing`,
  ],
  after: [
    // The base unit has factor 1 even without a row, so a row of the former base unit would now be wrong.
    sql`delete from item_unit u using import_row r, item t
     where t.item_number = r.item_number and u.item_id = t.id and u.unit <> t.base_unit and u.factor = 1
       and r.outcome = 'changed' and r.base_unit is not null`,
    sql`insert into item_unit (item_id, unit, factor)
     select t.id, r.made_unit, r.made_factor from import_row r join item t on t.item_number = r.item_number
     where r.outcome in ('new', 'changed') and r.made_unit is not null on conflict do nothing`,
    addGtins(sql`t.item_number = r.item_number`, 'item', sql`t.id`, sql`t.base_unit`),
  ],
};

export const units: ImportKind = {
  kind: 'units',
  singular: 'unit of an item',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    unit: {
      label: 'unit',
      names: headings(
        'unit, unit of measure, units, uofm, package type, selling unit, package, alternate unit, alternative unit, alt unit, aun',
      ),
      parse: unit,
    },
    factor: {
      label: 'how many base units it holds',
      names: headings(`
        factor, conversion factor, conversion, units per package, quantity per unit, package quantity, quantity, each
        per unit, quantity in base unit, equivalent, multiplier, pack size, package size, pack quantity, units per unit,
        eaches per unit, quantity of each, qoe
      `),
      parse: quantity,
    },
    packages: { label: 'list of packages', names: headings('packages'), parse: textOf(4000) },
    gtin: gtinField,
    ...NAMED_ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'unit'],
    ['item_number', 'packages'],
  ],
  toRecords: (values) => unitRecords(withModifiers(values)),
  columns: {
    item_number: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    item_id: { type: 'int' },
    unit: { type: 'text' },
    ...PACK_COLUMNS,
    factor: { type: 'numeric(14, 4)' },
    ...GTIN_COLUMN,
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id', 'unit'],
  keyLabel: 'item and unit',
  repeats: 'refuse',
  resolve: [
    ...findItem(),
    ...PACK_TO_FACTOR,
    sql`update import_row r set bad_column = 'factor', bad_value = trim_scale(r.factor)::text, reason = ${otherThanNamed(sql`r.unit`)}
     where r.reason is null and r.unit <> r.base_unit and ${isWronglyNamed(sql`r.unit`, sql`r.factor`)}`,
    sql`update import_row r set bad_column = 'factor', bad_value = factor::text,
      reason = 'is not 1, but ' || unit || ' is the base unit of the item'
     where reason is null and unit = base_unit and factor <> 1`,
  ],
  table: 'item_unit',
  from: sql`item_unit t`,
  match: sql`t.item_id = r.item_id and t.unit = r.unit`,
  alsoChanged: newGtin(sql`r.item_id`),
  hold: either(ANOTHER_ARTICLE, ANOTHER_SIZE),
  choice: WHICH_ITEM,
  remarks: [
    OTHER_NUMBERS,
    sharedGtins(sql`r.gtin`, sql`(select i.item_number from item i where i.id = r.item_id)`),
    GTINS_OF_TWO_UNITS,
  ],
  versioned: false,
  after: [addGtins(sql`t.item_id = r.item_id and t.unit = r.unit`, 'item_unit', sql`t.item_id`, sql`t.unit`)],
};

function unitRecords({ packages, ...values }: Values): Values[] | RowRefusal {
  if (values['unit'] !== undefined && (values['factor'] ?? values['pack_count']) !== undefined) return [values];
  if (packages === undefined) {
    const field = values['unit'] === undefined ? 'unit' : 'factor';
    // A device without packages is sold singly, so there is no unit to add.
    return values['unit'] === undefined && values['factor'] === undefined
      ? []
      : { field, refusal: new Refusal('is empty') };
  }
  const packs = packsOf(String(packages));
  if (packs instanceof Refusal) return { field: 'packages', refusal: packs };
  return packs.map((pack) => ({ ...values, ...pack }));
}
