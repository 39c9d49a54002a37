// List prices of items by unit, currency, quantity break and first day; and recent sales.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import {
  currency,
  DOLLAR_INDEX,
  decimal,
  endOfRange,
  fromQuantity,
  price,
  textOf,
  unit,
} from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';
import {
  type Dated,
  endOlder,
  firstDays,
  FROM_ASK,
  heldPrices,
  LIST,
  moneyOfPrices,
  OLD_COLUMNS,
  oldPrices,
  remarksOnPrices,
  TIMES_ASK,
} from './dated-prices.server.ts';
import type { About, ImportKind, RowRefusal, Values } from '#platform/data-import/kinds/kind-description.server.ts';
import { accountOfFile, findFacility, OTHER_ACCOUNTS } from './find-facility.server.ts';
import { findItem, OTHER_NUMBERS, WHICH_ITEM } from './find-item.server.ts';
import { accountNumber } from './kind-contacts.server.ts';
import { itemNumber, modifiers, withModifiers } from './kind-items.server.ts';
import {
  ANOTHER_ARTICLE,
  ARTICLE_COLUMNS,
  ARTICLE_FIELDS,
  NAMED_ARTICLE_FIELDS,
  either,
  isAnotherArticle,
  articleOfFile,
  storedArticle,
} from './another-article.server.ts';
import { DECIMALS_ASK, PACKS_ASK } from '#platform/data-import/kinds/reading-asks.server.ts';
import {
  checkUnit,
  makeUnits,
  PACK_COLUMNS,
  PACK_SIZE,
  SIZE_COLUMN,
  SIZE_OF_UNIT,
  UNITS_MADE,
  WRITE_UNITS,
} from './unit-of-item.server.ts';

const SAME_ACCOUNT: Dated = { table: 'account_price', same: sql`t.facility_id = r.facility_id and ${LIST.same}` };

const priceRules = (dated: Dated, about: About): readonly Sql[] => [
  sql`update import_row
    set unit = coalesce(unit, base_unit), currn_idx = coalesce(currn_idx, ${sql.lit(DOLLAR_INDEX)}), min_qty = coalesce(min_qty, 1)`,
  ...SIZE_OF_UNIT,
  ...makeUnits(about.options),
  ...checkUnit(true),
  sql`analyze import_row`,
  ...firstDays(dated, about),
  sql`update import_row set bad_column = 'valid_to', bad_value = valid_to::text, reason = 'lies before the first day'
     where reason is null and valid_to < valid_from`,
  ...oldPrices(dated, about),
];

export const CURRENCY_ASK: ImportAsk = {
  name: 'currency',
  label: 'Currency',
  hint: 'For rows that have none.',
  type: 'choice',
  standard: 'USD',
  choices: [
    { value: 'USD', label: 'US dollars' },
    { value: 'EUR', label: 'Euros' },
  ],
};
export const PRICE_ASKS: readonly ImportAsk[] = [FROM_ASK, TIMES_ASK, DECIMALS_ASK, PACKS_ASK];

