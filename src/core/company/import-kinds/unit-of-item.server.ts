// Checks the unit and pack size of a row against the units of the item. A mismatch is refused with both readings.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { type CellParser, quantity, SAY_PACKS } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { About, Column, Field } from '#platform/data-import/kinds/kind-description.server.ts';

/** The pack size in the cell of a unit (`unit` of cell-values.ts), and the text of the cell. */
export const PACK_COLUMNS: Readonly<Record<string, Column>> = {
  pack_count: { type: 'numeric', only: 'stage' },
  pack_of: { type: 'text', only: 'stage' },
  unit_text: { type: 'text', only: 'stage' },
  // The number of base units in the unit that the file creates.
  make_factor: { type: 'numeric(14, 4)', only: 'stage' },
};

/** The number of pieces in a unit. A text such as '10 BX/CS' may mean more than the number, so the user decides. */
const packSize: CellParser = (text, context) =>
  /[a-z]/i.test(text)
    ? new Refusal('is not the number that the unit holds: write it alone, or say that the column is not used')
    : quantity(text, context);

/** The pack size in a separate column, for files of prices and costs. */
export const PACK_SIZE: Field = {
  label: 'pack size of the unit',
  names: headings(
    'pack size, package size, units per unit, quantity per unit, each per unit, eaches per unit, units per package, package quantity, pack quantity, unit factor, unit conversion, quantity of each, qoe',
  ),
  parse: packSize,
};
export const SIZE_COLUMN: Readonly<Record<string, Column>> = { pack_size: { type: 'numeric', only: 'stage' } };

/** Checks a pack size in a separate column like one in the cell of the unit. A base unit with a pack size of 1 adds nothing. */
export const SIZE_OF_UNIT: readonly Sql[] = [
  sql`update import_row r set bad_column = 'pack_size', bad_value = trim_scale(r.pack_size)::text,
    reason = 'is not what the unit says: ' || r.unit_text
   where r.reason is null and r.pack_size is not null and r.pack_count is not null and r.pack_size <> r.pack_count
     and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.unit and u.factor = r.pack_size)`,
  sql`update import_row r set pack_count = r.pack_size
   where r.reason is null and r.pack_size is not null and r.pack_count is null and not (r.unit = r.base_unit and r.pack_size = 1)`,
];

/** Creates the units that the user chose for a pack size, with their factor (`make_factor`). Refuses a file with two sizes for one unit. */
export const makeUnits = (options: About['options']): readonly Sql[] =>
  options['packs'] === 'make'
    ? [
        // An item whose base unit is the box has no smaller unit.
        sql`update import_row r set pack_count = null where r.reason is null and r.unit = r.base_unit and r.pack_of is null`,
        sql`update import_row r set make_factor = r.pack_count * i.factor
         from import_row x join lateral (select unit, factor from ${unitsOf(sql`x`)} u) i on i.unit = coalesce(x.pack_of, x.base_unit)
         where x.row_no = r.row_no and r.reason is null and r.pack_count is not null and r.unit <> r.base_unit
           and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.unit)`,
        sql`update import_row r set ${refuseUnit(otherThanNamed(sql`r.unit`))}
         where r.reason is null and ${isWronglyNamed(sql`r.unit`, sql`r.make_factor`)}`,
        sql`update import_row r
          set ${refuseUnit(
            sql`'says ' || trim_scale(r.make_factor) || ' ' || r.base_unit || ', line ' || o.line || ' says ' || trim_scale(o.make_factor)`,
          )}
         from (select distinct on (a.row_no) a.row_no, b.line, b.make_factor from import_row a
               join import_row b on b.item_id = a.item_id and b.unit = a.unit and b.make_factor <> a.make_factor
               order by a.row_no, b.row_no) o
         where o.row_no = r.row_no`,
      ]
    : [];

/** SQL for units whose names imply a quantity that they do not have. A pair may have factor 1 if the item is counted in pairs. */
export const isWronglyNamed = (unitOf: Sql, factor: Sql): Sql =>
  sql`(${unitOf} = 'DZ' and ${factor} <> 12 or ${unitOf} = 'PR' and ${factor} not in (1, 2))`;
export const otherThanNamed = (unitOf: Sql): Sql =>
  sql`case ${unitOf} when 'DZ' then 'is not the 12 of a dozen (DZ): write the unit that is meant'
    else 'is not the 2 of a pair (PR): write the unit that is meant' end`;

/** Writes the units of `makeUnits`, before the records that use them. */
export const WRITE_UNITS = sql`insert into item_unit (item_id, unit, factor)
  select distinct item_id, unit, make_factor from import_row
  where outcome in ('new', 'changed') and make_factor is not null on conflict do nothing`;

/** SQL for a sentence about the units that a file creates. */
export const UNITS_MADE = sql`
  select case count(*) when 0 then null when 1 then '1 unit is made' else to_char(count(*), 'FM999,999,990') || ' units are made' end
      || ': ' || string_agg(name, ', ' order by name) filter (where place <= 3)
      || case when count(*) > 3 then ', …' else '' end || '.' as sentence
  from (select name, row_number() over (order by name) as place from (
    select distinct item_number || ' ' || unit || ' of ' || trim_scale(make_factor) as name
    from import_row where make_factor is not null and outcome in ('new', 'changed', 'held')) made) named`;

/** SQL for the units of the item of a staged row, as (unit, factor), where the factor is the number of base units. */
const unitsOf = (row: Sql): Sql => sql`(select ${row}.base_unit as unit, 1::numeric as factor
  union all select u.unit, u.factor from item_unit u where u.item_id = ${row}.item_id and u.unit <> ${row}.base_unit)`;

