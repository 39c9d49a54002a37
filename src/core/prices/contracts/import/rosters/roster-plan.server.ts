// Plans an import of rosters in set-based SQL: it matches or suggests facilities, then plans the dated rows.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { isAccepted } from '#platform/data-import/running/merge-rows.server.ts';
import { meetStored, planDated, refuseContradictions } from '../dated-plan.server.ts';
import {
  absentDays,
  firstAndLastDay,
  dayText,
  findContract,
  findTier,
  OPEN,
  refuse,
  run,
} from '../stage-sql.server.ts';
import { matchFacilities } from './match-facilities.server.ts';

export type RosterOptions = {
  contract: string;
  /** Missing in a check from before this option existed. */
  tier?: string;
  from: string;
  /** 'replace': the file lists every facility. 'changes': the file lists only changes. */
  mode: 'changes' | 'replace';
  endAbsent: boolean;
};

/** The value of a roster row: its tier, whether it covers children, and whether it excludes the facility. */
const VALUE = (tier: Sql, covers: Sql, excluded: Sql): Sql =>
  sql`coalesce(${tier}, 0) || '|' || ${covers} || '|' || ${excluded}`;
const rosterInWords = (value: Sql): Sql => sql`case when split_part(${value}, '|', 3) = 'true' then 'excluded'
  else 'tier ' || (select t.tier_no from contract_tier t where t.id = split_part(${value}, '|', 1)::int) end
    || case when split_part(${value}, '|', 2) = 'true' then ' with its children' else '' end`;

const WORDS = { column: 'tier', typed: sql`coalesce(r.tier, '')`, inWords: rosterInWords, what: 'a roster row' };

/**
 * Sets `outcome` (new, changed, same, end, repeat, held) or `reason`. Creates the plan of `planDated`, roster_end (id, last_day), roster_absent (id,
 * began, day).
 */
export async function planRosters(
  trx: Db,
  { importId, willWrite, trial, later, today, options }: ImportRun,
): Promise<void> {
  const { contract, tier = '', from, mode } = options as RosterOptions;
  if (willWrite && !trial) await run(trx, sql`lock table contract_roster in share row exclusive mode`);
  await run(
    trx,
    // Excluded facilities have no tier, whatever their row contains.
    sql`update import_row r set action = coalesce(r.action, 'add'), excluded = coalesce(r.excluded, false),
     tier = case when r.excluded then null else r.tier end`,
    ...findContract(contract),
  );
  await run(
    trx,
    ...findTier(tier, sql`r.action = 'end' or r.excluded`),
    ...endsBy(today),
    ...firstAndLastDay(today, from),
    LAST_DAYS,
  );
  await matchFacilities(trx);
  await run(
    trx,
    sql`create temp table dated_now on commit drop as
     select t.id, t.contract_id || ' ' || t.facility_id as subject,
       ${VALUE(sql`t.tier_id`, sql`t.covers_children`, sql`t.excluded`)} as value, t.valid_from as first_day,
         t.valid_to as last_day, t.covers_children
     from contract_roster t where (t.contract_id, t.facility_id) in (select contract_id, facility_id from import_row r where ${OPEN})`,
    sql`update import_row r set subject = r.contract_id || ' ' || r.facility_id where facility_id is not null`,
    // A row that does not mention children keeps the stored setting.
    sql`update import_row r set value = ${VALUE(
      sql`r.tier_id`,
      sql`coalesce(r.covers_children,
         (select n.covers_children from dated_now n
         where n.subject = r.subject and n.first_day <= greatest(r.first_day, ${today}::date) order by n.first_day desc limit 1), false)`,
      sql`r.excluded`,
    )}
     where ${OPEN} and r.action <> 'end'`,
    sql`update import_row r set value = 'end' where ${OPEN} and r.action = 'end'`,
    sql`update import_row r set ${refuse('clash', 'action', sql`'is for a facility that is not on the roster: write add'`)}
     where ${OPEN} and r.action = 'change' and not exists (select from dated_now n where n.subject = r.subject)`,
    sql`update import_row r
      set ${refuse(
        'contradiction',
        'action',
        sql`'conflicts with line ' || d.line || ' for the same facility: a change of tier needs no row that ends the old one'`,
      )}
     from (select distinct on (a.row_no) a.row_no, b.line from import_row a
       join import_row b on b.subject = a.subject and (b.action = 'end') <> (a.action = 'end')
           where a.reason is null and b.reason is null order by a.row_no, b.row_no) d
     where d.row_no = r.row_no and ${OPEN}`,
  );
  await planEnds(trx);
  await refuseContradictions(trx, WORDS);
  await meetStored(trx, WORDS, today);
  await holdSuggested(trx, { importId, willWrite });
  await planDated(trx);
  await run(
    trx,
    sql`create temp table roster_end on commit drop as
     select e.id, e.last_day from dated_end e
     union all select n.id, r.last_day from import_row r join dated_now n on n.subject = r.subject
       and n.first_day <= r.last_day and coalesce(n.last_day, 'infinity') > r.last_day
     where r.outcome = 'end'`,
  );
  await run(trx, absentDays(today, from, sql`action <> 'end'`));
  await absentRows(trx, !later && mode === 'replace');
}

