// The definitions of the figures on the use of contracts and items, and their constants.
import { withCommon } from '../common.definitions.ts';

/** The report lists contracts that end within this many days. */
export const EXPIRES_WITHIN_DAYS = 90;
/** The most contracts, items and facilities that the report lists. */
export const MOST_CONTRACTS = 100;
export const MOST_NEVER_BOUGHT = 20;
export const MOST_FACILITIES = 50;
export const MOST_ITEMS = 20;

export const CONTRACT_USE_DEFINITIONS = withCommon([
  {
    term: 'Period',
    meaning:
      'Quoted: quotes with a Quote Date in the period, in every status but Cancelled. Won and lost: those of them that are won or lost now. Contracts that end, what is open under them, risks, and who never bought do not depend on the period.',
  },
  {
    term: 'Under a contract',
    meaning:
      'Lines that the contract priced, even if somebody then changed the price. Their net amounts count, before freight and tax. The tier is the one that the price proof names.',
  },
  {
    term: 'Never bought',
    meaning:
      'Facilities on the roster of an active contract today for which no quote that you may see was ever won with a line under it.',
  },
  {
    term: 'Expiring',
    meaning: `Contracts that end within ${EXPIRES_WITHIN_DAYS} days, with the open quotes that have lines under them.`,
  },
  {
    term: 'Risks',
    meaning:
      'Lines of quotes whose price changes, by the month of the change: the new price less the quoted one, times the quantity.',
  },
  {
    term: 'Price of an item',
    meaning:
      'The lowest, middle and highest net price of a unit over facilities, in the unit in which it was quoted most. Each facility counts with its newest quote.',
  },
]);
