// Finds the facilities of rows by their account numbers. A number that matches several facilities holds its row until the user chooses one.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { alikePairs, fittingAccounts } from '#core/customers/facility-finder/match-account-number.server.ts';
import { isChosenOf, oneOf } from './find-item.server.ts';
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';
import type { About, ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';

/** SQL for a facility in words, with its place, which distinguishes facilities with the same name. */
export const facilityText = (f: Sql): Sql =>
  sql`concat_ws(', ', ${f}.acct_no || ' ' || ${f}.name, nullif(${f}.ship_to_line1, ''),
    nullif(${f}.ship_to_city, ''), nullif(${f}.ship_to_state, ''))`;

export const ACCOUNT_ASK: ImportAsk = {
  name: 'account',
  label: 'Account number',
  hint: 'For rows that have none, such as those of a file for one customer.',
  type: 'text',
  standard: '',
};

/** SQL that sets the account of the file on rows without an account number. Refuses these rows if the file has no account. */
export function accountOfFile({ options }: About, asks: Sql = sql`true`): readonly Sql[] {
  const account = typeof options['account'] === 'string' && options['account'] !== '' ? options['account'] : null;
  const lacking = sql`r.acct_no is null and ${asks}`;
  return [
    account === null
      ? sql`update import_row r set bad_column = 'acct_no', bad_value = '',
          reason = 'is empty: write the account number, or say which customer the file is for' where r.reason is null and ${lacking}`
      : sql`update import_row r set acct_no = ${account} where ${lacking}`,
  ];
}

/**
 * SQL that sets `facility_id` of the rows that `asks` (SQL on `r`) selects: the facility with exactly this account number, otherwise the only one
 * that the number fits (`fittingAccounts`), otherwise the one that the user chose. Holds rows whose number fits several facilities, and refuses those
 * that fit none.
 */
export function findFacility(asks: Sql = sql`true`): readonly Sql[] {
  const open = sql`r.reason is null and r.outcome is null and r.facility_id is null and ${asks}`;
  return [
    sql`update import_row r set facility_id = coalesce(f.merged_into, f.id) from facility f where f.acct_no = r.acct_no`,
    sql`create temp table facility_meant on commit drop as
     select n.acct_no, found.* from (select distinct r.acct_no from import_row r where ${open}) n,
       lateral (select count(*) as of, min(f.id) as facility_id, string_agg(${facilityText(sql`f`)}, '; ' order by f.acct_no) as names,
           ${oneOf(sql`'facility ' || f.id`, sql`f.acct_no || ' ' || f.name`, sql`f.acct_no`)} as ways
         from (${fittingAccounts(sql`n.acct_no`)}) fit join facility f on f.id = fit.facility_id where fit.tier = fit.best) found`,
    sql`update import_row r set facility_id = case when m.of = 1 then m.facility_id else substr(r.chosen, 10)::int end
     from facility_meant m where m.acct_no = r.acct_no and ${open} and (m.of = 1 or ${isChosenOf(sql`m`)})`,
    sql`update import_row r set outcome = 'held', held_was = m.names, held_now = r.acct_no, held_ways = m.ways,
       held_hint = 'The account number fits ' || m.of || ' facilities.'
     from facility_meant m where m.acct_no = r.acct_no and ${open} and m.of > 1`,
    sql`update import_row r set bad_column = 'acct_no', bad_value = r.acct_no,
       reason = 'is not a known account: import the facilities first'
     where ${open}`,
    sql`drop table facility_meant`,
  ];
}

const inState = (zip: Sql, and: Sql): Sql => sql`exists (
  select from zip z where z.zip5 between left(${zip}, 3) || '00' and left(${zip}, 3) || '99' and ${and})`;

/** SQL that is true if some ZIPs with the beginning of this one are known, but none of them is in the state. */
export const liesElsewhere = (zip: Sql, state: Sql): Sql =>
  sql`${state} <> '' and ${inState(zip, sql`true`)} and not ${inState(zip, sql`z.state = ${state}`)}`;

/** SQL that refuses ZIPs with a leading zero that are in another state than their row: 606 in Illinois has lost its end, not its beginning. */
export const zeroZipElsewhere = (field: string, stateField: string): Sql => {
  const [zip, state] = [sql.ref(`r.${field}`), sql.ref(`r.${stateField}`)];
  return sql`update import_row r set bad_column = ${sql.lit(field)}, bad_value = ltrim(${zip}, '0'),
     reason = 'does not lie in ' || ${state} || ' as ' || ${zip} || ': write the five digits that are meant'
   where r.reason is null and ${zip} like '0%' and ${liesElsewhere(zip, state)}`;
};

/** The question above rows whose account number matches several facilities. */
export const WHICH_FACILITY: NonNullable<ImportKind['choice']> = {
  title: 'Which one is it?',
  why: 'The number matches several.',
};

/** SQL for one sentence about the rows whose facility has another account number than the file. */
export const OTHER_ACCOUNTS = sql`
  select case n when 0 then null when 1 then '1 row names its facility'
    else to_char(n, 'FM999,999,990') || ' rows name their facilities' end
         || ' by another number or spelling: ' || examples || case when n > 3 then ', …' else '' end || '.' as sentence
    from (select count(*) as n,
      string_agg(in_file || ' is ' || acct_no || ' ' || name, ', ' order by line) filter (where place <= 3) as examples
            from (select r.acct_no as in_file, f.acct_no, f.name, r.line, row_number() over (order by r.line) as place
                    from import_row r join facility f on f.id = r.facility_id
                   where r.acct_no <> f.acct_no and r.outcome in ('new', 'changed', 'same')) other) found`;

/** SQL for one sentence about new facilities that look the same as stored ones, or as others in the file. */
export const ALIKE_FACILITIES = sql`
  with fresh as materialized (
      select row_no, acct_no, name, facility_name_key(name) as name_key,
        street_key(coalesce(ship_to_line1, bill_to_line1, '')) as street_key, coalesce(ship_to_zip, bill_to_zip, '') as ship_to_zip
      from import_row where outcome = 'new' and name is not null),
    known as materialized (
      select row_no, acct_no, name_key, street_key, ship_to_zip from fresh
      union all select 0, acct_no, name_key, street_key, ship_to_zip from facility where merged_into is null)
  select case n when 0 then null when 1 then '1 new facility looks' else to_char(n, 'FM999,999,990') || ' new facilities look' end
         || ' the same as another one: ' || examples || case when n > 3 then ', …' else '' end
         || '. After the import, Settings, Duplicate Facilities lists them. Merge them there, or mark them as not duplicates.' as sentence
    from (select count(*) as n, string_agg(words, ', ' order by row_no) filter (where place <= 3) as examples
            from (select distinct on (row_no) row_no, acct_no || ' ' || name || ' beside ' || other || ' (' || lower(why) || ')' as words,
                    dense_rank() over (order by row_no) as place
                    from (${alikePairs(
                      sql`b.row_no, b.acct_no, b.name, a.acct_no as other`,
                      sql`known`,
                      sql`fresh`,
                      sql`a.row_no < b.row_no`,
                    )}) pair
                   order by row_no, other) alike) found`;

/** SQL for one sentence about rows of merged facilities, which an import does not change. */
export const MERGED_FACILITIES = sql`
  select case n when 0 then null when 1 then '1 row is of an account that was merged into another one, and is left as it is.'
      else to_char(n, 'FM999,999,990') || ' rows are of accounts that were merged into others, and are left as they are.' end as sentence
    from (select count(*) as n from import_row r join facility f on f.acct_no = r.acct_no
      where f.merged_into is not null and r.reason is null) found`;
