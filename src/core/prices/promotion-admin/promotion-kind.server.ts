// Imports promotions of items: a discount, a fixed price or free goods, by item, type, unit, currency, quantity and first day.
import { sql } from 'kysely';
import { ANOTHER_ARTICLE, ARTICLE_COLUMNS, ARTICLE_FIELDS } from '#core/company/import-kinds/another-article.server.ts';
import type { ImportKindServer } from '#platform/data-import/kinds/import-kind.server.ts';
import { sentence } from '#core/company/import-kinds/dated-prices.server.ts';
import { findItem, OTHER_NUMBERS, WHICH_ITEM } from '#core/company/import-kinds/find-item.server.ts';
import type { ImportKind, RowRefusal, Values } from '#platform/data-import/kinds/kind-description.server.ts';
import { itemNumber, modifiers, withModifiers } from '#core/company/import-kinds/kind-items.server.ts';
import { DECIMALS_ASK } from '#platform/data-import/kinds/reading-asks.server.ts';
import { tableKind } from '#platform/data-import/kinds/table-kind.server.ts';
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import {
  type CellParser,
  currency,
  DOLLAR_INDEX,
  fromQuantity,
  percent,
  price,
  quantity,
  Several,
  textOf,
  unit,
  yesNo,
} from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { PromotionKind } from '#core/prices/promotions/promotion.ts';

const TYPES: readonly [PromotionKind, RegExp][] = [
  ['BuyXGetYFree', /^(?:buy ?x ?get ?y(?: ?free)?|bogo|free goods?|buy.*get.*)$/i],
  ['DiscountPct', /^(?:discount ?(?:pct|percent|percentage|%)?|(?:pct|percent|percentage|%)(?: ?off| ?discount)?)$/i],
  ['FixedPrice', /^(?:fixed ?price|price|promo(?:tion(?:al)?)? ?price|special ?price|net ?price)$/i],
];
const typeOf: CellParser = (text) =>
  TYPES.find(([, pattern]) => pattern.test(text))?.[0] ??
  new Refusal('is not Discount, Fixed price or Buy X get Y free');

/** 'buy 10, get 1 free', '10% discount' and 'price $8.50', as the export of promotions writes them. */
const offer: CellParser = (text, context) => {
  const [, buy, free] = /^buy ([\d.,]*\d),? get ([\d.,]*\d)(?: free)?$/i.exec(text) ?? [];
  const parts: Record<string, [CellParser, string | undefined]> =
    buy === undefined
      ? {
          discount: [percent, /^([\d.,]+ ?%)(?: discount| off)?$/i.exec(text)?.[1]],
          promo_price: [price, /^price (.+)$/i.exec(text)?.[1]],
        }
      : { buy_qty: [quantity, buy], get_qty: [quantity, free] };
  const values: Record<string, string> = {};
  for (const [field, [parse, part]] of Object.entries(parts)) {
    if (part === undefined) continue;
    const value = parse(part, context);
    if (value instanceof Refusal) return value;
    if (typeof value === 'string') values[field] = value;
  }
  return Object.keys(values).length > 0
    ? new Several(values)
    : new Refusal("is not an offer: write 'buy 10, get 1 free', '10% discount' or 'price $8.50'");
};

/** The export writes 0 when there is no minimum quantity. */
const leastOf: CellParser = (text, context) => (/^0+(?:\.0*)?$/.test(text) ? '0' : fromQuantity(text, context));
const mostOf: CellParser = (text, context) =>
  /^(?:unlimited|no limit|none|any)$/i.test(text) ? '0' : quantity(text, context);

/** The unit alone, because a promotion has no pack size. */
const plainUnit: CellParser = (text, context) => {
  if (/^(?:any|all|any unit)$/i.test(text)) return 'any';
  const read = unit(text, context);
  return read instanceof Several
    ? new Refusal('has a pack size, which a promotion does not keep: write the unit alone')
    : read;
};

const state: CellParser = (text, context) =>
  /^(?:running|coming|ended|on)$/i.test(text) ? true : /^off$/i.test(text) ? false : yesNo(text, context);

/** A percentage, which needs a % sign or a heading that names percentages: 5.00 under 'Discount' may be dollars. */
const discount: CellParser = (text, context) =>
  text.endsWith('%') || /%|pct|percent/i.test(context.heading)
    ? percent(text, context)
    : new Refusal('may be an amount or a percentage: write it with the sign %');

/** A percentage or a price, depending on the type. With a sign the value is unambiguous, and the row is refused if the type contradicts it. */
const amount: CellParser = (text, context) => {
  const field = text.endsWith('%') ? 'discount' : /[$€]|\b(?:usd|eur)\b/i.test(text) ? 'promo_price' : 'amount';
  const value = (field === 'discount' ? percent : price)(text, context);
  return typeof value === 'string' ? new Several({ [field]: value }) : value;
};

const refusal = (field: string, reason: string): RowRefusal => ({ field, refusal: new Refusal(reason) });

