import { addonServer } from '#platform/addons/addon.server.ts';
import { crm } from './addon.ts';
import { quoteMoved } from '#core/quoting/quote-workflow/doors.server.ts';
import { crmAnswers, quoteCrmAnswers } from './crm.server.ts';
import { crmLookJob, crmPushJob } from './queue.server.ts';

export const crmServer = addonServer(crm, {
  answers: { Crm: crmAnswers, QuoteCrm: quoteCrmAnswers },
  jobs: [crmLookJob, crmPushJob],
  doors: [quoteMoved.with(({ jobs }) => void jobs.look(crmPushJob.name))],
});
