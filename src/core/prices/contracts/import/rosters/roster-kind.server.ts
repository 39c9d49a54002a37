// Imports contract rosters: matches facilities or suggests them, remembers confirmed matches, writes dated rows, and undoes imports.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { fittingAccounts } from '#core/customers/facility-finder/match-account-number.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import type { ImportKindServer, ImportRun, Track } from '#platform/data-import/kinds/import-kind.server.ts';
import { heldRows, moveRefusals } from '#platform/data-import/running/merge-rows.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { CONTRACT_ASKS } from '../contract-asks.server.ts';
import { IMPORTS_CONTRACTS, recordContracts, undoOf } from '../contract-undo.server.ts';
import { importFigures, listOf } from '../import-figures.server.ts';
import { absentDayText, dayText } from '../stage-sql.server.ts';
import { wouldGet } from '../prices-reached.server.ts';
import { hidesFacilities, planRosters, type RosterOptions } from './roster-plan.server.ts';
import { rosterRows } from './roster-columns.server.ts';

const NAME = sql`(select c.number || ' ' || f.acct_no from gpo_contract c, facility f where c.id = t.contract_id and f.id = t.facility_id)`;
/** Selects accepted suggestions whose row was written. The import remembers how the file identifies these facilities. */
const REMEMBERED = sql`r.suggested and r.reason is null and r.outcome in ('new', 'changed', 'same', 'end')`;

const tracks: readonly Track[] = [
  {
    table: 'contract_roster',
    key: { id: 'int' },
    scope: sql`t.contract_id in (select r.contract_id from import_row r
      where r.outcome in ('new', 'changed', 'end') union select a.contract_id from roster_absent a)`,
    name: NAME,
    many: 'roster rows',
    versioned: true,
  },
  {
    table: 'facility_alias',
    key: { id: 'int' },
    scope: sql`exists (select from import_row r where ${REMEMBERED} and r.alias_key = t.key and r.gpo_id is not distinct from t.gpo_id)`,
    name: sql`t.key`,
    many: 'confirmed matches',
  },
];

export const rosterKind: ImportKindServer = {
  kind: 'rosters',
  label: 'Rosters',
  hint: 'Facilities of contracts with their tier and days, by member id, HIN, GLN, account number or name. A change of tier ends the old row the day before.',
  roles: IMPORTS_CONTRACTS,
  rows: rosterRows,
  asks: [
    ...CONTRACT_ASKS,
    {
      name: 'mode',
      label: 'The file has',
      hint: 'A full roster shows who is missing from it.',
      type: 'choice',
      standard: 'changes',
      choices: [
        { value: 'changes', label: 'Only changes' },
        { value: 'replace', label: 'The full roster' },
      ],
    },
    {
      name: 'endAbsent',
      label: 'End roster rows that are not in the full roster',
      hint: 'They end the day before; rows that have not begun are removed. Otherwise they are only counted and listed.',
      type: 'tick',
      standard: false,
    },
  ],
  tracks,
  compare: async (trx, run) => {
    await planRosters(trx, run);
    const ends = (run.options as RosterOptions).endAbsent && !(await hidesFacilities(trx));
    await sql`create temp table roster_over on commit drop as select id, began, day from roster_absent where ${ends}`.execute(
      trx,
    );
    const report = await kindReport(trx, run);
    await moveRefusals(trx, run.headingOf);
    return report;
  },
  held: {
    title: 'Is it this facility?',
    why: 'No number identifies it and this facility is the most similar, or several match. Accepted matches are remembered.',
    most: 50_000,
    tooMany: 'are found only by their names. Check that the right columns are read as member id and account number.',
    rows: (trx, most) =>
      heldRows(trx, sql`r.contract || ' ' || coalesce(r.member_id, r.hin, r.gln, r.acct_no, '')`, most),
    pick: { label: 'Another facility', nameOf: nameOfFacility, idOf: facilityMeant },
  },
  write,
  conclude: (trx, today) =>
    wouldGet(trx, today, {
      contracts: sql`select contract_id from import_row where contract_id is not null`,
      facilities: sql`select facility_id from import_row where facility_id is not null`,
    }),
  undo: undoOf({
    table: 'contract_roster',
    same: sql`x.contract_id = t.contract_id and x.facility_id = t.facility_id`,
    name: NAME,
    what: ['roster row was', 'roster rows were'],
    tracks,
    contractsOf: (importId) =>
      sql`select distinct coalesce(t.contract_id, (c.before->>'contract_id')::int) as id
    from data_import_change c left join contract_roster t on t.id = (c.key->>'id')::int
    where c.import_id = ${importId} and c.table_name = 'contract_roster'`,
  }),
};

