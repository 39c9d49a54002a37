// Facilities (customers) by account number, with one contact each.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { country, shortZip, state, zipOf } from '#platform/data-import/reading/cell-places.server.ts';
import {
  code,
  currency,
  DOLLAR_INDEX,
  email,
  percent,
  phone,
  textOf,
  yesNo,
} from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { sentence } from './dated-prices.server.ts';
import { ALIKE_FACILITIES, liesElsewhere, MERGED_FACILITIES, zeroZipElsewhere } from './find-facility.server.ts';
import { alikeNumbers } from './find-item.server.ts';
import type {
  Absent,
  Column,
  ImportKind,
  RowRefusal,
  Values,
} from '#platform/data-import/kinds/kind-description.server.ts';

/** The prefixes that programs use for a customer's two addresses: 'Shipping Street', 'Bill To Zip'. */
const SHIP = ['ship to', 'shipping', 'delivery', 'ship', 'address 1'];
const BILL = ['bill to', 'billing', 'invoice', 'bill'];
const PARTS = {
  line1: headings('address, address 1, address line 1, street, street 1, street address, line 1'),
  line2: headings('address 2, address line 2, street 2, line 2, suite'),
  city: headings('city, city town, town'),
  state: headings('state, state code, state province, province, st'),
  zip: headings('zip, zip postal code, postal code, zip 5, postcode'),
  country: headings('country, country region, country code, country name'),
};
const partOf = (sides: readonly string[], part: keyof typeof PARTS): string[] =>
  sides.flatMap((side) => PARTS[part].map((name) => `${side} ${name}`));

const address = { line1: 'line1', line2: 'line2', city: 'city', state: 'state', zip: 'zip' };
/** Headings for the email address of the contact who buys for a facility. */
export const CONTACT_EMAILS = headings(`
  contact email, contact email address, email, email address, buyer email, buyer email address, purchasing email,
  purchasing email address, purchaser email, purchasing contact email, primary email, primary contact email, main email,
  work email, business email, customer email, account email, order email, email 1, contact mail, mail
`);

const addressColumns = (side: string): Record<string, Column> =>
  Object.fromEntries(Object.keys(address).map((part) => [`${side}_${part}`, { type: 'text', fresh: sql`''` }]));
const sides = (alias: string, side: string): Sql =>
  sql.join(Object.keys(address).map((part) => sql.ref(`${alias}.${side}_${part}`)));
/** SQL that sets the columns of one side to those of the other side of row `of`. */
const follow = (side: string, alias: string, other: string): Sql =>
  sql.join(
    Object.keys(address).map((part) => sql`${sql.ref(`${side}_${part}`)} = ${sql.ref(`${alias}.${other}_${part}`)}`),
  );

const has = (columns: ReadonlySet<string>, side: string): boolean =>
  Object.keys(address).some((part) => columns.has(`${side}_${part}`));

/**
 * If a file has only one address, it sets both, unless the facility already has a different bill-to address. A file with two addresses sets each one.
 */
const BILL_TO_FOLLOWS = sql`
  update import_row r set ${follow('bill_to', 'x', 'ship_to')}
  from import_row x left join facility t on t.acct_no = x.acct_no
  where x.row_no = r.row_no and coalesce(${sides('x', 'bill_to')}) is null
    and (t.id is null or (${sides('t', 'bill_to')}) = (${sides('t', 'ship_to')}))`;
const SHIP_TO_FOLLOWS = sql`
  update import_row r set ${follow('ship_to', 'r', 'bill_to')}
  where coalesce(${sides('r', 'ship_to')}) is null
    and not exists (select from facility t where t.acct_no = r.acct_no)`;

const SAME_CONTACT = sql`c.facility_id = t.id and lower(c.name) = lower(r.contact_name)`;

/** SQL for the city or state of a row, and for that of the stored facility. */
type Part = 'city' | 'state';
const addressPart = (part: Part): Sql =>
  sql`coalesce(${sql.ref(`r.ship_to_${part}`)}, ${sql.ref(`r.bill_to_${part}`)})`;