export const prices: ImportKind = {
  kind: 'prices',
  singular: 'price',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    price: {
      label: 'price',
      names: headings(`
        list price, list px, price, px, unit price, selling price, charge, unit charge, gross charge, standard charge, amount, base price, rate,
        ceiling
      `),
      parse: price,
    },
    price_low: {
      label: 'lower end of a price range',
      names: headings('lowest price, low price, minimum price, min price, price from'),
      parse: endOfRange('low'),
    },
    price_high: {
      label: 'higher end of a price range',
      names: headings('highest price, high price, maximum price, max price, price to'),
      parse: endOfRange('high'),
    },
    unit: {
      label: 'unit',
      names: headings('price unit, selling unit, unit of measure, unit, units, uofm, pricing unit'),
      parse: unit,
    },
    pack_size: PACK_SIZE,
    currn_idx: {
      label: 'currency',
      names: headings('currency, currency code, currency index, currn idx, currency id, curr, cur, iso currency'),
      parse: currency,
    },
    min_qty: {
      label: 'from quantity',
      names: headings(
        'from quantity, minimum quantity, min quantity, quantity break, break quantity, quantity from, break, price break, quantity breaks',
      ),
      parse: fromQuantity,
    },
    valid_from: {
      label: 'first day',
      names: headings(`price date, ${FIRST_DAYS}`),
      parse: date,
    },
    valid_to: {
      label: 'last day',
      names: headings(LAST_DAYS),
      parse: lastDay,
    },
    ...NAMED_ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'price'],
    ['item_number', 'price_low'],
    ['item_number', 'price_high'],
  ],
  toRecords: (values) => priceRecord(withModifiers(values)),
  columns: {
    item_number: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    ...PACK_COLUMNS,
    ...SIZE_COLUMN,
    ...OLD_COLUMNS,
    item_id: { type: 'int' },
    unit: { type: 'text' },
    currn_idx: { type: 'int' },
    min_qty: { type: 'numeric(14, 4)' },
    price: { type: 'numeric(14, 4)' },
    valid_from: { type: 'date' },
    valid_to: { type: 'date', openEnd: true },
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id', 'currn_idx', 'unit', 'min_qty', 'valid_from'],
  keyLabel: 'item, unit, currency, quantity and first day',
  repeats: 'refuse',
  resolve: (_fields, about) => [
    ...(about.options['currency'] === 'EUR'
      ? [sql`update import_row set currn_idx = ${sql.lit(EURO_INDEX)} where currn_idx is null`]
      : []),
    ...findItem(),
    ...priceRules(LIST, about),
  ],
  choice: WHICH_ITEM,
  table: 'item_price',
  from: sql`item_price t`,
  match: sql`${LIST.same} and t.valid_from = r.valid_from`,
  touches: LIST.same,
  renews: sql`r.old_id is not null`,
  hold: (about) => either(ANOTHER_ARTICLE, heldPrices(about)),
  money: moneyOfPrices(false),
  remarks: (about) => [OTHER_NUMBERS, ...remarksOnPrices(LIST, about), UNITS_MADE],
  versioned: false,
  before: [WRITE_UNITS, endOlder(LIST)],
};

/** Prices of one facility, in its currency unless the file names another. */
export const accountPrices: ImportKind = {
  ...prices,
  kind: 'account-prices',
  singular: 'account price',
  fields: {
    acct_no: { ...accountNumber, names: [...accountNumber.names, 'facility', 'facility account', 'ship to number'] },
    ...prices.fields,
    price: {
      label: 'price',
      names: headings('account price, customer price, net price, special price, contract price').concat(
        prices.fields['price']?.names ?? [],
      ),
      parse: price,
    },
    reference: {
      label: 'reference',
      names: headings('reference, price reference, agreement, contract number, contract, quote number, note'),
      parse: textOf(100),
    },
  },
  columns: {
    acct_no: { type: 'text', only: 'stage' },
    facility_id: { type: 'int' },
    ...prices.columns,
    reference: { type: 'text', fresh: sql`''` },
  },
  key: ['facility_id', ...prices.key],
  keyLabel: `account, ${prices.keyLabel}`,
  knownBy: sql`r.acct_no || ' ' || r.item_number`,
  resolve: (_fields, about) => [
    ...accountOfFile(about),
    ...findFacility(),
    ...findItem(sql`r.facility_id`, { unit: true }),
    sql`update import_row r set currn_idx = f.currn_idx from facility f where f.id = r.facility_id and r.currn_idx is null`,
    ...priceRules(SAME_ACCOUNT, about),
  ],
  table: 'account_price',
  from: sql`account_price t`,
  match: sql`${SAME_ACCOUNT.same} and t.valid_from = r.valid_from`,
  touches: SAME_ACCOUNT.same,
  money: moneyOfPrices(true),
  remarks: (about) => [OTHER_ACCOUNTS, OTHER_NUMBERS, ...remarksOnPrices(SAME_ACCOUNT, about), UNITS_MADE],
  before: [WRITE_UNITS, endOlder(SAME_ACCOUNT)],
};

function priceRecord({ price_low, price_high, ...values }: Values): Values[] | RowRefusal {
  if (values['price'] !== undefined) return [values];
  const [low, high] = [price_low ?? price_high, price_high ?? price_low];
  if (low === undefined) return { field: 'price', refusal: new Refusal('gives no price') };
  if (Number(low) !== Number(high)) {
    const reason = `is one end of a range from ${String(low)} to ${String(high)}: say which end counts, with --map "heading=price"`;
    return { field: price_low === undefined ? 'price_high' : 'price_low', refusal: new Refusal(reason) };
  }
  return [{ ...values, price: low }];
}

/**
 * Ranks the items of a file by sales: the best fifth gets five stars, the last fifth one. A return is subtracted, and its day is not the day of a
 * sale. A file without quantities has one row per sale.
 */
