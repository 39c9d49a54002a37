import { addonServer } from '#platform/addons/addon.server.ts';
import { eligibility } from './addon.ts';
import { eligibilityAnswers } from './eligibility.server.ts';
import { lapseRequestsJob } from './lapse-requests.server.ts';

export const eligibilityServer = addonServer(eligibility, {
  answers: { Eligibility: eligibilityAnswers },
  jobs: [lapseRequestsJob],
});
