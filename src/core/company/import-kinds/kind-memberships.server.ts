// Declared GPO memberships of facilities, by account number and GPO: member number, days, and whether it is the primary one.
import { sql } from 'kysely';
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import { type CellParser, textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { findFacility, OTHER_ACCOUNTS, WHICH_FACILITY } from './find-facility.server.ts';
import { accountNumber } from './kind-contacts.server.ts';

/** SQL for the company's calendar day. */
const TODAY = sql`(select (now() at time zone time_zone)::date from company)`;
const OPEN = sql`r.reason is null and r.outcome is null`;

/** The days of a row's membership after it is written, and whether it is primary then. */
const AFTER = sql`select r.row_no, r.line, r.facility_id, r.gpo_id, r.gpo, r.valid_from as begins,
     coalesce(r.valid_to, t.valid_to, 'infinity') as ends, coalesce(r.is_primary, t.is_primary, false) as is_primary
   from import_row r left join gpo_membership t on t.id = r.membership_id where ${OPEN}`;

/** Lists of GPOs write P or Primary, S or Secondary. */
const primary: CellParser = (text, context) =>
  /^(?:p|primary)$/i.test(text) ? true : /^(?:s|secondary|affiliated?)$/i.test(text) ? false : yesNo(text, context);

export const memberships: ImportKind = {
  kind: 'memberships',
  singular: 'membership',
  fields: {
    acct_no: accountNumber,
    gpo: {
      label: 'GPO',
      names: headings(
        'gpo, gpo name, group purchasing organization, buying group, purchasing group, group name, program',
      ),
      parse: textOf(100),
    },
    member_id: {
      label: 'member number',
      names: headings(
        'member id, member number, gpo member id, gpo member number, gpo id, gpo number, membership number, membership id',
      ),
      parse: textOf(60),
    },
    is_primary: {
      label: 'primary GPO',
      names: headings('primary, primary gpo, is primary, declared primary, primary flag, declaration'),
      parse: primary,
    },
    valid_from: {
      label: 'first day',
      names: headings(`member since, join date, from, ${FIRST_DAYS}`),
      parse: date,
    },
    valid_to: {
      label: 'last day',
      names: headings(`termination date, to, ${LAST_DAYS}`),
      parse: lastDay,
    },
  },
  needs: [['acct_no', 'gpo']],
  columns: {
    acct_no: { type: 'text', only: 'stage' },
    gpo: { type: 'text', only: 'stage' },
    membership_id: { type: 'int', only: 'stage' },
    facility_id: { type: 'int' },
    gpo_id: { type: 'int' },
    member_id: { type: 'text', fresh: sql`''` },
    is_primary: { type: 'boolean', fresh: sql`false` },
    primary_unsaid: { type: 'boolean', only: 'stage' },
    valid_from: { type: 'date' },
    valid_to: { type: 'date', openEnd: true },
  },
  key: ['facility_id', 'gpo_id'],
  keyLabel: 'account and GPO',
  knownBy: sql`r.acct_no || ' ' || coalesce(r.gpo, '')`,
  repeats: 'refuse',
  resolve: [
    ...findFacility(),
    sql`update import_row r set bad_column = 'gpo', bad_value = '', reason = 'is empty: say which GPO' where ${OPEN} and r.gpo is null`,
    sql`update import_row r set gpo_id = g.id from gpo g where lower(g.name) = lower(r.gpo)`,
    sql`update import_row r set bad_column = 'gpo', bad_value = r.gpo,
       reason = 'is not a known GPO: import its contracts first, or add it to a facility' where ${OPEN} and r.gpo_id is null`,
    // The earliest membership that is valid on the row's first day or begins later. It keeps its own first day.
    sql`update import_row r set membership_id = (
       select m.id from gpo_membership m where m.facility_id = r.facility_id and m.gpo_id = r.gpo_id
          and coalesce(m.valid_to, 'infinity') >= coalesce(r.valid_from, ${TODAY}) order by m.valid_from, m.id limit 1) where ${OPEN}`,
    sql`update import_row r
      set valid_from = coalesce((select m.valid_from from gpo_membership m where m.id = r.membership_id), r.valid_from, ${TODAY})
     where ${OPEN}`,
    // A new membership is primary if the file does not specify it and the facility has no other membership, stored or in the file.
    sql`update import_row r set primary_unsaid = true, is_primary = not exists (select from gpo_membership m
      where m.facility_id = r.facility_id)
       and not exists (select from import_row o where o.facility_id = r.facility_id and o.row_no <> r.row_no
         and o.gpo_id <> r.gpo_id and o.reason is null)
     where ${OPEN} and r.membership_id is null and r.is_primary is null`,
    sql`update import_row r set bad_column = 'valid_to', bad_value = to_char(a.ends, 'MM/DD/YYYY'), reason = 'lies before the first day'
     from (${AFTER}) a where a.row_no = r.row_no and a.ends < a.begins`,
    sql`update import_row r set bad_column = 'is_primary', bad_value = 'yes',
       reason = 'contradicts line ' || o.line || ', by which ' || o.gpo || ' is the primary GPO at the same time'
     from (${AFTER}) a join (${AFTER}) o on o.facility_id = a.facility_id and o.row_no < a.row_no and o.gpo_id <> a.gpo_id
       and o.is_primary and o.begins <= a.ends and o.ends >= a.begins
     where a.row_no = r.row_no and a.is_primary`,
    sql`update import_row r set bad_column = 'is_primary', bad_value = 'yes',
       reason = 'does not hold beside ' || g.name || ', which is the primary GPO from ' || to_char(m.valid_from, 'MM/DD/YYYY')
         || ' on: send that membership in the same file with Primary no, or with its last day'
     from (${AFTER}) a join gpo_membership m on m.facility_id = a.facility_id and m.is_primary and m.gpo_id <> a.gpo_id
       and m.valid_from <= a.ends and coalesce(m.valid_to, 'infinity') >= a.begins join gpo g on g.id = m.gpo_id
     where a.row_no = r.row_no and a.is_primary and not exists (select from import_row o
       where o.membership_id = m.id and o.reason is null)`,
  ],
  table: 'gpo_membership',
  from: sql`gpo_membership t`,
  match: sql`t.facility_id = r.facility_id and t.gpo_id = r.gpo_id and t.valid_from = r.valid_from`,
  choice: WHICH_FACILITY,
  remarks: [
    OTHER_ACCOUNTS,
    sql`select case when n > 0 then 'The file does not say which GPO is primary for ' || to_char(n,
      'FM999,999,990') || case n when 1 then ' facility' else ' facilities' end
       || ' with one membership only: that one is primary.' end as sentence
     from (select count(*) as n from import_row r where r.outcome = 'new' and r.is_primary and r.primary_unsaid) found`,
  ],
  versioned: false,
};