const stored = (part: Part): Sql => {
  const [ship, bill] = [sql.ref(`t.ship_to_${part}`), sql.ref(`t.bill_to_${part}`)];
  return sql`case when ${sql.ref(`r.ship_to_${part}`)} is null then ${bill} else ${ship} end`;
};
const other = (part: Part): Sql => sql`lower(${addressPart(part)}) <> lower(nullif(${stored(part)}, ''))`;

/**
 * A row with a different name, city and state under the same number is probably a different facility, whose number is reused or lost its leading
 * zero.
 */
const ANOTHER_FACILITY: NonNullable<ImportKind['hold']> = {
  title: 'Another facility?',
  why: 'Name, city and state would all change.',
  tooMany: 'would turn a record into another one. Check that the right column is read as the account number.',
  when: sql`lower(r.name) <> lower(t.name) and ${other('city')} and ${other('state')}`,
  was: sql`t.name || ', ' || ${stored('city')} || ', ' || ${stored('state')}`,
  now: sql`r.name || ', ' || ${addressPart('city')} || ', ' || ${addressPart('state')}`,
  hint: sql`coalesce((select 'Account ' || z.acct_no || ' is ' || z.name || ': has the number in the file lost its leading zero?'
    from facility z where z.acct_no in ('0' || r.acct_no, '00' || r.acct_no) order by z.acct_no limit 1), '')`,
};

/** A new account may be a known one whose number lost its leading zeros in a spreadsheet. */
const ZEROS_LOST = sql`
  select case n when 0 then null when 1 then '1 new account differs' else n || ' new accounts differ' end
         || ' from a stored one only by leading zeros: ' || examples || case when n > 3 then ', …' else '' end
         || '. Has the file lost them?' as sentence
    from (select count(*) as n,
                 string_agg(acct_no || ' beside ' || other || ' (' || name || ')', ', '
                   order by place) filter (where place <= 3) as examples
            from (select r.acct_no, z.acct_no as other, z.name, row_number() over (order by r.line, z.acct_no) as place
                    from import_row r join facility z on ltrim(z.acct_no, '0') = ltrim(r.acct_no, '0') and z.acct_no <> r.acct_no
                   where r.outcome = 'new') alike) found`;

/** An account number without a digit may be a name, because many programs call the name of a customer 'Customer'. */
const NO_DIGITS = sentence(
  'new account number has no digit, so it may be a name',
  'new account numbers have no digit, so they may be names',
  sql`select r.line, r.acct_no || ' (' || r.name || ')' as name from import_row r where r.outcome = 'new' and r.acct_no !~ '[0-9]'`,
);

/** ZIP codes that are in another state than their row. One of the two is wrong, and territories are assigned by ZIP. */
const ZIPS_ELSEWHERE = sentence(
  'ZIP code lies in another state than its row says',
  'ZIP codes lie in other states than their rows say',
  sql`select r.line, r.acct_no || ' has ' || r.ship_to_zip || ' in ' || r.ship_to_state as name from import_row r
   where r.outcome in ('new', 'changed') and ${liesElsewhere(sql`r.ship_to_zip`, sql`r.ship_to_state`)}`,
);

/** Refuses a postal code of another country, which is not a ZIP code even if it has five digits. */
function foreignZip(values: Values): RowRefusal | null {
  for (const side of ['ship_to', 'bill_to']) {
    const [country, field] = [values[`${side}_country`], `${side}_zip`];
    if (country === undefined || values[field] === undefined) continue;
    return {
      field,
      refusal: new Refusal(`is no ZIP code of the USA: the row is in ${String(country)}. Leave it empty`),
    };
  }
  return null;
}

