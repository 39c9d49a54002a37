// Holds rows that may be about a different article than the stored item with their number, because their descriptions share no word.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { type CellParser, cut } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import type { Column, Field, Hold } from '#platform/data-import/kinds/kind-description.server.ts';

/** A text that is only compared, so it is cut and no length refuses its row. */
const comparedText: CellParser = (text) => cut(text, 1000);

/** Describes the article of a row of prices, costs, units, sales or numbers, beside its item number. */
export const DESCRIPTION: Field = {
  label: 'description, to compare',
  names: headings(`
    item description, our description, our item description, description, long description, product description,
    material description, device description, short description, item name, product name
  `),
  parse: comparedText,
};
/** The manufacturer of the article. A vendor is not read, because it may be a distributor, which does not identify the article. */
export const MANUFACTURER: Field = {
  label: 'manufacturer, to compare',
  names: headings('manufacturer, manufacturer name'),
  parse: comparedText,
};
/**
 * Headings such as 'Full Description' or 'Charge Code Name'. A name alone may be that of a customer, and 'Vendor Name' is that of a vendor. In a file
 * of cross-references these headings may describe the other item.
 */
const DESCRIBES =
  /^(?:(?:item|product|material|supply|charge code|chargecode|device|procedure|long|short|full|our|manufacturer|vendor|sales) )*description(?: 1)?$|^(?:(?:item|product|material|supply|charge code|chargecode|device|procedure|long|short|full|our) )+name(?: 1)?$/;
export const ARTICLE_FIELDS: Readonly<Record<string, Field>> = {
  description: { ...DESCRIPTION, alike: DESCRIBES },
  manufacturer: MANUFACTURER,
};
/** The same fields for kinds that are only about items, where a name is the item's. */
export const NAMED_ARTICLE_FIELDS: Readonly<Record<string, Field>> = {
  ...ARTICLE_FIELDS,
  description: { ...DESCRIPTION, alike: DESCRIBES, names: [...DESCRIPTION.names, 'name'] },
};
export const ARTICLE_COLUMNS: Readonly<Record<string, Column>> = {
  description: { type: 'text', only: 'aside' },
  manufacturer: { type: 'text', only: 'aside' },
};

/** SQL for the description and the manufacturer of a row or an item. */
const article = (alias: 'r' | 'i' | 't'): Sql =>
  sql`concat_ws(', ', ${sql.ref(`${alias}.description`)}, nullif(${sql.ref(`${alias}.manufacturer`)}, ''))`;

/** SQL for whether row `r` is about a different article than item `i`: by the description, or by the manufacturer if the row has no description. */
export const isAnotherArticle = sql`(has_nothing_in_common(r.description, i.description)
  or has_nothing_in_common(r.manufacturer, i.manufacturer) and cardinality(article_words(coalesce(r.description, ''))) = 0)`;
export const articleOfFile = article('r');
export const storedArticle = sql`i.item_number || ' ' || ${article('i')}`;

const TITLE = 'Different item?';
const TOO_MANY =
  'describe a different item than their number. Check that the right columns are read as the item number and the description.';

const ofItem = (value: Sql): Sql => sql`(select ${value} from item i where i.id = r.item_id)`;

/** Holds rows with `ARTICLE_COLUMNS` and `item_id`. If the user chose the item of a row, they have checked it. */
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

/** Holds rows of items that would turn a stored item into a different one, with its picture, its ranking and its prices. */
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

/** Combines two holds into one question, about rows that `first`, `second` or both hold. */
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
