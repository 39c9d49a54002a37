// The definitions of won and lost, and the groupings.
import { withCommon } from '../common.definitions.ts';

export const WON_LOST_DEFINITIONS = withCommon([
  {
    term: 'Won, lost',
    meaning:
      'The current decision, on the day it was made. A quote won in March and reopened in April counts in neither month until it is decided again. A lost quote that was revised is open again. Canceled and expired quotes are neither won nor lost.',
  },
  { term: 'Win rate', meaning: 'Won as a percentage of won and lost, by number of quotes or by amount.' },
  { term: 'Reason', meaning: 'The reason selected when the quote was marked lost or declined by the customer.' },
  {
    term: 'Competitor',
    meaning: 'The competitor named for the lost quote. Upper and lower case are treated the same.',
  },
  {
    term: 'Price gap',
    meaning:
      'For lost quotes with a known competitor price: how far our total was above that price, as a percentage of that price.',
  },
  {
    term: 'Discount',
    meaning:
      'How far the net amount of all lines is below their list value, as a percentage of list, before freight and tax.',
  },
  {
    term: 'Days to decide',
    meaning: 'Calendar days from the day the quote was first sent to the day of the decision.',
  },
  { term: 'Rep, region', meaning: 'The quote’s current sales rep and region.' },
]);
