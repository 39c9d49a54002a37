// Finds the facility of each roster row by its numbers and confirmed matches. Otherwise suggests the most similar facility.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { fittingAccounts } from '#core/customers/facility-finder/match-account-number.server.ts';
import { facilityText } from '#core/company/import-kinds/find-facility.server.ts';
import { oneOf } from '#core/company/import-kinds/find-item.server.ts';
import { OPEN, run } from '../stage-sql.server.ts';

/** The lowest similarity of two names that is treated as similar, from 0 to 1. */
const MIN_SIMILARITY = 0.3;

/**
 * Sets `facility_id` and `alias_key`. A facility found only by similarity also gets `suggested` and `reasons`. Holds rows that match several
 * facilities until a user chooses one, and refuses rows whose facility is unknown. A facility found by a number is also only suggested if its name
 * and place differ. A match with a merged facility refers to the one that remains.
 */
export async function matchFacilities(trx: Db): Promise<void> {
  await run(trx, ...KEYS, ...CHOSEN, ...BY_NUMBER, ...OTHER_NAME, ...SUGGEST);
}

/** Refuses a row, and names the strongest identifier of the facility in the file. */
const refuseWho = (reason: Sql): Sql => sql`sort = 'facility', reason = ${reason},
  bad_value = coalesce(r.member_id, r.hin, r.gln, r.acct_no, r.name), bad_column = case when r.member_id is not null then 'member_id'
    when r.hin is not null then 'hin' when r.gln is not null then 'gln' when r.acct_no is not null then 'acct_no' else 'name' end`;

/** Holds a row that matches several facilities, with one option for each of the facilities `ids` (SQL). */
const holdForChoice = (ids: Sql, hint: Sql): Sql => sql`outcome = 'held', held_hint = ${hint},
  held_now = concat_ws(', ', coalesce(r.member_id, r.hin, r.gln, r.acct_no), r.name, r.address, r.city, r.state),
  held_was = (select string_agg(${facilityText(sql`f`)}, '; ' order by f.acct_no) from facility f where f.id = any (${ids})),
  held_ways = (select ${oneOf(sql`f.id::text`, sql`f.acct_no || ' ' || f.name`, sql`f.acct_no`)} from facility f
    where f.id = any (${ids}))`;
const MAX_CHOICES = 8;

const runs = (table: Sql): Sql =>
  sql`coalesce(${table}.valid_from, '-infinity') <= r.first_day and coalesce(${table}.valid_to, 'infinity') >= r.first_day`;

/** Builds a key from the strongest identifier of the facility in the file. */
const KEYS = [
  sql`update import_row r set gpo_id = c.gpo_id from gpo_contract c where c.id = r.contract_id`,
  sql`update import_row r
    set alias_key = lower(case when r.member_id is not null then 'member ' || r.member_id when r.hin is not null then 'hin ' || r.hin
     when r.gln is not null then 'gln ' || r.gln when r.acct_no is not null then 'account ' || r.acct_no
     else concat_ws(', ', 'name ' || r.name, r.address, r.city, r.state, r.zip) end)`,
  sql`analyze import_row`,
];

/** The facility that a user picked instead of the suggested one. */
const CHOSEN = [
  sql`update import_row r set facility_id = f.id, suggested = true, reasons = 'picked'
   from facility f where f.id::text = r.chosen and f.active and ${OPEN}`,
];

/** The evidence for each facility: (row_no, facility_id, how). */
const BY_NUMBER = [
  sql`create temp table roster_match on commit drop as
   select distinct evidence.row_no, coalesce(f.merged_into, f.id) as facility_id, evidence.how from (
   select r.row_no, i.facility_id, 'member id' as how from import_row r
     join facility_identifier i on i.kind = 'GPO member' and i.gpo_id = r.gpo_id
       and lower(i.value) = lower(r.member_id) and ${runs(sql`i`)} where ${OPEN}
   union select r.row_no, m.facility_id, 'member id' from import_row r
     join gpo_membership m on m.gpo_id = r.gpo_id and lower(m.member_id) = lower(r.member_id) and ${runs(sql`m`)} where ${OPEN}
   union select r.row_no, x.facility_id, 'member id' from import_row r join contract_roster x on lower(x.member_id) = lower(r.member_id)
     join gpo_contract c on c.id = x.contract_id and (c.id = r.contract_id or c.gpo_id = r.gpo_id) where ${OPEN}
   union select r.row_no, i.facility_id, i.kind from import_row r
     join facility_identifier i on i.kind in ('HIN', 'GLN')
       and lower(i.value) = lower(case i.kind when 'HIN' then r.hin else r.gln end) and ${runs(sql`i`)} where ${OPEN}
   union select r.row_no, a.facility_id, 'confirmed match' from import_row r
     join facility_alias a on a.key = r.alias_key and a.gpo_id is not distinct from r.gpo_id where ${OPEN}
   union select r.row_no, a.facility_id, 'account number' from import_row r, lateral (${fittingAccounts(sql`r.acct_no`)}) a
     where r.acct_no is not null and a.tier = a.best and ${OPEN}) evidence join facility f on f.id = evidence.facility_id`,
  // A number that several facilities share is not sufficient by itself. The facility that every number matches wins.
  sql`create temp table roster_found on commit drop as
   select m.row_no, count(*) as of, count(*) filter (where m.kinds = k.kinds) as agreed,
     max(m.facility_id) filter (where m.kinds = k.kinds) as facility_id, array_agg(m.facility_id) as ids,
     string_agg(m.how || ' is ' || f.acct_no || ' ' || f.name, ', ' order by m.how collate "C", f.acct_no) as matches
   from (select row_no, facility_id, count(*) as kinds, string_agg(how, ' and ' order by how) as how from roster_match group by 1, 2) m
   join (select row_no, count(distinct how) as kinds from roster_match group by 1) k using (row_no)
   join facility f on f.id = m.facility_id group by m.row_no`,
  sql`update import_row r set facility_id = f.facility_id from roster_found f
    where f.row_no = r.row_no and f.agreed = 1 and r.chosen is null`,
  sql`update import_row r set ${holdForChoice(sql`m.ids`, sql`left(m.matches, 300) || '.'`)}
   from roster_found m where m.row_no = r.row_no and m.agreed <> 1 and m.of between 2 and ${sql.lit(MAX_CHOICES)}
     and r.chosen is null and ${OPEN}`,
  sql`update import_row r
    set ${refuseWho(
      sql`'may be one of several facilities: ' || left(f.matches, 300)
        || '. Write the account number that is meant, or correct the numbers of the facilities'`,
    )}
   from roster_found f where f.row_no = r.row_no and f.agreed <> 1 and r.facility_id is null and ${OPEN}`,
];

