// The rule of dated rows, by set: nothing is overwritten. What says something else ends the day before, and a new row begins.
import type { Db } from '#db/database.server.ts';
import { dayText, OPEN, refuse, run } from './stage-words.server.ts';

/**
 * The staged rows say what counts (`value`) for whom (`subject`), from `first_day` to `last_day`: null says nothing about the end, 'infinity'
 * says that there is none. `dated_now` (id, subject, value, first_day, last_day) has the rows there are. The words name the columns of the file.
 */
export type DatedWords = {
  /** The column that is refused, and SQL for what it says. */
  column: string;
  said: string;
  /** SQL for a stored or staged value as people read it; `value` stands for it. */
  inWords: (value: string) => string;
  /** 'a price': what is never overwritten. */
  what: string;
};

/** Refuses rows of one file that contradict each other, both with the line of the other, and passes over what is said twice. */
export async function refuseContradictions(trx: Db, { column, said, inWords }: DatedWords): Promise<void> {
  await run(
    trx,
    `update import_row r set outcome = 'repeat'
     from (select row_no, row_number() over (partition by subject, value, first_day, last_day order by row_no) as nth
           from import_row r where ${OPEN}) d
     where d.row_no = r.row_no and d.nth > 1`,
    `create temp table dated_twice on commit drop as
     select * from (select row_no, line, subject, value, first_day, case when last_day < 'infinity' then last_day else first_day end as last_day, count(*) over (partition by subject) as of
       from import_row r where ${OPEN}) d where of > 1`,
    'create index on dated_twice (subject)',
    `update import_row r set ${refuse('contradiction', column, `'contradicts line ' || d.line || ', which says ' || d.other || ' from ' || ${dayText('d.first_day')}`, said)}
     from (select distinct on (a.row_no) a.row_no, b.line, b.first_day, ${inWords('b.value')} as other
           from dated_twice a join dated_twice b on b.subject = a.subject and b.row_no <> a.row_no
             and a.first_day <= b.last_day and b.first_day <= a.last_day
           order by a.row_no, b.row_no) d
     where d.row_no = r.row_no`,
  );
}

/** Of a file, the row that would count on the day: no other row of its subject begins after it and by then. */
const countsOn = (
  day: string,
): string => `r.first_day < date '${day}' and (r.last_day is null or r.last_day >= date '${day}')
  and not exists (select from import_row o where o.subject = r.subject and o.reason is null and o.row_no <> r.row_no
    and o.first_day > r.first_day and o.first_day <= date '${day}')`;
/** The stored row that counts on the day, and began later than the row of the file. */
const beganLater = (
  day: string,
): string => `n.subject = r.subject and n.first_day > r.first_day and n.first_day <= date '${day}'
  and coalesce(n.last_day, 'infinity') >= date '${day}'`;

/**
 * Files repeat the first day of a contract in each row. What counts today already stays as it began; what would count today, did not something
 * else begin meanwhile, is refused: the file does not say from when it changes.
 */
async function meetToday(trx: Db, { column, said, inWords }: DatedWords, today: string): Promise<void> {
  await run(
    trx,
    'create index on import_row (subject)',
    `update import_row r set ${refuse('clash', column, `'would count from ' || ${dayText('r.first_day')} || ', but ' || ${inWords('n.value')} || ' counts since ' || ${dayText('n.first_day')} || ': say the day from which it changes'`, said)}
     from dated_now n where ${beganLater(today)} and n.value <> r.value and ${OPEN} and ${countsOn(today)}`,
    `update import_row r set first_day = n.first_day from dated_now n
     where ${beganLater(today)} and n.value = r.value and ${OPEN} and ${countsOn(today)}`,
  );
}

/**
 * Makes `dated_at`: for each row that still counts the stored row before it (`prior_`), whether that one covers its first day, and the stored
 * one that begins after it (`later_`). Refuses rows that would overwrite, or reach into what begins later.
 */
