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
      'Statuses, ages, and quotes without activity, expiring or expired: quotes with a Quote Date in the period, as they are now. Weekly figures: what happened in the period, regardless of the Quote Date. Changes since a week ago do not depend on the period.',
  },
  { term: 'Open', meaning: 'Not won, lost or canceled. A sent quote that has expired is still open.' },
  { term: 'Age', meaning: 'Calendar days since the quote was created, regardless of its revision.' },
  {
    term: 'Created, submitted, sent, won per week',
    meaning:
      'Each quote counts once per step, with its current total: when it was created, first submitted or taken into processing, first sent, and won. A reopened quote does not count as won.',
  },
  {
    term: 'Since a week ago',
    meaning: `Compares open, unexpired quotes at the start of the day ${BRIDGE_DAYS} days ago with those now. New: created since then. Reopened: reopened, revised after a loss or an expiry, or extended. Increased and decreased: the total changed. Won, lost, canceled, expired: the total a week ago. Quotes created and decided within the week are not included.`,
  },
  {
    term: 'No activity',
    meaning: `Open quotes that neither a colleague nor the customer has worked on for ${UNTOUCHED_DAYS} days. Reminders and other automatic actions do not count as activity.`,
  },
  { term: 'Expiring', meaning: `Sent quotes that expire today or within the next ${EXPIRING_DAYS} days.` },
  { term: 'Expired', meaning: 'Sent quotes that are past their last valid day.' },
]);
