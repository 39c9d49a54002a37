// Finds the items that the rows of a file name. A number that fits several items holds its row until a person chooses one.
import { fitting } from '#features/catalogue/item-finder/fitting.server.ts';
import type { ImportKind } from './kind-description.server.ts';

/** The most items of one number that a person chooses from. */
const MOST_CHOICES = 8;

/** The ways of a held row, one for each record that its number fits. */
export const oneOf = (value: string, label: string, order: string): string =>
  `jsonb_agg(jsonb_build_object('value', ${value}, 'label', left(${label}, 80)) order by ${order})`;

/** Whether a person has chosen this way for row `r`, and it is still one of the ways of `m`. */
export const isChosenOf = (m: string): string =>
  `${m}.ways @> jsonb_build_array(jsonb_build_object('value', r.chosen))`;

/**
 * SQL that sets `item_id` and `base_unit` of rows with an item number: the item of that very number, else the only one that the number fits
 * (`fitting`), else the one that a person chose. Holds rows whose number fits several, and refuses those that fit none or too many. With `facility`
 * (SQL on row `r`), numbers of other customers do not count.
 */
export function findItem(facility = 'null::int'): readonly string[] {
  const open = 'r.reason is null and r.outcome is null and r.item_id is null';
  const same = 'm.item_number = r.item_number and m.facility is not distinct from ' + facility;
  return [
    'update import_row r set item_id = i.id, base_unit = i.base_unit from item i where i.item_number = r.item_number',
    // A number of no item in 20,000 rows: without figures of both tables each row would be compared with each number.
    'analyze import_row',
    `create temp table item_meant on commit drop as
     select n.item_number, n.facility, f.* from (select distinct r.item_number, ${facility} as facility from import_row r where ${open}) n,
       lateral (select count(*) as of, min(fit.item_id) as item_id, string_agg(i.item_number, ', ' order by i.item_number) as numbers,
           ${oneOf("'item ' || i.id", "i.item_number || ' ' || i.description", 'i.status, i.item_number')} as ways
         from (${fitting('n.item_number', 'n.facility')}) fit join item i on i.id = fit.item_id where fit.tier = fit.best) f`,
    'analyze item_meant',
    `update import_row r set item_id = i.id, base_unit = i.base_unit from item_meant m, item i
     where ${same} and ${open} and i.id = case when m.of = 1 then m.item_id when ${isChosenOf('m')} then substr(r.chosen, 6)::int end`,
    // Its row has been asked which facility is meant. A row has one question.
    `update import_row r set bad_column = 'item_number', bad_value = r.item_number,
       reason = 'fits ' || m.of || ' items, ' || m.numbers || ': write the item number that is meant'
     from item_meant m where ${same} and ${open} and m.of > 1 and r.chosen not like 'item %'`,
    `update import_row r set outcome = 'held', held_was = m.numbers, held_now = r.item_number, held_ways = m.ways,
       held_hint = 'The number fits ' || m.of || ' items.'
     from item_meant m where ${same} and ${open} and m.of between 2 and ${MOST_CHOICES}`,
    `update import_row r set bad_column = 'item_number', bad_value = r.item_number,
       reason = 'fits ' || m.of || ' items: write the item number that is meant'
     from item_meant m where ${same} and ${open} and m.of > ${MOST_CHOICES}`,
    `update import_row r set bad_column = 'item_number', bad_value = r.item_number, reason = 'is no item here: import the items first'
     where ${open}`,
    'drop table item_meant',
  ];
}

/** The question above rows whose number fits several records. */
export const WHICH_ITEM: NonNullable<ImportKind['choice']> = {
  title: 'Which one is meant?',
  why: 'The number fits several.',
};

/** One sentence about the rows whose item has another number than the file says. */
export const OTHER_NUMBERS = `
  select case n when 0 then null when 1 then '1 row names its item' else to_char(n, 'FM999,999,990') || ' rows name their items' end
         || ' by another number or spelling: ' || examples || case when n > 3 then ', …' else '' end || '.' as sentence
    from (select count(*) as n, string_agg(said || ' is ' || item_number, ', ' order by line) filter (where place <= 3) as examples
            from (select r.item_number as said, i.item_number, r.line, row_number() over (order by r.line) as place
                    from import_row r join item i on i.id = r.item_id
                   where r.item_number <> i.item_number and r.outcome in ('new', 'changed', 'same')) other) found`;
