// The numbers that makers, distributors and customers use for our items: a competitor's cross-reference list, or our own export.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import {
  REFERENCE_KINDS,
  type ReferenceKind,
  type ReferenceScope,
} from '#core/catalog/cross-references/reference-words.ts';
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';
import {
  type CellParser,
  code,
  oneNumber,
  textOf,
  unit,
  yesNo,
} from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { ANOTHER_ARTICLE, ARTICLE_COLUMNS, DESCRIPTION } from './another-article.server.ts';
import { findFacility, OTHER_ACCOUNTS } from './find-facility.server.ts';
import { findItem, isChosenOf, oneOf, OTHER_NUMBERS } from './find-item.server.ts';
import { fitting } from '#core/catalog/item-finder/number-matches.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { accountNumber } from './kind-contacts.server.ts';
import { checkUnit, PACK_COLUMNS } from './unit-of-item.server.ts';

/** The words in lists for how alike two items are. */
const KIND_WORDS: Record<ReferenceKind, RegExp> = {
  Same: /^(same|exact|identical|direct|match|1:1|own|s)( (item|match|equivalent|cross|product))?$/,
  Equivalent: /^(functional(ly)? )?(equivalent|equal|equiv|comparable|similar|e)( (item|match|product))?$/,
  Substitute: /^(substitute|substitution|sub|alternate|alternative|alt|replacement|replaces)( (item|match|product))?$/,
};
const SCOPE_WORDS: Record<ReferenceScope, RegExp> = {
  Facility: /^(one )?(facility|account|customer|hospital|site)( only)?$/,
  Parent: /^(parent|system|health system|idn|a facility and all below it)$/,
  GPO: /^(gpo|group|members of a gpo|buying group)$/,
  Everybody: /^(everybody|everyone|all|any|global|company)$/,
};

const oneWord =
  (words: Record<string, RegExp>): CellParser =>
  (text) =>
    Object.entries(words).find(([, pattern]) => pattern.test(text.trim().toLowerCase()))?.[0] ??
    new Refusal(`is none of ${Object.keys(words).join(', ')}`);

/** A number of another company may be anything except a value that a spreadsheet has converted. */
const theirNumber: CellParser = (text, context) => {
  const read = oneNumber(text, context);
  if (typeof read !== 'string') return read;
  if (!/[\p{L}\p{N}]/u.test(read)) return new Refusal('has no letter or digit');
  return read.length > 100 ? new Refusal('is longer than 100 characters') : read;
};

/** The kind of the rows without one. */
export const KIND_ASK: ImportAsk = {
  name: 'kind',
  label: 'Rows that do not say how alike the items are',
  hint: 'Only the same item is used without asking.',
  type: 'choice',
  standard: 'Equivalent',
  choices: [
    { value: 'Equivalent', label: 'Mean an equivalent' },
    { value: 'Same', label: 'Mean the same item' },
    { value: 'Substitute', label: 'Mean a substitute' },
  ],
};

const OPEN = sql`r.reason is null and r.outcome is null`;
const ZEROS = sql`length(substring(bare_text(r.number) from '^0*'))`;
const PEOPLE = sql`is not distinct from`;
const sameNumber = (column: Sql) => sql`${column}.number_key = number_key(r.number) and ${column}.zeros = ${ZEROS}`;

/** SQL for an entry with the same number, maker, item and customers as the row. */
const ofRow = (
  x: Sql,
) => sql`${x}.item_id = r.item_id and ${sameNumber(x)} and folded_text(${x}.maker) = folded_text(coalesce(r.maker, ''))
  and ${x}.scope = r.scope and ${x}.facility_id ${PEOPLE} r.facility_id and ${x}.gpo_id ${PEOPLE} r.gpo_id`;

/**
 * Holds rows with an unknown item number if other item numbers begin like it. The user chooses one, or the row is left out. A row whose `chosen`
 * answers an earlier question is not held again.
 */
const NEAR_ITEMS = [
  sql`create temp table item_near on commit drop as
   select n.item_number, f.* from (select distinct r.item_number from import_row r
       where ${OPEN} and length(r.item_number) >= 4 and not exists (select from item i where i.item_number = r.item_number)) n,
     lateral (select count(*) as of, string_agg(i.item_number, ', ' order by i.item_number) as numbers,
         ${oneOf(sql`'item ' || i.id`, sql`i.item_number || ' ' || i.description`, sql`i.status, i.item_number`)} as ways
       from (select * from item i where lower(i.item_number) ~>=~ lower(left(n.item_number, greatest(3, length(n.item_number) - 2)))
           and lower(i.item_number) ~<~ (lower(left(n.item_number, greatest(3, length(n.item_number) - 2))) || chr(1114111))
         order by i.status, i.item_number limit 8) i) f
    where f.of > 0 and not exists (select from (${fitting(sql`n.item_number`, undefined, { references: false })}) fit)`,
  sql`update import_row r set item_id = i.id, base_unit = i.base_unit from item_near m, item i
   where m.item_number = r.item_number and ${OPEN} and ${isChosenOf(sql`m`)} and i.id = substr(r.chosen, 6)::int`,
  sql`update import_row r set outcome = 'held', held_was = m.numbers, held_now = r.item_number, held_ways = m.ways,
     held_hint = 'There is no item ' || r.item_number || '. These begin like it.'
   from item_near m where m.item_number = r.item_number and ${OPEN} and r.item_id is null and r.chosen is null`,
  sql`drop table item_near`,
];