/** The same including the units of other rows in the file. Units of unknown size have no factor. */
const unitsAround = (row: Sql): Sql => sql`(select unit, factor from ${unitsOf(row)} here
  union select x.unit, x.factor from import_row x where x.item_id = ${row}.item_id and x.reason is null and x.unit <> ${row}.base_unit)`;

/** SQL for whether the pack size of row `r` equals a factor, in any unit of the item. */
const comesTo = (factor: Sql, units: Sql): Sql => sql`exists (
  select from ${units} i where i.unit = coalesce(r.pack_of, i.unit) and i.unit <> r.unit and r.pack_count * i.factor = ${factor})`;

const withoutZeros = (number: Sql): Sql => sql`trim_scale(${number})::text`;
const PACKED = sql`r.reason is null and r.pack_count is not null`;
const refuseUnit = (reason: Sql): Sql =>
  sql`bad_column = 'unit', bad_value = coalesce(r.unit_text, r.unit), reason = ${reason}`;

/** Clears the text, so that two rows with the same meaning in different words are equal. */
const FORGET_WORDS = sql`update import_row set pack_count = null, pack_of = null, unit_text = null
  where reason is null and (unit_text is not null or pack_count is not null)`;

/**
 * Checks the unit of rows with a price per unit. The rows need `item_id` and `base_unit`. `makes` is true for a kind that creates units on request.
 */
export const checkUnit = (makes = false): readonly Sql[] => [
  sql`update import_row r
    set ${refuseUnit(
      sql`case when r.unit_text is null then '' else 'is ' || r.unit || ', which ' end || 'is no unit of this item: import its units first'
     || case when ${sql.lit(makes)} and r.pack_count is not null then ${sql.lit(`, ${SAY_PACKS}`)} else '' end`,
    )}
   where r.reason is null and r.unit <> r.base_unit and r.make_factor is null
     and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.unit)`,
  sql`update import_row r set ${refuseUnit(sql`f.reason`)}
   from (
     select r.row_no, 'may be ' || r.unit || ', which holds ' || ${withoutZeros(sql`h.factor`)} || ' ' || r.base_unit || ' here, or '
       || ${withoutZeros(sql`r.pack_count`)} || ' ' || coalesce(r.pack_of, r.base_unit)
       || coalesce(', which is ' || string_agg(distinct o.unit, ' or '), '') || ': write the unit that is meant' as reason
     from import_row r join lateral ${unitsOf(sql`r`)} h on h.unit = r.unit
     left join lateral ${unitsOf(sql`r`)} i on i.unit = coalesce(r.pack_of, r.base_unit)
     left join lateral ${unitsOf(sql`r`)} o on o.factor = r.pack_count * i.factor and o.unit <> r.unit
     where ${PACKED} and r.make_factor is null and not ${comesTo(sql`h.factor`, unitsOf(sql`r`))}
     group by r.row_no, r.unit, h.factor, r.base_unit, r.pack_count, r.pack_of) f
   where f.row_no = r.row_no`,
  FORGET_WORDS,
];

/** Sets the number of base units per unit (`factor`) from the pack size, if no other cell contains it. */
export const PACK_TO_FACTOR: readonly Sql[] = [
  sql`create index on import_row (item_id)`,
  sql`update import_row r
    set ${refuseUnit(
      sql`'says ' || ${withoutZeros(sql`r.pack_count`)} || coalesce(' ' || r.pack_of, '') || ', another cell of the row '
        || ${withoutZeros(sql`r.factor`)} || ' ' || r.base_unit`,
    )}
   where ${PACKED} and r.factor is not null and not ${comesTo(sql`r.factor`, unitsAround(sql`r`))}`,
  sql`update import_row r set factor = r.pack_count where ${PACKED} and r.factor is null and r.pack_of = r.base_unit`,
  // A pack size in another unit, whose own size is known at this point.
  sql`update import_row r set factor = f.factor
   from (select r.row_no, r.pack_count * i.factor as factor
         from import_row r join lateral ${unitsAround(sql`r`)} i on i.unit = r.pack_of and i.unit <> r.unit and i.factor is not null
         where ${PACKED} and r.factor is null) f
   where f.row_no = r.row_no`,
  sql`update import_row r set ${refuseUnit(sql`'counts ' || r.pack_of || ', which is not a unit of this item: import it first'`)}
   where ${PACKED} and r.factor is null and r.pack_of is not null`,
  // A pack size without a unit is in the existing contents of the unit, or in base units if there are none.
  sql`update import_row r set factor = u.factor from item_unit u
   where ${PACKED} and r.factor is null and u.item_id = r.item_id and u.unit = r.unit and ${comesTo(sql`u.factor`, unitsOf(sql`r`))}`,
  sql`update import_row r set factor = f.count, reason = f.reason, bad_column = f.bad_column, bad_value = f.bad_value
   from (select r.row_no, case when count(distinct i.unit) = 1 then r.pack_count end as count,
           case when count(distinct i.unit) > 1 then 'may hold '
           || string_agg(distinct ${withoutZeros(sql`r.pack_count`)} || ' ' || i.unit, ' or ') || ': write which' end as reason,
           case when count(distinct i.unit) > 1 then 'unit' end as bad_column,
           case when count(distinct i.unit) > 1 then r.unit_text end as bad_value
         from import_row r join lateral ${unitsAround(sql`r`)} i on i.unit <> r.unit
         where ${PACKED} and r.factor is null group by r.row_no, r.pack_count, r.unit_text) f
   where f.row_no = r.row_no`,
  FORGET_WORDS,
];
