// Plans a file of ZIP assignments with set-based SQL in the transaction: looks up and refuses rows, then fills temporary tables.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { TERRITORY_ROLE_FITS } from '#core/territories/territories/territory-roles.ts';
import { lockZipAssignments } from '#core/territories/territories/write-assignments.server.ts';

export type Sort = 'territory' | 'region' | 'rep' | 'duplicate' | 'overlap' | 'missing';

/** Rows without a refusal or an outcome so far. */
const OPEN = sql`r.reason is null and r.outcome is null`;
const ASSIGN = sql`${OPEN} and r.action = 'assign'`;
const INWORDS = (date: Sql): Sql => sql`to_char(${date}, 'MM/DD/YYYY')`;

const run = async (db: Db, statement: Sql): Promise<void> => {
  await statement.execute(db);
};
const refuse = (sort: Sort, column: string, reason: Sql, value = sql`${sql.ref(`r.${column}`)}::text`): Sql =>
  sql`sort = ${sql.lit(sort)}, bad_column = ${sql.lit(column)}, bad_value = ${value}, reason = ${reason}`;

/**
 * Sets `outcome` or `reason` on every row, and leaves the plan in five tables: taz_end (id, zip5, territory_id, was_to, last_day),
 * taz_begin (row_no, zip5, territory, first_day, last_day, back), taz_move (id, zip5, territory_id, territory),
 * taz_rep (territory, territory_id, user_id, first_day, outcome), and taz_left (zip5, territory_id, day).
 */
export async function plan(trx: Db, { willWrite, today, options }: ImportRun): Promise<void> {
  if (willWrite) await lockZipAssignments(trx);
  await run(trx, sql`analyze import_row`);
  const day = sql`${today}::date`;
  await run(
    trx,
    sql`update import_row r set valid_from = case when action = 'assign' then coalesce(valid_from, ${day}) else valid_from end,
       valid_to = case when action = 'end' then coalesce(valid_to, ${day}) else valid_to end`,
  );
  await run(
    trx,
    sql`update import_row r
      set ${refuse('overlap', 'valid_to', sql`'is before the first day, ' || ${INWORDS(sql`r.valid_from`)}`, INWORDS(sql`r.valid_to`))}
     where r.action = 'assign' and r.valid_to < r.valid_from`,
  );
  await regionOfFile(trx, options);
  await lookUpTerritories(trx, options['createTerritories'] === true);
  if (willWrite) {
    await run(
      trx,
      sql`select id from territory where id in (select territory_id from import_row where reason is null) order by id for update`,
    );
  }
  await lookUpReps(trx, day);
  await refuseRepeats(trx);
  await run(trx, sql`analyze import_row`);
  await planEnds(trx);
  await planBegins(trx, day);
  await planReps(trx, day);
}

/** Assigns new territories without a region to the region chosen for the file. */
async function regionOfFile(trx: Db, options: ImportRun['options']): Promise<void> {
  const region = typeof options['region'] === 'string' ? options['region'].trim() : '';
  if (options['createTerritories'] !== true || region === '') return;
  await run(
    trx,
    sql`update import_row r set region = ${region}
     where r.region is null and r.territory is not null and r.action = 'assign'
       and not exists (select from territory t where lower(t.name) = lower(r.territory))
       and not exists (select from import_row o where lower(o.territory) = lower(r.territory) and o.region is not null)`,
  );
}

