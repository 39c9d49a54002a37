// The definitions of the speed figures.
import { withCommon } from '../common.definitions.ts';

export const SPEED_DEFINITIONS = withCommon([
  {
    term: 'Time in a status',
    meaning:
      'For quotes created in the period that were in the status and have left it: the total time in the status, including nights and weekends. Half took at most the median, and 9 of 10 at most the 90th percentile.',
  },
  {
    term: 'Approvals',
    meaning:
      'For requests made in the period: the time from the request to the approval or rejection of each rule, by rule and by approver. Quotes sent within a person’s own limit need no approval and are not included.',
  },
  { term: 'Revisions', meaning: 'Quotes created in the period, by current revision number.' },
  {
    term: 'Waiting now',
    meaning:
      'All open quotes, regardless of the period. A quote waits for its sales rep while it is edited, revised or needs information; for any internal user while it is in the queue; for its processor while it is processed; for the roles that still have to decide on it; for the sender once its discount is approved; and for the customer once it is sent.',
  },
]);
