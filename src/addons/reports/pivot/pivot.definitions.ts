// The definitions of the figures of a pivot.
import { withCommon } from '../common.definitions.ts';

export const PIVOT_DEFINITIONS = withCommon([
  {
    term: 'Quotes of a pivot',
    meaning:
      'Quotes with a Quote Date in the period, in every status but Cancelled, as they are now. Won and lost: those of them that are won or lost now.',
  },
  {
    term: 'By item class or contract',
    meaning:
      'The lines of the quotes that count in the total, each with its net, before freight and tax. A quote with lines of two classes is a quote of both, so that their numbers of quotes come to more than the total.',
  },
  { term: 'Win rate', meaning: 'Won of won and lost, by number of quotes.' },
  {
    term: 'Discount off list, margin',
    meaning:
      'As in Discount and Margin, of all quotes or lines of a cell together: net below list, in percent of list; net less cost, in percent of net, over the lines whose cost is known. The list behind it has the amounts.',
  },
  {
    term: 'Totals',
    meaning:
      'Of all quotes, also of rows and columns that are not shown. A share in a total is that of all quotes together, not the middle of the shares.',
  },
]);
