// SQL that finds the items a written number may mean. Every search, paste and import uses it, so that all return the same items.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';

/** The unit of an item whose references for one number name different units. */
export const UNITS_DIFFER = '?';

/**
 * SQL for the items that `typed` (a column with a written number) may mean: item_id, tier, place, kind and number, `sure`, `unit`, and `best`, the
 * lowest tier of the sure rows, or 9 without any. A number means an item if the item is sure and the only one with `tier <= best`.
 * The tiers: 0 the item number, or a cross-reference for the facility, its parents or its GPOs; 1 the item number in another case; 2 any number of
 * the item in another notation (`number_key`), or a reference for everybody; 3 a GTIN of another packing level, or a reference that is not sure.
 * `place` puts our own numbers before those of others. `sure` is false for an equivalent, a substitute, and a reference written with more or fewer
 * zeros: the user must choose it. `unit` is the unit that a reference names: '' if none does, `UNITS_DIFFER` if two name different ones.
 * If `facility` (SQL for an id) is not null, numbers of other customers are ignored. With `references` false, cross-references are ignored, for lists
 * of our own.
 */
export function fitting(typed: Sql, facility: Sql = sql`null::int`, { references = true } = {}): Sql {
  // `offset 0` makes the database compute the forms of the number once, because that takes longer than any lookup. A carrier has at least sixteen
  // characters, and only seven to fourteen digits can be a GTIN, so most numbers skip both.
  return sql`
    select best_of_item.*, coalesce(min(tier) filter (where sure) over (), 9) as best from (
      select distinct on (item_id) item_id, tier, place, kind, number, sure, unit from (
        select written, key, case when key ~ '^[0-9]{7,14}$' then gtin_core(written) end as core
          from (
            select written, number_key(written) as key
              from (
                select case when length(${typed}) < 16 then ${typed} else scanned_number(${typed}) end as written
                offset 0) s
            offset 0) n
        offset 0) w,
        lateral (
          ${ourNumbers(typed)}
          union all
          ${makersNumbers}
          union all
          ${furtherNumbers(facility)}
          union all
          ${gtinsOfOtherUnits}
          ${references ? sql`union all ${referencesOf(facility)}` : sql``}) numbers
       order by item_id, sure desc, tier, place) best_of_item`;
}

/** Items by our own number, by item_number_key. */
function ourNumbers(typed: Sql): Sql {
  return sql`
          select i.id as item_id, t.tier, t.tier as place, 'Item number' as kind, i.item_number as number,
                 true as sure, '' as unit
            from item i,
                 lateral (select case when i.item_number = ${typed} then 0
                                      when lower(i.item_number) = lower(${typed}) then 1
                                      else 2 end as tier) t
           where number_key(i.item_number) = w.key`;
}

/** Items by their manufacturer number, by item_maker_key. */
const makersNumbers = sql`
          select i.id, 2, 3, 'Manufacturer number', i.manufacturer_no, true, ''
            from item i
           where i.manufacturer_no <> '' and number_key(i.manufacturer_no) = w.key`;

/** Items by their GTINs and by customers' numbers: those of the facility and its parent, or of all customers. */
function furtherNumbers(facility: Sql): Sql {
  return sql`
          select x.item_id, 2, 3, case x.kind when 'GTIN' then 'GTIN' else 'Customer''s number' end, x.value, true, ''
            from item_identifier x
           where number_key(x.value) = w.key
             and (x.facility_id is null or ${facility} is null or x.facility_id = ${facility}
               or x.facility_id = (select f.parent_id from facility f where f.id = ${facility}))`;
}

/** Items by the GTIN of another packing level, either their own or one that is their item number. */
const gtinsOfOtherUnits = sql`
          select x.item_id, 3, 4, 'GTIN of another unit', x.value, true, ''
            from item_identifier x
           where x.kind = 'GTIN' and gtin_core(x.value) = w.core
          union all
          select i.id, 3, 4, 'GTIN of another unit', i.item_number, true, ''
            from item i
           where i.item_number ~ '^[0-9]{12,14}$' and gtin_core(i.item_number) = w.core`;

/** SQL for 'the entry `x` has the written number, and applies to the facility'. */
export function isReferenceOf(x: Sql, written: Sql, facility: Sql): Sql {
  return sql`${x}.number_key = number_key(${written}) and not ${x}.ended and ${scopePlace(x, facility)} is not null`;
}

const scopePlace = (x: Sql, facility: Sql): Sql =>
  sql`cross_reference_place(${x}.scope, ${x}.facility_id, ${x}.gpo_id, ${facility})`;

/**
 * The cross-references of a written number as rows of `fitting`. Entries with as many zeros as were written are exact. Of the exact entries, only
 * those nearest to the facility apply, and likewise of the others. Nested queries compute the columns that later ones use, because the planner would
 * otherwise compute an entry's place once for each use.
 */
function referencesOf(facility: Sql): Sql {
  const least = sql`min(nullif(n.unit, '')) over (partition by n.item_id)`;
  const greatest = sql`max(nullif(n.unit, '')) over (partition by n.item_id)`;
  return sql`
          select n.item_id,
                 case when not n.exact then 3 when n.near < 3 then 0 when n.kind = 'Same' then 2 else 3 end,
                 case when not n.exact then 4 when n.near < 3 then -1 else 3 end,
                 (array['Your reference:', 'Reference of the parent:', 'Reference of the GPO:', 'Reference:'])[n.near + 1],
                 concat_ws(' ', nullif(n.maker, ''), n.number, '= our', i.item_number)
                   || case n.unit when '' then '' else ' by ' || n.unit end
                   || case n.kind when 'Same' then '' else ', ' || lower(n.kind) end,
                 n.exact and n.kind = 'Same',
                 case when ${least} <> ${greatest} then ${sql.lit(UNITS_DIFFER)} else coalesce(${least}, '') end
            from (
              select c.*, min(c.near) over (partition by c.exact) as nearest
                from (
                  select x.item_id, x.kind, x.unit, x.maker, x.number,
                         x.zeros = length(substring(bare_text(w.written) from '^0*')) as exact,
                         ${scopePlace(sql`x`, facility)} as near
                    from cross_reference x
                   where x.number_key = w.key and not x.ended
                  offset 0) c
               where c.near is not null) n
            join item i on i.id = n.item_id
           where n.near = n.nearest`;
}
