// Holds rows that may be about another article than the stored item of their number, because their descriptions share no word.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { type CellParser, cut } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import type { Column, Field, Hold } from '#platform/data-import/kinds/kind-description.server.ts';

/** A text that is only compared, so that no length refuses its row. */
const comparedText: CellParser = (text) => cut(text, 1000);

/** Says which article a row of prices, costs, units, sales or numbers means, beside its item number. */
export const DESCRIPTION: Field = {
  label: 'description, to compare',
  names: headings(`
    item description, our description, our item description, description, long description, product description,
    material description, device description, short description, item name, product name
  `),
  parse: comparedText,
};
/** The maker of the article. A vendor may be a distributor, who says nothing of the article. */
export const MANUFACTURER: Field = {
  label: 'manufacturer, to compare',
  names: headings('manufacturer, manufacturer name'),
  parse: comparedText,
};
/**
 * 'Full Description', 'Charge Code Name'. A name alone may be that of a customer, and 'Vendor Name' is that of a vendor. In a file of cross-references
 * they may be about the other item.
 */
const DESCRIBES =
  /^(?:(?:item|product|material|supply|charge code|chargecode|device|procedure|long|short|full|our|manufacturer|vendor|sales) )*description(?: 1)?$|^(?:(?:item|product|material|supply|charge code|chargecode|device|procedure|long|short|full|our) )+name(?: 1)?$/;
export const ARTICLE_FIELDS: Readonly<Record<string, Field>> = {
  description: { ...DESCRIPTION, alike: DESCRIBES },
  manufacturer: MANUFACTURER,
};
/** The same for kinds that are about items alone, where a name is the item's. */
export const NAMED_ARTICLE_FIELDS: Readonly<Record<string, Field>> = {
  ...ARTICLE_FIELDS,
  description: { ...DESCRIPTION, alike: DESCRIBES, names: [...DESCRIPTION.names, 'name'] },
};
export const ARTICLE_COLUMNS: Readonly<Record<string, Column>> = {
  description: { type: 'text', only: 'aside' },
  manufacturer: { type: 'text', only: 'aside' },
};

/** SQL for what a row or an item says of the article. */
const article = (alias: 'r' | 'i' | 't'): Sql =>
  sql`concat_ws(', ', ${sql.ref(`${alias}.description`)}, nullif(${sql.ref(`${alias}.manufacturer`)}, ''))`;

/** SQL that tells whether row `r` is about another article than item `i`: another description, or another maker where the row has no description. */
export const isAnotherArticle = sql`(has_nothing_in_common(r.description, i.description)
  or has_nothing_in_common(r.manufacturer, i.manufacturer) and cardinality(article_words(coalesce(r.description, ''))) = 0)`;
export const articleOfFile = article('r');
export const storedArticle = sql`i.item_number || ' ' || ${article('i')}`;

const TITLE = 'Different item?';
const TOO_MANY =
  'describe a different item than their number. Check that the right columns are read as the item number and the description.';

const ofItem = (value: Sql): Sql => sql`(select ${value} from item i where i.id = r.item_id)`;

/** Holds rows with `ARTICLE_COLUMNS` and `item_id`. A person who chose the item of a row has looked at it. */
export const ANOTHER_ARTICLE: Hold = {
  title: TITLE,
  why: 'The description in the row has nothing in common with the item that has this number.',
  tooMany: TOO_MANY,
  when: sql`r.chosen is null and ${ofItem(isAnotherArticle)}`,
  was: ofItem(storedArticle),
  now: articleOfFile,
  hint: sql`''`,
};

const isChanged = (column: 'description' | 'manufacturer_no' | 'base_unit', form: (of: Sql) => Sql): Sql => {
  const [now, was] = [sql.ref(`r.${column}`), sql.ref(`t.${column}`)];
  return sql`(${now} <> '' and ${was} <> '' and ${form(now)} <> ${form(was)})`;
};
const isSameNumber = sql`(r.manufacturer_no <> '' and number_key(r.manufacturer_no) = number_key(t.manufacturer_no)
  or exists (select from item_identifier x where x.item_id = t.id and x.kind = 'GTIN' and x.value = r.gtin))`;
const textForm = (column: Sql): Sql => sql`folded_text(${column})`;

/** Holds rows of items that would turn a stored item into another one, with its picture, its ranking and its prices. */
export const ANOTHER_ITEM: Hold = {
  title: TITLE,
  why: 'Each would turn an item into another one, with its picture, ranking and prices: the description has nothing in common with the stored one, or changes together with maker and number or unit.',
  tooMany:
    'would turn an item into another one. Check that the right columns are read as the item number and the description.',
  when: sql`has_nothing_in_common(r.description, t.description) and not coalesce(${isSameNumber}, false)
    or has_nothing_in_common(r.manufacturer, t.manufacturer) and ${isChanged('description', textForm)}
      and (${isChanged('manufacturer_no', (target) => sql`number_key(${target})`)} or ${isChanged('base_unit', (target) => target)})`,
  was: sql`${article('t')} || ', per ' || t.base_unit`,
  now: sql`${article('r')} || coalesce(', per ' || r.base_unit, '')`,
  hint: sql`''`,
};

/** One question about rows that `first`, `second` or both hold. */
export function either(first: Hold, second: Hold): Hold {
  const both = (part: 'was' | 'now' | 'hint', between: string): Sql =>
    sql`concat_ws(${sql.lit(between)}, case when ${first.when} then nullif(${first[part]}, '') end,
      case when ${second.when} then nullif(${second[part]}, '') end)`;
  return {
    title: `${first.title} ${second.title}`,
    why: `${first.why} ${second.why}`,
    tooMany: `${first.tooMany.replace(/\.$/, '')}; or ${second.tooMany}`,
    when: sql`(${first.when}) or (${second.when})`,
    was: both('was', '; '),
    now: both('now', '; '),
    hint: both('hint', ' '),
  };
}
