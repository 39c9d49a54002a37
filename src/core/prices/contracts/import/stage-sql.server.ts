// Builds SQL on the staged rows of a contract import: refusals, lookups, and the format of prices and days.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';

/** Rows that are neither refused nor decided yet. */
export const OPEN = sql`r.reason is null and r.outcome is null`;

export async function run(db: Db, ...statements: readonly Sql[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

/** The `set` clause of a refusal: the figure that includes it, the column at fault, and SQL for the reason. */
export function refuse(sort: string, column: string, reason: Sql, value = sql`${sql.ref(`r.${column}`)}::text`): Sql {
  return sql`sort = ${sql.lit(sort)}, bad_column = ${sql.lit(column)}, bad_value = coalesce(${value}, ''),
    reason = ${reason}`;
}

export const dayText = (day: Sql): Sql => sql`to_char(${day}, 'MM/DD/YYYY')`;
export const moneyText = (amount: Sql): Sql => sql`to_char(${amount}, 'FM9,999,999,990.0099')`;

/** Finds contracts by number, ignoring case if only one contract matches. Rows without a number get the contract chosen for the run. */
export function findContract(standard: string): Sql[] {
  return [
    sql`update import_row r set contract = ${standard}::text where r.contract is null and ${standard}::text <> ''`,
    sql`update import_row r
      set ${refuse('contract', 'contract', sql`'is empty: write the contract number, or say which contract the file is for'`)}
     where ${OPEN} and r.contract is null`,
    sql`update import_row r set contract_id = c.id, contract = c.number from gpo_contract c where c.number = r.contract`,
    sql`update import_row r set contract_id = c.id, contract = c.number
     from (select lower(number) as key, min(id) as id, min(number) as number from gpo_contract group by 1 having count(*) = 1) c
     where r.contract_id is null and c.key = lower(r.contract)`,
    sql`update import_row r set ${refuse('contract', 'contract', sql`'is not a known contract: import the contract first'`)}
     where ${OPEN} and r.contract_id is null`,
    sql`update import_row r set ${refuse('contract', 'contract', sql`'was terminated for ' || ${dayText(sql`c.terminated_on`)}`)}
     from gpo_contract c where c.id = r.contract_id and c.state = 'Terminated' and ${OPEN}`,
    sql`create index on import_row (contract_id)`,
    sql`analyze import_row`,
  ];
}

/**
 * Finds `tier` by number or name, ignoring case and spaces. Rows without one get the tier chosen for the run. The column may be empty when the
 * contract has only one tier.
 */
export function findTier(standard: string, mayBeEmpty: Sql): Sql[] {
  const tiers = sql`(select string_agg(t.tier_no || case when lower(t.name) = lower('Tier ' || t.tier_no) then ''
    else ' (' || t.name || ')' end, ', ' order by t.tier_no)
    from contract_tier t where t.contract_id = r.contract_id)`;
  const folded = (text: Sql): Sql => sql`regexp_replace(lower(${text}), '\\s', '', 'g')`;
  const tierKey = sql`regexp_replace(${folded(sql`r.tier`)}, '^(?:tier|level|lvl)[:#.-]?(?=\\d+$)', '')`;
  return [
    sql`update import_row r set tier = ${standard}::text
     where ${OPEN} and r.tier is null and ${standard}::text <> '' and not (${mayBeEmpty})`,
    sql`update import_row r set tier_id = f.id, tier_found = f.matches
     from (select r.row_no, count(*) as matches, min(t.id) as id from import_row r
           join contract_tier t on t.contract_id = r.contract_id
             and (r.tier is null or t.tier_no::text = ${tierKey} or ${folded(sql`t.name`)} = ${folded(sql`r.tier`)})
           group by r.row_no) f
     where f.row_no = r.row_no and ${OPEN} and not (r.tier is null and (${mayBeEmpty}))`,
    sql`update import_row r set ${refuse(
      'tier',
      'tier',
      sql`case
        when ${tiers} is null then 'has no meaning yet: the contract has no tiers. '
          || 'Add one on its page, or import the contract with a column Tier'
        when r.tier is null then 'is empty: the contract has the tiers ' || ${tiers}
        when r.tier_found > 1 then 'is more than one tier of the contract: ' || ${tiers}
        else 'is not a tier of the contract, which has ' || ${tiers} end`,
    )}
     where ${OPEN} and r.tier_found is distinct from 1 and not (r.tier is null and (${mayBeEmpty}))`,
  ];
}

/**
 * Creates `absent_day` (contract_id, day): the day before which the file ends what it leaves out. This is the day chosen for the run, or else the
 * first day in the file for the contract, but never before today.
 */
export const absentDays = (today: IsoDate, from: string, begins: Sql = sql`true`): Sql => {
  const first = sql`greatest(${today}::date, min(first_day) filter (where ${begins}))`;
  return sql`create temp table absent_day on commit drop as
    select contract_id, ${from ? sql`${from}::date` : first} as day
      from import_row r where contract_id is not null group by contract_id`;
};

/** The day of `absentDays` in words. `first` and `last` are the earliest and the latest day of several contracts. */
export const absentDayText = (first: IsoDate, last: IsoDate): string =>
  first === last
    ? formatDate(first)
    : `the first day of their contract in the file, or today (${formatDate(first)} to ${formatDate(last)})`;

/** Rows without a first day apply from today, or from the contract's first day if that is later. */
export const firstAndLastDay = (today: IsoDate, from: string): Sql[] => [
  sql`update import_row r set says_from = r.first_day is not null,
     first_day = case when r.first_day is null then greatest(${from || today}::date, c.effective_from)
       else ${from ? sql`greatest(r.first_day, ${from}::date)` : sql`r.first_day`} end
   from gpo_contract c where c.id = r.contract_id and ${OPEN}`,
  sql`update import_row r set
     ${refuse('days', 'last_day', sql`'is before the first day, ' || ${dayText(sql`r.first_day`)}`, dayText(sql`r.last_day`))}
   where ${OPEN} and r.last_day < r.first_day`,
  sql`update import_row r set ${refuse(
    'days',
    'first_day',
    sql`'is after the last day of the contract, ' || ${dayText(LAST_DAY)}`,
    dayText(sql`r.first_day`),
  )}
   from gpo_contract c where c.id = r.contract_id and ${OPEN} and r.first_day > ${LAST_DAY}`,
];
const LAST_DAY = sql`coalesce(c.extended_to, c.effective_to)`;
