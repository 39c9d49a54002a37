// SQL that finds the place of a facility in contracts: who lists it, its memberships, and its tiers with their letters.
import { type RawBuilder, sql } from 'kysely';
import { type Given, hidden } from '#platform/db/one-plan-parameter.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';

/** The maximum number of steps along parents, fallback tiers and predecessors. */
const MAX_LEVELS = sql.lit(8);

/** The facility and its parents as an array. The planner overestimates `chain` and would read whole tables to join it. */
const ofChain = sql`any((select array_agg(id) from chain)::int[])`;

/** The contracts of `place` as an array, for the same reason. */
const ofPlaces = sql`any((select array_agg(id) from place)::int[])`;

/**
 * Common tables, to follow `with recursive`, that find a facility's place in contracts. `place` contains a row for each contract that lists the
 * facility or an ancestor whose entry covers its children, or that is open to the members of its GPO, with the tier. `path` contains that tier and
 * those it falls back to. Each contract is evaluated on the price date, or on its first day if it succeeds another contract later. With `joining` the
 * facility is also treated as a member of every GPO with an open contract, from that day on.
 */
export function placesInContracts(date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  return sql`${membershipsOf(date, facilityId, { joining })},
    due as (${dueContracts(hidden(date, 'date'))}),
    place as materialized (${PLACES}),
    path as (${TIER_PATH})`;
}

/** The contracts that list the facility or are open to its GPOs, with the `day` on which each is evaluated, by gpo_contract_pkey. */
function dueContracts(day: RawBuilder<unknown>) {
  return sql`
      select c.*, gpo.name as gpo_name, greatest(c.effective_from, ${day}) as day, ${lastDayOf(sql`c`)} as ends
        from gpo_contract c
        left join gpo on gpo.id = c.gpo_id
       where c.state <> 'Draft'
         and (c.effective_from <= ${day} or c.predecessor_id is not null)
         and c.id = any(array(
           select contract_id from listing
           union all
           select o.id from gpo_contract o
            where o.open_to = 'members' and o.gpo_id = any(array(select gpo_id from member))))`;
}

/** Whether the roster row `r` is the membership. It is, unless a declared membership applies on that day. */
const BY_ROW = sql`not r.excluded and d.gpo_id is not null
  and (m.declared and ${runs(sql`d.day`, sql`m.`)}) is not true`;

/** For each contract due, the nearest row of its roster on the day, or else the membership. */
const PLACES = sql`
      select d.id, d.number, d.currn_idx, d.effective_from, d.ends, d.day, d.gpo_id, d.gpo_name, d.predecessor_id,
             case when ${BY_ROW} then r.valid_from else m.valid_from end as member_from,
             case when ${BY_ROW} then r.valid_to else m.valid_to end as member_to,
             r.excluded,
             coalesce(r.parent, '') as parent,
             r.id is null as as_member,
             case when r.id is null then m.valid_from else r.valid_from end as listed_from,
             case when r.id is null then m.valid_to else r.valid_to end as listed_to,
             case when r.id is null
               then (select id from contract_tier where contract_id = d.id order by tier_no limit 1)
               else r.tier_id end as tier_id
        from due d
        left join member m on m.gpo_id = d.gpo_id
        left join lateral (
          select * from listing
           where contract_id = d.id and ${runs(sql`d.day`)}
           order by depth, valid_from desc, id desc
           limit 1) r on true
       where d.ends >= d.day
         and (r.id is not null or (d.open_to = 'members' and m.gpo_id is not null))`;

/** The tier of each place, and from there each tier to which it falls back while a letter is needed. */
const TIER_PATH = sql`
      select p.id as contract_id, p.day, 1 as step, ${tierColumns(sql`t`)}
        from place p
        join contract_tier t on t.id = p.tier_id
       where t.contract_id = ${ofPlaces}
      union all
      select p.contract_id, p.day, p.step + 1, ${tierColumns(sql`t`)}
        from path p
        join contract_tier t on t.id = p.fallback_tier_id
       where t.contract_id = ${ofPlaces} and p.needs_loc and p.step < ${MAX_LEVELS}`;

function tierColumns(t: RawBuilder<unknown>) {
  return sql`${t}.id, ${t}.tier_no, ${t}.name, ${t}.needs_loc, ${t}.fallback_tier_id`;
}

/**
 * Common tables for a facility on a day. `chain` contains the facility and its parents. `listing` contains the roster rows that name it, and `letter`
 * its letters of commitment, both including those of parents that cover it. `member` contains its memberships. The nearest facility with any declared
 * membership determines the declared ones (`declared`). A roster row is also a membership (`named`) while its contract is in effect. `chief` contains
 * the GPOs whose contracts apply: the declared primary one, or else those whose rosters name the facility.
 */
export function membershipsOf(date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  const day = hidden(date, 'date');
  return sql`
    chain as (${chainOf(facilityId)}),
    held as (${heldMemberships(day)}),
    declared as (${DECLARED}),
    listing as materialized (${LISTING}),
    letter as materialized (${LETTERS}),
    named as materialized (${namedGpos(day)}),
    ${joining ? sql`joined as (${JOINED}),` : sql``}
    member as (
      select gpo_id, true as declared, valid_from, valid_to from declared
      union all
      select gpo_id, false, valid_from, valid_to from named where gpo_id not in (select gpo_id from declared)
      ${joining ? sql`union all select gpo_id, false, ${day}, null from joined` : sql``}),
    chief as materialized (
      select gpo_id, true as declared from declared where is_primary
      union all
      select gpo_id, false from named where not exists (select from declared where is_primary))`;
}

