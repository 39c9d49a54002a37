// The definitions of the figures on the use of contracts and items, and their constants.
import { withCommon } from '../common.definitions.ts';

/** The report lists contracts that end within this many days. */
export const EXPIRES_WITHIN_DAYS = 90;
/** The most contracts, items and facilities that the report lists. */
export const MAX_CONTRACTS = 100;
export const MAX_NEVER_BOUGHT = 20;
export const MAX_FACILITIES = 50;
export const MAX_ITEMS = 20;

export const CONTRACT_USE_DEFINITIONS = withCommon([
  {
    term: 'Period',
    meaning:
      'Quoted: quotes with a Quote Date in the period, in any status except Cancelled. Won and lost: those that are won or lost now. Contracts ending soon and their open amounts, lines at risk, and facilities that never bought do not depend on the period.',
  },
  {
    term: 'Under a contract',
    meaning:
      'Lines priced by the contract, even if the price was changed later. Amounts are net, before freight and tax. The tier is the one in the price proof.',
  },
  {
    term: 'Never bought',
    meaning:
      'Facilities on the roster of an active contract today without any won quote under that contract, among the quotes that you can see.',
  },
  {
    term: 'Expiring',
    meaning: `Contracts that end within ${EXPIRES_WITHIN_DAYS} days, with their open quotes.`,
  },
  {
    term: 'Risks',
    meaning:
      'Quote lines with a price change, by the month of the change: new price minus quoted price, times quantity.',
  },
  {
    term: 'Price spread',
    meaning:
      'The lowest, median and highest net price of an item across facilities, in the unit quoted most often. Only the newest quote of each facility counts.',
  },
]);
