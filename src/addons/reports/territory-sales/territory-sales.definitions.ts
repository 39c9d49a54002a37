// The definitions of the territory sales figures.
import { withCommon } from '../common.definitions.ts';

export const TERRITORY_SALES_DEFINITIONS = withCommon([
  {
    term: 'Won',
    meaning:
      'Quotes whose standing decision of the period is won, by the day of the decision and the quote’s territory now.',
  },
  { term: 'Open', meaning: 'Quotes that are open now, whatever the period.' },
  {
    term: 'The year before',
    meaning: 'The same, for the same days one year earlier. The change is in percent of the year before.',
  },
]);
