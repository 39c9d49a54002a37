// The GTINs in files of items and of units, which become additional numbers of the items.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { cut } from '#platform/data-import/reading/cell-values.server.ts';
import { gtin } from '#platform/data-import/reading/gtin.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { sentence } from './dated-prices.server.ts';
import type { Column, Field } from '#platform/data-import/kinds/kind-description.server.ts';

/** A column with GTINs in files of items and units. */
export const gtinField: Field = {
  label: 'GTIN',
  names: headings(`
    gtin, gtin 14, upc, upc code, ean, barcode, bar code, global trade item number, udi di, device identifier, package
    gtin
  `),
  parse: (text, context) => {
    const read = gtin(text, context);
    if (!(read instanceof Refusal)) return read;
    // Importing an item without its GTIN is better than refusing the item.
    context.noteCorrection(
      'barcode left out that is no GTIN',
      'barcodes left out that are no GTINs',
      `'${cut(text, 60)}' ${read.reason}`,
    );
    return null;
  },
};
export const GTIN_COLUMN: Readonly<Record<string, Column>> = { gtin: { type: 'text', only: 'stage' } };

/** SQL that makes a row a change if the item `item` does not have its GTIN. */
export const newGtin = (item: Sql): Sql =>
  sql`r.gtin is not null and not exists (select from item_identifier x where x.item_id = ${item} and x.kind = 'GTIN' and x.value = r.gtin)`;

/** SQL that adds the GTINs of written rows; `item` and `unit` are SQL on row `r` and record `t`. */
export const addGtins = (
  match: Sql,
  table: string,
  item: Sql,
  unitOf: Sql,
): Sql => sql`insert into item_identifier (item_id, kind, value, unit)
   select ${item}, 'GTIN', r.gtin, ${unitOf} from import_row r join ${sql.table(table)} t on ${match}
   where r.outcome in ('new', 'changed') and r.gtin is not null on conflict do nothing`;

/**
 * SQL for a sentence about the GTINs that the file assigns to two items, or to another item than the stored one. `gtinOf` and `item` (its number) are
 * SQL on row `r`.
 */
export const sharedGtins = (gtinOf: Sql, item: Sql): Sql =>
  sentence(
    'GTIN is on two items, so that a scan finds both',
    'GTINs are on two items, so that a scan finds both',
    sql`select r.line, r.gtin || ' on ' || coalesce(d.item_number, r.first_item || ' (line ' || r.first_line || ')')
        || ' and ' || r.item || ' (line ' || r.line || ')' as name
      from (select line, gtin, item, first_value(item) over same as first_item, first_value(line) over same as first_line
        from (select r.line, ${gtinOf} as gtin, ${item} as item from import_row r
          where r.outcome in ('new', 'changed', 'same', 'held')) file_gtins
        where gtin is not null window same as (partition by gtin order by line)) r
      left join lateral (select i.item_number from item_identifier x join item i on i.id = x.item_id
        where gtin_core(x.value) = gtin_core(r.gtin) and x.kind = 'GTIN' and x.value = r.gtin and i.item_number <> r.item
        order by i.item_number limit 1) d on true
      where d.item_number is not null or r.first_item <> r.item`,
  );

/**
 * SQL for a sentence about the GTINs of rows of units that another unit of the item has, in the file or stored. A scan finds the unit that had it
 * first.
 */
export const GTINS_OF_TWO_UNITS = sentence(
  'GTIN is on two units of its item and stays with the first',
  'GTINs are on two units of their items and stay with the first',
  sql`select r.line, r.gtin || ' on ' || i.item_number || ' ' || o.unit || ' and ' || r.unit || ' (line ' || r.line || ')' as name
      from import_row r
      join item i on i.id = r.item_id
      join lateral (
        select unit from (
          select x.unit, 0 as line from item_identifier x
            where x.item_id = r.item_id and x.kind = 'GTIN' and x.value = r.gtin and x.unit <> ''
          union all
          select f.unit, f.line from import_row f
            where f.item_id = r.item_id and f.gtin = r.gtin and f.line < r.line and f.outcome in ('new', 'changed', 'same')) had
        order by line limit 1) o on o.unit <> r.unit
      where r.gtin is not null and r.outcome in ('new', 'changed', 'same')`,
);
