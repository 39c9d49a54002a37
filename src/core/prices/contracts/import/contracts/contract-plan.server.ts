// Plans an import of contracts in set-based SQL: merges the rows of each head, matches tiers by number, and checks both as the form does.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import { dayText, OPEN, refuse, run } from '../stage-sql.server.ts';

/** Each column of a head: its name in the file, and the SQL that reads it from the contract `c`. */
const HEAD: Readonly<Record<string, Sql>> = {
  gpo: sql`(select name from gpo where id = c.gpo_id)`,
  title: sql`c.title`,
  category: sql`c.category`,
  award_type: sql`c.award_type`,
  effective_from: sql`c.effective_from`,
  effective_to: sql`c.effective_to`,
  extended_to: sql`c.extended_to`,
  predecessor: sql`(select number from gpo_contract where id = c.predecessor_id)`,
  open_to: sql`c.open_to`,
  currn_idx: sql`c.currn_idx`,
  state: sql`c.state`,
};
const DAYS = ['effective_from', 'effective_to', 'extended_to'];
const TIER = ['tier_name', 'requirement', 'needs_loc', 'fallback_no'];
const FRESH: Readonly<Record<string, Sql>> = {
  category: sql`''`,
  award_type: sql`case when h.gpo is null then 'local' else 'multi' end`,
  open_to: sql`'roster'`,
  currn_idx: sql`1007`,
  state: sql`'Draft'`,
};

/**
 * Sets `outcome` or `reason` on every row. Creates contract_head (key, id, each column with its new value, `outcome`) and contract_step (key,
 * tier_no, id, each column of the tier with its new value, `outcome`).
 */
export async function planContracts(trx: Db, { willWrite, trial, options }: ImportRun): Promise<void> {
  if (willWrite && !trial) await run(trx, sql`lock table gpo, gpo_contract, contract_tier in share row exclusive mode`);
  await run(trx, sql`analyze import_row`, ...FIND);
  await run(trx, ...(options['createGpos'] === true ? [] : [UNKNOWN_GPO]));
  for (const column of Object.keys(HEAD)) await run(trx, contradiction(['key'], column, ''));
  for (const column of TIER) await run(trx, contradiction(['key', 'tier_no'], column, ' of the same tier'));
  await planHeads(trx);
  await planTiers(trx);
  await run(
    trx,
    sql`update import_row r set outcome = case
         when h.outcome = 'new' or s.outcome = 'new' then 'new' when h.outcome = 'changed'
         or s.outcome = 'changed' then 'changed' else 'same' end
     from import_row o join contract_head h on h.key = o.key left join contract_step s on s.key = o.key and s.tier_no = o.tier_no
     where o.row_no = r.row_no and ${OPEN}`,
  );
}

const FIND = [
  sql`update import_row r set contract_id = c.id, contract = c.number from gpo_contract c where c.number = r.contract`,
  sql`update import_row r set contract_id = c.id, contract = c.number
   from (select lower(number) as key, min(id) as id, min(number) as number from gpo_contract group by 1 having count(*) = 1) c
   where r.contract_id is null and c.key = lower(r.contract)`,
  // The first row determines the spelling of a new contract.
  sql`update import_row r set key = lower(r.contract), contract = f.contract
   from (select lower(contract) as key, (array_agg(contract order by row_no))[1] as contract from import_row
     group by 1) f where f.key = lower(r.contract)`,
  sql`update import_row r set gpo = g.name from gpo g where lower(g.name) = lower(r.gpo)`,
  sql`update import_row r set gpo = f.name
    from (select lower(gpo) as key, (array_agg(gpo order by row_no))[1] as name from import_row where gpo is not null group by 1) f
   where f.key = lower(r.gpo)`,
  sql`update import_row r set predecessor = c.number from gpo_contract c where lower(c.number) = lower(r.predecessor)`,
  sql`update import_row r set predecessor = o.contract from import_row o where o.key = lower(r.predecessor)`,
  sql`update import_row r set ${refuse('days', 'predecessor', sql`'is the contract itself'`)}
    where ${OPEN} and lower(r.predecessor) = r.key`,
  sql`update import_row r set ${refuse('predecessor', 'predecessor', sql`'is not a known contract, nor one in the file'`)}
   where ${OPEN} and r.predecessor is not null and not exists (select from import_row o where o.key = lower(r.predecessor))
     and not exists (select from gpo_contract c where c.number = r.predecessor)`,
  sql`create index on import_row (key)`,
  sql`analyze import_row`,
];

