// Defines the columns of a contract roster file: the facility's numbers and names, its tier, and its days.
import type { RowKind, Values } from '#platform/data-import/kinds/kind-description.server.ts';
import { lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import { state, zip } from '#platform/data-import/reading/cell-places.server.ts';
import { type CellParser, code, textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { firstDay } from '../contract-cells.server.ts';
import { CONTRACT_NUMBER, TIER } from '../prices/price-columns.server.ts';

const action: CellParser = (text) => {
  if (/^(?:add(?:ed)?|new|a|active|join(?:ed)?)$/i.test(text)) return 'add';
  if (/^(?:change[ds]?|update[ds]?|c|u|modify|modified)$/i.test(text)) return 'change';
  if (/^(?:end(?:ed)?|delete[ds]?|remove[ds]?|term(?:inated?)?|d|e|drop(?:ped)?|inactive)$/i.test(text)) return 'end';
  return new Refusal('is neither add, change nor end');
};

const OUT =
  /^(?:exclude|excluded|opt(?:ed)?[ -]?out|declined?|withdrawn|withdrew|denied|rejected|not (?:participating|approved|enrolled|eligible))$/i;
const IN = /^(?:include|included|opt(?:ed)?[ -]?in|participating|approved|accepted|enrolled|eligible)$/i;
/** Whether a facility is excluded from the contract. The word of the heading may also be in the cell. */
const excluded: CellParser = (text, context) => (OUT.test(text) ? true : IN.test(text) ? false : yesNo(text, context));
const takesPart: CellParser = (text, context) => (OUT.test(text) ? false : IN.test(text) ? true : yesNo(text, context));

/** The columns that identify a facility, the strongest first. */
const KNOWN_BY = ['member_id', 'hin', 'gln', 'acct_no', 'name'];
const STAGE = { only: 'stage' } as const;

export const rosterRows: RowKind = {
  kind: 'rosters',
  singular: 'roster row',
  fields: {
    contract: CONTRACT_NUMBER,
    member_id: {
      label: 'member id',
      names: headings(
        'member id, member number, gpo member id, gpo member number, gpo id, member, entity code, participant id',
      ),
      parse: code,
    },
    hin: { label: 'HIN', names: headings('hin, health industry number, hin number'), parse: code },
    gln: { label: 'GLN', names: headings('gln, global location number, gln number'), parse: code },
    acct_no: {
      label: 'account number',
      names: headings(
        'account number, account, customer number, customer, our account number, distributor account number, ship to account',
      ),
      parse: code,
    },
    name: {
      label: 'name',
      names: headings('facility name, member name, hospital name, account name, customer name, name, facility'),
      parse: textOf(200),
    },
    address: {
      label: 'address',
      names: headings('address, address 1, address line 1, street, street address, facility address'),
      parse: textOf(200),
    },
    city: { label: 'city', names: headings('city, facility city, town'), parse: textOf(100) },
    state: { label: 'state', names: headings('state, facility state, st, state code'), parse: state },
    zip: { label: 'ZIP code', names: headings('zip, facility zip, postal code, zip 5'), parse: zip },
    parent: {
      label: 'parent',
      names: headings(
        'parent, parent name, parent account, parent account number, idn, idn name, health system, system, top parent',
      ),
      parse: textOf(200),
    },
    tier: TIER,
    first_day: {
      label: 'from',
      names: headings(`tier effective date, eligibility start date, from, ${FIRST_DAYS}`),
      parse: firstDay,
    },
    last_day: {
      label: 'to',
      names: headings(`eligibility end date, to, ${LAST_DAYS}`),
      parse: lastDay,
    },
    covers_children: {
      label: 'covers children',
      names: headings('covers children, includes children, include children, all children, covers affiliates'),
      parse: yesNo,
    },
    excluded: {
      label: 'excluded',
      names: headings(`
        excluded, exclude, exclusion, is excluded, exclude flag, excluded flag, opt out, opted out, optout, declined,
        has declined, withdrawn, has withdrawn
      `),
      parse: excluded,
    },
    participating: {
      label: 'takes part',
      names: headings(`
        participating, participates, participation, is participating, opt in, opted in, enrolled, is enrolled, accepted,
        included
      `),
      parse: takesPart,
    },
    approved: {
      label: 'approved',
      names: headings('approved, is approved, facility approved, approval, approved flag, eligible, is eligible'),
      parse: takesPart,
    },
    action: {
      label: 'action',
      names: headings('action, what to do, change type, transaction type, activity'),
      parse: action,
    },
  },
  needs: [['member_id'], ['hin'], ['gln'], ['acct_no'], ['name']],
  everyRow: null,
  toRecords: ({ participating, approved, ...row }: Values) => {
    // A facility that any of these columns excludes gets no price of the contract.
    const isOut = row['excluded'] === true || participating === false || approved === false;
    const values: Values = { ...row, excluded: isOut };
    if (KNOWN_BY.every((field) => values[field] === undefined))
      return { field: 'name', refusal: new Refusal('is empty: enter which facility it is') };
    if (values['action'] !== 'end') return [values];
    if (values['last_day'] === 'infinity')
      return {
        field: 'last_day',
        refusal: new Refusal('means no end, but the row ends something: write the last day'),
      };
    return values['first_day'] !== undefined && values['last_day'] === undefined
      ? { field: 'first_day', refusal: new Refusal('is a first day, but the row ends something: write the last day') }
      : [values];
  },
  columns: {
    contract: { type: 'text' },
    member_id: { type: 'text' },
    hin: { type: 'text' },
    gln: { type: 'text' },
    acct_no: { type: 'text' },
    name: { type: 'text' },
    address: { type: 'text' },
    city: { type: 'text' },
    state: { type: 'text' },
    zip: { type: 'text' },
    parent: { type: 'text' },
    tier: { type: 'text' },
    first_day: { type: 'date' },
    last_day: { type: 'date' },
    covers_children: { type: 'boolean' },
    action: { type: 'text' },
    excluded: { type: 'boolean' },
    // The import looks these up. They are null until it finds a match.
    contract_id: { type: 'int', ...STAGE },
    gpo_id: { type: 'int', ...STAGE },
    tier_id: { type: 'int', ...STAGE },
    tier_found: { type: 'int', ...STAGE },
    facility_id: { type: 'int', ...STAGE },
    says_from: { type: 'boolean', ...STAGE },
    /** The identifier that the file uses for the facility. Confirmed matches are stored under it. */
    alias_key: { type: 'text', ...STAGE },
    /** Whether the facility was suggested by similarity. */
    suggested: { type: 'boolean', ...STAGE },
    reasons: { type: 'text', ...STAGE },
    subject: { type: 'text', ...STAGE },
    value: { type: 'text', ...STAGE },
    sort: { type: 'text', ...STAGE },
  },
};
