// Finds the items of rows by their numbers. A number that matches several items holds its row until the user chooses one.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { fitting, isReferenceOf } from '#core/catalog/item-finder/number-matches.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';

/** The maximum number of items with one number that the user can choose from. */
const MAX_CHOICES = 8;

/** SQL for the ways of a held row, one for each record that its number fits. */
export const oneOf = (value: Sql, label: Sql, order: Sql): Sql =>
  sql`jsonb_agg(jsonb_build_object('value', ${value}, 'label', left(${label}, 80)) order by ${order})`;

/** SQL for whether the user has chosen this way for row `r`, and it is still one of the ways of `m`. */
export const isChosenOf = (m: Sql): Sql => sql`${m}.ways @> jsonb_build_array(jsonb_build_object('value', r.chosen))`;

/**
 * SQL that sets `item_id` and `base_unit` of rows with an item number: the item with exactly this number, otherwise the only one that the number
 * certainly fits (`fitting`), otherwise the one that the user chose. Holds rows whose number fits several items or is a reference to an equivalent,
 * and refuses those that fit none or too many. With `facility` (SQL on row `r`), numbers of other customers are ignored, and cross-references are
 * used; without it, the file is our own list and uses our numbers. `unit`: the rows have a unit, which a reference may contradict.
 */
export function findItem(facility?: Sql, { unit = false } = {}): readonly Sql[] {
  const open = sql`r.reason is null and r.outcome is null and r.item_id is null`;
  const target = facility ?? sql`null::int`;
  const same = sql`m.item_number = r.item_number and m.facility is not distinct from ${target}`;
  const fits = fitting(sql`n.item_number`, sql`n.facility`, { references: facility !== undefined });
  // A reference of the customer may override our exact number, so it is looked up with the others.
  const ours =
    facility === undefined
      ? sql``
      : sql` and not exists (select from cross_reference x where ${isReferenceOf(sql`x`, sql`r.item_number`, target)})`;
  return [
    sql`update import_row r set item_id = i.id, base_unit = i.base_unit from item i where i.item_number = r.item_number${ours}`,
    // If 20,000 rows have a number of no item, each row would be compared with each number without statistics on both tables.
    sql`analyze import_row`,
    sql`create temp table item_meant on commit drop as
     select n.item_number, n.facility, f.* from (select distinct r.item_number, ${target} as facility from import_row r where ${open}) n,
       lateral (select count(*) as of, bool_and(fit.sure) as sure, min(fit.item_id) as item_id,
           string_agg(i.item_number, ', ' order by i.item_number) as numbers,
           min(fit.kind || ' ' || fit.number) filter (where fit.kind like '%:') as reference, min(fit.unit) as ref_unit,
           ${oneOf(sql`'item ' || i.id`, sql`i.item_number || ' ' || i.description`, sql`i.status, i.item_number`)} as ways
         from (${fits}) fit join item i on i.id = fit.item_id where fit.tier <= fit.best) f`,
    sql`analyze item_meant`,
    ...(unit ? unitOfReference(sql`${same} and ${open} and m.of = 1`) : []),
    sql`update import_row r set item_id = i.id, base_unit = i.base_unit from item_meant m, item i
     where ${same} and ${open}
       and i.id = case when m.of = 1 and m.sure then m.item_id when ${isChosenOf(sql`m`)} then substr(r.chosen, 6)::int end`,
    // The row already has the question which facility is meant, and a row has only one question.
    sql`update import_row r set bad_column = 'item_number', bad_value = r.item_number,
       reason = case m.of when 1 then 'may be ' || m.numbers else 'fits ' || m.of || ' items, ' || m.numbers end
       || ': write the item number that is meant'
     from item_meant m where ${same} and ${open} and (m.of > 1 or not m.sure) and r.chosen not like 'item %'`,
    sql`update import_row r set outcome = 'held', held_was = m.numbers, held_now = r.item_number, held_ways = m.ways,
       held_hint = case m.of when 1 then m.reference || '.' else 'The number matches ' || m.of || ' items.' end
     from item_meant m where ${same} and ${open} and m.of between 1 and ${sql.lit(MAX_CHOICES)}`,
    sql`update import_row r set bad_column = 'item_number', bad_value = r.item_number,
       reason = 'fits ' || m.of || ' items: write the item number that is meant'
     from item_meant m where ${same} and ${open} and m.of > ${sql.lit(MAX_CHOICES)}`,
    sql`update import_row r set bad_column = 'item_number', bad_value = r.item_number,
       reason = 'is not a known item: import the items first'
     where ${open}`,
    sql`drop table item_meant`,
  ];
}

