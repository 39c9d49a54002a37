// Defines the columns of a contract price file, their headings, and the values of each cell.
import { ARTICLE_COLUMNS, ARTICLE_FIELDS } from '#core/company/import-kinds/another-article.server.ts';
import type { RowKind, Values } from '#platform/data-import/kinds/kind-description.server.ts';
import { PACK_COLUMNS } from '#core/company/import-kinds/unit-of-item.server.ts';
import { lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import {
  type CellParser,
  code,
  currency,
  price,
  quantity,
  textOf,
  unit,
} from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { firstDay } from '../contract-cells.server.ts';

/** A price of 0 may be a gift or an empty cell, so a user must decide. */
const contractPrice: CellParser = (text, context) => {
  if (text.includes('%')) return new Refusal('is a percentage, not a price');
  const value = price(text, context);
  return value === null || (typeof value === 'string' && Number(value) === 0)
    ? new Refusal('is 0: write the price, or leave the row out')
    : value;
};

const STAGE = { only: 'stage' } as const;

export const CONTRACT_NUMBER = {
  label: 'contract number',
  names: headings(
    'contract number, contract, contract id, gpo contract number, gpo contract id, gpo contract, contract code, agreement number, agreement, vendor contract number, supplier contract number',
  ),
  parse: code,
};
export const TIER = {
  label: 'tier',
  names: headings(
    'tier, tier number, tier name, tier level, price tier, pricing tier, tier description, access level, level',
  ),
  parse: textOf(100),
};

/** A file may contain a price column for each of this many tiers. */
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'];
const TIER_COLUMNS = ROMAN.map((roman, at) => {
  const no = at + 1;
  const spelled = [`tier ${no}`, `tier ${roman}`, `level ${no}`, `level ${roman}`, `t${no}`].flatMap((tier) => [
    ...['', ' price', ' contract price', ' net price', ' unit price', ' pricing'].map((what) => tier + what),
    ...['price ', 'contract price ', 'net price '].map((what) => what + tier),
  ]);
  return { field: `tier_${no}`, no: String(no), label: `price in tier ${no}`, names: spelled };
});
const NEEDED_PRICES = ['price', ...TIER_COLUMNS.map(({ field }) => field)];

/** The prices of a row: its own, and one for each tier that has a column. */
function pricesOf(values: Values): Values[] {
  const { price, ...row } = values;
  for (const { field } of TIER_COLUMNS) delete row[field];
  return [
    ...(price === undefined ? [] : [{ ...row, price }]),
    ...TIER_COLUMNS.flatMap(({ field, no }) => {
      const inTier = values[field];
      return inTier === undefined ? [] : [{ ...row, tier: no, price: inTier, tier_column: field }];
    }),
  ];
}

export const priceRows: RowKind = {
  kind: 'contract-prices',
  singular: 'contract price',
  fields: {
    contract: CONTRACT_NUMBER,
    item_number: {
      label: 'item number',
      names: headings(
        'our item number, item number, item, item id, item code, distributor item number, distributor number, sku, stock number, supply number',
      ),
      parse: code,
    },
    manufacturer_no: {
      label: 'manufacturer number',
      names: headings(
        'manufacturer number, manufacturer item number, manufacturer part number, manufacturer catalog number, manufacturer product number, mpn, catalog number, cat number, part number, reorder number, product number, vendor item number, supplier item number, supplier part number',
      ),
      parse: code,
    },
    unit: {
      label: 'unit',
      names: headings('unit, unit of measure, units of measure, price unit, selling unit, contract unit, uofm, units'),
      parse: unit,
    },
    factor: {
      label: 'units per unit',
      names: headings(
        'units per unit, quantity per unit, each per unit, eaches per unit, unit conversion, unit factor, conversion factor, conversion, factor, quantity of each, qoe, pack size, unit quantity',
      ),
      parse: quantity,
    },
    tier: TIER,
    price: {
      label: 'price',
      names: headings(
        'contract price, contract px, tier price, new price, proposed price, price, unit price, net price, selling price, amount',
      ),
      parse: contractPrice,
    },
    ...Object.fromEntries(
      TIER_COLUMNS.map(({ field, label, names }) => [field, { label, names, parse: contractPrice }]),
    ),
    first_day: {
      label: 'from',
      names: headings(`price effective date, price start date, from, ${FIRST_DAYS}`),
      parse: firstDay,
    },
    last_day: {
      label: 'to',
      names: headings(`price expiration date, price end date, to, ${LAST_DAYS}`),
      parse: lastDay,
    },
    currn_idx: { label: 'currency', names: headings('currency, currency code, currency id'), parse: currency },
    ...ARTICLE_FIELDS,
  },
  needs: NEEDED_PRICES.flatMap((price) => [
    [price, 'item_number', 'unit'],
    [price, 'manufacturer_no', 'unit'],
  ]),
  everyRow: null,
  toRecords: (values) => {
    if (values['item_number'] === undefined && values['manufacturer_no'] === undefined)
      return {
        field: 'item_number',
        refusal: new Refusal('is empty: write our item number or that of the manufacturer'),
      };
    const prices = pricesOf(values);
    return prices.length > 0 ? prices : { field: 'price', refusal: new Refusal('is empty') };
  },
  columns: {
    contract: { type: 'text' },
    item_number: { type: 'text' },
    manufacturer_no: { type: 'text' },
    unit: { type: 'text' },
    factor: { type: 'numeric' },
    tier: { type: 'text' },
    price: { type: 'numeric(14, 4)' },
    first_day: { type: 'date' },
    last_day: { type: 'date' },
    currn_idx: { type: 'int' },
    ...PACK_COLUMNS,
    ...ARTICLE_COLUMNS,
    // The import looks these up. They are null until it finds a match.
    contract_id: { type: 'int', ...STAGE },
    tier_id: { type: 'int', ...STAGE },
    tier_found: { type: 'int', ...STAGE },
    /** The field of the column, if all its prices belong to one tier. */
    tier_column: { type: 'text', ...STAGE },
    item_id: { type: 'int', ...STAGE },
    base_unit: { type: 'text', ...STAGE },
    /** The number that identifies the item, and its column. */
    asked: { type: 'text', ...STAGE },
    asked_in: { type: 'text', ...STAGE },
    /** Whether a user chose the item. */
    item_chosen: { type: 'boolean', ...STAGE },
    line_id: { type: 'int', ...STAGE },
    /** Whether the file contains the first day. */
    says_from: { type: 'boolean', ...STAGE },
    /** Whether the price was converted to the unit of the contract's line. */
    converted: { type: 'boolean', ...STAGE },
    subject: { type: 'text', ...STAGE },
    value: { type: 'text', ...STAGE },
    /** The figure that includes the refusal of this row. */
    sort: { type: 'text', ...STAGE },
  },
};
