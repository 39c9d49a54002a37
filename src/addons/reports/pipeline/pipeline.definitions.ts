// The definitions of the figures of the pipeline, and their constants.
import { BRIDGE_DAYS, withCommon } from '../common.definitions.ts';

/** An open quote is untouched after this many days without a user's change. */
export const UNTOUCHED_DAYS = 7;
/** A sent quote is expiring if it has at most this many days left. */
export const EXPIRING_DAYS = 7;

export const PIPELINE_DEFINITIONS = withCommon([
  {
    term: 'Period',
    meaning:
      'Statuses, ages, untouched, expiring and expired quotes: those whose Quote Date lies in the period, as they are now. Per week: what happened in the period, whatever the Quote Date. The change since a week ago does not depend on the period.',
  },
  { term: 'Open', meaning: 'Not won, not lost, not canceled. A sent quote that has expired is still open.' },
  { term: 'Age', meaning: 'Calendar days since the quote was created, whatever its revision.' },
  {
    term: 'Created, submitted, sent, won per week',
    meaning:
      'A quote counts once each: when it was created, when it was first submitted or taken up for processing, when it was first sent, and when it was won, with its total now. A quote that was reopened is not won.',
  },
  {
    term: 'Since a week ago',
    meaning: `From the beginning of the day ${BRIDGE_DAYS} days ago to now, over live quotes: open and not expired. New: made since. Reopened: live again (reopened, revised after a loss or an expiry, or valid longer). Grown and shrunk: the total changed. Won, lost, canceled, expired: what they were worth a week ago. Quotes made and decided within the week are in neither end.`,
  },
  {
    term: 'Untouched',
    meaning: `Open quotes with which no person did anything for ${UNTOUCHED_DAYS} days, neither a colleague nor the customer. Reminders and other work of the program do not count.`,
  },
  { term: 'Expiring', meaning: `Sent, and the last valid day is today or within ${EXPIRING_DAYS} days.` },
  { term: 'Expired', meaning: 'Sent, and the last valid day has passed.' },
]);
