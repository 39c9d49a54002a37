import { addonServer } from '#platform/addons/addon.server.ts';
import { quotesAtRisk } from './addon.ts';
import { riskCount } from '#core/prices/contract-page/doors.server.ts';
import { countRisks } from './search-risks.server.ts';
import { quoteRiskAnswers } from './risks.server.ts';
import { dailyRisksJob, riskJob } from './calculate/risk-jobs.server.ts';

export const quotesAtRiskServer = addonServer(quotesAtRisk, {
  answers: { QuoteRisks: quoteRiskAnswers },
  jobs: [dailyRisksJob, riskJob],
  doors: [riskCount.with(countRisks)],
});
