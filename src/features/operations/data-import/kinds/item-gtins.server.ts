// The GTINs in files of items and of units, which become further numbers of the items.
import { sql } from 'kysely';
import type { Sql } from '#db/database.server.ts';
import { gtin } from '../reading/gtin.server.ts';
import { headings } from '../reading/header-match.server.ts';
import { Refusal } from '../reading/refusal.server.ts';
import type { Column, Field } from './kind-description.server.ts';

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
    // An item without its GTIN is better than no item.
    context.mended('barcode left out that is no GTIN', 'barcodes left out that are no GTINs');
    return null;
  },
};
export const GTIN_COLUMN: Readonly<Record<string, Column>> = { gtin: { type: 'text', only: 'stage' } };

/** SQL that counts a row with a GTIN that the item `item` does not have as a change. */
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