/** The one offer of a row. Refuses a row that contains none, several, or an offer that contradicts its type. */
function promotionOf(row: Values): Values[] | RowRefusal {
  const { discount: percentage, promo_price: promoPrice, amount: value, ...values } = withModifiers(row);
  const { buy_qty: buy, get_qty: free, min_qty: least, max_qty: most } = values;
  const type = values['promotion_type'];
  const isFree = buy !== undefined || free !== undefined;
  const kinds: PromotionKind[] = [
    ...(isFree ? (['BuyXGetYFree'] as const) : []),
    ...(percentage === undefined ? [] : (['DiscountPct'] as const)),
    ...(promoPrice === undefined ? [] : (['FixedPrice'] as const)),
  ];
  if (kinds.length > 1)
    return refusal('promotion_type', 'is not clear: the row has a discount, a price or free goods at once');
  const [kind = type] = kinds;
  if (kind === undefined)
    return refusal('promotion_type', 'is empty: say whether it is a discount, a fixed price or free goods');
  if (type !== undefined && type !== kind) return refusal('promotion_type', 'does not fit what the row offers');
  if (least !== undefined && most !== undefined && Number(most) > 0 && Number(most) < Number(least))
    return refusal('max_qty', 'is below the min. quantity');
  if (kind === 'BuyXGetYFree') {
    if (value !== undefined) return refusal('amount', 'is no part of free goods: leave it empty');
    if (buy === undefined) return refusal('buy_qty', 'is empty: enter how many are bought');
    if (free === undefined) return refusal('get_qty', 'is empty: enter how many are free');
    return [{ ...values, promotion_type: kind, amount: '0' }];
  }
  const [field, number] =
    kind === 'DiscountPct'
      ? [percentage === undefined ? 'amount' : 'discount', percentage ?? value]
      : [promoPrice === undefined ? 'amount' : 'promo_price', promoPrice ?? value];
  if (number === undefined || !(Number(number) > 0)) return refusal(field, 'is not above 0');
  if (kind === 'DiscountPct' && Number(number) > 100) return refusal(field, 'is more than 100 percent');
  return [{ ...values, promotion_type: kind, amount: number }];
}

const OPEN = sql`r.reason is null and r.outcome is null`;

