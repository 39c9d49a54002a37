// Finds the contracts and tiers under which facilities buy: by roster entry, their own or a covering parent's, or by GPO membership.
import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '#platform/shared/dates.ts';

/** `among` limits the search to these contracts, which is much faster than searching all of them. */
type Asked = { facilities: RawBuilder<unknown>; day: IsoDate; among?: readonly number[] | undefined };

/**
 * A query of `contract_id`, `facility_id` and `tier_id` for facilities (a query of `id`), today or later. The nearest roster entry applies: the
 * facility's own comes before that of a parent that covers its children. An entry that excludes the facility hides the contract. Without an entry, a
 * contract open to members assigns the facility its base tier.
 */
export function contractPlaces(facilities: RawBuilder<unknown>, day: IsoDate, among?: readonly number[]) {
  const request = { facilities, day, among };
  return sql<{ contract_id: number; facility_id: number; tier_id: number }>`
    with recursive ${waysOf(request)}
    select contract_id, facility_id, tier_id from listed where not excluded
    union all
    select c.id, m.facility_id, (select t.id from contract_tier t where t.contract_id = c.id order by t.tier_no limit 1)
      from ${asMembers(request)}`;
}

/** A query of the ids of the contracts of `contractPlaces`. It is faster than reading the places. */
export function contractsOf(facilities: RawBuilder<unknown>, day: IsoDate, among?: readonly number[]) {
  const request = { facilities, day, among };
  return sql<{ contract_id: number }>`
    with recursive ${waysOf(request)}
    select contract_id from listed where not excluded union select c.id from ${asMembers(request)}`;
}

/**
 * Common tables: `listed` contains the nearest roster entry per facility and contract, and `member` the GPOs of which a facility is a member, either
 * declared or by a roster entry. As in pricing, the nearest facility with any declared membership decides. A parent's membership applies unless a
 * facility below it has another one on that day, which is today or the first day of the parent's.
 */
function waysOf({ facilities, day, among }: Asked) {
  const lasts = (row: string) =>
    sql`(${sql.ref(`${row}.valid_to`)} is null or ${sql.ref(`${row}.valid_to`)} >= ${day}::date)`;
  return sql`
    asked as materialized (${facilities}),
    up as (
      select id as facility_id, id as at, 0 as steps from asked
      union all
      select up.facility_id, f.parent_id, up.steps + 1 from up join facility f on f.id = up.at
       where f.parent_id is not null and up.steps < 8),
    listed as materialized (
      select distinct on (up.facility_id, r.contract_id) up.facility_id, r.contract_id, r.tier_id, r.excluded
        from up join contract_roster r on r.facility_id = up.at and (up.steps = 0 or r.covers_children)
          and ${lasts('r')} ${only('r.contract_id', among)}
       order by up.facility_id, r.contract_id, up.steps, r.valid_from <= ${day}::date desc, r.valid_from, r.id),
    held as materialized (
      select up.facility_id, up.steps, m.gpo_id, greatest(m.valid_from, ${day}::date) as first_day, m.valid_to
        from up join gpo_membership m on m.facility_id = up.at and ${lasts('m')}),
    member as (
      select distinct facility_id, gpo_id from held
       where not exists (select from held nearer where nearer.facility_id = held.facility_id and nearer.steps < held.steps
         and nearer.first_day <= held.first_day and (nearer.valid_to is null or nearer.valid_to >= held.first_day))
      union
      select listed.facility_id, c.gpo_id from listed join gpo_contract c on c.id = listed.contract_id
       where not listed.excluded and c.gpo_id is not null and c.state <> 'Draft')`;
}

/** The contracts open to members, `c`, with the members, `m`, who have no roster entry. */
function asMembers({ among }: Asked) {
  return sql`member m join gpo_contract c on c.gpo_id = m.gpo_id and c.open_to = 'members' ${only('c.id', among)}
     where not exists (select from listed where listed.facility_id = m.facility_id and listed.contract_id = c.id)`;
}

function only(column: string, ids: readonly number[] | undefined) {
  return ids === undefined ? sql`` : sql`and ${sql.ref(column)} = any(${ids}::int[])`;
}
