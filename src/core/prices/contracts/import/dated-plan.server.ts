// Plans dated rows in set-based SQL without overwriting any. A different value ends the current row the day before and begins a new row.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { dayText, OPEN, refuse, run } from './stage-sql.server.ts';

/**
 * Each staged row has a value (`value`) for a `subject`, from `first_day` to `last_day`. A null last day leaves the end unspecified, and 'infinity'
 * means no end. `dated_now` (id, subject, value, first_day, last_day) contains the stored rows. The words name the columns of the file.
 */
export type DatedWords = {
  /** The column that a refusal names, and SQL for its value in the file. */
  column: string;
  typed: Sql;
  /** SQL that formats a stored or staged value for users. `value` is the SQL of that value. */
  inWords: (value: Sql) => Sql;
  /** The thing that is never overwritten, for example 'a price'. */
  what: string;
};

/** Refuses rows of one file that contradict each other. Each refusal names the line of the other row. Skips repeated rows. */
export async function refuseContradictions(trx: Db, { column, typed, inWords }: DatedWords): Promise<void> {
  await run(
    trx,
    sql`update import_row r set outcome = 'repeat'
     from (select row_no, row_number() over (partition by subject, value, first_day, last_day order by row_no) as nth
           from import_row r where ${OPEN}) d
     where d.row_no = r.row_no and d.nth > 1`,
    sql`create temp table dated_twice on commit drop as
     select * from (select row_no, line, subject, value, first_day,
       case when last_day < 'infinity' then last_day else first_day end as last_day, count(*) over (partition by subject) as of
       from import_row r where ${OPEN}) d where of > 1`,
    sql`create index on dated_twice (subject)`,
    sql`update import_row r
      set ${refuse(
        'contradiction',
        column,
        sql`'contradicts line ' || d.line || ', which says ' || d.other || ' from ' || ${dayText(sql`d.first_day`)}`,
        typed,
      )}
     from (select distinct on (a.row_no) a.row_no, b.line, b.first_day, ${inWords(sql`b.value`)} as other
           from dated_twice a join dated_twice b on b.subject = a.subject and b.row_no <> a.row_no
             and a.first_day <= b.last_day and b.first_day <= a.last_day
           order by a.row_no, b.row_no) d
     where d.row_no = r.row_no`,
  );
}

/** Selects the file's row that would apply on the day: no other row of its subject begins between its first day and that day. */
const countsOn = (
  day: string,
): Sql => sql`r.first_day < ${day}::date and (r.last_day is null or r.last_day >= ${day}::date)
  and not exists (select from import_row o where o.subject = r.subject and o.reason is null and o.row_no <> r.row_no
    and o.first_day > r.first_day and o.first_day <= ${day}::date)`;
/** Selects the stored row that applies on the day and began later than the file's row. */
const beganLater = (
  day: string,
): Sql => sql`n.subject = r.subject and n.first_day > r.first_day and n.first_day <= ${day}::date
  and coalesce(n.last_day, 'infinity') >= ${day}::date`;

/**
 * Files repeat the contract's first day in every row. A value that already applies today keeps its stored first day. A value that would apply today,
 * if nothing else had begun in between, is refused, because the file does not say when it changes.
 */
async function meetToday(trx: Db, { column, typed, inWords }: DatedWords, today: string): Promise<void> {
  await run(
    trx,
    sql`create index on import_row (subject)`,
    sql`update import_row r
      set ${refuse(
        'clash',
        column,
        sql`'would count from ' || ${dayText(sql`r.first_day`)} || ', but ' || ${inWords(sql`n.value`)}
          || ' has counted since ' || ${dayText(sql`n.first_day`)} || ': enter the day from which it changes'`,
        typed,
      )}
     from dated_now n where ${beganLater(today)} and n.value <> r.value and ${OPEN} and ${countsOn(today)}`,
    sql`update import_row r set first_day = n.first_day from dated_now n
     where ${beganLater(today)} and n.value = r.value and ${OPEN} and ${countsOn(today)}`,
  );
}

/**
 * Creates `dated_at`. For each open row, it contains the stored row before (`prior_`), whether that row covers the first day, and the stored row that
 * begins after (`later_`). Refuses rows that would overwrite a stored row or overlap one that begins later.
 */
