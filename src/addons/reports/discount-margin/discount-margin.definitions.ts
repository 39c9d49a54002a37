// The definitions of discounts, leakage and margin.
import { withCommon } from '../common.definitions.ts';

/** The fewest quotes that show what is usual. */
export const FEWEST_FOR_USUAL = 8;
/** The most outliers that the report lists. */
export const MOST_OUTLIERS = 20;

export const DISCOUNT_MARGIN_DEFINITIONS = withCommon([
  { term: 'Period', meaning: 'Quotes with a Quote Date in the period, in every status but Cancelled.' },
  {
    term: 'Steps from list to total',
    meaning:
      'List: the list value of all lines that count. Contract: what account and contract prices change. Promotion: what promotions change, free goods included. Typed: what people changed by hand. Quote discount: the discount on the whole quote. Net: what the lines come to. Then freight, tax and the total.',
  },
  {
    term: 'Discount of a rep or a class',
    meaning:
      'Net below list, in percent of list, of all together. Low, median and high are the tenth, middle and ninetieth percentile: over the quotes of a rep, and over the lines of a class to the whole percent.',
  },
  {
    term: 'Outlier',
    meaning: `A quote whose discount is far above the usual: more than one and a half times the width of the middle half of all quotes above that half. Fewer than ${FEWEST_FOR_USUAL} quotes tell nothing.`,
  },
  {
    term: 'Below the rules',
    meaning:
      'How far lines are below the price that the rules gave: account, contract or list price, less promotion. Typed discounts and the quote discount count; lines above the rules do not make up for others. Lines without such a price do not count.',
  },
  {
    term: 'Margin',
    meaning: 'Net less cost, in percent of net, over the lines whose cost is known, free goods included.',
  },
  {
    term: 'Without cost',
    meaning: 'Priced lines whose cost nobody knows. No margin counts them, neither as 0 nor as 100 %.',
  },
]);
