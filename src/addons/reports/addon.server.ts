import { addonServer } from '#platform/addons/addon.server.ts';
import { reports } from './addon.ts';
import { reportAnswers } from './reports.server.ts';
import { sentReportAnswers } from './sent-reports/sent-reports.server.ts';
import { reportFactsJob } from './facts/catch-up.server.ts';
import { sentReportJob, sentReportsJob } from './sent-reports/send-reports.server.ts';

export const reportsServer = addonServer(reports, {
  answers: { Report: reportAnswers, SentReports: sentReportAnswers },
  jobs: [reportFactsJob, sentReportJob, sentReportsJob],
});