/** Another organization's account number may look like ours. In that case name and place indicate another facility, and a user decides. */
const OTHER_NAME = [
  sql`update import_row r set suggested = true, reasons = 'only the account number fits: another name and place'
   from facility f where f.id = r.facility_id and r.chosen is null and ${OPEN} and f.name <> '' and r.name is not null
     and similarity(plain_text(f.name), plain_text(r.name)) < ${sql.lit(MIN_SIMILARITY)}
     and (lower(f.ship_to_city) <> lower(r.city) or f.ship_to_state <> r.state)
     and not exists (select from roster_match m where m.row_no = r.row_no and m.how <> 'account number')`,
];

const words = (text: Sql): Sql => sql`lower(trim(regexp_replace(${text}, '[^[:alnum:]]+', ' ', 'g')))`;
const STREET = sql`${words(sql`f.ship_to_line1`)} = ${words(sql`s.address`)}`;

/** Suggests facilities in the same place, or with the same name in the state, by name similarity. Skips facilities that another row has matched. */
const SUGGEST = [
  sql`create temp table roster_like on commit drop as
   select s.contract_id, s.alias_key, f.id as facility_id, f.acct_no, f.name as facility,
     similarity(plain_text(f.name), plain_text(s.name)) as likeness, coalesce(${STREET}, false) as same_street,
     coalesce(left(f.ship_to_zip, 5) = s.zip, false) as same_zip,
     lower(f.ship_to_city) = lower(s.city) as same_city,
     coalesce(p.acct_no = s.parent or lower(p.name) = lower(s.parent), false) as same_parent
   from (select distinct on (contract_id, alias_key) contract_id, alias_key, name, address, city, state, zip, parent from import_row r
         where ${OPEN} and facility_id is null and name is not null order by contract_id, alias_key, row_no) s
   join facility f on f.active and f.ship_to_state = s.state
     and (lower(f.ship_to_city) = lower(s.city) or lower(f.name) = lower(s.name) or left(f.ship_to_zip, 5) = s.zip)
   left join facility p on p.id = f.parent_id
   where similarity(plain_text(f.name), plain_text(s.name)) >= ${sql.lit(MIN_SIMILARITY)}
     and not exists (select from import_row o where o.contract_id = s.contract_id and o.facility_id = f.id)`,
  sql`create temp table roster_best on commit drop as
   select *, row_number() over (partition by contract_id, facility_id order by score desc, alias_key) as nth_row from (
     select *, row_number() over of_row as nth, lead(score) over of_row as next_score, lead(facility_id) over of_row as next_id
     from (select *, likeness + case when same_street then 0.3 else 0 end + case when same_zip then 0.1 else 0 end
             + case when same_city then 0.1 else 0 end + case when same_parent then 0.1 else 0 end as score from roster_like) l
     window of_row as (partition by contract_id, alias_key order by score desc, facility_id)) l
   where nth = 1`,
  sql`update import_row r set ${holdForChoice(sql`array[b.facility_id, b.next_id]`, sql`'Two facilities are equally alike.'`)}
   from roster_best b where b.contract_id = r.contract_id and b.alias_key = r.alias_key and b.score = b.next_score
     and r.facility_id is null and ${OPEN}`,
  sql`update import_row r set facility_id = b.facility_id, suggested = true,
     reasons = concat_ws(', ', 'names ' || round((b.likeness * 100)::numeric) || '% alike', case when b.same_street then 'same street' end,
       case when b.same_city then 'same city' else 'another city' end, case when b.same_zip then 'same ZIP' end,
       case when b.same_parent then 'same parent' end)
   from roster_best b where b.contract_id = r.contract_id and b.alias_key = r.alias_key and b.nth_row = 1
     and r.facility_id is null and ${OPEN}`,
  sql`update import_row r set ${refuseWho(sql`'is not a known facility by number or name: write its account number, or add the facility'`)}
   where ${OPEN} and r.facility_id is null`,
];
