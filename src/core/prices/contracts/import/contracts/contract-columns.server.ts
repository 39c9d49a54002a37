// Defines the columns of a contract file. Each row contains the head of a contract and one tier. Rows after a contract's first may omit the head.
import type { RowKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { type CellParser, code, currency, textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { contractEnd, firstDay } from '../contract-cells.server.ts';
import { CONTRACT_NUMBER } from '../prices/price-columns.server.ts';

const awardType: CellParser = (text) => {
  const [, word = ''] =
    /^(sole|single|dual|multi|multiple|local)(?:[- ]?(?:source|award|agreement))?$/i.exec(text) ?? [];
  const known: Record<string, string> = {
    sole: 'sole',
    single: 'sole',
    dual: 'dual',
    multi: 'multi',
    multiple: 'multi',
    local: 'local',
  };
  return known[word.toLowerCase()] ?? new Refusal('is not an award type: write sole, dual, multi or local');
};

const openTo: CellParser = (text) => {
  if (/^(?:roster|roster only|listed|named)$/i.test(text)) return 'roster';
  if (/^(?:members?|all members|all)$/i.test(text)) return 'members';
  return new Refusal('is neither roster nor members');
};

const state: CellParser = (text) => {
  if (/^(?:draft|planned)$/i.test(text)) return 'Draft';
  if (/^(?:active|a|yes)$/i.test(text)) return 'Active';
  return new Refusal('is neither Draft nor Active; a contract is terminated on its page');
};

const tierNo: CellParser = (text) => {
  const number = /^(?:tier\s*)?(\d{1,2})(?:\.0)?$/i.exec(text)?.[1];
  return number && Number(number) > 0 ? String(Number(number)) : new Refusal('is not a number from 1 to 99');
};

const letter: CellParser = (text, context) =>
  /^(?:required|needed)$/i.test(text) ? true : /^not (?:required|needed)$/i.test(text) ? false : yesNo(text, context);

const STAGE = { only: 'stage' } as const;

export const contractRows: RowKind = {
  kind: 'contracts',
  singular: 'contract',
  fields: {
    contract: CONTRACT_NUMBER,
    gpo: {
      label: 'GPO',
      names: headings('gpo, gpo name, group, group purchasing organization, buying group'),
      parse: textOf(100),
    },
    title: {
      label: 'title',
      names: headings('contract title, title, contract name, name, contract description, description'),
      parse: textOf(200),
    },
    category: {
      label: 'category',
      names: headings('contract category, category, product category'),
      parse: textOf(100),
    },
    award_type: { label: 'award type', names: headings('award type, award, award status, source'), parse: awardType },
    effective_from: {
      label: 'from',
      names: headings(`contract effective date, contract start date, from, ${FIRST_DAYS}`),
      parse: firstDay,
    },
    effective_to: {
      label: 'to',
      names: headings(`contract expiration date, contract end date, to, ${LAST_DAYS}`),
      parse: contractEnd,
    },
    extended_to: {
      label: 'extended to',
      names: headings('extended to, extension, extension date, extended until, extension end date'),
      parse: contractEnd,
    },
    predecessor: {
      label: 'predecessor',
      names: headings(
        'predecessor, predecessor number, predecessor contract, replaces, previous contract, previous contract number, prior contract',
      ),
      parse: code,
    },
    open_to: { label: 'open to', names: headings('open to, eligibility, eligible, access'), parse: openTo },
    currn_idx: { label: 'currency', names: headings('currency, currency code, currency id'), parse: currency },
    state: { label: 'state', names: headings('contract state, contract status, state, status'), parse: state },
    tier_no: { label: 'tier number', names: headings('tier number, tier, tier level, level, tier id'), parse: tierNo },
    tier_name: { label: 'tier name', names: headings('tier name, tier description, name of tier'), parse: textOf(100) },
    requirement: {
      label: 'requirement',
      names: headings('tier requirement, requirement, commitment, tier commitment, qualification, criteria'),
      parse: textOf(1000),
    },
    needs_loc: {
      label: 'needs a letter of commitment',
      names: headings(
        `needs loc, loc, loc required, loc req, loc reqd, loc needed, requires loc, require loc, letter of commitment,
        letter of commitment required, letter of commitment req, letter of commitment reqd, letter of commitment needed,
        needs letter of commitment, requires letter of commitment, commitment letter, commitment letter required,
        commitment form, commitment form required`,
      ),
      parse: letter,
    },
    fallback_no: {
      label: 'fallback tier',
      names: headings('fallback tier, fallback, falls back to, fallback tier number'),
      parse: tierNo,
    },
  },
  needs: [['contract']],
  toRecords: (values) => {
    const hasTierFields = ['tier_name', 'requirement', 'needs_loc', 'fallback_no'].some(
      (field) => values[field] !== undefined,
    );
    return hasTierFields && values['tier_no'] === undefined
      ? { field: 'tier_no', refusal: new Refusal('is empty: write the number of the tier') }
      : [values];
  },
  columns: {
    contract: { type: 'text' },
    gpo: { type: 'text' },
    title: { type: 'text' },
    category: { type: 'text' },
    award_type: { type: 'text' },
    effective_from: { type: 'date' },
    effective_to: { type: 'date' },
    extended_to: { type: 'date' },
    predecessor: { type: 'text' },
    open_to: { type: 'text' },
    currn_idx: { type: 'int' },
    state: { type: 'text' },
    tier_no: { type: 'int' },
    tier_name: { type: 'text' },
    requirement: { type: 'text' },
    needs_loc: { type: 'boolean' },
    fallback_no: { type: 'int' },
    // The import looks these up. They are null until it finds a match.
    key: { type: 'text', ...STAGE },
    contract_id: { type: 'int', ...STAGE },
    sort: { type: 'text', ...STAGE },
  },
};
