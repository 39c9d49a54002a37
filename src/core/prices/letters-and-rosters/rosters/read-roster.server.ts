// Reads rosters with one statement per page. Each row contains the letter of commitment that applies to it.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { contains, folded, foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { facilityInSight } from '#core/prices/contracts/sight/contract-sight.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { RosterCriteria, RosterRow } from './rosters.contract.ts';

type Criteria = z.output<typeof RosterCriteria>;
/** The maximum number of steps along parents and children. */
const MAX_LEVELS = 8;

const SORTS: Record<string, RawBuilder<unknown>> = {
  facility: sql`lower(f.name)`,
  memberId: sql`r.member_id`,
  tier: sql`t.tier_no`,
  from: sql`r.valid_from`,
  to: sql`r.valid_to`,
};

/** Checks that a row with `valid_from` and `valid_to` is valid on the day. */
const holdsOn = (row: string, day: IsoDate) =>
  sql<boolean>`(${sql.ref(`${row}.valid_from`)} <= ${day}::date
    and (${sql.ref(`${row}.valid_to`)} is null or ${sql.ref(`${row}.valid_to`)} >= ${day}::date))`;

/** The facility of `r` and its ancestors. */
const CHAIN = sql`with recursive chain as (
    select r.facility_id as id, 0 as depth
    union all
    select f.parent_id, c.depth + 1 from chain c join facility f on f.id = c.id
     where f.parent_id is not null and c.depth < ${sql.lit(MAX_LEVELS)})`;
const LETTERS = sql`from chain c join contract_loc o on o.facility_id = c.id and (c.depth = 0 or o.covers_children)
     where o.contract_id = r.contract_id and o.tier_id = r.tier_id`;

/**
 * The roster rows with a letter of commitment approved on the day. One query finds all of them, because walking up for each row takes 100 times as
 * long.
 */
function withLetter(contractId: number, day: IsoDate) {
  return sql`with recursive up as (
      select id, tier_id, facility_id as at, 0 as depth from contract_roster where contract_id = ${contractId} and tier_id is not null
      union all
      select up.id, up.tier_id, f.parent_id, up.depth + 1 from up join facility f on f.id = up.at
       where f.parent_id is not null and up.depth < ${sql.lit(MAX_LEVELS)})
    select up.id from up join contract_loc o on o.facility_id = up.at and o.contract_id = ${contractId} and o.tier_id = up.tier_id
     where (up.depth = 0 or o.covers_children) and o.state = 'Approved' and ${holdsOn('o', day)}`;
}

/** The columns of a roster row `r`, with its facility `f` and its tier `t`. */
function columns(day: IsoDate) {
  return sql<RosterRow>`r.id, r.contract_id as "contractId",
    json_build_object('id', f.id, 'name', f.name, 'acctNo', f.acct_no, 'city', f.ship_to_city, 'state', f.ship_to_state) as facility,
    r.member_id as "memberId", r.tier_id as "tierId", t.tier_no as "tierNo", coalesce(t.name, '') as "tierName",
    r.valid_from as "from", r.valid_to as "to", r.covers_children as "coversChildren", r.excluded,
    coalesce(t.needs_loc, false) as "needsLoc", r.version,
    (with recursive below as (
       select id, 1 as depth from facility where parent_id = r.facility_id
       union all
       select f.id, b.depth + 1 from below b join facility f on f.parent_id = b.id where b.depth < ${sql.lit(MAX_LEVELS)})
     select count(*)::int from below) as children,
    (${CHAIN} select json_build_object('id', o.id, 'state', o.state) ${LETTERS}
      order by (o.state = 'Approved' and ${holdsOn('o', day)}) desc, o.state_at desc, o.id desc limit 1) as letter,
    case when r.valid_from > ${day}::date then 'Coming' when r.valid_to < ${day}::date then 'Ended' else 'Current' end as state`;
}

const FROM = sql`contract_roster r join facility f on f.id = r.facility_id left join contract_tier t on t.id = r.tier_id`;

/** One page of a contract's roster, limited to facilities that the user can see. */
export async function rosterPage(db: Db, { user, day: today }: { user: Caller; day: IsoDate }, criteria: Criteria) {
  const { contractId, keyword, tierId, page, pageSize, sort } = criteria;
  const day = criteria.day || today;
  const state = criteria.state ?? 'Current';
  const results = wordsOf(keyword ?? '').map(
    (word) => sql`(f.search_text like plain_text(${contains(word)}) or ${foldedHolds(folded(sql`r.member_id`), word)})`,
  );
  const inState = {
    All: sql`true`,
    Current: holdsOn('r', day),
    Coming: sql`r.valid_from > ${day}::date`,
    Ended: sql`r.valid_to < ${day}::date`,
    Excluded: sql`r.excluded and ${holdsOn('r', day)}`,
    LetterMissing: sql`t.needs_loc and ${holdsOn('r', day)} and r.id not in (${withLetter(contractId, day)})`,
  }[state];
  const { field, dir } = sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'facility', dir: 'asc' as const };
  const order = sql`${SORTS[field]} ${direction(dir)} nulls last, r.id ${direction(dir)}`;
  const where = sql.join(
    [
      sql`r.contract_id = ${contractId}`,
      inState,
      ...(tierId ? [sql`r.tier_id = ${tierId}`] : []),
      ...results,
      facilityInSight(user, today, sql`r.facility_id`),
    ],
    sql` and `,
  );
  const { rows } = await sql<{ total: number; records: RosterRow[] }>`
    with hits as materialized (select r.id, row_number() over (order by ${order}) as place from ${FROM} where ${where}),
    shown as materialized (select * from hits where place > ${(page - 1) * pageSize} and place <= ${page * pageSize})
    select (select count(*)::int from hits) as total,
      (select coalesce(json_agg(one order by one.place), '[]')
         from (select shown.place, ${columns(day)} from shown join contract_roster r on r.id = shown.id
                 join facility f on f.id = r.facility_id left join contract_tier t on t.id = r.tier_id) one) as records`.execute(
    db,
  );
  const { total = 0, records = [] } = rows[0] ?? {};
  return { records, total, pageCount: Math.ceil(total / pageSize), day };
}

export async function readRosterRow(db: Db, id: number, day: IsoDate): Promise<RosterRow> {
  const { rows } = await sql<RosterRow>`select ${columns(day)} from ${FROM} where r.id = ${id}`.execute(db);
  if (!rows[0]) throw notFound('row of the roster');
  return rows[0];
}

/** Reads and locks every row of a facility in a contract, earliest first. The lock lasts until the transaction ends. */
export async function rowsOfFacility(db: Db, contractId: number, facilityId: number) {
  await sql`select pg_advisory_xact_lock(hashtext(${`roster-${contractId}`}), ${facilityId})`.execute(db);
  const { rows } = await sql<{
    id: number;
    from: IsoDate;
    to: IsoDate | null;
    excluded: boolean;
    tierId: number | null;
    tierName: string;
    memberId: string;
    coversChildren: boolean;
  }>`select r.id, r.valid_from as "from", r.valid_to as "to", r.excluded, r.tier_id as "tierId", coalesce(t.name, '') as "tierName",
           r.member_id as "memberId", r.covers_children as "coversChildren"
    from contract_roster r left join contract_tier t on t.id = r.tier_id
    where r.contract_id = ${contractId} and r.facility_id = ${facilityId} order by r.valid_from`.execute(db);
  return rows;
}