/** Null for a facility that does not exist or is no longer active. */
async function nameOfFacility(db: Db, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('facility')
    .select(['acct_no', 'name'])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst();
  return row ? `${row.acct_no} ${row.name}` : null;
}

/** The active facility to which an account number belongs. Null if it fits none or several. */
async function facilityMeant(db: Db, acctNo: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select f.id from (select ${acctNo}::text as acct_no) typed, lateral (${fittingAccounts(sql`typed.acct_no`)}) fit
    join facility f on f.id = fit.facility_id and f.active where fit.tier = fit.best`.execute(db);
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

async function kindReport(trx: Db, { options }: ImportRun): Promise<KindReport> {
  const { endAbsent, mode } = options as RosterOptions;
  const { rows } = await sql<{
    absent: number;
    ends: number;
    removed: number;
    first: IsoDate;
    last: IsoDate;
    learned: number;
    out: number;
  }>`
    select (select count(*)::int from roster_absent) as absent, (select count(*)::int from roster_over where began) as ends,
      (select count(*)::int from roster_over where not began) as removed,
      (select min(day)::text from roster_over where began) as first, (select max(day)::text from roster_over where began) as last,
      (select count(*)::int from import_row r where ${REMEMBERED} and r.outcome = 'same') as learned,
      (select count(*)::int from import_row r
        where r.excluded and r.reason is null and r.outcome in ('new', 'changed', 'same')) as out`.execute(trx);
  const { absent = 0, ends = 0, removed = 0, first = '', last = '', learned = 0, out = 0 } = rows[0] ?? {};
  const { figures, writes } = await importFigures(trx, {
    changed: 'Another tier, or other days.',
    sorts: {
      facility: 'Unknown facility',
      contract: 'Unknown contract',
      tier: 'Unknown tier',
      contradiction: 'Contradiction',
      clash: 'Clash',
      days: 'Wrong days',
    },
  });
  const who = sql`f.acct_no || ' ' || f.name`;
  const rowsOf = (title: string, outcome: string) =>
    listOf(
      trx,
      title,
      ['Line', 'Contract', 'Facility', 'Tier and days'],
      sql`select r.line::text, r.contract, ${who}, case when r.action = 'end' then 'ends on ' || ${dayText(sql`r.last_day`)}
         else coalesce((select 'tier ' || o.tier_no || ' → ' from dated_at b
           join contract_tier o on o.id = split_part(b.prior_value, '|', 1)::int where b.row_no = r.row_no and o.id <> r.tier_id), '')
           || coalesce('tier ' || (select t.tier_no from contract_tier t where t.id = r.tier_id), 'excluded')
           || ' from ' || ${dayText(sql`r.first_day`)}
               || coalesce(' to ' || ${dayText(sql`nullif(r.last_day, 'infinity')`)}, '') end
       from import_row r join facility f on f.id = r.facility_id where r.outcome = ${outcome} order by r.row_no`,
    );
  const absentOf = (title: string, which: Sql) =>
    listOf(
      trx,
      title,
      ['Contract', 'Facility'],
      sql`select c.number, ${who} from roster_absent a join gpo_contract c on c.id = a.contract_id
        join facility f on f.id = a.facility_id where ${which} order by 1, 2`,
    );
  return {
    // Remembered matches are also counted as writes.
    writes: writes + ends + removed + learned,
    figures: [
      ...figures,
      ...(out > 0
        ? [{ label: 'Excluded', count: out, note: 'Rows of facilities that do not get the prices of their contract.' }]
        : []),
      ...(mode === 'replace'
        ? [{ label: 'Absent', count: absent, note: "Roster rows of the file's contracts whose facility no row names." }]
        : []),
    ],
    lists: [
      await rowsOf('Changed', 'changed'),
      await rowsOf('New', 'new'),
      await rowsOf('Ended', 'end'),
      ...(ends + removed > 0
        ? [
            await absentOf('Absent, ended', sql`a.began`),
            await absentOf('Absent, removed before they begin', sql`not a.began`),
          ]
        : [await absentOf('Absent, left as they are', sql`true`)]),
      await listOf(
        trx,
        'Other parent',
        ['Line', 'Facility', 'Parent here', 'In the file'],
        sql`select r.line::text, ${who}, coalesce(p.acct_no || ' ' || p.name, 'none'), r.parent from import_row r
          join facility f on f.id = r.facility_id
         left join facility p on p.id = f.parent_id
         where r.reason is null and r.parent is not null
           and not coalesce(p.acct_no = r.parent or lower(p.name) = lower(r.parent), false) order by r.row_no`,
      ),
    ].filter(({ total }) => total > 0),
    notes: [
      ...(endAbsent && mode !== 'replace' ? ['Nothing is ended for being absent: the file has only changes.'] : []),
      ...(endAbsent && absent > 0 && ends + removed === 0
        ? ['Absent roster rows are not ended, because refused rows may name them. Fix those rows first.']
        : []),
      ...(ends > 0
        ? [
            `${countOf(ends, 'absent roster row ends', 'absent roster rows end')} the day before ${absentDayText(first, last)}.`,
          ]
        : []),
      ...(removed > 0
        ? [
            `${countOf(removed, 'absent roster row that has', 'absent roster rows that have')} not begun yet ${removed === 1 ? 'is' : 'are'} removed.`,
          ]
        : []),
    ],
  };
}

async function write(trx: Db, { author, comment }: ImportRun): Promise<void> {
  await sql`update contract_roster t set valid_to = e.last_day, version = t.version + 1 from (
      select id, min(last_day) as last_day from (
        select id, coalesce(last_day, 'infinity') as last_day from roster_end
        union all select id, day - 1 from roster_over where began) e group by id) x(id, day)
    cross join lateral (select nullif(x.day, 'infinity') as last_day) e where x.id = t.id`.execute(trx);
  await sql`delete from contract_roster t using roster_over o where o.id = t.id and not o.began`.execute(trx);
  await sql`insert into contract_roster (contract_id, facility_id, tier_id, covers_children, excluded, member_id, valid_from, valid_to)
    select r.contract_id, r.facility_id, r.tier_id, split_part(r.value, '|', 2)::boolean, r.excluded, coalesce(r.member_id, ''),
      b.first_day, b.last_day
    from dated_begin b join import_row r on r.row_no = b.row_no order by b.row_no`.execute(trx);
  await sql`insert into facility_alias (gpo_id, key, facility_id, confirmed_by)
    select distinct on (r.gpo_id, r.alias_key) r.gpo_id, r.alias_key, r.facility_id, ${author.id}::int from import_row r
    where ${REMEMBERED} order by r.gpo_id, r.alias_key, r.row_no
    on conflict (gpo_id, key) do update
    set facility_id = excluded.facility_id, confirmed_by = excluded.confirmed_by, confirmed_at = now()`.execute(trx);
  await recordContracts(
    trx,
    author,
    'Import',
    comment,
    sql`select r.contract_id as id, 'Roster' as what, count(*) filter (where outcome = 'changed') as changed,
        count(*) filter (where outcome = 'new') as new, count(*) filter (where outcome = 'end')
          + (select count(*) from roster_over o join roster_absent a on a.id = o.id
              where a.contract_id = r.contract_id) as ended
      from import_row r where r.contract_id is not null group by 1`,
  );
}
