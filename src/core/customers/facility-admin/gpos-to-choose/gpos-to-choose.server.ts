// Finds the facilities on the rosters of several GPOs that have no declared primary GPO (docs/decisions/0016).
import { type RawBuilder, sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { contains, wordsOf } from '#platform/db/contains.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { facilityInSight, requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { lastDayOf } from '#core/prices/pricing/facility-in-contracts.server.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { FacilityToDecide, GposToChoose } from './gpos-to-choose.contract.ts';

/** The most levels of parents and children to follow, as in pricing. */
const MAX_LEVELS = sql.lit(8);

const SORTS: Record<string, RawBuilder<unknown>> = {
  facility: sql`lower(f.name)`,
  since: sql`s.since`,
  quotes: sql`quotes`,
};

export const gposToChooseAnswers: Answers<typeof GposToChoose> = {
  SearchGposToChoose: async (context, { keyword, page, pageSize, sort }) => {
    const { db, user } = context;
    const day = await requireContracts(context);
    const { field, dir } = sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'facility', dir: 'asc' as const };
    const words = wordsOf(keyword ?? '').map((word) => sql`and f.search_text like plain_text(${contains(word)})`);
    const open = sql.lit(`{${OPEN_STATUSES.join()}}`);
    const { rows } = await sql<{ total: number; records: FacilityToDecide[] }>`
      with recursive ${undecided(day)},
      hits as materialized (
        select f.*, s.since,
               (select count(*)::int from quote q
                 where q.facility_id = f.id and q.status_id = any(${open}::text[])) as quotes,
               row_number() over (order by ${SORTS[field]} ${direction(dir)}, f.id) as place
          from undecided s
          join facility f on f.id = s.facility_id
         where f.active and ${facilityInSight(user, day, sql`f.id`)} ${sql.join(words, sql` `)})
      select (select count(*)::int from hits) as total,
             (select coalesce(json_agg(one order by one.place), '[]') from (
                select f.place, f.id, f.acct_no as "acctNo", f.name, f.ship_to_city as city,
                       f.ship_to_state as state, f.version, f.since, f.quotes, ${gposOf(day)} as gpos
                  from hits f
                 where f.place > ${(page - 1) * pageSize} and f.place <= ${page * pageSize}) one) as records`.execute(
      db,
    );
    const { records = [], total = 0 } = rows[0] ?? {};
    return { records, total, pageCount: Math.ceil(total / pageSize) };
  },
};

/** The GPOs whose rosters include facility `f`, each with its membership on the day. */
function gposOf(day: IsoDate) {
  return sql`(
                       select json_agg(json_build_object('id', gpo.id, 'name', gpo.name, 'contracts', n.contracts,
                                'membership', (
                                  select json_build_object('id', m.id, 'from', m.valid_from)
                                    from gpo_membership m
                                   where m.facility_id = f.id and m.gpo_id = gpo.id and ${runs('m', day)}
                                   limit 1)) order by lower(gpo.name))
                         from named n
                         join gpo on gpo.id = n.gpo_id
                        where n.facility_id = f.id)`;
}

/**
 * Common tables: `named`, the GPOs whose rosters include a facility, through its own rows and those of parents that cover it; `undecided`, the
 * facilities with several such GPOs and no declared primary one. The query reads all rosters in effect once (50,000 rows), and everything else by
 * indexes.
 */
function undecided(day: IsoDate) {
  return sql`
    reach as (${reach(day)}),
    nearest as (
      select distinct on (facility_id, contract_id) * from reach
       order by facility_id, contract_id, depth, valid_from desc, row_id desc),
    named as materialized (
      select n.facility_id, n.gpo_id, min(n.valid_from) as since, json_agg(c.number order by c.number) as contracts
        from nearest n
        join gpo_contract c on c.id = n.contract_id
       where not n.excluded
       group by 1, 2),
    several as (select facility_id, max(since) as since from named group by 1 having count(*) > 1),
    up as (${UP}),
    held as (
      select up.facility_id, m.is_primary, up.depth, min(up.depth) over (partition by up.facility_id) as closest
        from up
        join gpo_membership m on m.facility_id = up.at and ${runs('m', day)}),
    undecided as (
      select * from several
       where facility_id not in (select facility_id from held where depth = closest and is_primary))`;
}

/** The roster rows in effect, for the facility of the row and, if the row covers them, for the facilities below it. */
function reach(day: IsoDate) {
  return sql`
      select r.facility_id, r.contract_id, c.gpo_id, r.excluded, r.covers_children, r.valid_from, r.id as row_id,
             0 as depth
        from contract_roster r
        join gpo_contract c on c.id = r.contract_id
       where c.gpo_id is not null
         and c.state <> 'Draft'
         and c.effective_from <= ${day}::date
         and ${lastDayOf(sql`c`)} >= ${day}::date
         and ${runs('r', day)}
      union all
      select f.id, reach.contract_id, reach.gpo_id, reach.excluded, true, reach.valid_from, reach.row_id,
             reach.depth + 1
        from reach
        join facility f on f.parent_id = reach.facility_id
       where reach.covers_children and reach.depth < ${MAX_LEVELS}`;
}

/** These facilities and their parents. */
const UP = sql`
      select facility_id, facility_id as at, 0 as depth from several
      union all
      select up.facility_id, f.parent_id, up.depth + 1
        from up
        join facility f on f.id = up.at
       where f.parent_id is not null and up.depth < ${MAX_LEVELS}`;

function runs(row: string, day: IsoDate) {
  const [from, to] = [sql.ref(`${row}.valid_from`), sql.ref(`${row}.valid_to`)];
  return sql`(${from} <= ${day}::date and (${to} is null or ${to} >= ${day}::date))`;
}