/** A row that ends an entry without a last day ends it today. It gets the outcome 'ending' while the days of the other rows are checked. */
const endsBy = (today: string): Sql[] => [
  sql`update import_row r set last_day = coalesce(r.last_day, ${today}::date), outcome = 'ending' where ${OPEN} and r.action = 'end'`,
];
const LAST_DAYS = sql`update import_row r set first_day = r.last_day, outcome = null where r.outcome = 'ending'`;

async function planEnds(trx: Db): Promise<void> {
  await run(
    trx,
    sql`update import_row r set outcome = 'repeat' from (
       select row_no, row_number() over (partition by subject, last_day order by row_no) as nth from import_row r
       where ${OPEN} and r.action = 'end') d
     where d.row_no = r.row_no and d.nth > 1`,
    sql`update import_row r
      set ${refuse('contradiction', 'last_day', sql`'is another day than in line ' || d.line`, dayText(sql`r.last_day`))}
     from (select distinct on (a.row_no) a.row_no, b.line from import_row a
       join import_row b on b.subject = a.subject and b.row_no <> a.row_no
           where a.action = 'end' and b.action = 'end' and a.reason is null and b.reason is null
             and a.outcome is null and b.outcome is null order by a.row_no, b.row_no) d
     where d.row_no = r.row_no`,
    sql`update import_row r
      set ${refuse(
        'clash',
        'last_day',
        sql`case when n.first is null then 'ends nothing: the facility is not on the roster'
          else 'lies before the first day of the roster row, ' || ${dayText(sql`n.first`)} end`,
        dayText(sql`r.last_day`),
      )}
     from import_row o left join lateral (select min(first_day) as first from dated_now n where n.subject = o.subject) n on true
     where o.row_no = r.row_no and ${OPEN} and r.action = 'end' and coalesce(n.first, 'infinity') > r.last_day`,
    sql`update import_row r
      set ${refuse(
        'clash',
        'last_day',
        sql`'lies before ' || ${dayText(sql`n.first_day`)} || ', from when the facility is on the roster again'`,
        dayText(sql`r.last_day`),
      )}
     from dated_now n where n.subject = r.subject and n.first_day > r.last_day and ${OPEN} and r.action = 'end'`,
    sql`update import_row r set outcome = 'ending' where ${OPEN} and r.action = 'end'`,
  );
}

/** Holds rows that were matched only by similarity until a user decides. Then decides the rows that end an entry. */
async function holdSuggested(
  trx: Db,
  { importId, willWrite }: Pick<ImportRun, 'importId' | 'willWrite'>,
): Promise<void> {
  await run(
    trx,
    sql`create temp table roster_held on commit drop as
     select r.row_no, r.line,
       concat_ws(', ', f.acct_no || ' ' || f.name, nullif(f.ship_to_line1, ''), f.ship_to_city,
         f.ship_to_state) as was,
       concat_ws(', ', r.name, r.address, r.city, r.state) || ': ' || case when r.action = 'end' then 'ends'
         else ${rosterInWords(sql`r.value`)} end as now, r.reasons as hint
     from import_row r join facility f on f.id = r.facility_id where (${OPEN} or r.outcome = 'ending') and r.suggested`,
    sql`update import_row r set outcome = 'held', held_was = h.was, held_now = h.now, held_hint = h.hint
     from roster_held h where h.row_no = r.row_no and r.chosen is null and not (${sql.lit(willWrite)} and ${isAccepted(sql`h`, importId)})`,
    sql`update import_row r set outcome = case when exists (
         select from dated_now n where n.subject = r.subject and n.first_day <= r.last_day
           and coalesce(n.last_day, 'infinity') > r.last_day) then 'end' else 'same' end
     where r.outcome = 'ending'`,
    sql`delete from dated_at a
      where not exists (select from import_row r where r.row_no = a.row_no and r.outcome is null and r.reason is null)`,
  );
}

/**
 * If the file is complete, lists the roster rows of its contracts that apply on the day or begin later (`began` is false), and whose facility no row
 * names.
 */
async function absentRows(trx: Db, whole: boolean): Promise<void> {
  await run(
    trx,
    sql`create temp table roster_absent on commit drop as
     select t.id, t.contract_id, t.facility_id, d.day, t.valid_from < d.day as began
     from contract_roster t join absent_day d on d.contract_id = t.contract_id
     where ${sql.lit(whole)} and coalesce(t.valid_to, 'infinity') >= d.day
       and not exists (select from import_row r where r.contract_id = t.contract_id and r.facility_id = t.facility_id)`,
  );
}

/** Returns whether a refused or held row without a known facility might name a facility that seems absent. */
export async function hidesFacilities(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ hides: boolean }>`
    select exists (select from import_row where (reason is not null or outcome = 'held') and (contract_id is null or facility_id is null))
      or exists (select from import_refusal x where x.line not in (select line from import_row)) as hides`.execute(trx);
  return rows[0]?.hides ?? true;
}
