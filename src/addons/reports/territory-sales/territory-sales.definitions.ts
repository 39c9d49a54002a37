// The definitions of the territory sales figures.
import { withCommon } from '../common.definitions.ts';

export const TERRITORY_SALES_DEFINITIONS = withCommon([
  {
    term: 'Won',
    meaning:
      'Quotes won in the period and not reopened since, by the day of the decision and the quote’s current territory.',
  },
  { term: 'Open', meaning: 'Quotes that are open now, regardless of the period.' },
  {
    term: 'A year earlier',
    meaning: 'Won in the same days one year earlier. The change is a percentage of that amount.',
  },
]);
