// The definitions of the figures of a pivot.
import { withCommon } from '../common.definitions.ts';

export const PIVOT_DEFINITIONS = withCommon([
  {
    term: 'Quotes',
    meaning:
      'Quotes with a Quote Date in the period, in any status except Cancelled, as they are now. Won and lost: those that are won or lost now.',
  },
  {
    term: 'By item class or contract',
    meaning:
      'The lines that count toward the quote totals, at their net amounts, before freight and tax. A quote with lines in two classes counts in both, so the counts can add up to more than the total.',
  },
  { term: 'Win rate', meaning: 'Won quotes as a percentage of won and lost quotes.' },
  {
    term: 'Discount off list, margin',
    meaning:
      'As in Discount and Margin, for all quotes or lines in a cell. Discount: how far net is below list, as a percentage of list. Margin: net minus cost, as a percentage of net, for lines with a known cost. The list behind each figure shows the amounts.',
  },
  {
    term: 'Totals',
    meaning:
      'Totals include rows and columns that are not shown. Percentages in totals are calculated from all quotes, not averaged.',
  },
]);