/** Sets the unit of the cross-reference if the row has no unit. Refuses the row if it has a different unit. */
const unitOfReference = (same: Sql): readonly Sql[] => [
  sql`update import_row r set bad_column = 'unit', bad_value = coalesce(r.unit, ''), reason = case m.ref_unit
     when '?' then 'is not clear: two cross-references of ' || r.item_number || ' name different units'
     else 'is not what the cross-reference says, ' || m.ref_unit || ': ' || m.reference end
   from item_meant m
   where ${same} and m.ref_unit <> '' and (m.ref_unit = '?' and r.unit is null or r.unit <> m.ref_unit and m.ref_unit <> '?')`,
  sql`update import_row r set unit = m.ref_unit from item_meant m where ${same} and m.ref_unit not in ('', '?') and r.unit is null`,
];

/** The question above rows whose number matches several records. */
export const WHICH_ITEM: NonNullable<ImportKind['choice']> = {
  title: 'Which one is it?',
  why: 'The number matches several.',
};

/** The names of new records, and the columns of the rows and of the table that contain their numbers. */
type Numbered = { singular: string; plural: string; column: string; stored: Sql; rows?: Sql; but?: Sql };

const ALIKE = 'only by zeros, dashes, spaces or capitals';
const alikeSentence = (singular: string, plural: string, end: string, pairs: Sql): Sql => sql`
  select case n when 0 then null when 1 then ${sql.lit(`1 ${singular}`)} else to_char(n, 'FM999,999,990') || ${sql.lit(` ${plural}`)} end
         || ${sql.lit(` ${ALIKE}: `)} || examples || case when n > 3 then ', …' else '' end || ${sql.lit(end)} as sentence
    from (select count(*) as n, string_agg(number || ' beside ' || other, ', ' order by place) filter (where place <= 3) as examples
            from (select number, other, row_number() over (order by line, other) as place from (${pairs}) pair) alike) found`;

/**
 * SQL for sentences about new records whose numbers look like a stored one, or like another one in the file, because a file may have lost zeros or
 * dashes.
 */
export function alikeNumbers({
  singular,
  plural,
  column,
  stored,
  rows = sql`import_row`,
  but = sql`true`,
}: Numbered): readonly Sql[] {
  const [number, other] = [sql.ref(`r.${column}`), sql.ref(`i.${column}`)];
  return [
    alikeSentence(
      `new ${singular} differs from a stored one`,
      `new ${plural} differ from a stored one`,
      `. Is it the same ${singular}?`,
      sql`select r.line, ${number} as number, ${other} as other from ${rows} r join ${stored} i
        on number_key(${other}) = number_key(${number}) and ${other} <> ${number} and ${but} where r.outcome = 'new'`,
    ),
    alikeSentence(
      `new ${singular} differs from another one of the file`,
      `new ${plural} differ from others of the file`,
      `. Is it the same ${singular}?`,
      sql`select line, number, other from (
          select r.line, ${number} as number, first_value(${number}) over (partition by number_key(${number}) order by r.line) as other
            from ${rows} r where r.outcome = 'new') alike
        where other <> number`,
    ),
  ];
}

/** SQL for one sentence about the rows whose item has another number than the file. */
export const OTHER_NUMBERS = sql`
  select case n when 0 then null when 1 then '1 row names its item' else to_char(n, 'FM999,999,990') || ' rows name their items' end
         || ' by another number or spelling: ' || examples || case when n > 3 then ', …' else '' end || '.' as sentence
    from (select count(*) as n, string_agg(in_file || ' is ' || item_number, ', ' order by line) filter (where place <= 3) as examples
            from (select r.item_number as in_file, i.item_number, r.line, row_number() over (order by r.line) as place
                    from import_row r join item i on i.id = r.item_id
                   where r.item_number <> i.item_number and r.outcome in ('new', 'changed', 'same')) other) found`;