/** The stored entry of a row: the active one, otherwise the one that was ended last. */
const STORED = sql`
  update import_row r set reference_id = (select x.id from cross_reference x where ${ofRow(sql`x`)}
    order by x.ended, x.id desc limit 1) where ${OPEN}`;

const examples = sql`string_agg(words, '; ' order by line) filter (where place <= 3) || case when count(*) > 3 then '; …' else '' end`;

/** Rows that name a different item than a stored entry or another row for the same number and the same customers. */
const CONTRADICTIONS = sql`
  with contradictions as (
    select r.line, coalesce(r.maker || ' ', '') || r.number || ' is ' || i.item_number || ' here, '
      || o.item_number || ' in ' || o.place as words
      from import_row r join item i on i.id = r.item_id, lateral (
        select j.item_number, 'the list' as place from cross_reference x join item j on j.id = x.item_id
         where ${sameNumber(sql`x`)} and x.item_id <> r.item_id and not x.ended and x.scope = r.scope
           and x.facility_id ${PEOPLE} r.facility_id and x.gpo_id ${PEOPLE} r.gpo_id
           and (x.maker = '' or coalesce(r.maker, '') = '' or folded_text(x.maker) = folded_text(r.maker))
        union all
        select j.item_number, 'line ' || f.line from import_row f join item j on j.id = f.item_id
         where f.row_no < r.row_no and f.number_key = r.number_key and f.number = r.number and f.item_id <> r.item_id and f.scope = r.scope
           and f.facility_id ${PEOPLE} r.facility_id and f.gpo_id ${PEOPLE} r.gpo_id and f.outcome in ('new', 'changed', 'same')
           and folded_text(coalesce(f.maker, '')) = folded_text(coalesce(r.maker, ''))
        limit 1) o
     where r.outcome in ('new', 'changed') and not coalesce(r.ended, false))
  select case count(*) when 0 then null when 1 then '1 row contradicts another entry: '
    else to_char(count(*), 'FM999,999,990') || ' rows contradict other entries: ' end
      || ${examples} || '. Both are kept; Cross-References shows them side by side, to be decided.' as sentence
    from (select *, row_number() over (order by line) as place from contradictions) numbered`;

const STAY_ENDED = sql`
  select case count(*) when 0 then null when 1 then '1 row is of an entry that was ended, and stays ended.'
      else to_char(count(*), 'FM999,999,990') || ' rows are of entries that were ended, and stay ended.' end as sentence
    from import_row r join cross_reference x on x.id = r.reference_id
    where x.ended and r.ended is null and r.outcome in ('same', 'changed')`;