async function lookUpTerritories(trx: Db, mayMake: boolean): Promise<void> {
  await run(
    trx,
    sql`update import_row r set territory_id = t.id, territory = t.name from territory t where lower(t.name) = lower(r.territory)`,
  );
  await run(trx, sql`update import_row r set region_id = g.id from region g where lower(g.name) = lower(r.region)`);
  await run(
    trx,
    sql`update import_row r set ${refuse('territory', 'territory', sql`'is switched off: switch it on first'`)}
     from territory t where t.id = r.territory_id and not t.active and ${ASSIGN}`,
  );
  await run(
    trx,
    sql`update import_row r set ${refuse('region', 'region', sql`'is not the region of ' || t.name || ', which lies in ' || g.name`)}
     from territory t join region g on g.id = t.region_id
     where t.id = r.territory_id and ${OPEN} and r.region is not null and r.region_id is distinct from t.region_id`,
  );
  const unknown = sql`${OPEN} and r.territory is not null and r.territory_id is null`;
  await run(
    trx,
    sql`update import_row r set ${refuse('territory', 'territory', sql`'is not a known territory'`)}
     where ${unknown} ${mayMake ? sql`and r.action = 'end'` : sql``}`,
  );
  if (!mayMake) return;
  await run(
    trx,
    sql`update import_row r
      set ${refuse(
        'region',
        'region',
        sql`case when g.id is null then 'is not a known region: add it first' else 'is switched off: switch it on first' end`,
      )}
     from import_row o left join region g on g.id = o.region_id
     where o.row_no = r.row_no and ${unknown} and r.region is not null and g.active is not true`,
  );
  // The first row with a region decides the region of a new territory. The first of all its rows decides its spelling.
  await run(
    trx,
    sql`update import_row r set makes = true, territory = f.name, region_id = coalesce(r.region_id, f.region_id)
     from (select lower(territory) as key, (array_agg(territory order by row_no))[1] as name,
             (array_agg(region_id order by row_no) filter (where region_id is not null))[1] as region_id
           from import_row r where ${unknown} group by 1) f
     where ${unknown} and lower(r.territory) = f.key`,
  );
  await run(
    trx,
    sql`update import_row r
      set ${refuse(
        'region',
        'region',
        sql`'is empty: the new territory ' || r.territory ||
          ' needs a region. Say it in a column, or once for the file (Region of new territories)'`,
        sql`''`,
      )}
     where r.makes and ${OPEN} and r.region_id is null`,
  );
  await run(
    trx,
    sql`update import_row r
      set ${refuse('region', 'region', sql`'is not the region that line ' || f.line || ' gives the new territory ' || r.territory`)}
     from (select distinct on (lower(territory)) lower(territory) as key, line, region_id from import_row r
           where r.makes and ${OPEN} and region is not null order by lower(territory), row_no) f
     where r.makes and ${OPEN} and lower(r.territory) = f.key and r.region_id <> f.region_id`,
  );
}

/** Finds representatives by email address or full name. A file can name only one for each territory. */
async function lookUpReps(trx: Db, day: Sql): Promise<void> {
  const roles = sql.join(TERRITORY_ROLE_FITS.sales.map((role) => sql.lit(role)));
  await run(
    trx,
    sql`create temp table taz_person on commit drop as
     select n.key, count(u.id) as of, min(u.id) as user_id
     from (select distinct lower(rep) as key from import_row where rep is not null) n
     left join app_user u on u.active and (lower(u.user_name) = n.key or lower(u.full_name) = n.key)
       and exists (select from user_role o where o.user_id = u.id and o.role in (${roles}))
     group by n.key`,
  );
  await run(
    trx,
    sql`update import_row r set user_id = p.user_id from taz_person p where p.key = lower(r.rep) and p.of = 1`,
  );
  await run(
    trx,
    sql`update import_row r
      set ${refuse(
        'rep',
        'rep',
        sql`case when p.of = 0 then 'is not an active sales representative'
          else 'is the name of several people: write the email address' end`,
      )}
     from taz_person p where p.key = lower(r.rep) and p.of <> 1 and ${ASSIGN}`,
  );
  await run(
    trx,
    sql`update import_row r set ${refuse('rep', 'rep', sql`'is not the rep that line ' || f.line || ' gives ' || r.territory`)}
     from (select distinct on (territory) territory, line, user_id from import_row r
           where ${ASSIGN} and user_id is not null order by territory, row_no) f
     where ${ASSIGN} and r.territory = f.territory and r.user_id <> f.user_id`,
  );
  // The past must not change, so this refuses a representative if another one begins on or after the first day.
  await run(
    trx,
    sql`update import_row r
      set ${refuse(
        'overlap',
        'rep',
        sql`'cannot be the rep of ' || r.territory || ' from ' || ${INWORDS(sql`w.first_day`)} || ': ' || w.name
          || ' begins on ' || ${INWORDS(sql`w.begins`)} || '. Choose a later first day'`,
      )}
     from (select distinct on (w.territory) w.*, t.valid_from as begins, u.full_name as name
           from (${wanted(ASSIGN)}) w join territory_rep t on t.territory_id = w.territory_id and t.role = 'sales'
             and (t.valid_from > w.first_day or (t.valid_from = w.first_day and t.user_id <> w.user_id and w.first_day < ${day}))
           join app_user u on u.id = t.user_id
           where not ${servesAlready(day)}
           order by w.territory, t.valid_from) w
     where ${ASSIGN} and r.user_id is not null and r.territory = w.territory`,
  );
}

const wanted = (
  rows: Sql,
): Sql => sql`select r.territory, max(r.territory_id) as territory_id, max(r.user_id) as user_id, min(r.valid_from) as first_day
   from import_row r where ${rows} and r.user_id is not null group by r.territory`;

