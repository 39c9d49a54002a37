// SQL that finds the items a written number may mean. Every search, paste and import uses it, so that all of them give the same answer.

/** The unit of an item whose references for one number name different ones. */
export const UNITS_DIFFER = '?';

/**
 * SQL for the items that `typed` (a column with a written number) may mean: item_id, tier, place, kind and number, `sure`, `unit`, and `best`, the
 * lowest tier of the sure ones, else of none. A number means an item when it is the only one with `tier <= best`, and sure. The tiers: 0 the item
 * number, or a cross-reference for the facility, its parents or its GPOs; 1 the item number in other capitals; 2 any number of the item written
 * another way (`number_key`), or a reference for everybody; 3 a GTIN of another packing level, or a reference that is less than sure. `place` puts our
 * own numbers before those of others. `sure` is false for an equivalent, a substitute, and a reference written with more or fewer zeros: a person
 * chooses it. `unit`: the unit that a reference says, '' if none does, `UNITS_DIFFER` if two say different ones.
 * Numbers of other customers do not count when `facility` (SQL for an id) is not null. `references` false leaves the cross-references out, for lists
 * of our own.
 */
export function fitting(typed: string, facility = 'null::int', { references = true } = {}): string {
  const written = `scanned_number(${typed})`;
  const ofCustomer = `(x.facility_id is null or ${facility} is null or x.facility_id = ${facility}
    or x.facility_id = (select f.parent_id from facility f where f.id = ${facility}))`;
  const ofReferences = `
        union all select item_id, case when not is_exact then 3 when place < 3 then 0 when kind = 'Same' then 2 else 3 end,
          case when not is_exact then 4 when place < 3 then -1 else 3 end, whose, said, is_exact and kind = 'Same',
          case when min(nullif(unit, '')) over (partition by item_id) <> max(nullif(unit, '')) over (partition by item_id) then '${UNITS_DIFFER}'
            else coalesce(min(nullif(unit, '')) over (partition by item_id), '') end
          from cross_references_of(${written}, ${facility})`;
  return `
    select best_of_item.*, coalesce(min(tier) filter (where sure) over (), 9) as best from (
      select distinct on (item_id) item_id, tier, place, kind, number, sure, unit from (
        select i.id as item_id, t.tier, t.tier as place, 'Item number' as kind, i.item_number as number, true as sure, '' as unit
          from item i, lateral (select case when i.item_number = ${typed} then 0 when lower(i.item_number) = lower(${typed}) then 1 else 2 end as tier) t
          where number_key(i.item_number) = number_key(${written})
        union all select i.id, 2, 3, 'Manufacturer number', i.manufacturer_no, true, ''
          from item i where i.manufacturer_no <> '' and number_key(i.manufacturer_no) = number_key(${written})
        union all select x.item_id, 2, 3, case x.kind when 'GTIN' then 'GTIN' else 'Customer''s number' end, x.value, true, ''
          from item_identifier x where number_key(x.value) = number_key(${written}) and ${ofCustomer}
        union all select x.item_id, 3, 4, 'GTIN of another unit', x.value, true, ''
          from item_identifier x where x.kind = 'GTIN' and gtin_core(x.value) = gtin_core(${written})
        union all select i.id, 3, 4, 'GTIN of another unit', i.item_number, true, ''
          from item i where i.item_number ~ '^[0-9]{12,14}$' and gtin_core(i.item_number) = gtin_core(${written})${references ? ofReferences : ''}
      ) numbers order by item_id, sure desc, tier, place) best_of_item`;
}