/** A name that has nothing in common with the stored one may belong to another facility, whose number is wrong in the file. */
const OTHER_NAMES = sentence(
  'facility gets a name that is not like its own',
  'facilities get names that are not like their own',
  sql`select r.line, r.acct_no || ' ' || t.name || ' becomes ' || r.name as name
   from import_row r join facility t on t.acct_no = r.acct_no
   where r.outcome = 'changed' and similarity(plain_text(r.name), plain_text(t.name)) < 0.2`,
);

const ALIKE_ACCOUNTS = alikeNumbers({
  singular: 'account',
  plural: 'accounts',
  column: 'acct_no',
  stored: sql`facility`,
  but: sql`ltrim(i.acct_no, '0') <> ltrim(r.acct_no, '0')`,
});

/** Accounts that are missing in a file with all accounts. Otherwise closed hospitals would stay active. */
const ABSENT: Absent = {
  many: 'accounts',
  when: sql`t.active`,
  action: 'Deactivate them',
  set: sql`active = false, version = t.version + 1`,
  headings: ['Account', 'Name', 'City', 'Open quotes'],
  columns: [
    sql`t.acct_no`,
    sql`t.name`,
    sql`concat_ws(', ', nullif(t.ship_to_city, ''), nullif(t.ship_to_state, ''))`,
    sql`(select count(*) from quote q where q.facility_id = t.id and q.status_id not in ('Won', 'Lost', 'Cancelled'))::text`,
  ],
};

/** Refuses each row whose chain of parents leads back to itself. If a row names no parent, the stored one applies. */
const CIRCLES: readonly Sql[] = [
  sql`create temp table import_parent on commit drop as
     select distinct on (acct_no) acct_no, parent_acct, from_file from (
       select acct_no, parent_acct, true as from_file from import_row where parent_acct is not null and reason is null
       union all select f.acct_no, p.acct_no, false from facility f join facility p on p.id = f.parent_id) parents
     order by acct_no, from_file desc`,
  sql`create index on import_parent (acct_no)`,
  sql`analyze import_parent`,
  sql`with recursive above as (
       select acct_no, parent_acct as at, array[acct_no, parent_acct] as chain from import_parent where from_file
       union all
       select a.acct_no, p.parent_acct, a.chain || p.parent_acct from above a join import_parent p on p.acct_no = a.at
       where a.at <> a.acct_no and not p.parent_acct = any (a.chain[2:]))
     update import_row r set bad_column = 'parent_acct', bad_value = r.parent_acct,
       reason = 'is below this facility itself: ' || array_to_string(a.chain, ', whose parent is ')
     from above a where a.at = a.acct_no and r.acct_no = a.acct_no and r.parent_acct is not null and r.reason is null`,
  sql`drop table import_parent`,
];