export async function meetStored(trx: Db, words: DatedWords, today: string): Promise<void> {
  const { column, typed, inWords, what } = words;
  await run(trx, sql`create index on dated_now (subject, first_day)`, sql`analyze dated_now`, sql`analyze import_row`);
  await meetToday(trx, words, today);
  await run(
    trx,
    sql`create temp table dated_at on commit drop as
     select r.row_no, r.subject, r.value, r.first_day, r.last_day, p.id as prior_id, p.value as prior_value, p.first_day as prior_first,
       p.last_day as prior_last, p.id is not null and coalesce(p.last_day, 'infinity') >= r.first_day as covered,
       n.value as later_value, n.first_day as later_first
     from import_row r
     left join lateral (select * from dated_now n where n.subject = r.subject and n.first_day <= r.first_day
       order by n.first_day desc limit 1) p on true
     left join lateral (select * from dated_now n where n.subject = r.subject and n.first_day > r.first_day
       order by n.first_day limit 1) n on true
     where ${OPEN}`,
    sql`create index on dated_at (row_no)`,
    sql`analyze dated_at`,
    sql`update import_row r
      set ${refuse(
        'clash',
        column,
        sql`'is ' || ${inWords(sql`a.prior_value`)} || ' from that day (' || ${dayText(sql`a.first_day`)}
          || ') already, and ' || ${sql.lit(what)} || ' is never overwritten: enter the day from which it changes'`,
        typed,
      )}
     from dated_at a where a.row_no = r.row_no and a.covered and a.prior_first = a.first_day and a.prior_value <> a.value`,
    sql`update import_row r
      set ${refuse(
        'clash',
        'last_day',
        sql`'reaches past ' || ${dayText(sql`a.later_first`)} || ', from when ' || ${inWords(sql`a.later_value`)}
          || ' counts: end it before, or leave the last day empty'`,
        dayText(sql`r.last_day`),
      )}
     from dated_at a where a.row_no = r.row_no and ${OPEN} and a.last_day < 'infinity' and a.last_day >= a.later_first`,
  );
}

/**
 * Decides the rows that are still open: `outcome` is new, changed or same. Creates `dated_end` (id, last_day) and `dated_begin` (row_no, subject,
 * value, first_day, last_day). Stored rows that begin later stay. An earlier row ends the day before they begin.
 */
export async function planDated(trx: Db): Promise<void> {
  await run(
    trx,
    sql`create temp table dated_step on commit drop as
     select s.*, case when s.kept is null then null when s.last_day is null then null
         when s.last_day = 'infinity' then coalesce(s.later_first - 1, 'infinity') else s.last_day end as wanted_last
     from (
       select b.*, case when b.covered and b.value = b.prior_value
         and not coalesce(bool_or(b.breaks) over before, false) then b.prior_id end as kept
       from (
         select a.*, lead(a.first_day) over (partition by a.subject order by a.first_day) as next_first,
           a.covered and (a.prior_value <> a.value
             or (a.last_day < 'infinity' and a.last_day < coalesce(a.prior_last, 'infinity'))) as breaks
         from dated_at a join import_row r on r.row_no = a.row_no where ${OPEN}) b
       window before as (partition by b.subject, b.prior_id order by b.first_day rows between unbounded preceding and 1 preceding)) s`,
    sql`update import_row r set outcome = case
         when s.kept is not null then case when coalesce(s.wanted_last, s.prior_last,
           'infinity') = coalesce(s.prior_last, 'infinity') then 'same' else 'changed' end
         when s.prior_id is null and s.later_first is null then 'new' else 'changed' end
     from dated_step s where s.row_no = r.row_no`,
    sql`create temp table dated_end on commit drop as
     select id, nullif(min(last_day), 'infinity') as last_day from (
       select s.prior_id as id, s.first_day - 1 as last_day from dated_step s
       where s.kept is null and s.covered and s.prior_first < s.first_day
       union all
       select s.kept, s.wanted_last from dated_step s
       where s.kept is not null and s.wanted_last is not null and s.wanted_last <> coalesce(s.prior_last, 'infinity')) e
     group by id`,
    sql`create temp table dated_begin on commit drop as
     select s.row_no, s.subject, s.value, s.first_day,
       nullif(least(coalesce(s.last_day, 'infinity'), s.next_first - 1, s.later_first - 1), 'infinity') as last_day
     from dated_step s where s.kept is null`,
    sql`analyze dated_begin`,
    sql`analyze dated_end`,
  );
}

/** The file rows whose subject has no value after their last day, although a stored row covered a longer time. */
export const LEFT_WITHOUT = sql`select r.line, r.contract || ' ' || r.item_number as name
  from dated_step s join import_row r on r.row_no = s.row_no
  where s.last_day < 'infinity' and s.covered
  and coalesce(s.prior_last, 'infinity') > s.last_day and s.next_first is distinct from s.last_day + 1
  and s.later_first is distinct from s.last_day + 1`;
