// The definitions of discounts, leakage and margin.
import { withCommon } from '../common.definitions.ts';

/** The fewest quotes that show what is usual. */
export const MIN_FOR_USUAL = 8;
/** The most outliers that the report lists. */
export const MAX_OUTLIERS = 20;

export const DISCOUNT_MARGIN_DEFINITIONS = withCommon([
  { term: 'Period', meaning: 'Quotes with a Quote Date in the period, in any status except Cancelled.' },
  {
    term: 'Steps from list to total',
    meaning:
      'List: the list value of all lines that count. Account and contract: the effect of account and contract prices. Promotions: the effect of promotions, including free goods. Typed prices: the effect of prices and discounts typed by hand. Quote discount: the discount on the whole quote. Net: the resulting subtotal. Freight, tax and the total follow.',
  },
  {
    term: 'Discount by rep or class',
    meaning:
      'The total discount from list to net, as a percentage of list. The 10th percentile, median and 90th percentile are calculated across a rep’s quotes or a class’s lines, and rounded to whole percentages.',
  },
  {
    term: 'Unusual discount',
    meaning: `A discount more than 1.5 times the interquartile range above the upper quartile of all quotes. Requires at least ${MIN_FOR_USUAL} quotes.`,
  },
  {
    term: 'Below system price',
    meaning:
      'How far lines are below the system price: the account, contract or list price, minus any promotion. Typed discounts and the quote discount count. Lines above the system price do not offset other lines. Lines without a system price are not included.',
  },
  {
    term: 'Margin',
    meaning: 'Net minus cost, as a percentage of net, for lines with a known cost, including free goods.',
  },
  {
    term: 'Without cost',
    meaning: 'Priced lines without a known cost. They are not included in any margin.',
  },
]);
