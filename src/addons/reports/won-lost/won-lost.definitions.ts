// The definitions of won and lost, and the groupings.
import { withCommon } from '../common.definitions.ts';

export const WON_LOST_DEFINITIONS = withCommon([
  {
    term: 'Won, lost',
    meaning:
      'The current decision, on the day it was made. A quote won in March and reopened in April is won in neither month, until it is decided again. A lost quote that was revised is open again. Canceled and expired quotes are neither.',
  },
  { term: 'Rate', meaning: 'Won of won and lost, by number or by amount.' },
  { term: 'Reason', meaning: 'What whoever marked the quote lost, or the customer who declined it, chose.' },
  { term: 'Competitor', meaning: 'Who got the order, if somebody named them. Upper and lower case are one.' },
  {
    term: 'Price gap',
    meaning:
      'Lost quotes for which somebody knew the competitor’s price: how far our total was above it, in percent of theirs.',
  },
  {
    term: 'Discount',
    meaning: 'How far the net of all lines is below their list value, before freight and tax, in percent of list.',
  },
  {
    term: 'Days to decide',
    meaning: 'Calendar days from the day the quote was first sent to the day of the decision.',
  },
  { term: 'Rep, region', meaning: 'The quote’s sales rep and region now.' },
]);
