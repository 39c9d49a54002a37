// Contacts of facilities, by account number and name.
import { sql } from 'kysely';
import { code, email, phone, textOf } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { accountOfFile, findFacility, OTHER_ACCOUNTS, WHICH_FACILITY } from './find-facility.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { Field, ImportKind, Values } from '#platform/data-import/kinds/kind-description.server.ts';
import { CONTACT_EMAILS, facilities } from './kind-facilities.server.ts';

/** The account number column of files that refer to accounts. */
export const accountNumber: Field = {
  label: 'account number',
  names: facilities.fields['acct_no']?.names.filter((name) => name !== 'id') ?? [],
  parse: code,
};

const partsOfName = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * Joins the first and last name of a contact from separate columns. Refuses a full name beside them that belongs to someone else, such as the
 * facility.
 */
export function withWholeName(
  { first_name, last_name, ...values }: Values,
  field: 'name' | 'full_name',
): Values[] | { field: string; refusal: Refusal } {
  const parts = [first_name, last_name].filter((part) => part !== undefined).map(String);
  const whole = values[field];
  if (parts.length === 0) return [values];
  if (whole === undefined) return [{ ...values, [field]: parts.join(' ') }];
  const words = partsOfName(String(whole));
  if (parts.some((part) => partsOfName(part).every((word) => words.includes(word)))) return [values];
  return {
    field,
    refusal: new Refusal(`is another name than ${parts.join(' ')}: say which of the columns is not used`),
  };
}

export const contacts: ImportKind = {
  kind: 'contacts',
  singular: 'contact',
  fields: {
    acct_no: accountNumber,
    name: {
      label: 'name',
      names: headings(
        'contact name, full name, contact, contact person, name, attention, buyer name, buyer, purchaser, purchasing contact',
      ),
      parse: textOf(100),
    },
    first_name: { label: 'first name', names: headings('first name, given name, firstname, first'), parse: textOf(60) },
    last_name: {
      label: 'last name',
      names: headings('last name, surname, family name, lastname, last'),
      parse: textOf(60),
    },
    title: { label: 'title', names: headings('contact title, job title, title, position'), parse: textOf(100) },
    email: {
      label: 'email',
      names: CONTACT_EMAILS,
      parse: email,
    },
    phone: {
      label: 'phone',
      names: headings(
        'contact phone, contact phone number, phone number, phone, direct phone, buyer phone, buyer phone number, mobile',
      ),
      parse: phone,
    },
  },
  needs: [['name'], ['last_name'], ['email']],
  everyRow: null,
  toRecords: ({ email: address, ...values }) => {
    const records = withWholeName(values, 'name');
    if (!Array.isArray(records)) return records;
    return records.map((record) => ({
      ...(address === undefined ? {} : { name: address, email: address }),
      ...record,
    }));
  },
  columns: {
    acct_no: { type: 'text', only: 'stage' },
    facility_id: { type: 'int' },
    name: { type: 'text' },
    title: { type: 'text', fresh: sql`''` },
    email: { type: 'text', fresh: sql`''` },
    phone: { type: 'text', fresh: sql`''` },
  },
  key: ['facility_id', 'name'],
  keyForms: { name: sql`lower(name)` },
  keyLabel: 'account and name',
  knownBy: sql`r.acct_no || ' ' || coalesce(r.name, '')`,
  repeats: 'refuse',
  resolve: (_fields, about) => [
    ...accountOfFile(about),
    ...findFacility(),
    sql`update import_row set bad_column = 'name', reason = 'is empty: a contact needs a name or an email'
      where reason is null and name is null`,
  ],
  table: 'contact',
  from: sql`contact t`,
  match: sql`t.facility_id = r.facility_id and lower(t.name) = lower(r.name)`,
  choice: WHICH_FACILITY,
  remarks: [OTHER_ACCOUNTS],
  versioned: false,
};