const promotions: ImportKind = {
  kind: 'promotions',
  singular: 'promotion',
  fields: {
    item_number: itemNumber,
    ...modifiers,
    name: {
      label: 'name',
      names: headings('promotion name, promotion, promo name, promo, campaign, name'),
      parse: textOf(100),
    },
    promotion_type: { label: 'type', names: headings('promotion type, promo type, type, offer type'), parse: typeOf },
    offer: { label: 'offer', names: headings('offer, deal'), parse: offer },
    discount: {
      label: 'discount in percent',
      names: headings('discount pct, discount percent, discount percentage, percent off, pct off, discount'),
      parse: discount,
    },
    promo_price: {
      label: 'promotional price',
      names: headings(
        'promotion price, promo price, promotional price, special price, sale price, fixed price, net price, price',
      ),
      parse: price,
    },
    amount: {
      label: 'percentage or price, as the type says',
      names: headings('promotion amount, promo amount, amount, value'),
      parse: amount,
    },
    buy_qty: { label: 'buy', names: headings('buy quantity, buy, buy x, quantity to buy'), parse: quantity },
    get_qty: {
      label: 'get free',
      names: headings('free quantity, get quantity, get free, get, get y, free, free goods'),
      parse: quantity,
    },
    min_qty: {
      label: 'min. quantity',
      names: headings(
        'minimum quantity, min quantity, from quantity, minimum order quantity, minimum order, min order, break',
      ),
      parse: leastOf,
    },
    max_qty: {
      label: 'max. quantity',
      names: headings('maximum quantity, max quantity, to quantity, limit'),
      parse: mostOf,
    },
    unit: {
      label: 'unit',
      names: headings('price unit, selling unit, unit of measure, unit, units, uofm'),
      parse: plainUnit,
    },
    currn_idx: {
      label: 'currency',
      names: headings('currency, currency code, currency id, curr, cur'),
      parse: currency,
    },
    valid_from: {
      label: 'first day',
      names: headings(`promotion start date, promo start, promo start date, from, ${FIRST_DAYS}`),
      parse: date,
    },
    valid_to: {
      label: 'last day',
      names: headings(`promotion end date, promo end, promo end date, to, ${LAST_DAYS}`),
      parse: lastDay,
    },
    active: { label: 'active', names: headings('active, state, status, enabled'), parse: state },
    ...ARTICLE_FIELDS,
  },
  needs: [
    ['item_number', 'offer'],
    ['item_number', 'discount'],
    ['item_number', 'promo_price'],
    ['item_number', 'amount', 'promotion_type'],
    ['item_number', 'buy_qty', 'get_qty'],
  ],
  toRecords: promotionOf,
  columns: {
    item_number: { type: 'text', only: 'stage' },
    base_unit: { type: 'text', only: 'stage' },
    unit: { type: 'text', only: 'stage' },
    promotion_id: { type: 'int', only: 'stage' },
    item_id: { type: 'int' },
    name: { type: 'text', fresh: sql`''` },
    promotion_type: { type: 'text' },
    amount: { type: 'numeric(14, 4)' },
    buy_qty: { type: 'numeric(14, 4)', fresh: sql`0` },
    get_qty: { type: 'numeric(14, 4)', fresh: sql`0` },
    min_qty: { type: 'numeric(14, 4)' },
    max_qty: { type: 'numeric(14, 4)', fresh: sql`0` },
    uom: { type: 'text' },
    currn_idx: { type: 'int' },
    valid_from: { type: 'date' },
    valid_to: { type: 'date', openEnd: true },
    active: { type: 'boolean', fresh: sql`true` },
    ...ARTICLE_COLUMNS,
  },
  key: ['item_id', 'promotion_type', 'uom', 'currn_idx', 'min_qty', 'valid_from'],
  keyLabel: 'item, type, unit, currency, min. quantity and first day',
  knownBy: sql`r.item_number`,
  repeats: 'refuse',
  resolve: (_fields, { today }) => [
    sql`update import_row set uom = case when unit = 'any' then '' else coalesce(unit, '') end,
     currn_idx = coalesce(currn_idx, ${sql.lit(DOLLAR_INDEX)}), min_qty = coalesce(min_qty, 0)`,
    ...findItem(),
    sql`update import_row r set bad_column = 'unit', bad_value = r.uom, reason = 'is no unit of this item: import its units first'
     where ${OPEN} and r.uom <> '' and r.uom <> r.base_unit
       and not exists (select from item_unit u where u.item_id = r.item_id and u.unit = r.uom)`,
    // A row without a first day means the promotion that is current or comes next, or else a new one from today.
    sql`update import_row r set promotion_id = (
       select t.id from promotion t where t.item_id = r.item_id and t.promotion_type = r.promotion_type and t.uom = r.uom
         and t.currn_idx = r.currn_idx and t.min_qty = r.min_qty
         and case when r.valid_from is null then t.active and coalesce(t.valid_to, 'infinity') >= ${today}::date
           else t.valid_from = r.valid_from end
       order by t.valid_from, t.id limit 1) where ${OPEN}`,
    sql`update import_row r
     set valid_from = coalesce(r.valid_from, (select t.valid_from from promotion t where t.id = r.promotion_id), ${today}::date)
     where ${OPEN}`,
    sql`update import_row r
     set bad_column = 'valid_to', bad_value = to_char(r.valid_to, 'MM/DD/YYYY'), reason = 'lies before the first day'
     where ${OPEN} and r.valid_to < r.valid_from`,
    sql`update import_row r
     set bad_column = 'max_qty', bad_value = trim_scale(r.max_qty)::text, reason = 'is below the min. quantity'
     where ${OPEN} and r.max_qty > 0 and r.max_qty < r.min_qty`,
  ],
  hold: ANOTHER_ARTICLE,
  choice: WHICH_ITEM,
  table: 'promotion',
  from: sql`promotion t`,
  match: sql`t.id = r.promotion_id`,
  remarks: [
    OTHER_NUMBERS,
    sentence(
      'promotion overlaps another one of its item, so people choose between them',
      'promotions overlap others of their items, so people choose between them',
      sql`select r.line, r.item_number as name from import_row r where r.outcome in ('new', 'changed') and exists (
        select from promotion t where t.item_id = r.item_id and t.id is distinct from r.promotion_id and t.active
          and (t.uom = '' or r.uom = '' or t.uom = r.uom) and t.valid_from <= coalesce(r.valid_to, 'infinity')
          and coalesce(t.valid_to, 'infinity') >= r.valid_from)`,
    ),
    sentence(
      'price is under the cost of its item',
      'prices are under the cost of their items',
      sql`select r.line, r.item_number as name from import_row r join item i on i.id = r.item_id
        left join item_unit u on u.item_id = i.id and u.unit = r.uom
        where r.outcome in ('new', 'changed') and r.promotion_type = 'FixedPrice' and r.currn_idx = ${sql.lit(DOLLAR_INDEX)}
          and r.amount < i.cost * coalesce(u.factor, 1)`,
    ),
  ],
  versioned: true,
};

export const promotionKind: ImportKindServer = tableKind(promotions, {
  label: 'Promotions',
  hint: 'Discounts, fixed prices and free goods of items for some days: item number, offer, unit, min. quantity, from, to. Exported promotions can be imported.',
  roles: ['systemadmin', 'salesadmin'],
  asks: [DECIMALS_ASK],
  track: {
    key: { id: 'int' },
    name: sql`coalesce(nullif(t.name, ''), (select i.item_number || ': ' || t.promotion_type from item i where i.id = t.item_id))`,
    many: 'promotions',
    history: {
      type: 'promotion',
      labels: {
        name: 'Name',
        promotion_type: 'Type',
        amount: 'Amount',
        buy_qty: 'Buy',
        get_qty: 'Get free',
        min_qty: 'Min. quantity',
        max_qty: 'Max. quantity',
        uom: 'Unit',
        currn_idx: 'Currency',
        valid_from: 'From',
        valid_to: 'To',
        active: 'Active',
      },
    },
  },
});