export const facilities: ImportKind = {
  kind: 'facilities',
  singular: 'facility',
  fields: {
    acct_no: {
      label: 'account number',
      names: headings(`
        account number, account, account id, customer number, customer id, customer, facility id, facility number,
        provider id, provider number, federal provider number, ccn, cms certification number, hospital id, id
      `),
      parse: code,
    },
    name: {
      label: 'name',
      names: headings(`
        facility name, hospital name, provider name, customer name, account name, company name, company, facility,
        name, name 1
      `),
      parse: textOf(200),
    },
    parent_acct: {
      label: 'account number of the parent',
      names: headings('parent account number, parent account, parent, parent customer number, corporate account'),
      parse: code,
    },
    ship_to_line1: {
      label: 'address',
      names: [
        ...partOf(SHIP, 'line1'),
        ...PARTS.line1,
        ...headings('provider address, mailing street, mailing address'),
      ],
      parse: textOf(200),
    },
    ship_to_line2: {
      label: 'address, second line',
      names: [...partOf(SHIP, 'line2'), ...PARTS.line2],
      parse: textOf(200),
    },
    ship_to_city: {
      label: 'city',
      names: [...partOf(SHIP, 'city'), ...PARTS.city, ...headings('provider city, mailing city')],
      parse: textOf(100),
    },
    ship_to_state: {
      label: 'state',
      names: [
        ...partOf(SHIP, 'state'),
        'state code',
        ...PARTS.state,
        ...headings('provider state, mailing state, mailing state province'),
      ],
      parse: state,
    },
    ship_to_zip: {
      label: 'ZIP code',
      names: [...partOf(SHIP, 'zip'), ...PARTS.zip, ...headings('provider zip, mailing zip, mailing zip postal code')],
      parse: zipOf('ship_to_zip'),
    },
    ship_to_country: {
      label: 'country',
      names: [...partOf(SHIP, 'country'), ...PARTS.country, 'mailing country'],
      parse: country,
    },
    bill_to_line1: {
      label: 'bill-to address',
      names: partOf(BILL, 'line1'),
      parse: textOf(200),
    },
    bill_to_line2: {
      label: 'bill-to address, second line',
      names: partOf(BILL, 'line2'),
      parse: textOf(200),
    },
    bill_to_city: { label: 'bill-to city', names: partOf(BILL, 'city'), parse: textOf(100) },
    bill_to_state: { label: 'bill-to state', names: partOf(BILL, 'state'), parse: state },
    bill_to_zip: {
      label: 'bill-to ZIP code',
      names: partOf(BILL, 'zip'),
      parse: zipOf('bill_to_zip'),
    },
    bill_to_country: { label: 'bill-to country', names: partOf(BILL, 'country'), parse: country },
    phone: {
      label: 'phone',
      names: headings('phone number, phone, phone 1, main phone, account phone, business phone, provider phone number'),
      parse: phone,
    },
    class_of_trade: {
      label: 'class of trade',
      names: headings('class of trade, cot, customer class, hospital type, facility type, provider type, type'),
      parse: textOf(100),
    },
    currn_idx: {
      label: 'currency',
      names: headings('currency, currency index, currency code, currn idx, currency id'),
      parse: currency,
    },
    price_level: { label: 'price level', names: headings('price level, price list, pricing tier'), parse: textOf(40) },
    payment_terms: { label: 'payment terms', names: headings('payment terms, terms'), parse: textOf(100) },
    freight_terms: {
      label: 'freight terms',
      names: headings('freight terms, shipping terms, fob'),
      parse: textOf(100),
    },
    tax_exempt: { label: 'tax exempt', names: headings('tax exempt, exempt'), parse: yesNo },
    tax_certificate: {
      label: 'tax certificate',
      names: headings('tax certificate, tax exempt number, exemption certificate'),
      parse: textOf(100),
    },
    tax_rate: { label: 'tax rate', names: headings('tax rate, sales tax, tax percent'), parse: percent },
    active: { label: 'active', names: headings('active, status, inactive or active'), parse: yesNo },
    contact_name: {
      label: 'contact',
      names: headings('contact name, contact, contact person, attention, buyer name, buyer, purchasing contact'),
      parse: textOf(100),
    },
    contact_title: { label: "contact's title", names: headings('contact title, title'), parse: textOf(100) },
    contact_email: {
      label: "contact's email",
      names: CONTACT_EMAILS,
      parse: email,
    },
    contact_phone: {
      label: "contact's phone",
      names: headings('contact phone, contact phone number, direct phone, buyer phone, buyer phone number'),
      parse: phone,
    },
  },
  needs: [['acct_no']],
  toRecords: (values) =>
    foreignZip(values) ??
    shortZip(values, 'ship_to_zip', 'ship_to_state') ??
    shortZip(values, 'bill_to_zip', 'bill_to_state') ?? [
      values['contact_email'] !== undefined ? { contact_name: values['contact_email'], ...values } : values,
    ],
  columns: {
    acct_no: { type: 'text' },
    name: { type: 'text' },
    ...addressColumns('ship_to'),
    ...addressColumns('bill_to'),
    phone: { type: 'text', fresh: sql`''` },
    class_of_trade: { type: 'text', fresh: sql`''` },
    currn_idx: { type: 'int', fresh: sql.lit(DOLLAR_INDEX) },
    price_level: { type: 'text', fresh: sql`''` },
    payment_terms: { type: 'text', fresh: sql`'Net 30'` },
    freight_terms: { type: 'text', fresh: sql`'FOB Destination'` },
    tax_exempt: { type: 'boolean', fresh: sql`false` },
    tax_certificate: { type: 'text', fresh: sql`''` },
    tax_rate: { type: 'numeric(7, 4)', fresh: sql`0` },
    active: { type: 'boolean', fresh: sql`true` },
    parent_acct: { type: 'text', only: 'compare' },
    contact_name: { type: 'text', only: 'stage' },
    contact_title: { type: 'text', only: 'stage' },
    contact_email: { type: 'text', only: 'stage' },
    contact_phone: { type: 'text', only: 'stage' },
  },
  key: ['acct_no'],
  keyLabel: 'account number',
  repeats: 'refuse',
  resolve: (columns) => [
    sql`update import_row r set outcome = 'same' from facility f where f.acct_no = r.acct_no and f.merged_into is not null`,
    sql`update import_row r set parent_acct = k.acct_no from facility f join facility k on k.id = f.merged_into
      where f.acct_no = r.parent_acct`,
    zeroZipElsewhere('ship_to_zip', 'ship_to_state'),
    zeroZipElsewhere('bill_to_zip', 'bill_to_state'),
    ...(has(columns, 'bill_to') ? [] : [BILL_TO_FOLLOWS]),
    ...(has(columns, 'ship_to') ? [] : [SHIP_TO_FOLLOWS]),
    sql`update import_row r set bad_column = 'parent_acct', bad_value = parent_acct,
       reason = case when parent_acct = acct_no then 'is the facility itself' else 'is not a known account, nor one in the file' end
     where parent_acct is not null and (parent_acct = acct_no or not (
       exists (select from facility p where p.acct_no = r.parent_acct) or exists (select from import_row p
         where p.acct_no = r.parent_acct)))`,
    ...CIRCLES,
  ],
  neededForNew: { column: 'name', label: 'name' },
  table: 'facility',
  from: sql`(select f.*, p.acct_no as parent_acct from facility f left join facility p on p.id = f.parent_id) t`,
  match: sql`t.acct_no = r.acct_no`,
  alsoChanged: sql`r.contact_name is not null and not exists (select from contact c where ${SAME_CONTACT}
    and c.title = coalesce(r.contact_title, c.title) and c.email = coalesce(r.contact_email, c.email)
    and c.phone = coalesce(r.contact_phone, c.phone))`,
  hold: ANOTHER_FACILITY,
  remarks: [ZEROS_LOST, ...ALIKE_ACCOUNTS, NO_DIGITS, OTHER_NAMES, ZIPS_ELSEWHERE, ALIKE_FACILITIES, MERGED_FACILITIES],
  absent: ABSENT,
  versioned: true,
  after: [
    sql`update facility f set parent_id = p.id from import_row r join facility p on p.acct_no = r.parent_acct
     where f.acct_no = r.acct_no and r.outcome in ('new', 'changed') and f.parent_id is distinct from p.id`,
    sql`update contact c set title = coalesce(r.contact_title, c.title), email = coalesce(r.contact_email, c.email),
       phone = coalesce(r.contact_phone, c.phone)
     from import_row r join facility t on t.acct_no = r.acct_no where r.outcome = 'changed' and ${SAME_CONTACT}`,
    sql`insert into contact (facility_id, name, title, email, phone)
     select t.id, r.contact_name, coalesce(r.contact_title, ''), coalesce(r.contact_email, ''), coalesce(r.contact_phone, '')
     from import_row r join facility t on t.acct_no = r.acct_no
     where r.outcome in ('new', 'changed') and r.contact_name is not null
       and not exists (select from contact c where ${SAME_CONTACT}) order by r.row_no`,
  ],
};
