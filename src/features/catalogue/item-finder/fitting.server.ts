// SQL that finds the items a written number may mean. Every search, paste and import uses it, so that all of them give the same answer.

/**
 * SQL for the items that `typed` (a column with a written number) may mean: item_id, tier, place, kind and number, and `best`, the lowest tier.
 * A number means an item when it is the only one of the best tier. The tiers: 0 the item number, 1 the item number in other capitals, 2 any number of
 * the item written another way (`number_key`), and 3 a GTIN of another packing level. `place` puts our own numbers before those of others.
 * Numbers of other customers do not count when `facility` (SQL for an id) is not null.
 */
export function fitting(typed: string, facility = 'null::int'): string {
  const written = `scanned_number(${typed})`;
  const ofCustomer = `(x.facility_id is null or ${facility} is null or x.facility_id = ${facility}
    or x.facility_id = (select f.parent_id from facility f where f.id = ${facility}))`;
  return `
    select best_of_item.*, min(tier) over () as best from (
      select distinct on (item_id) item_id, tier, place, kind, number from (
        select i.id as item_id, t.tier, t.tier as place, 'Item number' as kind, i.item_number as number
          from item i, lateral (select case when i.item_number = ${typed} then 0 when lower(i.item_number) = lower(${typed}) then 1 else 2 end as tier) t
          where number_key(i.item_number) = number_key(${written})
        union all select i.id, 2, 3, 'Manufacturer number', i.manufacturer_no
          from item i where i.manufacturer_no <> '' and number_key(i.manufacturer_no) = number_key(${written})
        union all select x.item_id, 2, 3, case x.kind when 'GTIN' then 'GTIN' else 'Customer''s number' end, x.value
          from item_identifier x where number_key(x.value) = number_key(${written}) and ${ofCustomer}
        union all select x.item_id, 3, 4, 'GTIN of another unit', x.value
          from item_identifier x where x.kind = 'GTIN' and gtin_core(x.value) = gtin_core(${written})
        union all select i.id, 3, 4, 'GTIN of another unit', i.item_number
          from item i where i.item_number ~ '^[0-9]{12,14}$' and gtin_core(i.item_number) = gtin_core(${written})
      ) numbers order by item_id, tier, place) best_of_item`;
}
