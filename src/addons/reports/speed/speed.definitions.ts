// The definitions of the speed figures.
import { withCommon } from '../common.definitions.ts';

export const SPEED_DEFINITIONS = withCommon([
  {
    term: 'Time in a status',
    meaning:
      'Over the quotes created in the period that were in the status and have left it: all their stays together, nights and weekends included. Half took at most the median; nine of ten at most the 90th percentile.',
  },
  {
    term: 'Approvals',
    meaning:
      'Requests made in the period: from the request to each decision about a rule, approved or rejected, by rule and by the person who decided. What somebody sends within their own limit waits for nobody and does not count.',
  },
  { term: 'Revisions', meaning: 'Quotes created in the period by the number of their current revision.' },
  {
    term: 'Waiting now',
    meaning:
      'Every open quote, whatever the period: for its sales rep while it is edited, revised or needs information; for anybody inside while it is in the queue; for who processes it; for the roles that still have to decide; for whoever sends it once its discount is approved; for the customer once it is sent.',
  },
]);