/** Whether the representative of `w` already serves from the first day or today on, alone and without an end. */
const servesAlready = (day: Sql): Sql => sql`(exists (
    select from territory_rep o where o.territory_id = w.territory_id and o.role = 'sales' and o.user_id = w.user_id
      and o.valid_from <= greatest(w.first_day, ${day}) and o.valid_to is null)
  and not exists (
    select from territory_rep o where o.territory_id = w.territory_id and o.role = 'sales' and o.user_id <> w.user_id
      and coalesce(o.valid_to, 'infinity') >= greatest(w.first_day, ${day})))`;

/** Skips repeated rows. Refuses the later of two rows that assign a ZIP on the same days, and a second end of the same ZIP. */
async function refuseRepeats(trx: Db): Promise<void> {
  await run(
    trx,
    sql`update import_row r set outcome = 'repeat'
     from (select row_no, row_number() over (
             partition by zip5, action, territory, valid_to, case when action = 'assign' then valid_from end order by row_no) as nth
           from import_row r where ${OPEN}) d
     where d.row_no = r.row_no and d.nth > 1`,
  );
  await run(
    trx,
    sql`update import_row r set ${refuse('duplicate', 'zip5', sql`'is in line ' || d.other || ' already, over the same days'`)}
     from (select row_no, valid_from, max(ends * 10000000 + line) over before / 10000000 as ends_before,
             max(ends * 10000000 + line) over before % 10000000 as other
           from (select row_no, line, zip5, valid_from,
                   (coalesce(least(valid_to, '9999-12-31'), '9999-12-31') - date '0001-01-01')::bigint as ends
                 from import_row r where ${ASSIGN}) a
           window before as (partition by zip5 order by valid_from, row_no rows between unbounded preceding and 1 preceding)) d
     where d.row_no = r.row_no and d.ends_before >= d.valid_from - date '0001-01-01'`,
  );
  await run(
    trx,
    sql`update import_row r set ${refuse('duplicate', 'zip5', sql`'ends in line ' || d.line || ' already, on another day'`)}
     from (select row_no, first_value(line) over (partition by zip5, territory order by row_no) as line,
             row_number() over (partition by zip5, territory order by row_no) as nth
           from import_row r where ${OPEN} and action = 'end') d
     where d.row_no = r.row_no and d.nth > 1`,
  );
}

/** Creates taz_hold: the existing assignments of the file's ZIPs after the file's 'end' rows. Also decides the outcome of those rows. */
async function planEnds(trx: Db): Promise<void> {
  const same = sql`z.zip5 = r.zip5 and (r.territory_id is null or z.territory_id = r.territory_id)`;
  await run(
    trx,
    sql`create temp table taz_hold on commit drop as
     select z.id, z.zip5, z.territory_id, z.valid_from, least(z.valid_to, e.last_day) as valid_to, z.valid_to as was_to
     from zip_assignment z left join (
       select z.id, min(r.valid_to) as last_day from import_row r join zip_assignment z on ${same} and z.valid_from <= r.valid_to
       where ${OPEN} and r.action = 'end' group by z.id) e on e.id = z.id
     where z.zip5 in (select r.zip5 from import_row r where ${OPEN})`,
  );
  await run(trx, sql`create index on taz_hold (zip5)`);
  await run(trx, sql`analyze taz_hold`);
  await run(
    trx,
    sql`update import_row r set outcome = case
         when exists (select from taz_hold z where ${same} and z.valid_from <= r.valid_to
           and coalesce(z.was_to, 'infinity') > r.valid_to) then 'end'
         when exists (select from taz_hold z where ${same} and z.was_to <= r.valid_to)
           and not exists (select from taz_hold z where ${same} and z.valid_from > r.valid_to) then 'same' end
     where ${OPEN} and r.action = 'end'`,
  );
  await run(
    trx,
    sql`update import_row r set ${refuse(
      'missing',
      'zip5',
      sql`coalesce((select 'begins only on ' || ${INWORDS(sql`min(z.valid_from)`)} || ', after its last day' from taz_hold z
         where ${same} and z.valid_from > r.valid_to having count(*) > 0),
       'is not assigned' || coalesce(' to ' || r.territory, ''))`,
    )}
     where ${OPEN} and r.action = 'end'`,
  );
}