export async function meetStored(trx: Db, words: DatedWords, today: string): Promise<void> {
  const { column, said, inWords, what } = words;
  await run(trx, 'create index on dated_now (subject, first_day)', 'analyze dated_now', 'analyze import_row');
  await meetToday(trx, words, today);
  await run(
    trx,
    `create temp table dated_at on commit drop as
     select r.row_no, r.subject, r.value, r.first_day, r.last_day, p.id as prior_id, p.value as prior_value, p.first_day as prior_first,
       p.last_day as prior_last, coalesce(coalesce(p.last_day, 'infinity') >= r.first_day, false) as covered,
       n.value as later_value, n.first_day as later_first
     from import_row r
     left join lateral (select * from dated_now n where n.subject = r.subject and n.first_day <= r.first_day order by n.first_day desc limit 1) p on true
     left join lateral (select * from dated_now n where n.subject = r.subject and n.first_day > r.first_day order by n.first_day limit 1) n on true
     where ${OPEN}`,
    'create index on dated_at (row_no)',
    'analyze dated_at',
    `update import_row r set ${refuse('clash', column, `'is ' || ${inWords('a.prior_value')} || ' from that day (' || ${dayText('a.first_day')} || ') already, and ${what} is never overwritten: say the day from which it changes'`, said)}
     from dated_at a where a.row_no = r.row_no and a.covered and a.prior_first = a.first_day and a.prior_value <> a.value`,
    `update import_row r set ${refuse('clash', 'last_day', `'reaches past ' || ${dayText('a.later_first')} || ', from when ' || ${inWords('a.later_value')} || ' counts: end it before, or leave the last day empty'`, dayText('r.last_day'))}
     from dated_at a where a.row_no = r.row_no and ${OPEN} and a.last_day < 'infinity' and a.last_day >= a.later_first`,
  );
}

/**
 * Decides the rows that still count: `outcome` new, changed or same. Leaves `dated_end` (id, last_day) and `dated_begin` (row_no, subject, value,
 * first_day, last_day). What is stored and begins later stays: what begins before it ends on its eve.
 */
export async function planDated(trx: Db): Promise<void> {
  await run(
    trx,
    `create temp table dated_step on commit drop as
     select s.*, case when s.kept is null then null when s.last_day is null then null
         when s.last_day = 'infinity' then coalesce(s.later_first - 1, 'infinity') else s.last_day end as wanted_last
     from (
       select b.*, case when b.covered and b.value = b.prior_value and not coalesce(bool_or(b.breaks) over before, false) then b.prior_id end as kept
       from (
         select a.*, lead(a.first_day) over (partition by a.subject order by a.first_day) as next_first,
           a.covered and (a.prior_value <> a.value or (a.last_day < 'infinity' and a.last_day < coalesce(a.prior_last, 'infinity'))) as breaks
         from dated_at a join import_row r on r.row_no = a.row_no where ${OPEN}) b
       window before as (partition by b.subject, b.prior_id order by b.first_day rows between unbounded preceding and 1 preceding)) s`,
    `update import_row r set outcome = case
         when s.kept is not null then case when coalesce(s.wanted_last, s.prior_last, 'infinity') = coalesce(s.prior_last, 'infinity') then 'same' else 'changed' end
         when s.prior_id is null and s.later_first is null then 'new' else 'changed' end
     from dated_step s where s.row_no = r.row_no`,
    `create temp table dated_end on commit drop as
     select id, nullif(min(last_day), 'infinity') as last_day from (
       select s.prior_id as id, s.first_day - 1 as last_day from dated_step s where s.kept is null and s.covered and s.prior_first < s.first_day
       union all
       select s.kept, s.wanted_last from dated_step s
       where s.kept is not null and s.wanted_last is not null and s.wanted_last <> coalesce(s.prior_last, 'infinity')) e
     group by id`,
    `create temp table dated_begin on commit drop as
     select s.row_no, s.subject, s.value, s.first_day,
       nullif(least(coalesce(s.last_day, 'infinity'), s.next_first - 1, s.later_first - 1), 'infinity') as last_day
     from dated_step s where s.kept is null`,
    'analyze dated_begin',
    'analyze dated_end',
  );
}

/** How many subjects have nothing after the last day in the file, although something else counted longer until now. */
export const LEFT_WITHOUT = `(select count(*)::int from dated_step s where s.last_day < 'infinity' and s.covered
  and coalesce(s.prior_last, 'infinity') > s.last_day and s.next_first is distinct from s.last_day + 1
  and s.later_first is distinct from s.last_day + 1)`;