const UNKNOWN_GPO = sql`update import_row r set ${refuse('gpo', 'gpo', sql`'is not a known GPO: correct it, or check Create missing GPOs'`)}
  where ${OPEN} and r.gpo is not null and not exists (select from gpo g where g.name = r.gpo)`;

/** Refuses rows of one contract, or of one tier, that contradict each other in a column. Each refusal names the line of the other row. */
function contradiction(keys: readonly string[], column: string, whose: string): Sql {
  const same = keys.map((key) => sql`${sql.ref(`b.${key}`)} = ${sql.ref(`a.${key}`)}`);
  const cellText = (row: string) => {
    const value = sql.ref(`${row}.${column}`);
    return DAYS.includes(column) ? dayText(value) : sql`${value}::text`;
  };
  const reason = sql`'is ' || d.other || ' in line ' || d.line || ${sql.lit(whose)}`;
  return sql`update import_row r set ${refuse('contradiction', column, reason, cellText('r'))}
    from (select distinct on (a.row_no) a.row_no, b.line, ${cellText('b')} as other
            from import_row a
            join import_row b on ${sql.join(same, sql` and `)} and ${sql.ref(`b.${column}`)} <> ${sql.ref(`a.${column}`)}
           where a.reason is null and b.reason is null
           order by a.row_no, b.row_no) d
    where d.row_no = r.row_no and ${OPEN}`;
}

/** Why a new contract lacks a column: no row contains it, or only one that is refused for another reason. */
const needed = (column: string, what: string): Sql => sql`coalesce(
  (select 'is only in line ' || min(o.line) || ' of this contract, which is refused' from import_row o
    where o.key = r.key and o.reason is not null and ${sql.ref(`o.${column}`)} is not null),
  ${sql.lit(`is empty: a new contract needs ${what}`)})`;

async function planHeads(trx: Db): Promise<void> {
  const head = Object.entries(HEAD).map(([column, stored]) => ({
    staged: sql.ref(`h.${column}`),
    name: sql.ref(column),
    stored,
    fresh: FRESH[column] ?? sql`null`,
  }));
  const values = head.map(
    ({ staged, name, stored, fresh }) =>
      sql`case when c.id is null then coalesce(${staged}, ${fresh}) else coalesce(${staged}, ${stored}) end as ${name}`,
  );
  const changes = head.map(
    ({ staged, stored }) => sql`(${staged} is not null and ${staged} is distinct from ${stored})`,
  );
  await run(
    trx,
    sql`create temp table contract_head on commit drop as
     select h.key, h.contract, c.id, h.first_line, c.state as was_state, c.currn_idx as was_currn,
            ${sql.join(values)},
            case when c.id is null then 'new' when ${sql.join(changes, sql` or `)} then 'changed' else 'same' end as outcome
       from (select key, min(contract) as contract, min(contract_id) as contract_id, min(line) as first_line,
                    ${sql.join(head.map(({ name }) => sql`min(${name}) as ${name}`))}
               from import_row r where ${OPEN} group by key) h
       left join gpo_contract c on c.id = h.contract_id`,
    sql`create index on contract_head (key)`,
    sql`analyze contract_head`,
  );
  const priced = sql`exists (select from contract_line_price p join contract_line l on l.id = p.contract_line_id
    where l.contract_id = h.id)`;
  const tiers = sql`exists (select from contract_tier t where t.contract_id = h.id)
    or exists (select from import_row x where x.key = h.key and x.tier_no is not null and x.reason is null)`;
  const checks: [column: string, when: Sql, reason: Sql][] = [
    ['title', sql`h.title is null`, needed('title', 'a title')],
    ['effective_from', sql`h.effective_from is null`, needed('effective_from', 'a first day')],
    ['effective_to', sql`h.effective_to is null`, needed('effective_to', 'a last day')],
    [
      'effective_to',
      sql`h.effective_to < h.effective_from`,
      sql`'is before the first day, ' || ${dayText(sql`h.effective_from`)}`,
    ],
    [
      'extended_to',
      sql`h.extended_to <= h.effective_to`,
      sql`'is not after the last day that was agreed, ' || ${dayText(sql`h.effective_to`)}`,
    ],
    [
      'open_to',
      sql`h.open_to = 'members' and h.gpo is null`,
      sql`'has no meaning: an agreement without a GPO has no members'`,
    ],
    [
      'state',
      sql`h.was_state = 'Terminated' and h.state <> 'Terminated'`,
      sql`'is not possible: the contract was terminated. Take that back on its page'`,
    ],
    [
      'state',
      sql`h.was_state = 'Active' and h.state = 'Draft'`,
      sql`'is not possible: the contract is active already'`,
    ],
    [
      'state',
      sql`h.state = 'Active' and h.was_state is distinct from 'Active' and not (${tiers})`,
      sql`'is not possible: the contract has no tier yet. Add a column Tier, or leave it empty and activate the contract on its page'`,
    ],
    [
      'currn_idx',
      sql`(h.currn_idx = ${sql.lit(EURO_INDEX)}) <> (h.was_currn = ${sql.lit(EURO_INDEX)}) and ${priced}`,
      sql`'is not the currency of its prices: a contract in another currency is a new one'`,
    ],
  ];
  for (const [column, when, reason] of checks)
    await run(
      trx,
      sql`update import_row r set ${refuse('head', column, reason, DAYS.includes(column) ? dayText(sql.ref(`r.${column}`)) : undefined)}
       from contract_head h
       where h.key = r.key and ${OPEN} and ${when} and h.outcome <> 'same'`,
    );
  // Finds cycles of predecessors, across stored contracts and the changes in the file.
  await run(
    trx,
    sql`update import_row r set ${refuse('head', 'predecessor', sql`'closes a circle: that contract follows this one already'`)}
     from (with recursive link as (
             select c.number, coalesce(h.predecessor, p.number) as predecessor from gpo_contract c
             left join contract_head h on h.id = c.id left join gpo_contract p on p.id = c.predecessor_id
             union select h.contract, h.predecessor from contract_head h),
           chain as (
             select h.key, h.contract, h.predecessor as at, 1 as step from contract_head h
             where h.predecessor is not null and h.outcome <> 'same'
             union all select c.key, c.contract, l.predecessor, c.step + 1 from chain c join link l on l.number = c.at
             where l.predecessor is not null and c.at <> c.contract and c.step < 100)
           select distinct key from chain where at = contract) x
     where x.key = r.key and ${OPEN} and r.predecessor is not null`,
    sql`delete from contract_head h where not exists (select from import_row r where r.key = h.key and r.reason is null)`,
  );
}