/** The facility and its parents, by facility_pkey. */
function chainOf(facilityId: Given<number>) {
  return sql`
      select id, parent_id, name, 0 as depth from facility where id = ${hidden(facilityId, 'int')}
      union all
      select f.id, f.parent_id, f.name, c.depth + 1
        from chain c
        join facility f on f.id = c.parent_id
       where c.depth < ${MAX_LEVELS}`;
}

/** The declared memberships of the chain on the day, by gpo_membership_facility. `nearest` is the smallest depth that has any. */
function heldMemberships(day: RawBuilder<unknown>) {
  return sql`
      select m.*, c.depth, min(c.depth) over () as nearest
        from gpo_membership m
        join chain c on c.id = m.facility_id
       where m.facility_id = ${ofChain} and ${runs(day)}`;
}

/** The declared memberships that apply, one for each GPO. */
const DECLARED = sql`
      select distinct on (gpo_id) gpo_id, is_primary, valid_from, valid_to
        from held
       where depth = nearest
       order by gpo_id, is_primary desc, id`;

/** The roster rows for the chain, by contract_roster_facility. */
const LISTING = sql`
      select r.*, c.depth, case when c.depth > 0 then c.name else '' end as parent
        from contract_roster r
        join chain c on c.id = r.facility_id
       where r.facility_id = ${ofChain} and (c.depth = 0 or r.covers_children)`;

/** The letters of the chain, by contract_loc_facility. A contract may have thousands. */
const LETTERS = sql`
      select o.contract_id, o.tier_id, o.state, o.valid_from, o.valid_to, o.state_at, o.id
        from contract_loc o
        join chain c on c.id = o.facility_id
       where o.facility_id = ${ofChain} and (c.depth = 0 or o.covers_children)`;

/** The GPOs whose rosters name the facility on the day. For each contract in effect, the nearest row decides. */
function namedGpos(day: RawBuilder<unknown>) {
  return sql`
      select gpo_id, min(valid_from) as valid_from, nullif(max(ends), 'infinity') as valid_to
        from (
          select distinct on (r.contract_id) r.excluded, r.valid_from, c.gpo_id,
                 least(coalesce(r.valid_to, 'infinity'), coalesce(c.extended_to, c.effective_to),
                   c.terminated_on) as ends
            from listing r
            join gpo_contract c on c.id = r.contract_id
           where c.gpo_id is not null
             and c.state <> 'Draft'
             and c.effective_from <= ${day}
             and ${lastDayOf(sql`c`)} >= ${day}
             and ${runs(day, sql`r.`)}
           order by r.contract_id, r.depth, r.valid_from desc, r.id desc) row
       where not excluded
       group by gpo_id`;
}

/** The GPOs of open contracts of which the facility is not a member. */
const JOINED = sql`
      select distinct gpo_id from gpo_contract where open_to = 'members' and gpo_id is not null
      except
      select gpo_id from declared
      except
      select gpo_id from named`;
/** The GPOs of `chief` as an offer's `primary`. */
export const PRIMARY_GPOS = sql`(
  select json_build_object(
           'declared', coalesce(bool_or(chief.declared), false),
           'gpos', coalesce(json_agg(gpo.name order by gpo.name), '[]'))
    from chief
    join gpo on gpo.id = chief.gpo_id)`;

/** The last day of the contract `c`. */
export function lastDayOf(c: RawBuilder<unknown>) {
  return sql`least(coalesce(${c}.extended_to, ${c}.effective_to), ${c}.terminated_on)`;
}

/** The contracts that the contract `c` replaces, nearest first. */
export function predecessorsOf(c: RawBuilder<unknown>) {
  return sql`case when ${c}.predecessor_id is null then '[]'::json else (
    with recursive before as (
      select ${c}.predecessor_id as id, 1 as step
      union all
      select o.predecessor_id, b.step + 1
        from before b
        join gpo_contract o on o.id = b.id
       where o.predecessor_id is not null and b.step < ${MAX_LEVELS})
    select json_agg(id) from before) end`;
}

/** The letter of commitment for the tier `t` from the common table `letter`: the one approved on the day, or else the newest. */
export function bestLoc(t: RawBuilder<unknown>) {
  return sql`case when ${t}.needs_loc then (
    select json_build_object('state', o.state, 'from', o.valid_from, 'to', o.valid_to)
      from letter o
     where o.contract_id = ${t}.contract_id and o.tier_id = ${t}.id
     order by (o.state = 'Approved' and ${runs(sql`${t}.day`, sql`o.`)}) desc, o.state_at desc, o.id desc
     limit 1) end`;
}

/** Checks a day against the `valid_from` and `valid_to` columns of a table. */
export function runs(day: RawBuilder<unknown>, table = sql``) {
  return sql`(${table}valid_from <= ${day} and (${table}valid_to is null or ${table}valid_to >= ${day}))`;
}
