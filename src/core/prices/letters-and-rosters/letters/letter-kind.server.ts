// Imports letters of commitment by contract, tier, facility and first day, with the same steps as on screen.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { sentence } from '#core/company/import-kinds/dated-prices.server.ts';
import { findFacility, OTHER_ACCOUNTS, WHICH_FACILITY } from '#core/company/import-kinds/find-facility.server.ts';
import type { ImportKindServer } from '#platform/data-import/kinds/import-kind.server.ts';
import { accountNumber } from '#core/company/import-kinds/kind-contacts.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { tableKind } from '#platform/data-import/kinds/table-kind.server.ts';
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import { type CellParser, textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { firstDay } from '#core/prices/contracts/import/contract-cells.server.ts';
import { IMPORTS_CONTRACTS } from '#core/prices/contracts/import/contract-undo.server.ts';
import { CONTRACT_NUMBER, TIER } from '#core/prices/contracts/import/prices/price-columns.server.ts';
import { dayText, findContract, findTier, OPEN, refuse } from '#core/prices/contracts/import/stage-sql.server.ts';
import { LETTER_STATES, type LetterState } from '../rosters/rosters.contract.ts';
import { NEEDS_REASON, SETTLED, SIGNED, LETTER_STEPS } from './letter-steps.ts';
import { LETTER_LABELS } from './letters.server.ts';

const state: CellParser = (text) =>
  LETTER_STATES.find((name) => name.toLowerCase() === text.toLowerCase()) ??
  new Refusal(`is none of ${LETTER_STATES.join(', ')}`);

/** The states to which a file may move a letter: all that users can reach on screen in one or several steps. */
function reachable(from: LetterState): LetterState[] {
  const all = new Set<LetterState>([from]);
  for (const at of all)
    for (const next of LETTER_STEPS[at]) if (next !== 'Revoked' || from === 'Approved') all.add(next);
  return [...all];
}
const states = (list: readonly LetterState[]): Sql => sql`(${sql.join(list.map((name) => sql.lit(name)))})`;
const isReachable = sql.join(
  LETTER_STATES.map((from) => sql`(r.was_state = ${sql.lit(from)} and r.state in ${states(reachable(from))})`),
  sql` or `,
);
/** A letter that does not exist yet may be in any state except those that end a letter. */
const FIRST: readonly LetterState[] = ['Sent', 'Received', 'Signed', 'Approved'];

const STORED = sql`(select t from contract_loc t where t.id = r.letter_id)`;
const settledField = (column: 'signer' | 'signed_on' | 'covers_children'): Sql =>
  sql`update import_row r set ${refuse(
    'state',
    column,
    sql`'stays as it is, because the letter is ' || lower(r.was_state) || ': write a new letter'`,
  )}
   where ${OPEN} and r.was_state in ${states(SETTLED)} and r.state <> 'Sent'
     and r.${sql.ref(column)} <> (${STORED}).${sql.ref(column)}`;

const answer = (option: unknown): string => (typeof option === 'string' ? option : '');

const letters: ImportKind = {
  kind: 'letters',
  singular: 'letter of commitment',
  fields: {
    contract: CONTRACT_NUMBER,
    acct_no: { ...accountNumber, names: [...accountNumber.names, 'facility', 'facility account'] },
    tier: TIER,
    state: {
      label: 'state',
      names: headings('letter state, letter status, loc status, loc state, state, status'),
      parse: state,
    },
    valid_from: {
      label: 'first day',
      names: headings(`letter effective date, loc effective date, commitment start date, from, ${FIRST_DAYS}`),
      parse: firstDay,
    },
    valid_to: {
      label: 'last day',
      names: headings(`letter expiration date, loc expiration date, commitment end date, to, ${LAST_DAYS}`),
      parse: lastDay,
    },
    signer: { label: 'signer', names: headings('signer, signed by, signatory, signer name'), parse: textOf(200) },
    signed_on: {
      label: 'day of the signature',
      names: headings('signed on, signed, date signed, signed date, signature date'),
      parse: date,
    },
    covers_children: {
      label: 'covers children',
      names: headings('covers children, includes children, include children, all children, covers affiliates'),
      parse: yesNo,
    },
    note: { label: 'note', names: headings('note, notes, comment, comments, reason'), parse: textOf(1000) },
  },
  needs: [['acct_no']],
  columns: {
    contract: { type: 'text', only: 'stage' },
    acct_no: { type: 'text', only: 'stage' },
    tier: { type: 'text', only: 'stage' },
    tier_found: { type: 'int', only: 'stage' },
    sort: { type: 'text', only: 'stage' },
    letter_id: { type: 'int', only: 'stage' },
    was_state: { type: 'text', only: 'stage' },
    contract_id: { type: 'int' },
    tier_id: { type: 'int' },
    facility_id: { type: 'int' },
    covers_children: { type: 'boolean', fresh: sql`false` },
    state: { type: 'text' },
    state_at: {
      type: 'timestamptz',
      only: 'write',
      from: sql`(case when r.state is distinct from r.was_state then now() end)`,
    },
    valid_from: { type: 'date' },
    valid_to: { type: 'date', openEnd: true },
    signer: { type: 'text', fresh: sql`''` },
    signed_on: { type: 'date' },
    note: { type: 'text', fresh: sql`''` },
  },
  key: ['contract_id', 'tier_id', 'facility_id', 'valid_from'],
  keyLabel: 'contract, tier, account and first day',
  knownBy: sql`r.contract || ' ' || r.acct_no`,
  repeats: 'refuse',
  resolve: (_fields, { today, options }) => [
    ...findContract(answer(options['contract'])),
    ...findTier(answer(options['tier']), sql`false`),
    ...findFacility(),
    // A row without a first day means the letter that applies now or next.
    sql`update import_row r set letter_id = (
       select t.id from contract_loc t where t.contract_id = r.contract_id and t.tier_id = r.tier_id and t.facility_id = r.facility_id
         and case when r.valid_from is not null then t.valid_from = r.valid_from
           else t.state not in ('Rejected', 'Revoked') and coalesce(t.valid_to, 'infinity') >= ${today}::date end
       order by t.state in ('Rejected', 'Revoked'), t.valid_from, t.id desc limit 1) where ${OPEN}`,
    sql`update import_row r set was_state = (${STORED}).state,
       valid_from = coalesce(r.valid_from, (${STORED}).valid_from, ${today}::date),
       state = coalesce(r.state, (${STORED}).state,
         case when r.signer is not null and r.signed_on is not null then 'Signed' else 'Sent' end)
     where ${OPEN}`,
    sql`update import_row r set ${refuse('days', 'valid_to', sql`'lies before the first day'`, dayText(sql`r.valid_to`))}
     where ${OPEN} and r.valid_to < r.valid_from`,
    sql`update import_row r set ${refuse(
      'state',
      'state',
      sql`case when r.was_state is null then 'ends no letter: there is none of this facility and tier'
        else 'cannot follow ' || r.was_state || ', the state of the letter' end`,
    )}
     where ${OPEN} and not case when r.was_state is null then r.state in ${states(FIRST)} else ${isReachable} end`,
    ...(options['approve'] === true
      ? []
      : [
          sql`update import_row r
            set ${refuse('state', 'state', sql`'gives prices: check Approve letters, or write the state before'`)}
           where ${OPEN} and r.state = 'Approved' and r.was_state is distinct from 'Approved'`,
        ]),
    sql`update import_row r set ${refuse('state', 'signer', sql`'is empty: enter who signed it'`)}
     where ${OPEN} and r.state in ${states(SIGNED)} and coalesce(r.signer, (${STORED}).signer, '') = ''`,
    sql`update import_row r set ${refuse('state', 'signed_on', sql`'is empty: enter the day on which it was signed'`)}
     where ${OPEN} and r.state in ${states(SIGNED)} and coalesce(r.signed_on, (${STORED}).signed_on) is null`,
    sql`update import_row r set ${refuse('days', 'signed_on', sql`'lies in the future'`, dayText(sql`r.signed_on`))}
     where ${OPEN} and r.signed_on > ${today}::date`,
    sql`update import_row r set ${refuse('state', 'note', sql`'is empty: say why it is ' || lower(r.state)`)}
     where ${OPEN} and r.state in ${states(NEEDS_REASON)} and r.state is distinct from r.was_state and r.note is null`,
    settledField('signer'),
    settledField('signed_on'),
    settledField('covers_children'),
    sql`update import_row r set ${refuse(
      'days',
      'valid_to',
      sql`'stays as it is, because the letter is ' || lower(r.was_state)`,
      dayText(sql`r.valid_to`),
    )}
     where ${OPEN} and r.was_state in ('Rejected', 'Revoked') and r.state = r.was_state
       and r.valid_to is distinct from coalesce((${STORED}).valid_to, 'infinity') and r.valid_to is not null`,
    // As on screen, a letter that applies from a past day needs a reason.
    sql`update import_row r set note = 'Approved by import.'
     where ${OPEN} and r.state = 'Approved' and r.was_state is distinct from 'Approved' and r.valid_from < ${today}::date
       and coalesce(r.note, (${STORED}).note, '') = ''`,
    sql`update import_row r set ${refuse(
      'clash',
      'valid_from',
      sql`'overlaps a letter for this tier that is approved from ' || ${dayText(sql`o.valid_from`)} || ': end or revoke that one first'`,
      dayText(sql`r.valid_from`),
    )}
     from contract_loc o
     where ${OPEN} and r.state = 'Approved' and o.tier_id = r.tier_id and o.facility_id = r.facility_id and o.state = 'Approved'
       and o.id is distinct from r.letter_id
       and o.id not in (select x.letter_id from import_row x where x.letter_id is not null and x.reason is null)
       and o.valid_from <= coalesce(r.valid_to, 'infinity') and coalesce(o.valid_to, 'infinity') >= r.valid_from`,
    sql`update import_row r set ${refuse(
      'clash',
      'valid_from',
      sql`'overlaps line ' || d.line || ', which is approved for the same tier'`,
      dayText(sql`r.valid_from`),
    )}
     from (select distinct on (a.row_no) a.row_no, b.line from import_row a
       join import_row b on b.tier_id = a.tier_id and b.facility_id = a.facility_id and b.row_no < a.row_no
         and b.reason is null and b.state = 'Approved' and b.valid_from <> a.valid_from
       left join contract_loc s on s.id = a.letter_id left join contract_loc z on z.id = b.letter_id
       where a.reason is null and a.state = 'Approved' and b.valid_from <= coalesce(a.valid_to, s.valid_to, 'infinity')
         and coalesce(b.valid_to, z.valid_to, 'infinity') >= a.valid_from
       order by a.row_no, b.row_no) d
     where d.row_no = r.row_no and ${OPEN}`,
  ],
  choice: WHICH_FACILITY,
  table: 'contract_loc',
  from: sql`contract_loc t`,
  match: sql`t.id = r.letter_id`,
  remarks: [
    OTHER_ACCOUNTS,
    sentence(
      'letter is for a tier that needs none',
      'letters are for tiers that need none',
      sql`select r.line, r.contract || ' ' || r.acct_no as name from import_row r join contract_tier k on k.id = r.tier_id
       where r.outcome in ('new', 'changed') and not k.needs_loc`,
    ),
    sentence(
      'letter counts for a facility that is not on the roster of its contract',
      'letters count for facilities that are not on the roster of their contract',
      sql`select r.line, r.contract || ' ' || r.acct_no as name from import_row r
       where r.outcome in ('new', 'changed') and r.state = 'Approved' and not exists (
         select from contract_roster x where x.contract_id = r.contract_id and x.facility_id = r.facility_id and not x.excluded
           and coalesce(x.valid_to, 'infinity') >= r.valid_from)`,
    ),
  ],
  versioned: true,
};

export const letterKind: ImportKindServer = tableKind(letters, {
  label: 'Letters of commitment',
  hint: 'Letters of facilities for a tier of a contract: contract, account number, tier, state, from, to, signer and day of the signature.',
  roles: IMPORTS_CONTRACTS,
  asks: [
    { name: 'contract', label: 'Contract number', hint: 'For rows that have none.', type: 'text', standard: '' },
    { name: 'tier', label: 'Tier', hint: 'Its number or name, for rows that have none.', type: 'text', standard: '' },
    {
      name: 'approve',
      label: 'Approve letters',
      hint: 'Rows that are Approved give the prices of their tier. Otherwise they are refused.',
      type: 'tick',
      standard: false,
    },
  ],
  track: {
    key: { id: 'int' },
    name: sql`(select c.number || ' ' || f.acct_no from gpo_contract c, facility f where c.id = t.contract_id and f.id = t.facility_id)`,
    many: 'letters of commitment',
    history: {
      type: 'letter',
      labels: {
        state: LETTER_LABELS.state,
        valid_from: LETTER_LABELS.from,
        valid_to: LETTER_LABELS.to,
        covers_children: LETTER_LABELS.coversChildren,
        signer: LETTER_LABELS.signer,
        signed_on: LETTER_LABELS.signedOn,
        note: LETTER_LABELS.note,
      },
    },
  },
});