const ranked = (hasQuantity: boolean): Sql => sql`
  select item_id, min(row_no) as row_no, max(sold_on) filter (where ${hasQuantity ? sql`qty > 0 or qty is null` : sql`true`}) as last_sold,
    max(selling_rank) as given_rank, max(selling_rank_num) as given_stars,
    greatest(1, 5 - floor(5 * percent_rank() over (order by sum(${hasQuantity ? sql`coalesce(qty, 0)` : sql`1`}) desc))) as stars
  from import_row where reason is null and item_id is not null group by item_id`;

/** Refuses rows without a day and a quantity, because they are not sales. An empty quantity is not a quantity of 1. */
const refuseEmpty = (fields: ReadonlySet<string>): readonly Sql[] => {
  if (!fields.has('qty')) return [];
  const isRanked = sql`(r.selling_rank is not null or r.selling_rank_num is not null)`;
  return [
    sql`update import_row r set bad_column = 'qty', bad_value = '',
      reason = case when r.sold_on is null then ${sql.lit(
        fields.has('sold_on')
          ? 'is empty, and so is the day: the row tells of no sale'
          : 'is empty: write how many were sold',
      )}
        else 'is empty: write how many were sold, or 0' end
     where r.reason is null and r.qty is null and not ${isRanked}`,
  ];
};

export const sales: ImportKind = {
  kind: 'sales',
  singular: 'item with sales',
  fields: {
    item_number: itemNumber,
    sold_on: {
      label: 'day of the sale',
      names: headings(`
        last sold, last sale date, last sale, last sold date, invoice date, sale date, sales date, order date, ship
        date, posting date, billing date, transaction date, date
      `),
      parse: date,
    },
    qty: {
      label: 'quantity sold',
      names: headings(`
        quantity, quantity sold, sold, units sold, quantity shipped, quantity invoiced, annual quantity, quantity
        ordered
      `),
      parse: decimal,
    },
    selling_rank: { label: 'rank, or NEW', names: headings('selling rank, rank, sales rank'), parse: textOf(20) },
    selling_rank_num: { label: 'stars, 0 to 5', names: headings('stars, rating, selling rank number'), parse: stars },
    ...ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'sold_on'],
    ['item_number', 'qty'],
    ['item_number', 'selling_rank'],
  ],
  columns: {
    item_number: { type: 'text', only: 'stage' },
    item_id: { type: 'int', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    sold_on: { type: 'date', only: 'stage' },
    qty: { type: 'numeric', only: 'stage' },
    last_sold: { type: 'date' },
    selling_rank: { type: 'text' },
    selling_rank_num: { type: 'numeric(3, 1)' },
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id'],
  keyLabel: 'item number',
  repeats: 'together',
  resolve: (fields, { today }) => [
    ...findItem(),
    ...refuseEmpty(fields),
    sql`update import_row set bad_column = 'sold_on', bad_value = to_char(sold_on, 'MM/DD/YYYY'), reason = 'lies in the future'
     where reason is null and sold_on > ${today}::date`,
    // The rows of an item are summed up, so a single row cannot be held for an answer.
    sql`update import_row r set bad_column = case when r.description is null then 'manufacturer' else 'description' end,
       bad_value = ${articleOfFile},
       reason = 'has nothing in common with item ''' || ${storedArticle} || ''': correct the number, or say that the column is not used'
     from item i where i.id = r.item_id and r.reason is null and r.chosen is null and ${isAnotherArticle}`,
    sql`update import_row r set last_sold = greatest(k.last_sold, i.last_sold),
       selling_rank = coalesce(k.given_rank, coalesce(k.given_stars, k.stars)::int::text),
       selling_rank_num = coalesce(k.given_stars, k.stars)
     from (${ranked(fields.has('qty'))}) k join item i on i.id = k.item_id where k.row_no = r.row_no`,
    sql`update import_row r set outcome = 'repeat' from (${ranked(fields.has('qty'))}) k
     where k.item_id = r.item_id and k.row_no <> r.row_no and r.reason is null`,
  ],
  choice: WHICH_ITEM,
  table: 'item',
  from: sql`item t`,
  match: sql`t.id = r.item_id`,
  remarks: [OTHER_NUMBERS],
  versioned: true,
};

function stars(text: string): string | Refusal {
  const value = Number(text);
  return value >= 0 && value <= 5 ? value.toFixed(1) : new Refusal('is not between 0 and 5 stars');
}