export const crossReferences: ImportKind = {
  kind: 'cross-references',
  singular: 'cross-reference',
  fields: {
    item_number: {
      label: 'item number of ours',
      names: headings(`
        our item number, our item, our number, our part number, our product number, our catalog number, our sku, our code, our equivalent, our
        product, equivalent item, equivalent item number, replacement item, replacement item number, item number, item, item id, item code, sku,
        product number, part number
      `),
      parse: code,
    },
    number: {
      label: 'number of others',
      names: headings(`
        number, their number, their item number, their item, their part number, their catalog number, their sku, competitor number, competitor item
        number, competitor item, competitor part number, competitor catalog number, competitor product number, competitor sku, competitor code,
        competitive item, competitive item number, competitive part number, competitive number, vendor item number, vendor item, vendor number, vendor
        part number, vendor catalog number, vendor sku, supplier item number, supplier item, supplier number, supplier part number, supplier catalog
        number, manufacturer number, manufacturer item number, manufacturer item, manufacturer part number, manufacturer part, manufacturer catalog
        number, manufacturer sku, mpn, distributor number, distributor item number, distributor item, distributor catalog number, distributor sku,
        customer item number, customer item, customer part number, hospital item number, hospital item, facility item number, member item number,
        cross reference, cross reference number, cross reference item, xref, x ref, xref number, x ref number, crosses from, alternate number, alias, catalog
        number, cat number, reorder number, reference number
      `),
      parse: theirNumber,
    },
    maker: {
      label: 'maker or distributor',
      names: headings(`
        maker or distributor, maker, manufacturer, manufacturer name, competitor, competitor name, competitor manufacturer, vendor, vendor name,
        supplier, supplier name, distributor, distributor name, brand, their name
      `),
      parse: textOf(100),
    },
    unit: {
      label: 'our unit',
      names: headings(
        'our unit, unit, unit of measure, our unit of measure, units, uofm, item unit, sell unit, selling unit',
      ),
      parse: unit,
    },
    kind: {
      label: 'kind',
      names: headings(`
        kind, match type, match, type of match, cross type, cross reference type, relation, relationship, equivalence, equivalency, comparison, type
      `),
      parse: oneWord(KIND_WORDS),
    },
    scope: {
      label: 'for whom',
      names: headings('for, for whom, scope, applies to, valid for, level'),
      parse: oneWord(SCOPE_WORDS),
    },
    acct_no: accountNumber,
    gpo: {
      label: 'GPO',
      names: headings('gpo, gpo name, group purchasing organization, buying group, purchasing group'),
      parse: textOf(100),
    },
    note: { label: 'note', names: headings('note, notes, comment, comments, remark, remarks'), parse: textOf(1000) },
    source: { label: 'source', names: headings('source, origin, list name, from list'), parse: textOf(200) },
    ended: { label: 'ended', names: headings('ended, is ended, withdrawn, obsolete'), parse: yesNo },
    // The maker belongs to their number, so only the description is compared.
    description: DESCRIPTION,
  },
  needs: [['number', 'item_number']],
  // Columns of our own export.
  otherColumns: headings('confirmed, refused'),
  toRecords: (values) => [{ ...values, number_key: String(values['number'] ?? '') }],
  columns: {
    item_number: { type: 'text', only: 'stage' },
    acct_no: { type: 'text', only: 'stage' },
    gpo: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    reference_id: { type: 'int', only: 'stage' },
    number_key: { type: 'text', only: 'stage' },
    ...PACK_COLUMNS,
    maker: { type: 'text', fresh: sql`''` },
    number: { type: 'text' },
    item_id: { type: 'int' },
    unit: { type: 'text', fresh: sql`''` },
    kind: { type: 'text' },
    scope: { type: 'text' },
    facility_id: { type: 'int' },
    gpo_id: { type: 'int' },
    note: { type: 'text', fresh: sql`''` },
    source: { type: 'text', fresh: sql`''` },
    ended: { type: 'boolean', fresh: sql`false` },
    ...ARTICLE_COLUMNS,
  },
  key: ['number_key', 'maker', 'item_id', 'scope', 'facility_id', 'gpo_id'],
  keyForms: { maker: sql`folded_text(maker)` },
  keyLabel: 'number, maker, item and people',
  knownBy: sql`coalesce(r.maker || ' ', '') || r.number`,
  repeats: 'refuse',
  resolve: (fields, { options }) => [
    sql`update import_row
      set number_key = number_key(number) || ' ' || length(substring(bare_text(number) from '^0*')), maker = nullif(btrim(maker), '')`,
    sql`create index on import_row (number_key)`,
    ...findFacility(sql`r.acct_no is not null`),
    sql`update import_row r set gpo_id = g.id from gpo g where lower(g.name) = lower(r.gpo)`,
    sql`update import_row r set bad_column = 'gpo', bad_value = r.gpo,
      reason = 'is not a known GPO: import its contracts first, or add it to a facility'
     where ${OPEN} and r.gpo is not null and r.gpo_id is null`,
    // A row with a facility or a GPO but no scope applies to that facility or GPO.
    sql`update import_row r
      set scope = case when r.facility_id is not null then 'Facility' when r.gpo_id is not null then 'GPO' else 'Everybody' end
     where ${OPEN} and r.scope is null`,
    sql`update import_row r set bad_column = case when r.scope = 'GPO' then 'gpo' else 'acct_no' end, bad_value = '',
       reason = 'is empty: an entry for ' || case r.scope when 'GPO' then 'a GPO needs its name'
         else 'a facility needs its account number' end
     where ${OPEN} and (r.scope in ('Facility', 'Parent') and r.facility_id is null or r.scope = 'GPO' and r.gpo_id is null)`,
    sql`update import_row r set facility_id = case when r.scope in ('Facility', 'Parent') then r.facility_id end,
       gpo_id = case when r.scope = 'GPO' then r.gpo_id end where ${OPEN}`,
    ...NEAR_ITEMS,
    ...findItem(),
    ...checkUnit(),
    STORED,
    sql`update import_row r set kind = ${REFERENCE_KINDS.find((referenceKind) => referenceKind === options['kind']) ?? 'Equivalent'}
     where ${OPEN} and r.kind is null and r.reference_id is null`,
    ...(fields.has('source')
      ? []
      : [sql`update import_row r set source = 'Import' where ${OPEN} and r.reference_id is null`]),
  ],
  hold: ANOTHER_ARTICLE,
  choice: { title: 'Which one is it?', why: 'The number matches several, or none but some begin like it.' },
  table: 'cross_reference',
  from: sql`cross_reference t`,
  match: sql`t.id = r.reference_id`,
  // A new entry has no id yet when its row is read.
  touches: ofRow(sql`t`),
  remarks: [OTHER_ACCOUNTS, OTHER_NUMBERS, CONTRADICTIONS, STAY_ENDED],
  versioned: true,
};