async function planTiers(trx: Db): Promise<void> {
  await run(
    trx,
    sql`create temp table contract_step on commit drop as
     select s.key, s.tier_no, t.id, coalesce(s.tier_name, t.name, 'Tier ' || s.tier_no) as tier_name,
       coalesce(s.requirement, t.requirement, '') as requirement,
       coalesce(s.needs_loc, t.needs_loc, false) as needs_loc, coalesce(s.fallback_no, f.tier_no) as fallback_no,
       case when t.id is null then 'new' when s.tier_name <> t.name or s.requirement <> t.requirement or s.needs_loc <> t.needs_loc
         or s.fallback_no <> coalesce(f.tier_no, 0) then 'changed' else 'same' end as outcome
     from (select key, tier_no, min(contract_id) as contract_id, min(tier_name) as tier_name, min(requirement) as requirement,
             bool_or(needs_loc) as needs_loc, min(fallback_no) as fallback_no
           from import_row r where ${OPEN} and tier_no is not null group by key, tier_no) s
     left join contract_tier t on t.contract_id = s.contract_id and t.tier_no = s.tier_no
     left join contract_tier f on f.id = t.fallback_tier_id`,
    sql`update import_row r
      set ${refuse(
        'tier',
        'fallback_no',
        sql`case when r.fallback_no >= r.tier_no then 'is no lower tier than ' || r.tier_no else 'is not a tier of the contract' end`,
      )}
     from contract_step s where s.key = r.key and s.tier_no = r.tier_no and ${OPEN} and r.fallback_no is not null
       and (r.fallback_no >= r.tier_no
       or not (exists (select from contract_step o where o.key = r.key and o.tier_no = r.fallback_no)
         or exists (select from contract_tier t where t.contract_id = r.contract_id and t.tier_no = r.fallback_no)))`,
    sql`delete from contract_step s
      where not exists (select from import_row r where r.key = s.key and r.tier_no = s.tier_no and r.reason is null)`,
    // A tier that falls back to a refused tier is also refused.
    sql`update import_row r set ${refuse('tier', 'fallback_no', sql`'is a tier whose own row is refused'`)}
     where ${OPEN} and r.fallback_no is not null and not exists (select from contract_step o
       where o.key = r.key and o.tier_no = r.fallback_no)
       and not exists (select from contract_tier t where t.contract_id = r.contract_id and t.tier_no = r.fallback_no)`,
    sql`delete from contract_step s
      where not exists (select from import_row r where r.key = s.key and r.tier_no = s.tier_no and r.reason is null)`,
    sql`delete from contract_head h where not exists (select from import_row r where r.key = h.key and r.reason is null)`,
  );
}