async function planBegins(trx: Db, day: Sql): Promise<void> {
  const meets = sql`h.zip5 = r.zip5 and h.valid_from <= coalesce(r.valid_to, 'infinity')
    and coalesce(h.valid_to, 'infinity') >= r.valid_from`;
  await run(
    trx,
    sql`update import_row r
      set ${refuse(
        'overlap',
        'zip5',
        sql`'belongs to ' || t.name || ' from ' || ${INWORDS(sql`h.valid_from`)}
          || ': the dates overlap. Choose a later first day, or end before'`,
      )}
     from taz_hold h join territory t on t.id = h.territory_id
     where ${ASSIGN} and ${meets}
       and (h.valid_from > r.valid_from
         or (h.valid_from = r.valid_from and h.territory_id is distinct from r.territory_id and r.valid_from < ${day}))`,
  );
  // The rows of a ZIP apply in order. The first one that overlaps an assignment decides what happens to it.
  await run(
    trx,
    sql`create temp table taz_meet on commit drop as
     select m.*, m.nth = 1 and m.own as stays, bool_or(m.nth = 1 and m.own) over (partition by m.id) as kept from (
       select h.*, r.row_no, r.territory, r.valid_from as first_day, r.valid_to as last_day,
         h.territory_id is distinct from r.territory_id and h.valid_from = r.valid_from as moves,
         coalesce(h.territory_id = r.territory_id, false) or h.valid_from = r.valid_from as own, row_number() over w as nth,
         lead(r.valid_from) over w as next_day
       from import_row r join taz_hold h on ${meets} where ${ASSIGN} window w as (partition by h.id order by r.valid_from)) m`,
  );
  await run(trx, sql`create index on taz_meet (row_no)`);
  await run(trx, sql`analyze taz_meet`);
  await run(
    trx,
    sql`update import_row r set outcome = case
         when m.of is null then 'new' when m.of = 1 and m.as_it_is then 'same' else 'changed' end
     from import_row o left join (
       select row_no, count(*) as of, bool_and(stays and not moves and last_day is not distinct from was_to) as as_it_is
         from taz_meet group by row_no) m
       on m.row_no = o.row_no
     where o.row_no = r.row_no and ${ASSIGN}`,
  );
  await run(
    trx,
    sql`create temp table taz_end on commit drop as
     select * from (
       select h.id, h.zip5, h.territory_id, h.was_to,
         case when m.id is null then h.valid_to when m.own then m.last_day else m.first_day - 1 end as last_day
       from taz_hold h left join taz_meet m on m.id = h.id and m.nth = 1) e
     where e.last_day is distinct from e.was_to`,
  );
  // An assignment that begins on the same day, today or later, has not served anyone yet, so it moves to the territory of the row.
  await run(
    trx,
    sql`create temp table taz_move on commit drop as
     select id, zip5, territory_id, territory, first_day from taz_meet where moves and stays`,
  );
  // After a temporary assignment, the ZIP returns to its previous territory.
  await run(
    trx,
    sql`create temp table taz_begin on commit drop as
     select r.row_no, r.zip5, r.territory, r.valid_from as first_day, r.valid_to as last_day, false as back
     from import_row r where r.action = 'assign' and r.outcome in ('new', 'changed')
       and not exists (select from taz_meet m where m.row_no = r.row_no and m.stays)
     union all
     select b.row_no, b.zip5, t.name, b.first_day, b.last_day, true from (
       select row_no, zip5, territory_id, last_day + 1 as first_day, least(valid_to, next_day - 1) as last_day
       from taz_meet where (not own and not kept or moves and stays) and last_day is not null) b join territory t on t.id = b.territory_id
     where b.last_day is null or b.last_day >= b.first_day`,
  );
  await run(trx, sql`create index on taz_begin (zip5)`);
  await run(trx, sql`analyze taz_begin`);
  await run(trx, sql`analyze taz_end`);
  await run(
    trx,
    sql`create temp table taz_left on commit drop as
     select e.zip5, e.territory_id, e.last_day + 1 as day from taz_end e
     where e.last_day is not null and coalesce(e.was_to, 'infinity') > e.last_day
       and not exists (select from taz_begin b where b.zip5 = e.zip5 and b.first_day <= e.last_day + 1
         and coalesce(b.last_day, 'infinity') > e.last_day)
       and not exists (select from taz_hold h left join taz_end o on o.id = h.id
         where h.zip5 = e.zip5 and h.id <> e.id and h.valid_from <= e.last_day + 1
           and coalesce(case when o.id is null then h.was_to else o.last_day end, 'infinity') > e.last_day)`,
  );
}

async function planReps(trx: Db, day: Sql): Promise<void> {
  await run(
    trx,
    sql`create temp table taz_rep on commit drop as
     select w.*, case when ${servesAlready(day)} then 'same' else 'new' end as outcome
     from (${wanted(sql`r.action = 'assign' and r.outcome in ('new', 'changed', 'same')`)}) w`,
  );
}
