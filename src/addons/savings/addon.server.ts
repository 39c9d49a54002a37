import { addonServer } from '#platform/addons/addon.server.ts';
import { savings } from './addon.ts';
import { savingsAnswers } from './savings.server.ts';
import { analysisJob } from './analysis-job.server.ts';

export const savingsServer = addonServer(savings, {
  answers: { Savings: savingsAnswers },
  jobs: [analysisJob],
});
